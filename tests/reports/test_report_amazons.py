"""The report on the Amazons: the original's games, its claims on made-up evidence, its page and its commands."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_up_round_robins import MadeRoundRobins, made_table

import petteia
from petteia.core.decision import Limit
from petteia.core.protocol import format_move, format_state, initial, legal, parse_move, parse_state, play
from petteia.games import game
from petteia.games.amazons_board import rabbits_of
from petteia.players import player
from petteia.reports.amazons import CLAIMS, REPORT, boards, grows, orderings, plan, positions, rabbits
from petteia.reports.amazons.boards import Example
from petteia.reports.amazons.orderings import Time
from petteia.reports.amazons.plan import PLAYERS, SECONDS, SELECTION, SELECTIVELY, Games
from petteia.reports.amazons.positions import RANKINGS, Played, Seen, Thought, explained, value_of
from petteia.reports.amazons.rabbits import Change
from petteia.reports.engine.claims import judge_all
from petteia.reports.engine.declaration import Page, names_of
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.round_robins import RoundRobin
from petteia.reports.engine.rules import Answer
from petteia.reports.engine.work import Work

EFFORTS = (*plan.NODES, plan.FAR, *plan.CLOCKS)
SHARES = {2: (-300, -200, -100, 0), 10: (-200, -100, 0, -300), 50: (-100, 0, -200, -300)}
PLAYING = {2: (-70, 60, -120, -40), 10: (300, 150, -300, -100), 50: (100, 1000, -500, -150)}
"""Elo points of the shares, and of the players, by which all is as the original concludes"""


def limit_of(asked: RoundRobin) -> tuple[Any, ...]:
    return asked.limit, asked.clock


def as_original(asked: RoundRobin) -> Mapping[str, float]:
    if plan.BUILT in asked.players:
        return {each: 100.0 * (each != plan.BUILT) for each in asked.players}
    if "queen distance" in asked.players:
        return {each: 100.0 * (each == "queen distance") for each in asked.players}
    if "zero" in asked.players or plan.OURS in asked.players:
        return dict.fromkeys(asked.players, 0.0)
    effort = next(each for each in EFFORTS if limit_of(each.meet({}, 0)) == limit_of(asked))
    ratings = SHARES if [*asked.players] == [*SELECTION.names.values()] else PLAYING
    return dict(zip(asked.players, ratings[effort.seconds or 2], strict=True))


def reversed_original(asked: RoundRobin) -> Mapping[str, float]:
    return {name: -rating for name, rating in as_original(asked).items()}


def even(asked: RoundRobin) -> Mapping[str, float]:
    return dict.fromkeys(asked.players, 0.0)


OF_POSITIONS = {
    *("first-moves", "branching-falls", "spends-long", "queen-distance-best", "square-matters", "tree-is-cowardly"),
    *("share-trades", "takes-back", "selective-deeper", "not-ready"),
}
"""claims that are judged by positions"""
POSITIONS = 40


class Made(MadeRoundRobins):
    """Evidence of round robins and of positions, in which all is as the original says (`agrees`) or the other way."""

    def __init__(self, agrees: bool = True, **options: Any) -> None:
        super().__init__(as_original if agrees else reversed_original, **options)
        self.rules, self.agrees = game(plan.GAME), agrees

    def recall(self, function: Any, arguments: tuple[Any, ...]) -> Any:
        sign = 1 if self.agrees else -1
        if function.__name__ == "played":
            counts = [[500, 500 - 300 * sign + game, 1] for game in range(POSITIONS)]
            return Played([[f"{third} {game}" for game in range(POSITIONS)] for third in range(3)], counts)
        if function.__name__ in ("on_small_board", "on_large_board", "of_games"):
            return Change(100, 0.5, 0.6, 0.1)
        if function.__name__ == "time_of":
            return Time(1.0 + (arguments[0] == "value"), 0.3)
        if function.__name__ == "taken_back_in":
            return Example(format_state(self.rules, initial(self.rules)), "a4-a5xa6", "a7-b7xb8", (0, 9, 0))
        third, number = map(int, arguments[0].split())
        jitter = 0.01 * (number % 5)
        if function.__name__ == "seen_in":
            ranks = dict.fromkeys(RANKINGS, 30 + number % 5)
            lost = (third if self.agrees else 2 - third) * 20 > number
            return Seen(
                ranks,
                40 if self.agrees else 1000,
                lost,
                0.2,
                0.5 + sign * 0.2 + jitter,
                0.5,
                [2, 3, 1, 4] if self.agrees else [1, 4, 2, 3],
            )
        assert function.__name__ == "thought_in"
        is_upgraded, is_part = plan.QUIET in arguments[1], "keep" in arguments[1]
        depth = 2 + sign * (is_part - is_upgraded) + (number % 7 == 0)
        if is_upgraded:
            depth = (number % 2) if self.agrees else 4
        return Thought(depth, 0.3 if self.agrees else 0.9 + jitter)


def answers(made: Any) -> dict[str, Answer]:
    return {each.name: each.judged_by.judge(made).answer for each in CLAIMS}


def test_claims_where_all_is_as_the_original_concludes() -> None:
    found = answers(Made(games=4000))
    assert found.pop("simple-behind") is False, "the original expected it, and saw that it is not so"
    assert set(found.values()) == {True}, found


def test_claims_where_all_is_the_other_way() -> None:
    found = answers(Made(agrees=False, games=4000))
    assert found.pop("first-moves") is True, "whatever is made up"
    assert set(found.values()) == {False}, found


def test_selective_may_be_ahead_of_simple_at_every_time() -> None:
    ahead = MadeRoundRobins(lambda asked: {each: 200.0 * (each == SELECTIVELY) for each in asked.players})
    (claim,) = (each for each in CLAIMS if each.name == "simple-behind")
    assert claim.judged_by.judge(ahead).answer is True


def test_nothing_is_told_where_all_are_even() -> None:
    made = MadeRoundRobins(even, games=20)
    assert {each.judged_by.judge(made).answer for each in CLAIMS if each.name not in OF_POSITIONS} == {None}


@pytest.mark.parametrize(
    ("shares", "answer"), [((0.25, 0.5, 0.75), True), ((0.5, 0.25, 0.75), False), ((0.5, 0.5, 0.5), False)]
)
def test_when_the_best_share_grows(shares: tuple[float, ...], answer: bool) -> None:
    assert grows(*shares) is answer


PRINTED = {
    "selection": (SELECTION, {2: (2, 2, 3, 5), 10: (2, 4, 5, 1), 50: (4, 5, 1, 2)}, (8, 11, 9, 8)),
    "players": (PLAYERS, {2: (2, 4, 2, 4), 10: (5, 4, 0, 3), 50: (4, 5, 0, 3)}, (11, 13, 2, 10)),
}


@pytest.mark.parametrize("name", PRINTED)
def test_the_games_of_the_original_add_up_to_its_sums(name: str) -> None:
    games, sums, totals = PRINTED[name]
    for seconds in SECONDS:
        won = games.won_by(seconds)
        assert len(won) == len(games.pairs) == 12
        assert all(winner in pair for winner, pair in zip(won, games.pairs, strict=True))
        assert tuple(games.wins(seconds, letter) for letter in games.names) == sums[seconds]
    assert tuple(sum(games.wins(each, letter) for each in SECONDS) for letter in games.names) == totals


@pytest.mark.parametrize("name", PRINTED)
def test_lost_marks_follow_from_the_sums(name: str) -> None:
    games, sums, _ = PRINTED[name]
    for seconds in SECONDS:
        assert completions(games, seconds, sums[seconds]) == {games.won_by(seconds)}


def completions(games: Games, seconds: int, sums: tuple[int, ...]) -> set[str]:
    """All ways to fill in the lost marks that fit the printed sums."""
    found = {""}
    for number, pair in enumerate(games.pairs):
        known = games.printed(seconds, number)
        found = {begun + winner for begun in found for winner in (pair if "(" in known else known)}
    return {each for each in found if tuple(map(each.count, games.names)) == sums}


def test_winners_by_who_began() -> None:
    asked = plan.shares(None, plan.NODES[1])
    table = made_table(asked, even(asked), 6)
    cell = table.cells[0]._replace(letters="VXVXXX")
    table.crosstable |= {(each.row, each.column): each for each in (cell, cell.turned)}
    made: Any = MadeRoundRobins(even)
    made.round_robin = lambda asked: table
    assert plan.winners(made, "selection", 2, ("A", "B")) == "A A B", "A began in the first of each pair"
    assert plan.winners(made, "selection", 2, ("B", "A")) == "B B B"


def test_the_players_can_be_made() -> None:
    rules, made = game(plan.GAME), MadeRoundRobins(as_original)
    for effort in (*plan.NODES, *plan.CLOCKS):
        for asked in (plan.shares(made, effort), plan.players(made, effort)):
            assert [player(text, rules).text for text in asked.players.values()] == [*asked.players.values()]


@pytest.mark.parametrize("asked", [plan.repairs, plan.evaluations, plan.strength, orderings.at_equal_time])
def test_the_other_players_can_be_made(asked: Any) -> None:
    texts = asked(Made()).players.values()
    assert [player(text, game(plan.GAME)).text for text in texts] == [*texts]


def test_nodes_that_take_the_same_time() -> None:
    evidence: Any = Made()
    nodes = orderings.nodes_of(evidence)
    assert nodes["queen_distance"] == orderings.NODES
    assert nodes["value"] == orderings.NODES // 2, "each of its nodes takes twice as long"


@pytest.mark.slow
def test_the_time_of_an_ordering(tmp_path: Path) -> None:
    evidence = Evidence(SMALL, Work(tmp_path, "quick", None, 1, lambda *told: None), {})
    evidence.recall = lambda function, arguments: Played([["b5/6/6/3x2/2x3/w1x3 w"]] * 3, [])  # type: ignore[method-assign]
    found = orderings.time_of.__wrapped__(evidence, "mobility", 1)  # type: ignore[attr-defined]  # as it is computed
    assert found.million > 0.0
    assert 0.0 <= found.ranking < 1.0


def test_boards_of_the_start() -> None:
    made: Any = Made()
    drawn = boards.all_moves(made)
    assert "2,176" in drawn
    assert "40 of 80 amazon moves" in boards.kept_moves(made)


def test_a_gain_that_is_taken_back(tmp_path: Path) -> None:
    evidence = Evidence(SMALL, Work(tmp_path, "quick", None, 1, lambda *told: None), {})
    texts = ["b5/6/6/6/6/5w w", "b4b/6/6/6/6/w4w w"]
    evidence.recall = lambda function, arguments: Played([texts] * 3, [])  # type: ignore[method-assign]
    found = boards.taken_back_in.__wrapped__(evidence)  # type: ignore[attr-defined]  # as it is computed
    before, after, back = found.values
    assert after - before > plan.THRESHOLD
    assert back <= before
    rules = game(SMALL)
    child = play(rules, state := parse_state(rules, found.position), parse_move(rules, state, found.move))
    values = [value_of(evidence, play(rules, child, reply)) for reply in legal(rules, child)]
    assert min(values) == back, "White has moved, and the reply is the best of all"
    assert len(boards.drawn(evidence, found)) == 3


def test_the_best_share_of_the_selective_players() -> None:
    made = MadeRoundRobins(as_original)
    assert {each.seconds: plan.best_share(made, each) for each in plan.NODES[1:]} == plan.ORIGINAL_BEST
    assert {each.seconds: plan.best_share(made, each) for each in plan.CLOCKS} == plan.ORIGINAL_BEST


def page(evidence: Any, **others: Any) -> str:
    judgements = judge_all(CLAIMS, evidence, evidence.scale)
    names = names_of([REPORT], evidence, judgements, Path(), evidence.scale)
    charts = dict.fromkeys(REPORT.charts, "<svg></svg>")
    return Page(evidence, judgements, charts, REPORT.tables).document(
        REPORT.template, {**names, **REPORT.names(evidence), **others}
    )


def test_the_page_without_an_example_of_a_gain_that_is_taken_back() -> None:
    made = Made(games=6)
    assert "the evaluation for the player to move is +0 queen moves" in page(made)
    assert "the evaluation for the player to move" not in page(made, example=None)


@pytest.mark.parametrize("scale", REPORT.scales)
def test_the_page_at_each_scale(scale: Any) -> None:
    text = page(Made(games=6, scale=scale))
    assert text.count('class="claim"') == len(CLAIMS)
    for line in "\n".join(re.findall("<pre>(.*?)</pre>", text, re.DOTALL)[1:]).splitlines():
        assert parsed(unescape(line)), line


def test_the_share_of_a_variance_that_groups_explain() -> None:
    assert explained(np.array([1.0, 1.0, 3.0, 3.0]), ["a", "a", "b", "b"]) == 1.0
    assert explained(np.array([1.0, 3.0, 1.0, 3.0]), ["a", "a", "b", "b"]) == 0.0
    assert explained(np.array([0.0, 2.0, 4.0, 6.0]), ["a", "a", "b", "b"]) == pytest.approx(0.8)
    assert explained(np.array([2.0, 2.0]), ["a", "b"]) == 0.0, "there is none"


SMALL = "amazons:width=6,height=6"


def test_what_is_seen_in_positions_by_hand(tmp_path: Path) -> None:
    evidence = Evidence(SMALL, Work(tmp_path, "quick", None, 1, lambda *told: None), {})
    position = "b5/6/6/3x2/2x3/w1x3 w"
    found = positions.seen_in(evidence, position)
    rules = evidence.rules
    state = parse_state(rules, position)
    moves = legal(rules, state)
    values = {format_move(rules, state, move): value_of(evidence, play(rules, state, move)) for move in moves}
    assert found.left == 1.0, "there is one amazon"
    assert not found.picks_lost
    by_square: dict[str, list[int]] = {}
    for text, value in values.items():
        by_square.setdefault(text.partition("x")[0], []).append(value)
    mean = sum(values.values()) / len(values)
    between = sum(len(each) * (sum(each) / len(each) - mean) ** 2 for each in by_square.values())
    assert found.by_amazon == pytest.approx(between / sum((each - mean) ** 2 for each in values.values()))
    assert found.groups == len(by_square)
    assert all(1 <= each <= found.groups for each in found.ranks.values())
    chosen = player(f"{plan.SIMPLE},depth=3", rules).choose(state, Limit()).move
    best = {square: max(each) for square, each in by_square.items()}
    wanted = best[format_move(rules, state, chosen).partition("x")[0]]
    assert found.ranks["value"] >= 1 + sum(each > wanted for each in best.values())
    lost = positions.seen_in(evidence, "w1x2b/xxx3/6/6/6/5w w")
    assert lost.picks_lost, "it can go to the square beside it alone"
    thought = positions.thought_in(evidence, position, plan.SIMPLE, 2000)
    assert thought.depth > 0
    assert 0.0 < thought.settled <= 1.0


def parsed(line: str) -> bool:
    """Whether a printed command is one of the program's, with options that it knows, and players that it can make."""
    import typer.main

    from petteia.cli.app import app

    program, name, *words = line.split()
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]  # it is a group
    command.make_context(name, words)
    for word in words:
        if word.startswith("search:"):
            player(word, game(plan.GAME))
    return program == "petteia"


# The variant with rabbits.


def test_the_tree_of_the_variant_has_all_moves_and_outcomes() -> None:
    drawn = rabbits.tree(None)  # type: ignore[arg-type]  # it needs no evidence
    moves = petteia.position(rabbits.SMALL, position=rabbits.SHOWN).moves
    assert len(moves) == 10
    assert drawn.count(">no rabbit<") == drawn.count(">rabbit<") == 5
    assert drawn.count('<path class="tr-node"') == 5, "a triangle for each release"
    for each in ("amazon c4", "to b3", "to c3", "arrow c3", "1 of "):
        assert each in drawn


def test_what_a_rabbit_changes_on_a_small_board() -> None:
    found = rabbits.on_small_board.__wrapped__(None, 60)  # type: ignore[attr-defined]  # as it is computed
    assert found.number == 60
    assert max(abs(found.plain), abs(found.one_each)) <= 1.0
    assert found.apart > 0.0


def test_positions_of_the_large_board_have_rabbits_and_arrows_left() -> None:
    for state in itertools.islice(rabbits._random_positions(), 3):
        held = rabbits_of(state)
        assert (held.white, held.black, held.running) == (1, 1, 0)
        assert held.shot > 0
