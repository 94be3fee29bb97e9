"""The foundation: what a game is, how its rules are compiled, randomness, and the words of the field.

Knows no game by name. In order: `folders`, `identity`, `types`, `kernel` and `cache` (compiled code, and what it was
made from), `sources`, `bits`, `random`, `protocol` (the verbs of a game), `packing`, `symmetry` and `hashing` (many
states), `errors`, `options` and `text` (what users type), `foreign` and `fields` (users' own classes), `syntax`,
`bytecode` and `provenance` (which of their code something was learned with), `reach` (which of all code a piece of work
depends on), `blame` (which of users' functions failed in compiled code), `decision`, `perft`; `sample`, `first_use`,
`findings`, `near_misses`, `notation`, `conformance`, `comparison`, `diagnosis` and `check` (whether a game keeps its
promises).
"""
