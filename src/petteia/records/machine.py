"""A description of the machine and of the software versions with which a result was computed."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path


def machine() -> dict[str, str]:
    """Return the names of the processor and the system, and the versions of Python, numba and NumPy."""
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numba": metadata.version("numba"),
        "numpy": metadata.version("numpy"),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"
