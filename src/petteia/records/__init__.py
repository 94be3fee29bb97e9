"""What is kept on disk: run folders and their seals, journals, weight files, game records.

Everything is written whole or not at all, so that a process killed at any moment leaves what can be read and resumed.
What belongs together does so by checksums, which show damage, not forgery. Formats are open (JSON, safetensors, text)
and carry a schema number. Nothing that is read is ever executed, and code that it names runs only where somebody
vouches for it (`petteia.foreign.trust`); nothing is read that is larger than its kind can be (`bounds`), and nothing is
written through a link.
"""
