"""Users' code: classes from modules that are not of this package.

In order: `trust` (whose code may run), `loading` (finding `module:Name`, and whether a class can be a game), `sources`
(the modules that classes come from), `diagnosis` (what the compiler refuses, in one line), `places` (where an error was
raised), `blame` (whose code an error in compiled code may come from; it hears of such errors as soon as any of this
room is imported).
"""

from petteia.foreign import blame as blame
