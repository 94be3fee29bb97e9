"""What is kept on disk: run folders, journals, weight files, game records.

Everything is written whole or not at all, so that a process killed at any moment leaves what can be read and resumed.
Formats are open (JSON, safetensors, text) and carry a schema number; nothing that is read is ever executed.
"""
