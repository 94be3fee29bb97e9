"""The foundation: what a game is, how its rules are compiled, randomness, and the words of the field.

Knows no game by name. In order: `folders`, `identity`, `types`, `helper_library`, `kernel`, `cache` (compiled code, and
what it was made from), `announcing`, `interrupt`, `work_time` (what people see of it, how they stop it, what it takes),
`arrays`, `bits`, `random`, `protocol` (the verbs of a game), `pointer`, `packing`, `symmetry` and `hashing` (many
states), `errors`, `hints`, `options`, `models`, `names`, `text` and `fields` (what users type), `positions`, `moves`,
`decision`, `perft`, `memory` (how much is left).
"""
