"""Files of tournaments: what they may say, and what is wrong with them in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from flat_options import train
from small_experiments import refused, written
from small_tournaments import PLAYERS, SMALL, WINS

from petteia.core.errors import InvalidError, UsageError
from petteia.experiments.experiment import experiment, plan


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "Small & quick"', "", "title: must be given"),
        ("games = 60", "games = 60\ntime = 0", "tournament.time: .*greater than 0"),
        ("games = 60", "games = 60\nmove_timeout = inf", "tournament.move_timeout: .*finite"),
        ("games = 60", "games = 60\ndepth = 2.5", "tournament.depth: .*integer"),
        ("seed = 5", "seed = -1", "seed: .*greater than or equal to 0"),
        ("seed = 5", "seeds = 5", "seeds: there is no such field; did you mean 'seed'"),
        ('game = "kalah:pits=4,seeds=3"', "", "tournament.game: must be given"),
        ('"kalah:pits=4,seeds=3"', '"kalha"', "tournament.game: there is no game 'kalha'; did you mean 'kalah'"),
        (PLAYERS, "", "tournament.players: must be given"),
        (PLAYERS, "players = []", "tournament.players: must not be empty"),
        (PLAYERS, 'players = "random"', "tournament.players: must be a list"),
        (PLAYERS, 'players = ["random", 3, "heuristic"]', "tournament.players.1: input should be a valid string"),
        (PLAYERS, 'players = ["random", "simpel"]', "tournament.players.1: .*did you mean 'simple'"),
        (PLAYERS, 'players = ["random", "simple", "random"]', "tournament.players: contains 'random' twice"),
        (PLAYERS, 'palyers = ["random"]', "tournament.palyers: there is no such field; did you mean 'players'"),
        ("games = 60", "games = 0", "tournament.games: .*greater than or equal to 1"),
        ("games = 60", 'games = "many"', "tournament.games: input should be a valid integer"),
        ("games = 60", "games = 60\nalpha = 1", "tournament.alpha: there is no such field"),
        ("games = 60", "games = 60\nedge = true", "tournament.edge: this field belongs to another section"),
        ('"fixed"', '"none"', "tournament.seats: input should be 'both' or 'fixed'"),
        ('"fixed"', '"both"', 'findings.edge: needs seats = "fixed"|published: needs'),
        ("diagonal = true", "", "published: needs .* diagonal = true"),
        (
            "games = 60",
            'games = 60\npairing = "swiss"',
            "tournament.pairing: input should be 'round-robin'",
        ),
        ("games = 60", 'games = 60\npairing = "gauntlet"', 'findings.depth: needs pairing = "round-robin"'),
        ('games = 60\nseats = "fixed"', 'games = 61\nseats = "both"', "tournament.games: must be even"),
        ('openings = "none"', 'openings = "random:x"', "tournament.openings: .*PLIES"),
        ('openings = "none"', 'openings = "nowhere.txt"', "tournament.openings: .*there is no such file"),
        ('openings = "none"', "max_plies = 0", "tournament.max_plies: .*greater than or equal to 1"),
        ("edge = true", "edge = 1", "findings.edge: input should be a valid boolean"),
        ("edge = true", "egde = true", "findings.egde: there is no such field; did you mean 'edge'"),
        ('depth = ["random", ', 'depth = ["rondom", ', "findings.depth: 'rondom' is not one of the players"),
        ('depth = ["random", ', 'depth = ["heuristic", ', "findings.depth: contains 'heuristic' twice"),
        ('depth = ["random", "simple", "heuristic"]', 'depth = ["random"]', "findings.depth: must have two"),
        ('source = "a paper"', "", "published.source: must be given"),
        ("games = 20", "games = 1_000_000", "published.games: .*less than or equal to 1000"),
        (WINS, "wins = [[9, 4, 1], [15, 20, 0]]", "published.wins: has 2 rows; must have 3"),
        (WINS, "wins = [[9, 4, 1], [15, 20], [20, 0, 0]]", "published.wins.1: has 2 numbers; must have 3"),
        (WINS, "wins = [[9, 4, 1], [15, -2, 0], [20, 0, 0]]", "published.wins.1.1: .*greater than or equal to 0"),
        (WINS, "wins = [[9, 4, 1], 15, [20, 0, 0]]", "published.wins.1: must be a list"),
        (WINS, "wins = [[9, 4, 20], [15, 20, 0], [20, 0, 0]]", r"published.draws.0.2: wins and draws add up to 21"),
        ("games = 10", "games = 0", "quick.games: .*greater than or equal to 1"),
        ("games = 10", "game = 10", "quick.game: this field belongs to another section"),
        ("[quick]", "[training]\n[quick]", "training: there is no such field"),
    ],
)
def test_what_is_wrong_in_one_line(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in SMALL
    refused(SMALL.replace(old, new, 1), message, tmp_path)


def test_scales_seeds_and_sizes(tmp_path: Path) -> None:
    path = written(tmp_path, SMALL)
    assert (plan(path).games, plan(path, "quick").games) == (9 * 60, 9 * 10)
    assert plan(path).declaration.tournament.max_plies == 1000
    with pytest.raises(UsageError, match="seeds 3: a tournament has only one seed"):
        experiment(path, seeds=3, folder=tmp_path)
    with pytest.raises(UsageError, match=r"the experiment is large: 9,000,000,000 games; .*--yes"):
        experiment(written(tmp_path, SMALL.replace("60", "1_000_000_000")), folder=tmp_path)
    with pytest.raises(InvalidError, match=r"section \[quick\] is missing"):
        plan(written(tmp_path, SMALL.partition("[quick]")[0]), "quick")
    wrong = SMALL.replace('"fixed"', '"both"').replace("edge = true\n", "").replace("games = 10", "games = 11")
    with pytest.raises(InvalidError, match=r"quick\.games: must be even"):
        plan(written(tmp_path, wrong))


def test_a_player_that_takes_one_seat_only(tmp_path: Path) -> None:
    learned = train("hare-and-hounds", games=10, evaluation_games=10, runs=tmp_path)
    text = SMALL.replace("kalah:pits=4,seeds=3", "hare-and-hounds").replace("heuristic", f"q:agent={learned.run.path}")
    with pytest.raises(InvalidError, match=r"tournament.players.2: player q:agent=.* does not play hare"):
        plan(written(tmp_path, text))


def test_a_limit_is_for_pairs_of_which_one_takes_it(tmp_path: Path) -> None:
    two = 'title = "Two"\n[tournament]\ngame = "kalah:pits=2,seeds=2"\nplayers = ["random", "{}"]\ngames = 2\ndepth = 2'
    result = experiment(written(tmp_path, two.format("greedy")), folder=tmp_path / "made")
    assert [cell.games for cell in result.cells] == [2]
    with pytest.raises(InvalidError, match=r"tournament: players random and simple take no limit of depth"):
        plan(written(tmp_path, two.format("simple")))


def test_where_a_broken_player_ends_a_tournament(tmp_path: Path) -> None:
    """A published table is of all players; and somebody must play."""
    text = SMALL.replace('"simple", "heuristic"]\ngames', '"nowhere:A", "heuristic"]\ngames')
    with pytest.raises(InvalidError, match=r"tournament\.players\.1: .*there is no module 'nowhere'"):
        plan(written(tmp_path, text))
    nobody = text.partition("[findings]")[0].replace('"random", "nowhere:A", "heuristic"', '"nowhere:A", "nowhere:B"')
    with pytest.raises(InvalidError, match=r"tournament\.players\.0: .*there is no module 'nowhere'"):
        plan(written(tmp_path, nobody))
