"""Play tournaments from Python, in memory or with a folder for the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from petteia.arena.cluster import Cluster
from petteia.arena.contest import check_counts
from petteia.arena.openings import parse_openings
from petteia.core.clock import Clock, read_clock
from petteia.core.decision import ALLOWANCE, Allowance, Limit, check_amounts
from petteia.core.errors import InvalidError, UsageError
from petteia.core.names import format_game
from petteia.core.protocol import Rules
from petteia.core.random import checked_seed
from petteia.experiments.formats import toml_text
from petteia.experiments.source import Source
from petteia.experiments.tournament.columns import read_columns
from petteia.experiments.tournament.declaration import (
    MEGABYTE,
    TOURNAMENT,
    TournamentPlan,
    plan_tournament,
)
from petteia.experiments.tournament.observations import ladder
from petteia.experiments.tournament.play import play_all, play_tournament
from petteia.experiments.tournament.results import Row, TournamentTable
from petteia.experiments.tournament.sweep import SWEEP
from petteia.experiments.work import Progress, check_figures, silent
from petteia.foreign.trust import modules_named
from petteia.games import game as rules_of
from petteia.player_processes.process import Children
from petteia.players import player
from petteia.players.player import UNLIMITED
from petteia.policies.play_games import MAX_PLIES

CALL = "petteia.tournament"


def tournament(
    game: str | Rules,
    players: Sequence[Any],
    *,
    pairing: Literal["round-robin", "gauntlet"] = "round-robin",
    games: int = 100,
    openings: str = "random:2",
    seats: Literal["both", "fixed"] = "both",
    diagonal: bool = False,
    score: Literal["points", "margin"] = "points",
    columns: str | None = None,
    max_plies: int = MAX_PLIES,
    limit: Limit = UNLIMITED,
    clock: str | Clock | None = None,
    seed: int = 0,
    jobs: int = 1,
    folder: str | Path | None = None,
    in_process: bool = False,
    allowance: Allowance = ALLOWANCE,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> TournamentTable:
    """Play a tournament and return its crosstable and standings.

    Args:
        game: the rules, as an object or a string
        players: two or more players, each as a string, a run or weights file, a training run, or an agent made from one
            of these. Other player objects are not accepted, because each match creates its players from strings. Each
            player must be able to take both seats
        pairing: `round-robin`: a match for each pair of players; `gauntlet`: the first player against all others
        games: the number of games per match; must be even if each opening is played from both sides
        columns: the columns of the standings, separated by commas, such as `score,elo,interval`; None: the default
            columns
        openings: as in `petteia.match`; the same in all matches
        seats: `both`: one match per pair, with each player as player 0 in half of the games; `fixed`: two matches per
            pair
        diagonal: whether each player also plays a match against itself
        score: the ranking of the players: `points`: by ratings from wins and draws; `margin`: by the mean margin of a
            game
        max_plies: the number of plies at which a game ends as a draw
        limit: the limit of each move, for players that accept a limit
        clock: the time of each player for a game, as in `petteia.match`
        seed: the seed of all matches, 0..2^62-1; each match derives its own seed
        jobs: the number of threads or processes that share the games of a match; it does not change the results
        folder: the folder for the matches, tables and figures, as in `petteia.experiment`; the same call resumes an
            interrupted tournament. Default: nothing is written
        in_process: run custom players in this process instead of child processes
        allowance: further limits of time and memory for custom players, besides `limit`
        cluster: the address of a Dask scheduler, or `local:N` for N local processes. The workers of the cluster then
            play the games instead of `jobs`, with the same results (docs/cluster.md)
        progress: called after each group of games, possibly from several threads in turn

    Returns:
        The results: the matches, the crosstable and the standings. The attribute `cells` is the list of the matches. It
        can be converted to a pandas DataFrame.

    Raises:
        UsageError: a game, player or option is unknown, a number is out of range, or a player occurs twice. Also raised
            if a player object cannot be written as a string, or if a player can take only one seat
        NotFoundError: a run or file is missing, or the module of a custom player is missing and the tournament cannot
            be played without this player
        InvalidError: a file is damaged, or the folder contains another tournament
        PetteiaError: the folder cannot be written, or figures cannot be drawn because matplotlib is not installed

    Examples:
        >>> table = petteia.tournament("kalah", ["random", "heuristic", "greedy"], games=20)
        >>> [(standing.player, standing.score) for standing in table.standings]
        [('heuristic', 0.85), ('greedy', 0.6125), ('random', 0.0375)]

    """
    plan = planned(
        game,
        players,
        folder,
        pairing=pairing,
        games=games,
        openings=openings,
        seats=seats,
        diagonal=diagonal,
        score=score,
        columns=columns,
        max_plies=max_plies,
        limit=limit,
        clock=clock,
        seed=seed,
        in_process=in_process,
        allowance=allowance,
    )
    check_counts(jobs=jobs)
    return play_here(plan, None if folder is None else Path(folder), jobs, progress or silent, cluster)


def planned(
    game: str | Rules,
    players: Sequence[Any],
    folder: str | Path | None,
    sweep: Mapping[str, Sequence[Any]] | None = None,
    *,
    pairing: str = "round-robin",
    columns: str | None = None,
    limit: Limit = UNLIMITED,
    clock: str | Clock | None = None,
    seed: int = 0,
    in_process: bool = False,
    allowance: Allowance = ALLOWANCE,
    **options: Any,
) -> TournamentPlan:
    """Return the plan of a tournament, given the arguments of the function `tournament`. For errors see `tournament`.

    `options` contains further options of a tournament, named as in the section `[tournament]` of a file. If `sweep` is
    given, it contains values of limits, and a tournament is played under every combination of these values.
    """
    rules = rules_of(game)
    check_counts(**{name: options[name] for name in ("games", "max_plies") if name in options})
    check_amounts(**limit.amounts)
    clock = read_clock(clock, limit)
    if "openings" in options:
        parse_openings(options["openings"], rules)
    if isinstance(players, str) or not isinstance(players, Sequence) or len(players) < 2:
        raise UsageError(f"players={players!r}: must be a list of two players or more")
    texts = _texts(players, rules, Children(allowance, in_process=in_process))
    declared = {
        "game": format_game(rules),
        "players": texts,
        "pairing": pairing,
        "columns": [*read_columns(columns)],
        **options,
        **{{"seconds": "time"}.get(kind, kind): amount for kind, amount in limit.amounts.items() if amount is not None},
        **({} if clock is None else {"clock": str(clock)}),
        "grace": float(allowance.grace),
        "move_timeout": float(allowance.move_timeout),
        "start_timeout": float(allowance.start_timeout),
        "player_memory": allowance.memory // MEGABYTE,
        "in_process": in_process,
    }
    name = CALL if folder is None else Path(folder).resolve().name
    content = {"title": f"Tournament of {declared['game']}", "seed": checked_seed(seed), TOURNAMENT: declared}
    if sweep is not None:
        content[SWEEP] = {
            name: [str(each) if isinstance(each, Clock) else each for each in values] for name, values in sweep.items()
        }
    if pairing == "round-robin":
        looked_for = {"edge": options.get("seats") == "fixed", "intransitive": True, "depth": [*ladder(texts)]}
        content["findings"] = {name: value for name, value in looked_for.items() if value}
    where = CALL if folder is None else str(Path(folder) / "experiment.toml")
    try:
        return plan_tournament(Source(name, where, toml_text(content), content), "paper", None)
    except InvalidError as error:
        raise UsageError(str(error).removeprefix(f"{where}: ").removeprefix(f"{TOURNAMENT}.")) from None


def play_here(
    plan: TournamentPlan, folder: Path | None, jobs: int, progress: Progress, cluster: str | Cluster | None
) -> TournamentTable:
    """Play a tournament in `folder`, or in memory if `folder` is None."""
    if folder is None:
        blocks: list[Row] = []
        return TournamentTable(plan, play_all(plan, {}, blocks.extend, jobs, progress, cluster), blocks=blocks)
    check_figures()
    return play_tournament(folder, plan, jobs, progress, cluster)


def _texts(players: Sequence[Any], rules: Rules, children: Children) -> list[str]:
    """Return the players as strings. Each match creates its own player objects from these strings.

    Raises a UsageError if a player object cannot be written as a string.
    """
    with children:
        made = [each if _is_custom(each) else player(each, rules, children) for each in players]
    for each in made:
        if not isinstance(each, str) and each.text is None:
            raise UsageError(
                f"player {each.name} must be given as a string, so that each match can create its own player object"
            )
    return [each if isinstance(each, str) else str(each.text) for each in made]


def _is_custom(given: Any) -> bool:
    """Return whether the player `given` is a string that names custom code."""
    return isinstance(given, str) and bool(modules_named(given))
