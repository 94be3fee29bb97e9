"""The charts, boards and games of the page."""

from __future__ import annotations

from petteia.core.protocol import format_move, initial, legal, play
from petteia.players.perfect import solved
from petteia.playing.begin import session
from petteia.records.game_record import GameRecord
from petteia.render import board_svg
from petteia.render.bars import Bar, bar_chart
from petteia.render.charts import line_chart
from petteia.reports.british_square import plan
from petteia.reports.british_square.evidence import Evidence
from petteia.reports.british_square.plan import PROJECT, PUBLISHED, SEATS, term, working
from petteia.reports.british_square.tables import mean
from petteia.reports.engine.charts import GAMES_AXIS, band
from petteia.reports.engine.matches import AGENT
from petteia.solver.tablebase import find_known

PARTS = ("won", "drawn", "lost")


def charts(evidence: Evidence) -> dict[str, str]:
    """All charts, by name."""
    curves = [
        band(f"{SEATS[seat]} player, {words}", cell.games, cell.scores, family=words)
        for words, game in (("the project's rules", PROJECT), ("the published game", PUBLISHED))
        for seat in (0, 1)
        for cell in [evidence.cell(term(game, seat))]
    ]
    learned = [
        band(f"{plan.LEARNERS[name]} ({SEATS[seat]})", cell.games, cell.scores, family=name)
        for name in ("counts", "territory", plan.BEST)
        for seat in (0, 1)
        for cell in [evidence.cell(working(name, seat))]
    ]
    return {
        "why": why(evidence),
        "term-project": line_chart(curves, "The term project's learner", GAMES_AXIS, "score against random play"),
        "learners": line_chart(learned, "Learners that work", GAMES_AXIS, "score against random play"),
    }


def why(evidence: Evidence) -> str:
    """Games won, drawn and lost in the second seat: what hides that the learner learns."""
    bars = []
    for heading, game in (("The project's rules", PROJECT), ("The published game", PUBLISHED)):
        wins = evidence.ceilings(game, 1)[0].won
        bars += [
            Bar(heading, ()),
            Bar("random play", tuple(evidence.of_random(game, 1))),
            Bar("its learner, untaught", tuple(mean(evidence.shares(term(game, 1, 0.0))))),
            Bar("its learner, taught", tuple(mean(evidence.shares(term(game, 1))))),
            Bar(f"can win at most {wins:.0%}", (wins, 0.0, 0.0)),
        ]
    return bar_chart(bars, PARTS, "The same learner, as second player against random play, by two rules")


def start_board(records: dict[str, GameRecord]) -> str:
    """The board in the midst of a game."""
    record = records["best"]
    return board_svg(record.rules, record.states()[8])


def opening_map(evidence: Evidence) -> list[list[str]]:
    """What the game is worth to the first player after each first move, as the board lies."""
    rules, table = evidence.rules, solved(evidence.rules)
    start = initial(rules)
    worth = {
        format_move(rules, start, move): int(table.values[find_known(rules, table, play(rules, start, move))])
        for move in legal(rules, start)
    }
    files = "abcdefg"[: rules.size]
    return [
        [str(rank), *(str(worth.get(f"{file}{rank}", "barred")) for file in files)] for rank in range(rules.size, 0, -1)
    ]


def games(evidence: Evidence) -> dict[str, GameRecord]:
    """A game of the learner that works against random play as second player, and one of perfect play."""
    setting = working(plan.BEST, 1)
    text = evidence.player(evidence.cell(setting).trainings[0], setting, 1)
    second = text.replace(AGENT, f"{AGENT}{evidence.work.folder}/")
    return {"learned": _game(evidence, "random", second), "best": _game(evidence, "perfect", "perfect")}


def _game(evidence: Evidence, first: str, second: str) -> GameRecord:
    with session(evidence.rules, (first, second)) as played:
        played.advance()
    return played.record()
