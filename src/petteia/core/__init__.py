"""The core of petteia: the protocol of games, the compilation of their rules, and random numbers.

The modules of this package do not depend on any particular game. The modules, in the order of their imports:

- compilation: `folders`, `identity`, `types`, `helper_library`, `kernel`, `cache`
- messages, interruption and processor time: `announcements`, `interrupt`, `work_time`
- states: `arrays`, `bits`, `random`, `protocol` (the methods of a game), `pointer`, `packing`, `symmetry`, `hashing`
- user input: `errors`, `hints`, `options`, `models`, `names`, `text`, `fields`
- positions: `positions`, `moves`, `decision`, `perft`
- available memory: `memory`
"""
