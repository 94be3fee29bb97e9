"""The Game of the Amazons: each move blocks a square, and a player that cannot move loses.

Each player has one to four amazons. In a move, one of them moves like a chess queen: any number of squares along a
rank, a file or a diagonal. From its new square, the amazon shoots an arrow, which also moves like a queen. The square
where the arrow lands is blocked for the rest of the game. Amazons and arrows cannot pass or enter an occupied or
blocked square. White begins. A player that is to move and cannot move has lost. There are no draws.

The initial position on a board of any size follows the pattern of the 10x10 board. Each player has two amazons on its
back row and one on each side edge. The amazons on the back row stand (width - 1) // 3 files from the side edges. The
amazons on the side edges stand (height - 1) // 3 ranks from the back row. On small boards, some of these squares can
coincide. On such a board, the game has no initial position, and every game must start from a given position.

The option `rabbits` is the number of rabbits that each player may release during a game, at most one with each move.
After the move, the rabbit makes the arrow that the opponent shot last run to an adjacent free square. This square is
chosen uniformly at random. A rabbit cannot be released if the opponent has shot no arrow, or if no square next to the
arrow is free after the move.

Sources: the game by Walter Zamkauskas, 1988, on 10x10 squares. The rabbits come from a student report on selective
alpha-beta search. The report does not say how many rabbits a player may release, or when the arrow runs.

A position is written `3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3 w`: the rows from the top, and the side to move. `w` and
`b` are amazons, `x` is a blocked square, and a number counts successive empty squares.

In games with rabbits, the notation also contains the numbers of rabbits that White and Black have left, and the square
of the arrow that was shot last. An example is `... w 1,1 g7`. If no arrow has been shot, `-` is written in place of
`g7`. If an arrow is about to run, the notation ends with the square of this arrow and `!`, as in `... b 0,1 e5 g7!`.
The side in this notation is the player that moves after the arrow has run.

The move `d1-d7xg7` moves an amazon from d1 to d7 and shoots an arrow at g7. The move `d1-d7xg7!` also releases a
rabbit. When an arrow runs, only its new square is written.
"""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from petteia.core.bits import mix, wrapping_add
from petteia.core.options import Range
from petteia.core.positions import strict
from petteia.core.protocol import CHANCE, Buffer, Limits, injective, named_move
from petteia.core.random import RandomState
from petteia.games.amazons_board import (
    BLACK,
    BLACK_AMAZON,
    BLOCKED,
    INJECTIVE_SQUARES,
    MAX_AMAZONS,
    MAX_RABBITS,
    NOTHING,
    RABBIT_BITS,
    RELEASE,
    RELEASED,
    WHITE,
    WHITE_AMAZON,
    Position,
    Rabbits,
    amazons_of,
    assembled,
    blocked,
    free_squares,
    image_of,
    image_square,
    rabbits_of,
    read_position,
    running_arrow,
    square_name,
    squares_of,
    start_squares,
)
from petteia.games.amazons_moves import check_release, count_moves, draw_move, list_moves
from petteia.games.amazons_territory import certain_winner
from petteia.games.queens import (
    LARGEST,
    SQUARES,
    STRIDE,
    WORD_ROWS,
    Squares,
    beside,
    common,
    is_empty,
    lowest,
    max_reached,
    only,
    size_of,
    union,
    without,
    without_lowest,
)


