"""The core of petteia: the protocol of games, the compilation of their rules, and random numbers.

The modules of this package do not depend on any particular game. In the order of their imports, they are:

- compilation: `folders` (of caches), `identity` (digests of code), `types` (changes to numba), `helper_library`
  (translation to machine code), `kernel` (the decorators of compiled functions), `cache` (of compiled kernels)
- running code: `announcements` (notices of compilation), `interrupt` (Ctrl-C), `work_time` (processor time)
- states: `arrays` (array types), `bits` (64-bit words), `random` (random numbers), `protocol` (the methods of a game),
  `pointer` (pointers to values), `packing` (states as rows or numbers), `symmetry` (canonical states), `hashing`
  (a hash table)
- user input: `errors`, `hints` (parts of error messages), `options` (of rules and players), `models` (dataclasses of
  options), `names` (of games and seats), `text` (text forms of games and players), `fields` (options of custom classes)
- positions: `positions` and `moves` (read from user input), `decision` (limits and results of a choice), `perft`
  (counts of move sequences)
- available memory: `memory`
"""
