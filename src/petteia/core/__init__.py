"""The core of petteia: the protocol of games, the compilation of their rules, and random numbers.

The modules of this package do not depend on any particular game. In import order, they are:

- `folders`: the folders for cached files and for private files of the user
- `identity`: digests that identify compiled code
- `types`: changes to numba, so that it identifies classes and helper functions by their code
- `helper_library`: compilation of functions to machine code
- `kernel`: the decorators of compiled functions
- `cache`: the disk cache of compiled functions
- `announcements`: messages to the user that code is being compiled
- `interrupt`: handling of Ctrl-C
- `work_time`: the processor time of a thread
- `arrays`: type aliases of NumPy arrays
- `bits`: operations on 64-bit words
- `random`: random numbers
- `protocol`: the methods that every game has
- `pointer`: pointers to the common arguments of recursive functions
- `packing`: conversion of states to rows of an array or to numbers
- `symmetry`: the canonical state of symmetric states
- `hashing`: a hash table
- `errors`: errors that the user can correct
- `hints`: suggestions in error messages
- `options`: the options of rules, players and training runs
- `models`: dataclasses whose fields are options
- `names`: the names of games and seats
- `text`: strings that describe games and players
- `fields`: the options of custom classes
- `positions`, `moves`: positions and moves in user input
- `decision`: the limits of a search, chosen moves, and the outcomes of games
- `perft`: the number of move sequences, a test of move generators
- `memory`: the available memory
"""