class Amazons(NamedTuple):
    """The rules of the Game of the Amazons. The options are the board size and the number of rabbits of each player.

    A rabbit moves the arrow that the opponent shot last. The module describes the rules.
    """

    width: Annotated[int, Range(1, LARGEST)] = 10
    height: Annotated[int, Range(1, LARGEST)] = 10
    rabbits: Annotated[int, Range(0, MAX_RABBITS)] = 0

    def initial(rules) -> Position:
        white, black = start_squares(rules.width, rules.height)
        return assembled((white, black, Squares(0, 0)), WHITE, Rabbits(rules.rabbits, rules.rabbits, 0, 0))

    def to_move(rules, state: Position) -> int:
        return state.side if running_arrow(state) == 0 else CHANCE

    def moves(rules, state: Position, out: Buffer) -> int:
        return list_moves(rules, state, out)

    def chances(rules, state: Position, moves: Buffer, probabilities: Buffer) -> int:
        exits = beside(only(running_arrow(state) - 1), free_squares(rules, state))
        each = 1.0 / size_of(exits)
        count = 0
        while not is_empty(exits):
            moves[count] = lowest(exits)
            probabilities[count] = each
            exits = without_lowest(exits)
            count += 1
        return count

    def has_chance(rules) -> bool:
        return rules.rabbits > 0

    def play(rules, state: Position, move: int) -> Position:
        white, black, arrows = amazons_of(state, WHITE), amazons_of(state, BLACK), blocked(state)
        white_rabbits, black_rabbits, shot, run = rabbits_of(state)
        side, running = state.side, 0
        if run != 0:
            arrows = union(without(arrows, only(run - 1)), only(move))
        else:
            origin, target = only(move // SQUARES**2 % SQUARES), only(move // SQUARES % SQUARES)
            if side == WHITE:
                white = union(without(white, origin), target)
            else:
                black = union(without(black, origin), target)
            arrows = union(arrows, only(move % SQUARES))
            if move >= RELEASE:
                white_rabbits -= 1 - side
                black_rabbits -= side
                running = shot
            if rules.rabbits > 0:
                shot = 1 + move % SQUARES
            side = 1 - side
        return assembled((white, black, arrows), side, Rabbits(white_rabbits, black_rabbits, shot, running))

    def is_over(rules, state: Position) -> bool:
        if running_arrow(state) != 0:
            return False
        return is_empty(beside(amazons_of(state, state.side), free_squares(rules, state)))

    def margin(rules, state: Position) -> int:
        """Return the margin of a finished game: -1 if White is to move and has therefore lost, otherwise 1."""
        return 2 * state.side - 1

    def margin_range(rules, state: Position) -> tuple[int, int]:
        """Return the lower and the upper bound of the final margin. The bounds are equal if a certain win is detected.

        The module `amazons_territory` detects certain wins. In games with rabbits, it is not used, because blocked
        squares can become free again. The bounds are then always -1 and 1.
        """
        if rules.rabbits > 0:
            return -1, 1
        winner = certain_winner(state, free_squares(rules, state))
        return (-1 if winner != WHITE else 1), (1 if winner != BLACK else -1)

    def key(rules, state: Position) -> int:
        """Return a key that encodes the side to move, the content of each square (two bits), and the rabbits.

        One bit of a square is set for a white amazon, the other for a black amazon, and both are set for an arrow. If
        this encoding does not fit into 63 bits, the key is a hash.
        """
        if not injective(rules):
            digest = 0
            for field in state:
                digest = mix(wrapping_add(digest, field))
            return digest & (1 << 63) - 1
        width = rules.width
        row = (1 << width) - 1
        name = 2 | state.side
        for rank in range(rules.height):
            place = rank % WORD_ROWS * STRIDE
            if rank < WORD_ROWS:
                white, black, arrows = state.white_low, state.black_low, state.blocked_low
            else:
                white, black, arrows = state.white_high, state.black_high, state.blocked_high
            name = (name << width | (white | arrows) >> place & row) << width | (black | arrows) >> place & row
        return name if rules.rabbits == 0 else name << 4 * RABBIT_BITS | state.rabbits

    def injective(rules) -> bool:
        """Whether different states always have different keys. They do if the encoding of `key` fits into 63 bits."""
        return 2 * rules.width * rules.height + 2 + (4 * RABBIT_BITS if rules.rabbits > 0 else 0) <= 63

    def limits(rules) -> Limits:
        """Return the `Limits` of the game: the maximum numbers of moves and plies, and the number of move codes.

        The maximum number of moves is computed from the queen moves on an empty board.
        """
        width, height = rules.width, rules.height
        moves = MAX_AMAZONS * max_reached(width, height) ** 2
        plies = width * height - 2
        if rules.rabbits == 0:
            return Limits(max(moves, 1), RELEASE, max(plies, 1))
        return Limits(max(2 * moves, 1), 2 * RELEASE, max(plies, 1) + 2 * rules.rabbits)

    def max_positions(rules) -> int:
        """Return an upper bound on the number of positions: 4 possible contents per square, and 2 sides to move.

        On large boards and in games with rabbits, the result is 0, which means that no bound is known.
        """
        squares = rules.width * rules.height
        return 2 << 2 * squares if rules.rabbits == 0 and squares < INJECTIVE_SQUARES else 0

    def count(rules, state: Position) -> int:
        return count_moves(rules, state)

    def move_kinds(rules) -> int:
        return SQUARES**2

    def move_kind(rules, move: int) -> int:
        """The kind of a move for the history heuristic: its origin and target squares.

        Moves that differ only in the square of the arrow are of the same kind.
        """
        return move // SQUARES % SQUARES**2

    def images(rules) -> int:
        """The number of symmetries of the board: 8 if the board is square, otherwise 4."""
        return 8 if rules.width == rules.height else 4

    def image(rules, state: Position, i: int) -> Position:
        white = image_of(rules, amazons_of(state, WHITE), i)
        black = image_of(rules, amazons_of(state, BLACK), i)
        arrows = image_of(rules, blocked(state), i)
        white_rabbits, black_rabbits, shot, running = rabbits_of(state)
        shot = 0 if shot == 0 else 1 + image_square(rules, shot - 1, i)
        running = 0 if running == 0 else 1 + image_square(rules, running - 1, i)
        return assembled((white, black, arrows), state.side, Rabbits(white_rabbits, black_rabbits, shot, running))

    def image_move(rules, move: int, i: int) -> int:
        if move < SQUARES:  # the target of a running arrow; no other move has such a code, as none stays on a square
            return image_square(rules, move, i)
        origin = image_square(rules, move // SQUARES**2 % SQUARES, i)
        target = image_square(rules, move // SQUARES % SQUARES, i)
        arrow = image_square(rules, move % SQUARES, i)
        return move // RELEASE * RELEASE + (origin * SQUARES + target) * SQUARES + arrow

    def random_move(rules, state: Position, random: RandomState) -> int:
        return draw_move(rules, state, random)

    def swapped(rules, state: Position) -> Position:
        sets = (amazons_of(state, BLACK), amazons_of(state, WHITE), blocked(state))
        white, black, shot, running = rabbits_of(state)
        return assembled(sets, 1 - state.side, Rabbits(black, white, shot, running))

    def content_kinds(rules) -> int:
        return BLOCKED + 1

    def contents(rules, state: Position, out: Buffer) -> int:
        """Write the content of each square: empty (0), a white amazon (1), a black amazon (2) or an arrow (3).

        Squares are listed row by row from the lower left.
        """
        white, black, arrows = amazons_of(state, WHITE), amazons_of(state, BLACK), blocked(state)
        width = rules.width
        for rank in range(rules.height):
            for file in range(width):
                square = only(LARGEST * rank + file)
                kind = NOTHING
                if not is_empty(common(square, white)):
                    kind = WHITE_AMAZON
                elif not is_empty(common(square, black)):
                    kind = BLACK_AMAZON
                elif not is_empty(common(square, arrows)):
                    kind = BLOCKED
                out[rank * width + file] = kind
        return width * rules.height

    def step_codes(rules) -> int:
        """The number of codes for the steps of a move: one for each square, and one for releasing a rabbit.

        Without rabbits, the code for releasing a rabbit is omitted.
        """
        return rules.width * rules.height + (1 if rules.rabbits > 0 else 0)

    def steps(rules, state: Position, move: int, out: Buffer) -> int:
        """Write the steps of a move to `out`, and return their number.

        The steps are the release of a rabbit (if the move releases one), the square that the amazon leaves, the square
        that it enters, and the square where the arrow lands. The run of an arrow has only one step, the new square of
        the arrow.
        """
        count = 0
        if move >= RELEASE:
            out[0] = rules.width * rules.height
            count = 1
        squares = 1 if move < SQUARES else 3  # a running arrow has only one square
        for i in range(squares):
            square = move // SQUARES ** (squares - 1 - i) % SQUARES
            out[count] = rules.width * (square // LARGEST) + square % LARGEST
            count += 1
        return count

    def format_state(rules, state: Position) -> str:
        rows = [["."] * rules.width for _ in range(rules.height)]
        for sign, squares in zip(
            "wbx", (amazons_of(state, WHITE), amazons_of(state, BLACK), blocked(state)), strict=True
        ):
            for square in squares_of(squares):
                rows[square // LARGEST][square % LARGEST] = sign
        lines = (re.sub(r"[.]+", lambda run: str(len(run[0])), "".join(row)) for row in reversed(rows))
        text = f"{'/'.join(lines)} {'wb'[state.side]}"
        if rules.rabbits == 0:
            return text
        white, black, shot, running = rabbits_of(state)
        text += f" {white},{black} {square_name(shot - 1) if shot else '-'}"
        return f"{text} {square_name(running - 1)}!" if running else text

    def parse_state(rules, text: str) -> Position:
        try:
            return strict(rules, text, read_position(rules, text))
        except ValueError as error:
            message = str(error)
            raise ValueError(message if message.startswith("position") else f"position {text!r}: {message}") from None

    def format_move(rules, state: Position, move: int) -> str:
        if move < SQUARES:
            return square_name(move)
        origin, target = square_name(move // SQUARES**2 % SQUARES), square_name(move // SQUARES % SQUARES)
        return f"{origin}-{target}x{square_name(move % SQUARES)}{RELEASED if move >= RELEASE else ''}"

    def parse_move(rules, state: Position, text: str) -> int:
        if text.endswith(RELEASED) and running_arrow(state) == 0:
            check_release(rules, state, text.removesuffix(RELEASED))
        return named_move(rules, state, text)

    def seats(rules) -> tuple[str, str]:
        return ("white", "black")

    def check_start(rules) -> None:
        white, black = start_squares(rules.width, rules.height)
        if size_of(union(white, black)) < 2 * MAX_AMAZONS:
            raise ValueError(f"on {rules.width}x{rules.height} squares some amazons would start on the same square")
