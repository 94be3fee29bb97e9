"""Text, SVG and HTML output: boards, lists of moves, charts and pages.

Each game with a drawing has a module of its own.

All functions are pure: they turn plain values into text.
"""

from petteia.render.boards import Board, board_svg, board_text, move_text

__all__ = ["Board", "board_svg", "board_text", "move_text"]
