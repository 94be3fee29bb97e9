"""How opponents are treated, in the open questions of report M: held against plain recounts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from petteia.analysis import behaviour as watching
from petteia.arena.statistics import score_interval
from petteia.core.decision import Decision
from petteia.core.protocol import parse_state, play
from petteia.features.report_weights import REPORT_RULES
from petteia.games.kalah import NOBODY, Kalah
from petteia.players import player
from petteia.reports.mancala.behaviour import is_stuffed, treatment


@pytest.mark.parametrize(
    ("text", "souths", "norths"),
    [
        ("0,0,0,0,0,12,18/0,0,0,0,0,12,6 s", False, False),
        ("0,0,0,0,0,13,18/0,0,0,0,0,11,6 s", True, False),
        ("0,12,0,0,0,0,17/14,0,0,0,0,0,5 n", False, True),
    ],
)
def test_is_stuffed(text: str, souths: bool, norths: bool) -> None:
    state = parse_state(REPORT_RULES, text)
    assert [is_stuffed(REPORT_RULES, state, side) for side in (0, 1)] == [souths, norths]


class Watched:
    """A player whose positions and moves are noted, a list for each game."""

    def __init__(self, watched: Any, games: list[list[tuple[Any, int]]], begins: bool) -> None:
        self.watched, self.games, self.begins = watched, games, begins
        self.name, self.seats = watched.name, watched.seats

    def new_game(self, rules: Any, random: Any) -> None:
        if self.begins:
            self.games.append([])
        self.watched.new_game(rules, random)

    def choose(self, state: Any, limit: Any) -> Decision:
        decision: Decision = self.watched.choose(state, limit)
        self.games[-1].append((state, decision.move))
        return decision

    def end_game(self, state: Any) -> None:
        self.watched.end_game(state)

    def finish(self) -> None:
        self.watched.finish()


@pytest.mark.parametrize("rules", [Kalah(3, 3, leftovers=NOBODY), Kalah(2, 4, leftovers=NOBODY)])
def test_treatment_is_what_a_recount_says(rules: Kalah, monkeypatch: pytest.MonkeyPatch) -> None:
    games: list[list[tuple[Any, int]]] = []
    subject, opponent = "greedy:depth=2", "random"
    monkeypatch.setattr(
        watching, "player", lambda text, rules: Watched(player(text, rules), games, begins=text == subject)
    )
    found = treatment(rules, subject, opponent, 30, seed=1)
    rows = []
    for number, game in enumerate(games):
        seat = number % 2
        states = [*(state for state, _ in game), play(rules, *game[-1])]
        before, end = states[-2:]
        ahead = end.south_store - end.north_store
        half = rules.pits * rules.seeds
        is_open = max(before.south_store, before.north_store) <= half
        pits = [
            [str(rules.format_state(state)).split("/")[side].split(",")[:-1] for state in states] for side in (0, 1)
        ]
        has_round = [any(int(n) > 2 * rules.pits for row in rows_of for n in row) for rows_of in pits]
        rows.append(
            (
                ahead > 0 if seat == 0 else ahead < 0,
                *(is_open and end.side != seat, is_open and end.side == seat),
                *(has_round[1 - seat], has_round[seat]),
            )
        )
    assert found.games == len(games) == 30
    assert [game[0][0] for game in games[::2]] == [game[0][0] for game in games[1::2]], "openings come in pairs"
    columns = np.array(rows, np.float64).T
    assert (columns.sum(axis=1) > 0).all(), "all that can happen does"
    assert found[1:6] == tuple(score_interval(column) for column in columns)
    assert found.won_starving == columns[0][columns[1] == 1].mean()


def test_where_nobody_starves_no_game_is_won_so() -> None:
    found = treatment(Kalah(6, 4, leftovers=NOBODY), "greedy:depth=2", "random", 2, seed=1)
    assert found.starved.mean == 0
    assert found.won_starving is None
