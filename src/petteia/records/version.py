"""The version of this package, which files name that it makes."""

from importlib import metadata

VERSION = metadata.version("petteia")
