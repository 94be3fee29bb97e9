"""What is seen: boards as text and as SVG (a file for each game that has a drawing), lists of moves, and charts.

Everything here is a pure function from plain values to text.
"""

from petteia.render.boards import Board, board_svg, board_text, move_text

__all__ = ["Board", "board_svg", "board_text", "move_text"]
