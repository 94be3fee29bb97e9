"""Custom code: classes from modules that do not belong to this package.

- `trust`: the modules whose code may run
- `loading`: the import of custom classes named `module:Name`, and the check that a class is a game
- `sources`: the custom modules on which classes depend
- `diagnosis`: one-line descriptions of compiler errors
- `places`: the file in which an error was raised
- `blame`: notes in error messages from compiled code, which name the custom classes involved; importing this package
  activates them
"""

from petteia.foreign import blame as blame
