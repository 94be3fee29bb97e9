"""By what code things came about, so that what is kept is not taken for the work of other code.

In order: `bytecode` (what a function reads), `syntax` (sources as they were imported, and their canonical form), `live`
(a walk over users' functions, classes and values), `reach` (which of all code a piece of work depends on).
"""
