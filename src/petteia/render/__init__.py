"""Text, SVG and HTML output: boards, lists of moves, charts and pages.

Each built-in game whose board can be drawn has a module in this package, with the name of the game.

All functions are pure: they turn plain values into text.
"""

from petteia.render.boards import Board, board_svg, board_text, move_text

__all__ = ["Board", "board_svg", "board_text", "move_text"]
