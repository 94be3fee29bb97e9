"""Text and drawings: boards as text and SVG (a file for each game with a drawing), lists of moves, charts and pages.

All functions are pure: they turn plain values into text.
"""

from petteia.render.boards import Board, board_svg, board_text, move_text

__all__ = ["Board", "board_svg", "board_text", "move_text"]
