"""Custom code: classes from modules outside this package.

In order: `trust` (which code may run), `loading` (importing `module:Name`, and checking that a class is a game),
`sources` (the modules of classes), `diagnosis` (compiler errors in one line), `places` (where an error was raised),
`blame` (notes about the custom code behind errors in compiled code; importing this folder activates them).
"""

from petteia.foreign import blame as blame
