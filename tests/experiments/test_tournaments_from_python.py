"""Tournaments by a call from Python: the figures of the file, in memory or in a folder."""

from __future__ import annotations

import own_players
import pandas
import pytest
from small_agents import write_agent
from small_experiments import written

import petteia
from petteia.core.decision import Limit
from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, UsageError
from petteia.experiments.experiment import experiment
from petteia.records.runs import folder_digest

GAME = "kalah:pits=4,seeds=3"
PLAYERS = ("random", "simple", "heuristic")
SETTINGS = {"games": 20, "openings": "none", "seats": "fixed", "diagonal": True, "seed": 5}
FILE = f"""
title = "The same"
seed = 5

[tournament]
game = "{GAME}"
players = ["random", "simple", "heuristic"]
games = 20
seats = "fixed"
diagonal = true
openings = "none"
"""


@pytest.fixture(scope="module")
def played():
    return petteia.tournament(GAME, PLAYERS, **SETTINGS)


def test_the_figures_of_a_call_are_those_of_a_file(played, tmp_path):
    by_file = experiment(written(tmp_path, FILE), folder=tmp_path)
    assert played.cells == by_file.cells
    assert played.table() == by_file.table()
    assert repr(played) == f"<Tournament of {GAME}, 3 players, 20 games per match>"


def test_pandas_takes_the_matches(played):
    frame = pandas.DataFrame(played.cells)
    assert len(frame) == 9
    assert set(frame["row"]) == set(PLAYERS)


def test_a_folder_keeps_it_and_goes_on(played, tmp_path):
    def interrupt(done: int, wanted: int, note: str) -> None:
        if "4 of" in note:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="the work is saved"):
        petteia.tournament(GAME, PLAYERS, **SETTINGS, folder=tmp_path / "kept", progress=interrupt)
    told = []
    kept = petteia.tournament(
        GAME, PLAYERS, **SETTINGS, folder=tmp_path / "kept", progress=lambda done, *rest: told.append(done)
    )
    assert kept.cells == played.cells
    assert min(told) >= 80
    before = folder_digest(tmp_path / "kept")
    again = petteia.tournament(GAME, PLAYERS, **SETTINGS, folder=tmp_path / "kept", jobs=2)
    assert (again.cells, folder_digest(tmp_path / "kept")) == (kept.cells, before)
    by_file = experiment(tmp_path / "kept" / "experiment.toml", folder=tmp_path)
    assert by_file.cells == played.cells
    with pytest.raises(InvalidError, match="begun with other settings"):
        petteia.tournament(GAME, PLAYERS, **{**SETTINGS, "seed": 6}, folder=tmp_path / "kept")


