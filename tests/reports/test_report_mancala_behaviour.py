"""How opponents are treated and games go, held against plain recounts; and the claims that rest on that."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from made_up_mancala import STEADY, all_found, played, traces, treated

from petteia.analysis import behaviour as watching
from petteia.analysis.behaviour import WatchedGame
from petteia.arena.statistics import Interval
from petteia.core.decision import Decision
from petteia.core.protocol import parse_state, play
from petteia.games.kalah import NOBODY, Kalah
from petteia.learned.report_weights import REPORT_RULES
from petteia.players import player
from petteia.reports.engine.estimates import SHARE, mean_over_trainings
from petteia.reports.engine.rules import Answer
from petteia.reports.mancala.behaviour import Course, course, is_stuffed, longest_chain, probabilities_of
from petteia.reports.mancala.beyond import TRACES
from petteia.reports.mancala.open_claims import CLAIMS, TREATMENTS


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
    found = probabilities_of(rules, subject, opponent, 30, seed=1)
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
    assert len(games) == 30
    assert [game[0][0] for game in games[::2]] == [game[0][0] for game in games[1::2]], "openings come in pairs"
    columns = np.array(rows, np.float64).T
    assert (columns.sum(axis=1) > 0).all(), "all that can happen does"
    assert [*found.values()][:5] == pytest.approx(columns.mean(axis=1))
    assert found["won_starving"] == columns[0][columns[1] == 1].mean()


def test_where_nobody_starves_no_game_is_won_so() -> None:
    shares = probabilities_of(Kalah(6, 4, leftovers=NOBODY), "greedy:depth=2", "random", 2, seed=1)
    assert (shares["starved"], shares["won_starving"]) == (0.0, None)
    found = all_found(treatment=[shares, {**shares, "starved": 0.5}])
    assert TREATMENTS["starved"].interval(found) == mean_over_trainings([0.0, 0.5], SHARE)


def test_chains_of_turns_and_early_decisions() -> None:
    found = course(REPORT_RULES, "heuristic", "random", 20, seed=1)
    assert found.games == 20
    assert found.longest >= 2
    assert 0 < found.after_decision < 1
    states = [parse_state(REPORT_RULES, f"4,4,4,4,4,4,0/4,4,4,4,4,4,0 {side}") for side in "sssns"]
    watched = [WatchedGame(seat, tuple(states), (0,) * 4, 0) for seat in (0, 1)]
    assert [longest_chain(REPORT_RULES, game) for game in watched] == [3, 1]


@pytest.mark.parametrize(
    ("name", "changes", "answer"),
    [
        ("traces-coincide", {"experiments": {TRACES: traces(STEADY)}}, True),
        ("traces-coincide", {}, False),
        ("ends-help", {"duels": played(**{"is": 0.3})}, True),
        ("ends-help", {"duels": played(say=0.3, wins=0.05)}, False),
        ("ends-help", {}, None),
        ("starves-and-stuffs", {}, True),
        ("starves-and-stuffs", {"treatment": treated(stuffed=0.0)}, None),
        ("long-chains", {}, True),
        ("long-chains", {"watched": Course(20, Interval(0.0, 0.0, 0.1), 5, 0.3)}, None),
        ("stopping-early", {}, True),
        ("stopping-early", {"watched": Course(20, Interval(0.0, 0.0, 0.1), 5, 0.01)}, False),
    ],
)
def test_what_only_the_largest_scale_judges(name: str, changes: dict[str, Any], answer: Answer) -> None:
    rules = {each.name: each.judged_by for each in CLAIMS}
    assert rules[name].judge(all_found(**changes)).answer is answer
