"""Functions that write drawings to SVG or PNG files. PNG files need the extra `plot`.

The library resvg converts SVG to PNG, and uses the fonts of matplotlib.
"""

from __future__ import annotations

import re
from pathlib import Path

from petteia.core.errors import PetteiaError, UsageError
from petteia.records.files import write_file

SCALE = 2.0
"""The number of pixels in the PNG for each pixel of the SVG."""
WIDTH_IN_POINTS = re.compile(r' width="[0-9.]+pt"')
"""The width of a chart in points, which resvg rejects. It is removed, so that the size is that of the viewBox."""


def save_drawing(path: str | Path, svg: str) -> None:
    """Write a drawing to an SVG or PNG file, depending on the suffix. See `Board.save` for errors."""
    path = Path(path)
    if path.suffix not in (".svg", ".png"):
        raise UsageError(f"path={str(path)!r}: must end with .svg or .png")
    write_file(path, svg if path.suffix == ".svg" else png(svg))


def png(svg: str) -> bytes:
    """Convert an SVG to PNG with twice the width and height in pixels, using the colours of the light mode.

    The picture is the same on every system.

    Raises PetteiaError if the extra `plot` is not installed, or if the text is not SVG.
    """
    try:
        import matplotlib
        import resvg_py
    except ImportError:
        raise PetteiaError(
            "PNG files need additional packages; install them with: pip install 'petteia[plot]'"
        ) from None
    try:
        return resvg_py.svg_to_bytes(
            svg_string=WIDTH_IN_POINTS.sub("", svg, count=1),
            zoom=SCALE,
            skip_system_fonts=True,
            font_dirs=[str(Path(matplotlib.get_data_path()) / "fonts" / "ttf")],
            font_family="DejaVu Sans",
            sans_serif_family="DejaVu Sans",
            serif_family="DejaVu Serif",
            monospace_family="DejaVu Sans Mono",
        )
    except ValueError as error:
        raise PetteiaError(f"the drawing cannot be converted to PNG: {' '.join(str(error).split())}") from None
