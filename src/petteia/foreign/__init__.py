"""Custom code: classes from modules that do not belong to this package.

In order: `trust` (which code may run), `loading` (importing `module:Name`, and checking that a class is a game),
`sources` (the modules of classes), `diagnosis` (one-line descriptions of compiler errors), `places` (the file in which
an error was raised), `blame` (notes about the custom code behind errors in compiled code; importing this folder
activates them).
"""

from petteia.foreign import blame as blame
