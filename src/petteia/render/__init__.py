"""Text, SVG and HTML output: boards, lists of moves, charts and pages.

Each built-in game whose board can be drawn has a module in this package, with the name of the game.

Most functions convert plain values to text. Only `save_drawing` and the methods `save` write files.
"""

from petteia.render.boards import Board, board_svg, board_text, move_text

__all__ = ["Board", "board_svg", "board_text", "move_text"]
