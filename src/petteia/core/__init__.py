"""The core of petteia: the protocol of games, the compilation of their rules, and random numbers.

The modules of this package do not depend on any particular game. In import order, they are:

- compilation: `folders` (of caches), `identity` (digests of code), `types` (numba types), `helper_library`
  (translation to machine code), `kernel` (the decorators of compiled functions), `cache` (of compiled kernels)
- running code: `announcements` (messages about compilation), `interrupt` (Ctrl-C), `work_time` (processor time)
- states: `arrays` (array types), `bits` (64-bit words), `random` (random numbers), `protocol` (the methods of a game),
  `pointer` (pointers to values), `packing` (states as rows or numbers), `symmetry` (canonical states), `hashing`
  (a hash table)
- user input: `errors`, `hints` (suggestions in error messages), `options` (of rules and players), `models`
  (dataclasses of options), `names` (of games and seats), `text` (games and players as strings), `fields` (options of
  custom classes)
- positions: `positions` and `moves` (read from user input), `decision` (search limits, chosen moves and outcomes),
  `perft` (counts of move sequences)
- available memory: `memory`
"""
