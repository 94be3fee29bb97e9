"""How opponents are treated and games go, held against plain recounts; and the claims that rest on that."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from made_up_mancala import STEADY, Found, traces

from petteia.analysis import behaviour as watching
from petteia.analysis.behaviour import WatchedGame
from petteia.core.decision import Decision
from petteia.core.protocol import parse_state, play
from petteia.games.kalah import NOBODY, Kalah
from petteia.players import player
from petteia.reports.engine.rules import Answer
from petteia.reports.mancala.behaviour import TREATMENTS, course, has_hole, longest_chain, treatment_of
from petteia.reports.mancala.open_questions import RULES
from petteia.reports.mancala.questions import TRACES
from petteia.value_functions.report_weights import REPORT_RULES


@pytest.mark.parametrize(
    ("text", "souths", "norths"),
    [
        ("4,4,4,4,4,4,0/4,4,4,4,4,4,0 s", False, False),
        ("0,5,5,5,5,4,0/4,4,4,4,4,4,0 s", True, False),
        ("4,4,4,4,4,4,0/5,5,5,5,0,4,0 n", False, True),
    ],
)
def test_has_hole(text: str, souths: bool, norths: bool) -> None:
    state = parse_state(REPORT_RULES, text)
    assert [has_hole(REPORT_RULES, state, side) for side in (0, 1)] == [souths, norths]


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
    found = treatment_of(rules, subject, opponent, 30, seed=1, value=lambda state: 1.0 + state.side)
    rows, stuffed, offered, drawn = [], {0: [], 1: []}, [], []
    for number, game in enumerate(games):
        seat = number % 2
        states = [*(state for state, _ in game), play(rules, *game[-1])]
        before, end = states[-2:]
        ahead = end.south_store - end.north_store
        half = rules.pits * rules.seeds
        is_open = max(before.south_store, before.north_store) <= half
        for state, move in game:
            if "0" in facing(rules, state, state.side):
                stuffed[int(state.side != seat)].append("0" not in facing(rules, play(rules, state, move), state.side))
                if state.side == seat:
                    for pit, held in enumerate(facing(rules, state, 1 - state.side)):
                        if held != "0":
                            offered.append("0" not in facing(rules, play(rules, state, pit), state.side))
        if ahead == 0:
            drawn += [1.0 + state.side for state in states[:-1]]
        won = ahead > 0 if seat == 0 else ahead < 0
        rows.append((won, ahead == 0, is_open and end.side != seat, is_open and end.side == seat))
    assert len(games) == 30
    assert [game[0][0] for game in games[::2]] == [game[0][0] for game in games[1::2]], "openings come in pairs"
    columns = np.array(rows, np.float64).T
    assert (columns.sum(axis=1) > 0).all(), "all that can happen does"
    assert [*found.values()][:4] == pytest.approx(columns.mean(axis=1))
    told = [found[name] for name in ("stuffed", "was_stuffed", "stuffing", "drawn_value")]
    assert told == pytest.approx([np.mean(each) for each in (stuffed[0], stuffed[1], offered, drawn)])
    assert min(told) > 0


def facing(rules: Kalah, state: Any, side: int) -> list[str]:
    """The pits of the opponent of a side, as they are written."""
    return str(rules.format_state(state)).split("/")[1 - side].split(",")[: rules.pits]


def test_where_nobody_starves_no_game_is_won_so() -> None:
    shares = treatment_of(Kalah(6, 4, leftovers=NOBODY), "greedy:depth=2", "random", 2, seed=1)
    assert shares["starved"] == 0.0
    values = TREATMENTS["starved"].values(Found(treatment=shares))
    assert values == (0.0,) * 5, "where there is nothing to tell the share is 0"


def test_chains_of_turns() -> None:
    found = course(REPORT_RULES, "heuristic", "random", 20, seed=1)
    assert found["games"] == 20
    assert found["longest"] >= 2
    states = [parse_state(REPORT_RULES, f"4,4,4,4,4,4,0/4,4,4,4,4,4,0 {side}") for side in "sssns"]
    watched = [WatchedGame(seat, tuple(states), (0,) * 4, 0) for seat in (0, 1)]
    assert [longest_chain(REPORT_RULES, game) for game in watched] == [3, 1]


RARE = {"long_chains": 0.0, "low": 0.0, "high": 0.1}


@pytest.mark.parametrize(
    ("name", "changes", "answer"),
    [
        ("traces-coincide", {"experiments": {TRACES: traces(STEADY)}}, True),
        ("traces-coincide", {}, False),
        ("ends-help", {"scores": {"standard": 0.3}}, True),
        ("ends-help", {"scores": {"ends=value": 0.3, "early=no": 0.05}}, False),
        ("ends-help", {}, None),
        ("starves-and-stuffs", {}, True),
        ("starves-and-stuffs", {"treatment": {"stuffed": 0.0}}, None),
        ("draws-are-not-0", {"scores": {"draws=-0.25": 0.3}}, True),
        ("draws-are-not-0", {"scores": {"standard": 0.3}}, False),
        ("greedy2-shortens", {}, True),
        ("greedy2-shortens", {"enough": {"self": 20_000}}, False),
        ("greedy2-shortens", {"enough": {}}, None),
        ("swinging-has-no-effect", {}, True),
        ("swinging-has-no-effect", {"without": lambda weight: 0.1 if weight == "constant" else 0.0}, False),
        ("long-chains", {}, True),
        ("long-chains", {"watched": RARE}, None),
        ("stopping-early", {}, True),
        ("stopping-early", {"lengths_of_games": (39.0, 40.0)}, False),
        ("stopping-early", {"lengths_of_games": (36.0, 40.0)}, None),
    ],
)
def test_what_only_the_largest_scale_judges(name: str, changes: dict[str, Any], answer: Answer) -> None:
    assert RULES[name].judge(Found(**changes)).answer is answer
