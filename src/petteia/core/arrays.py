"""Type aliases of NumPy arrays, named after the element type. Docstrings state the shape, such as [rows, moves].

NumPy is imported only for type checkers, so the rules and the notation of games can be used without NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Ints32 = NDArray[np.int32]
    Ints8 = NDArray[np.int8]
    Bools = NDArray[np.bool_]
else:
    Floats = Ints = Ints32 = Ints8 = Bools = Any
