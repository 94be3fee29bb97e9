"""Digests of the code that produced a result, to detect later changes of this code.

- `bytecode`: the names that a function reads
- `syntax`: the source code of imported modules, and its canonical form, which does not depend on formatting
- `live`: digests of custom functions, classes and values
- `reach`: digests of all code on which a result depends
"""
