"""What is kept on disk: run folders, journals, weight files, game records.

Everything is written whole or not at all, so that a process killed at any moment leaves what can be read and resumed.
What belongs together does so by checksums, which show damage, not forgery. Formats are open (JSON, safetensors, text)
and carry a schema number. Nothing that is read is ever executed, nothing is read that is larger than its kind can be
(`bounds`), and nothing is written through a link.
"""
