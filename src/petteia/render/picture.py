"""An SVG as PNG, drawn by resvg with the fonts of matplotlib (the extra `plot`)."""

from __future__ import annotations

from pathlib import Path

from petteia.core.errors import PetteiaError

SCALE = 2.0
"""pixels of the picture for one of the SVG"""


def png(svg: str) -> bytes:
    """The SVG as a PNG, twice as large in pixels, in light colours; the same picture on every system.

    Raises PetteiaError if the extra `plot` is not installed, or if this is no SVG.
    """
    try:
        import matplotlib
        import resvg_py
    except ImportError:
        raise PetteiaError("PNG needs more packages; install them with: pip install 'petteia[plot]'") from None
    try:
        return resvg_py.svg_to_bytes(
            svg_string=svg,
            zoom=SCALE,
            skip_system_fonts=True,
            font_dirs=[str(Path(matplotlib.get_data_path()) / "fonts" / "ttf")],
            font_family="DejaVu Sans",
            sans_serif_family="DejaVu Sans",
            serif_family="DejaVu Serif",
            monospace_family="DejaVu Sans Mono",
        )
    except ValueError as error:
        raise PetteiaError(f"the board cannot be drawn as PNG: {' '.join(str(error).split())}") from None
