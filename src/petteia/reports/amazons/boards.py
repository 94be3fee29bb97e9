"""Drawings of the Amazons board for the page of the report.

The drawings show the number of legal first moves to each square. Without their arrows, these moves are called amazon
moves. A drawing shows how many of the amazon moves to each square a selective search examines. Further drawings show a
move whose gain in evaluation is cancelled by the opponent's best reply.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from petteia.core.protocol import State, contents, format_move, initial, legal, parse_move, parse_state, play, to_move
from petteia.features.amazons_rankings import TARGET
from petteia.features.evaluations import evaluation_for
from petteia.features.rankings import rank, ranking_for
from petteia.games.amazons_board import BLACK_AMAZON, FILES, WHITE_AMAZON
from petteia.render import board_svg
from petteia.render.heat_map import Square, heat_map
from petteia.reports.amazons import positions
from petteia.reports.amazons.plan import THRESHOLD
from petteia.reports.amazons.positions import WON, value_of
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.kept import kept
from petteia.search import selection

NAMES = {WHITE_AMAZON: "White", BLACK_AMAZON: "Black"}
"""the player that owns an amazon, by the content of its square"""


def start(evidence: Evidence) -> str:
    """Draw the start position."""
    return board_svg(evidence.rules, initial(evidence.rules))


def all_moves(evidence: Evidence) -> str:
    """Draw the start position with the number of legal moves to each target square."""
    counts = Counter(positions.parts(evidence, move)[1] for move in legal(evidence.rules, initial(evidence.rules)))
    maximum = max(counts.values())
    squares = {square: Square(str(number), number / maximum) for square, number in counts.items()}
    return _board(
        evidence,
        squares,
        f"The {counts.total():,} legal moves in the start position, by the target square of the amazon",
    )


def kept_moves(evidence: Evidence) -> str:
    """Draw the start position. Each target square shows how many of its amazon moves a selective search examines."""
    state = initial(evidence.rules)
    groups = {tuple(positions.parts(evidence, move)[:TARGET]): move for move in legal(evidence.rules, state)}
    ranking, _ = ranking_for(evidence.rules, "queen_distance", evaluation_for(evidence.rules, "mobility"))
    ranked = sorted(groups, key=lambda each: -rank(ranking, evidence.rules, state, groups[each], TARGET))
    wanted = selection.kept(selection.WHOLE // 2, len(ranked))
    every, found = (Counter(target for _, target in each) for each in (ranked, ranked[:wanted]))
    squares = {each: Square(f"{found[each]} of {number}", found[each] / number) for each, number in every.items()}
    title = f"The {wanted} of {len(ranked)} amazon moves that “selective” (w = 0.5) searches"
    return _board(evidence, squares, title)


def _board(evidence: Evidence, squares: dict[int, Square], title: str) -> str:
    """Draw the start position as a heat map, labelled with the texts of `squares` and the owner of each amazon."""
    rules = evidence.rules
    width, height, on_board = rules.width, rules.height, [0] * (rules.width * rules.height)
    contents(rules, initial(rules), on_board)
    cells = [squares.get(place, Square(NAMES.get(kind, ""), 0.0)) for place, kind in enumerate(on_board)]
    ranks = {str(rank + 1): cells[rank * width :][:width] for rank in reversed(range(height))}
    return heat_map([*ranks], [*FILES[:width]], [*ranks.values()], title, row_label="rank", column_label="file")


class Example(NamedTuple):
    """An example move that raises the evaluation, and the opponent's best reply, which lowers it again.

    The field `values` contains evaluations from the perspective of the player that makes the example move. An
    evaluation is the number of this player's queen moves minus the number of the opponent's.
    """

    position: str
    move: str
    reply: str
    values: tuple[int, int, int]
    """the values before the move, after it, and after the reply"""


@kept
def taken_back_in(evidence: Evidence) -> Example | None:
    """Find a move whose gain in evaluation is cancelled by the opponent's best reply. Return None if there is none.

    The move has the highest evaluation of all moves in its position that do not win at once. It raises the evaluation
    by more than `THRESHOLD`, so it is not a quiet move.
    """
    rules = evidence.rules
    for text in positions.positions(evidence, 1):
        state = parse_state(rules, text)
        sign = 1 - 2 * to_move(rules, state)

        def worth(after: State, sign: int = sign) -> int:
            return sign * value_of(evidence, after)

        before = worth(state)
        after = {move: worth(play(rules, state, move)) for move in legal(rules, state)}
        undecided = [each for each, value in after.items() if value < WON]
        move = max(undecided, key=lambda each: after[each], default=None)
        if move is None or after[move] - before <= THRESHOLD:
            continue
        child = play(rules, state, move)
        back, reply = min((worth(play(rules, child, reply)), reply) for reply in legal(rules, child))
        if -WON < back <= before:
            words = format_move(rules, state, move), format_move(rules, child, reply)
            return Example(text, *words, (before, after[move], back))
    return None


def drawn(evidence: Evidence, example: Example) -> list[str]:
    """Draw an example as three SVG boards: before the move, after the move, and after the reply."""
    rules, state = evidence.rules, parse_state(evidence.rules, example.position)
    pictures = [board_svg(rules, state)]
    for text in (example.move, example.reply):
        parent, move = state, parse_move(rules, state, text)
        state = play(rules, parent, move)
        pictures.append(board_svg(rules, state, move, parent))
    return pictures
