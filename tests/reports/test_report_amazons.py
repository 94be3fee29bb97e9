"""The report on the Amazons: the original's games, its claims on made-up evidence, its page and its commands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from made_up_round_robins import MadeRoundRobins, made_table

from petteia.games import game
from petteia.players import player
from petteia.reports.amazons import REPORT, plan, tables
from petteia.reports.amazons.claims import CLAIMS, grows
from petteia.reports.amazons.plan import SELECTIVELY
from petteia.reports.amazons.published import PLAYERS, SECONDS, SELECTION, Games
from petteia.reports.engine.claims import judge_all
from petteia.reports.engine.declaration import names_of
from petteia.reports.engine.page import Page
from petteia.reports.engine.round_robins import RoundRobin
from petteia.reports.engine.rules import Answer

EFFORTS = (*plan.NODES, plan.FAR, *plan.CLOCKS)
SHARES = {2: (-300, -200, -100, 0), 10: (-200, -100, 0, -300), 50: (-100, 0, -200, -300)}
PLAYING = {2: (-70, 60, -120, -40), 10: (300, 150, -300, -100), 50: (100, 1000, -500, -150)}
"""Elo points of the shares, and of the players, by which all is as the original concludes"""


def limit_of(asked: RoundRobin) -> tuple[Any, ...]:
    return asked.limit, asked.clock


def as_original(asked: RoundRobin) -> Mapping[str, float]:
    effort = next(each for each in EFFORTS if limit_of(each.meet({}, 0)) == limit_of(asked))
    ratings = SHARES if [*asked.players] == [*SELECTION.names.values()] else PLAYING
    return dict(zip(asked.players, ratings[effort.seconds or 2], strict=True))


def reversed_original(asked: RoundRobin) -> Mapping[str, float]:
    return {name: -rating for name, rating in as_original(asked).items()}


def even(asked: RoundRobin) -> Mapping[str, float]:
    return dict.fromkeys(asked.players, 0.0)


def answers(made: Any) -> dict[str, Answer]:
    return {each.name: each.judged_by.judge(made).answer for each in CLAIMS}


def test_claims_where_all_is_as_the_original_concludes() -> None:
    found = answers(MadeRoundRobins(as_original, games=4000))
    assert found.pop("simple-behind") is False, "the original expected it, and saw that it is not so"
    assert set(found.values()) == {True}, found


def test_claims_where_all_is_the_other_way() -> None:
    assert set(answers(MadeRoundRobins(reversed_original, games=4000)).values()) == {False}


def test_selective_may_be_ahead_of_simple_at_every_time() -> None:
    ahead = MadeRoundRobins(lambda asked: {each: 200.0 * (each == SELECTIVELY) for each in asked.players})
    assert answers(ahead)["simple-behind"] is True


def test_nothing_is_told_where_all_are_even() -> None:
    found = answers(MadeRoundRobins(even, games=20))
    assert set(found.values()) == {None}


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
        known = "" if games.is_lost(seconds, number) else games.won_by(seconds)[number]
        found = {begun + winner for begun in found for winner in (known or pair)}
    return {each for each in found if tuple(map(each.count, games.names)) == sums}


def test_winners_by_who_began() -> None:
    asked = plan.shares(plan.NODES[1])
    table = made_table(asked, even(asked), 6)
    cell = table.cells[0]._replace(letters="VXVXXX")
    table.crosstable |= {(each.row, each.column): each for each in (cell, cell.turned)}
    made: Any = MadeRoundRobins(even)
    made.round_robin = lambda asked: table
    assert tables.winners(made, asked, SELECTION, ("A", "B")) == "A A B", "A began in the first of each pair"
    assert tables.winners(made, asked, SELECTION, ("B", "A")) == "B B B"


def test_the_players_can_be_made() -> None:
    rules, made = game(plan.GAME), MadeRoundRobins(as_original)
    for effort in (*plan.NODES, *plan.CLOCKS):
        for asked in (plan.shares(effort), plan.players(made, effort)):
            assert [player(text, rules).text for text in asked.players.values()] == [*asked.players.values()]


def test_the_best_share_of_the_selective_players() -> None:
    made = MadeRoundRobins(as_original)
    assert {each.seconds: plan.best_share(made, each) for each in plan.NODES[1:]} == plan.ORIGINAL_BEST
    assert {each.seconds: plan.best_share(made, each) for each in plan.CLOCKS} == plan.ORIGINAL_BEST


@pytest.mark.parametrize("scale", REPORT.scales)
def test_the_page_at_each_scale(scale: Any) -> None:
    evidence: Any = MadeRoundRobins(as_original, games=6, scale=scale)
    evidence.rules = game(plan.GAME)
    judgements = judge_all(CLAIMS, evidence, scale)
    names = names_of([REPORT], evidence, judgements, Path(), scale) | REPORT.names(evidence)
    charts = dict.fromkeys(REPORT.charts, "<svg></svg>")
    template = (resources.files(REPORT.package) / REPORT.template).read_text(encoding="utf-8")
    text = Page(evidence, judgements, charts, REPORT.tables).document(template, names)
    assert text.count('class="claim"') == len(CLAIMS)
    for line in re.findall("<pre>(.*?)</pre>", text, re.DOTALL)[-1].splitlines():
        assert parsed(unescape(line)), line


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
