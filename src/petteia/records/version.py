"""The version of this package, which is recorded in the files that it writes."""

from importlib import metadata

VERSION = metadata.version("petteia")
