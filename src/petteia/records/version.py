"""The version of this package, which is recorded in its files."""

from importlib import metadata

VERSION = metadata.version("petteia")