def test_players_can_be_added(tmp_path):
    """The table of the whole tournament, for which only the matches of the new player are played."""
    order = ("greedy:depth=1", *PLAYERS)
    whole = petteia.tournament(GAME, order, **SETTINGS, folder=tmp_path / "whole")
    petteia.tournament(GAME, PLAYERS, **SETTINGS, folder=tmp_path / "grown")
    told = []
    grown = petteia.tournament(
        GAME, order, **SETTINGS, folder=tmp_path / "grown", progress=lambda done, *rest: told.append(done)
    )
    assert min(told) == 9 * 20
    assert grown.cells == whole.cells
    for name in ("table.csv", "standings.csv", "index.html"):
        assert (tmp_path / "grown" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert sorted(path.name for path in (tmp_path / "grown").glob("*matches*")) == ["matches"]
    with pytest.raises(InvalidError, match="begun with other settings"):
        petteia.tournament(GAME, PLAYERS, **SETTINGS, folder=tmp_path / "grown")  # no player is taken away
    with pytest.raises(InvalidError, match="begun with other settings"):
        petteia.tournament(GAME, (*order[::-1], "greedy:depth=2"), **SETTINGS, folder=tmp_path / "grown")


def test_games_can_be_added(tmp_path):
    """The bytes of the whole tournament, for which only the games that are new are played, and a block cut short."""
    settings = {**SETTINGS, "openings": "random:2", "seats": "both"}
    whole = petteia.tournament(GAME, PLAYERS, **{**settings, "games": 600}, folder=tmp_path / "whole")
    petteia.tournament(GAME, PLAYERS, **{**settings, "games": 500}, folder=tmp_path / "grown")
    told = []
    grown = petteia.tournament(
        *(GAME, PLAYERS),
        **{**settings, "games": 600},
        folder=tmp_path / "grown",
        progress=lambda done, *rest: told.append(done),
    )
    assert 6 * 480 < min(told) <= 6 * 500
    assert grown.cells == whole.cells
    for name in ("table.csv", "standings.csv", "index.html", "matches/points.jsonl", "matches/run.json"):
        assert (tmp_path / "grown" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    with pytest.raises(InvalidError, match="begun with other settings"):
        petteia.tournament(GAME, PLAYERS, **{**settings, "games": 500}, folder=tmp_path / "grown")


def test_killed_while_players_are_added(tmp_path):
    """When the old run has gone, and the new one has not yet its name; and before that."""
    folder = tmp_path / "grown"
    petteia.tournament(GAME, PLAYERS[:2], **SETTINGS, folder=folder)
    (folder / "matches").rename(folder / "matches-extended")
    assert len(petteia.tournament(GAME, PLAYERS[:2], **SETTINGS, folder=folder).cells) == 4
    (folder / "matches-extended").mkdir()
    assert len(petteia.tournament(GAME, PLAYERS, **SETTINGS, folder=folder).cells) == 9


def test_players_are_given_as_in_a_match(tmp_path):
    file = write_agent(tmp_path / "table.safetensors", side="both")
    found = petteia.tournament("hare-and-hounds", [petteia.load(file), "simple"], games=2)
    assert [(cell.row, cell.column) for cell in found.cells] == [(f"q:agent={file}", "simple")]
    one_sided = write_agent(tmp_path / "hounds.safetensors")
    with pytest.raises(UsageError, match=r"players\.0: .*hounds\.safetensors does not play hare"):
        petteia.tournament("hare-and-hounds", [one_sided, "simple"], games=2)


BAD = {
    "game": ({"game": "chess"}, UsageError, "there is no game 'chess'"),
    "players": ({"players": "random"}, UsageError, "players='random': must be a list of two players or more"),
    "one player": ({"players": ["random"]}, UsageError, "must be a list of two players or more"),
    "a number": ({"players": 3}, UsageError, "players=3: must be a list"),
    "no player": ({"players": ["random", "gredy"]}, UsageError, "did you mean 'greedy'"),
    "no run": ({"players": ["random", "q:agent=none"]}, NotFoundError, "there is no run 'none'"),
    "twice": ({"players": ["random", "random"]}, UsageError, "players: contains 'random' twice"),
    "an object": ({"players": ["random", own_players.Lower()]}, UsageError, "player Lower must be given as a string"),
    "games": ({"games": 0}, UsageError, "games=0: must be 1 or more"),
    "odd games": ({"games": 3, "seats": "both"}, UsageError, 'games: must be even, because seats = "both" plays'),
    "no number": ({"games": "many"}, UsageError, "games='many': must be a whole number"),
    "max_plies": ({"max_plies": 0}, UsageError, "max_plies=0: must be 1 or more"),
    "jobs": ({"jobs": 0}, UsageError, "jobs=0: must be 1 or more"),
    "seats": ({"seats": "left"}, UsageError, "seats: input should be 'both' or 'fixed'"),
    "openings": ({"openings": "random:x"}, UsageError, "openings 'random:x'"),
    "seed": ({"seed": -1}, UsageError, "seed=-1: must be a whole number"),
    "limit": ({"limit": Limit(depth=0)}, UsageError, "depth=0: must be more than 0"),
    "limit of nobody": ({"limit": Limit(depth=2)}, UsageError, "take no limit of depth"),
}


@pytest.mark.parametrize(("change", "error", "words"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_told_in_a_line(change, error, words):
    given = {"game": GAME, "players": PLAYERS, **SETTINGS, **change}
    with pytest.raises(PetteiaError, match=words) as raised:
        petteia.tournament(given.pop("game"), given.pop("players"), **given)
    assert type(raised.value) is error
    assert "\n" not in str(raised.value)
