"""Template context of the analysis page: values of moves, a chart of the values during the game, and features.

Values are in points, from the perspective of player 0. Everything that a colour shows is also shown by a sign or a
word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from petteia.arena.analysis import AnalysedLine, Analysis
from petteia.arena.exact import EXACT
from petteia.arena.reasons import Reason
from petteia.arena.review import SLIP, ReviewedMove, known, regret_of
from petteia.core.names import format_game
from petteia.core.protocol import CHANCE, Rules, State, format_move, is_over, legal, seats, to_move
from petteia.core.steps import Steps, continuations, steps_of
from petteia.render.targets import Box
from petteia.search.memory import MAX_DEPTH
from petteia.search.searcher import WON_POINTS
from petteia.web.game import Game
from petteia.web.pictures import Painter, turned_box
from petteia.web.studies import Study
from petteia.web.view import image, listed
from petteia.web.words import counted, words

SMALLEST = 0.01
"""The smallest difference of values that is shown, in points."""
MAX_FEATURES, LONGEST_LINE = 16, 12
"""The maximum number of features that are shown, and the maximum number of moves of a line."""
WIDTH, HEIGHT, EDGE = 640.0, 200.0, 24.0
"""The width and height of the graph, and its margin, in units of its viewBox."""


class Row(NamedTuple):
    """A row in the list of moves: a move and its value, formatted as text."""

    move: str
    value: str
    """the value of the move in points, with its sign"""
    meaning: str
    """the winner and the number of plies to the end; empty if they are not known"""
    regret: str
    """the regret of the move; empty if it is not known"""
    kind: str
    """`best`, `slip` or `mistake`; `unknown` if the value of the move is not known"""
    line: str
    """the principal variation after the move, as text"""


class Mark(NamedTuple):
    """The value of a move, and the place on the board at which it is shown."""

    box: Box
    text: str
    kind: str
    """the kind of the best move that has this step, as in `Row`"""
    label: str
    """the name of the place and the value, as text"""
    begun: str
    """the steps of the move after a click on this place; empty if the move is then complete"""


class Point(NamedTuple):
    """A point of the chart of values during a game. It stands for the position after `ply` plies."""

    ply: int
    x: float
    y: float
    label: str
    is_mistake: bool


class Bar(NamedTuple):
    """A row of the table of features: the values of a feature, and a bar for its contribution to the evaluation."""

    feature: str
    weight: str
    before: str
    after: str
    x: float
    width: float
    """the left end and the width of the bar, in percent of the whole width; the middle, at 50, stands for a
    contribution of 0"""
    worth: str
    gain: str


def study_view(game: Game, painter: Painter, study: Study | None, ply: int, begun: Steps) -> dict[str, Any]:
    """Return the template context for the analysis of the position after `ply` plies.

    `study` is the analysis of the position, or None if no player is to move there.
    """
    line, rules = game.line, game.rules
    shown = min(max(ply, 0), len(line) - 1)
    position = line[shown]
    picture = painter.picture(rules, position.state, position.last)
    analysis = study.analysis if study else None
    found = rows(rules, position.state, analysis) if analysis else []
    marks = marks_of(rules, position.state, begun, picture.targets, found)
    if game.is_turned and picture.view:
        marks = [mark._replace(box=turned_box(mark.box, picture.view)) for mark in marks]
    return {
        "game": game,
        "title": format_game(rules),
        "seats": seats(rules),
        "position": position,
        "picture": picture,
        "image": image(game, position, shown) if picture.svg else "",
        "alt": picture.title or f"{format_game(rules)}: {position.text}",
        "study": study,
        "rows": found,
        "marks": marks,
        "begun": ",".join(map(str, begun)),
        "known": how_known(analysis),
        "bars": bars(analysis.reasons, lambda reason: reason.worth_after) if analysis and analysis.features else [],
        "ply": shown,
        "plies": len(line) - 1,
        "list": listed(game, line, shown),
    }


def rows(rules: Rules, state: State, analysis: Analysis) -> list[Row]:
    """Return the rows of the list of moves, the best move first."""
    side = to_move(rules, state)
    slip = 0.0 if analysis.player == EXACT else SLIP
    lines = analysis.lines
    if len(lines) == 1 and analysis.values:  # a player that knows values of moves, but no lines
        worth = sorted(analysis.values.items(), key=lambda each: each[1], reverse=side == 0)
        lines = tuple(AnalysedLine(move, value, False, None, (move,)) for move, value in worth)
    return [_row(rules, analysis, each, lines[0], side, slip) for each in lines]


def _row(rules: Rules, analysis: Analysis, line: AnalysedLine, best: AnalysedLine, side: int, slip: float) -> Row:
    lost = regret_of(best, line, side)
    kind = "best" if not lost else "mistake" if lost > slip else "slip"
    value = known(analysis, line.value)
    rest = " …" if len(line.line) > LONGEST_LINE else ""
    return Row(
        line.move,
        points(value),
        meaning(rules, line),
        "" if lost is None or value is None else regret_in_points(lost),
        kind if value is not None else "unknown",
        " ".join(line.line[:LONGEST_LINE]) + rest,
    )


def points(value: float | None) -> str:
    """Return a value as text with its sign, short enough for a square of the board."""
    if value is None:
        return "?"
    if is_end(value):
        return words()["won" if value > 0 else "lost"]
    return f"{value:+.2f}".rstrip("0").rstrip(".").replace("-", "−") if round(value, 2) else "0"


def regret_in_points(regret: float) -> str:
    """Format a regret in points without a sign. A very small positive regret is not rounded to 0."""
    if 0 < regret < SMALLEST / 2:
        return f"<{SMALLEST}"
    return words()["whole_win"] if is_end(regret) else points(regret).removeprefix("+")


def is_end(value: float) -> bool:
    """Return whether the value that a search returned stands for a won or lost game."""
    return abs(value) >= WON_POINTS - MAX_DEPTH


def meaning(rules: Rules, line: AnalysedLine) -> str:
    """Return a text that names the winner and, if it is known, the number of plies to the end of the game.

    The text is empty if the line of play `line` does not lead to a win.
    """
    if line.value is None or not line.is_won:
        return ""
    winner = seats(rules)[0 if line.value > 0 else 1]
    if line.plies_to_end is None:
        return words()["wins"].format(seat=winner)
    return counted("wins_in", line.plies_to_end, seat=winner)


def how_known(analysis: Analysis | None) -> str:
    """Return a note on how the values were computed: by which player, and to which search depth."""
    if analysis is None:
        return ""
    if analysis.player == EXACT:
        return words()["values_exact"]
    if not analysis.depth:
        return words()["values_of"].format(player=analysis.player)
    text = words()["values_deep"].format(player=analysis.player, depth=analysis.depth, nodes=f"{analysis.nodes:,}")
    return f"{text} {words()['values_final']}" if analysis.is_final else text


def marks_of(rules: Rules, state: State, begun: Steps, targets: Any, found: Sequence[Row]) -> list[Mark]:
    """Return the values to show on the board, one for each possible next step of a move.

    `begun` contains the steps of the move that have already been chosen.

    If several moves have the same next step, the value of the best of these moves is shown.
    """
    if is_over(rules, state) or to_move(rules, state) == CHANCE:
        return []
    row_of = {row.move: row for row in reversed(found)}
    best: dict[int, Row] = {}
    order = {row.move: place for place, row in enumerate(found)}
    for move in legal(rules, state):
        written = steps_of(rules, state, move)
        row = row_of.get(format_move(rules, state, move))
        if row is None or written[: len(begun)] != begun or len(written) <= len(begun):
            continue
        step = written[len(begun)]
        if step not in best or order[row.move] < order[best[step].move]:
            best[step] = row
    marks = []
    for step, completes in continuations(rules, state, begun).items():
        target = targets.get(step)
        if step in best and target is not None and target.box is not None:
            row = best[step]
            label = f"{target.label}: {row.value} {row.meaning}".strip()
            further = "" if completes is not None else ",".join(map(str, (*begun, step)))
            marks.append(Mark(target.box, row.value, row.kind, label, further))
    return marks


def bars(given: Sequence[Reason], amount: Callable[[Reason], float]) -> list[Bar]:
    """Return bars for the most important features. The length of a bar is proportional to `amount(feature)`.

    A bar to the left is good for player 1, a bar to the right for player 0.
    """
    chosen = given[:MAX_FEATURES]
    maximum = max((abs(amount(each)) for each in chosen), default=0.0) or 1.0
    made = []
    for each in chosen:
        width = 50 * abs(amount(each)) / maximum
        made.append(
            Bar(
                each.feature,
                ", ".join(f"{part.weight:+.4g}" for part in each.parts),
                f"{each.before:.4g}",
                f"{each.after:.4g}",
                round(50 - width if amount(each) < 0 else 50, 2),
                round(width, 2),
                f"{each.worth_after:+.4f}",
                f"{each.gain:+.4f}",
            )
        )
    return made


def graph(moves: Sequence[ReviewedMove], plies: int) -> dict[str, Any]:
    """Return the template context of the chart that shows the values of the positions of a game.

    Positions that player 0 wins are drawn at the upper edge, and positions that it loses at the lower edge.
    """
    values = [(move.ply - 1, move.before, move) for move in moves if move.before is not None]
    finite = [abs(value) for _, value, _ in values if value is not None and not is_end(value)]
    maximum = max(finite, default=0.0) or 1.0
    if any(value is not None and is_end(value) for _, value, _ in values):
        maximum *= 1.25

    def place(ply: int) -> float:
        return round(EDGE + (WIDTH - 2 * EDGE) * ply / max(plies, 1), 1)

    def height(value: float) -> float:
        return round(HEIGHT / 2 - (HEIGHT / 2 - EDGE) * max(-1.0, min(1.0, value / maximum)), 1)

    found = [
        Point(ply, place(ply), height(value), f"{move.who} {move.move}: {points(value)}", move.is_mistake)
        for ply, value, move in values
        if value is not None
    ]
    return {
        "points": found,
        "path": " ".join(f"{point.x},{point.y}" for point in found),
        "maximum": points(maximum),
        "minimum": points(-maximum),
        "width": WIDTH,
        "height": HEIGHT,
        "edge": EDGE,
        "middle": HEIGHT / 2,
        "places": [place(ply) for ply in range(plies + 1)],
    }
