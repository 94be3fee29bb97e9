"""Files on disk: run folders and their seals, journals, weights files, and game records.

All files are written atomically, so a run can be read and resumed even if its process was killed at any moment.
Checksums connect the files of a run. They reveal damage, but not forgery. Formats are open (JSON, safetensors, text)
and have a schema number. File contents are never executed, and code that a file names runs only if the user trusts it
(`petteia.foreign.trust`). Files beyond the maximum size of their kind are not read (`bounds`). Nothing is written
through a link.
"""
