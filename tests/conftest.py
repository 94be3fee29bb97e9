"""One cache of compiled kernels for all runs of the suite, unless PETTEIA_CACHE names another.

Set before anything is imported, so that worker processes and the fresh processes that tests start share it.
"""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("PETTEIA_CACHE", str(Path(__file__).parents[1] / ".pytest_cache" / "kernels"))
