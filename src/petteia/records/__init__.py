"""Files on disk: run folders and their seals, journals, weights files, and game records.

All files are written atomically, so a run can be read and resumed even if its process was killed at any moment.
Checksums connect the files of a run. They detect damage, but not forgery. The file formats are open: JSON, safetensors
and text. Weights files and `run.json`, the description of a run, contain the schema number of their format. File
contents are never executed. Custom code that a file names runs only if the user trusts it (`petteia.foreign.trust`).
Files that exceed the maximum size of their kind are not read (module `bounds`). Files are never written through
symbolic links.
"""
