"""Custom code: classes from modules that do not belong to this package.

- `trust`: the modules whose code may run
- `loading`: the import of `module:Name`, and the check that a class is a game
- `sources`: the custom modules on which classes depend
- `diagnosis`: one-line descriptions of compiler errors
- `places`: the file in which an error was raised
- `blame`: notes that name the custom code behind errors in compiled code; importing this folder activates them
"""

from petteia.foreign import blame as blame
