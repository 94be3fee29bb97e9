"""Connect Four with a drawing whose columns are clicked."""

from __future__ import annotations

from connect_four import COLUMN, HEIGHT, WIDTH, ConnectFour, Discs

STEP = 60


class Drops(ConnectFour):
    """Connect Four."""


def svg(rules: Drops, state: Discs) -> str:
    discs = []
    for column in range(WIDTH):
        for row in range(HEIGHT):
            bit = COLUMN * column + row
            fill = "#c0392b" if state.first >> bit & 1 else "#e0b020" if state.second >> bit & 1 else "#e8eef5"
            x, y = STEP * column + STEP // 2, STEP * (HEIGHT - row) - STEP // 2
            discs.append(f'<circle cx="{x}" cy="{y}" r="25" fill="{fill}"/>')
    box = f"0 0 {WIDTH * STEP} {HEIGHT * STEP}"
    board = f'<rect width="{WIDTH * STEP}" height="{HEIGHT * STEP}" rx="12" fill="#2c5f9e"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{board}{"".join(discs)}</svg>'


def targets(rules: Drops, state: Discs) -> dict[int, tuple[int, int, int, int, str]]:
    return {column: (STEP * column, 0, STEP, HEIGHT * STEP, f"column {column + 1}") for column in range(WIDTH)}
