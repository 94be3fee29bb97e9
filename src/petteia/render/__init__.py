"""Text, SVG and HTML output: boards, lists of moves, charts and pages.

For each game of the package that draws its board, there is a module with the name of the game.

All functions are pure: they turn plain values into text.
"""

from petteia.render.boards import Board, board_svg, board_text, move_text

__all__ = ["Board", "board_svg", "board_text", "move_text"]
