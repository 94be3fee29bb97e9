"""The provenance of results: digests of the code that produced a result, which show later changes of the code.

In order: `bytecode` (names that a function reads), `syntax` (imported sources, and their canonical form), `live`
(digests of custom functions, classes and values), `reach` (all code on which a result depends).
"""
