"""Play a tournament. Each block of games is saved in a journal, so that the tournament can be resumed.

Besides the files of every experiment (see `petteia.experiments.experiment`), the folder of a tournament contains the
following files:

- `matches/`: the run folder of the tournament. Its journal has a line for each block of games. When all games have been
  played, the lines are sorted in the order of the crosstable. If players or games are added to the tournament, a new
  run folder replaces the old one. The file `replayed.jsonl` contains the moves of the games on the page, if these games
  had to be replayed.
- `index.html`: the page with standings, tables, charts and games to step through
- `table.csv`: the result of every match
- `comparison.csv`: the played and the published results, with the likelihood of the published results
- `summary.csv`: findings and deviations from the published table, in words
- `table.tex`: the crosstable for LaTeX
- `table.svg`: the crosstable as a figure in which cells with findings are marked
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from operator import add
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from petteia.arena.blocks import blocks, left
from petteia.arena.cluster import Cluster
from petteia.arena.contest import SEATS, Contest, Terms, prepare
from petteia.arena.openings import parse_openings
from petteia.arena.schedule import play
from petteia.arena.tally import Tally
from petteia.arena.task import finished, play_task
from petteia.arena.valuation import WAYS
from petteia.arena.workers import Workers
from petteia.core.errors import InvalidError
from petteia.core.interrupt import LeftBehindError
from petteia.core.names import format_game
from petteia.core.protocol import Rules, format_state
from petteia.experiments.settings import policy_hash
from petteia.experiments.tournament.comparison import Counts
from petteia.experiments.tournament.declaration import Pair, TournamentPlan
from petteia.experiments.tournament.matches import Block, Cell, block_row, cell_of, read_block
from petteia.experiments.tournament.outputs import write_outputs
from petteia.experiments.tournament.results import TournamentResult
from petteia.experiments.tournament.standings import share_of_points
from petteia.experiments.work import STOPPED, Progress
from petteia.features.evaluations import evaluation_for
from petteia.player_processes.process import Children
from petteia.players import Player, player
from petteia.players.player import UNLIMITED
from petteia.provenance.live import Parts
from petteia.provenance.reach import dependencies
from petteia.records.description import DESCRIPTION
from petteia.records.drafts import new_draft, remove_draft
from petteia.records.files import make_folder
from petteia.records.lock import locked
from petteia.records.runs import Run, create_run, open_run

KIND, NAME, EXTENDED = "tournament", "matches", "matches-extended"
WORDS = {"knowledge": "the knowledge of its players", "starts": "openings"}
"""the name of a setting in messages, for each field with another name"""


class Configuration(BaseModel):
    """The resolved settings of the matches, saved as `configuration` in run.json."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    players: list[str]
    knowledge: list[str]
    """hashes of the players' policies, so that a resumed tournament has the same players; empty for other players"""
    games: int
    """the number of games of each match"""
    pairing: str
    seats: str
    diagonal: bool
    openings: str
    starts: list[str]
    """the initial positions of the openings"""
    max_plies: int
    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    clock: str | None = None
    grace: float | None = None
    """the seconds of grace after a time limit; None if there is neither a time limit nor a clock"""

    def of(self, players: list[str], games: int) -> Configuration:
        """Return the same settings with only the players in `players`, and with at most `games` games per match."""
        taking_part = [pair for pair in zip(self.players, self.knowledge, strict=True) if pair[0] in players]
        return self.model_copy(
            update={
                "players": [name for name, _ in taking_part],
                "knowledge": [known for _, known in taking_part],
                "games": min(games, self.games),
            }
        )


def configure(plan: TournamentPlan, rules: Rules) -> Configuration:
    """Return the resolved settings of a tournament, including a hash of each player's policy."""
    played = plan.declaration.tournament
    with Children(played.allowance, in_process=played.in_process) as children:
        policies = [player(text, rules, children).policy(rules) for text in played.players]
    return Configuration(
        players=list(played.players),
        knowledge=["" if policy is None else policy_hash(policy) for policy in policies],
        games=played.games,
        pairing=played.pairing,
        seats=played.seats,
        diagonal=played.diagonal,
        openings=played.openings,
        starts=[format_state(rules, start) for start in parse_openings(played.openings, rules).starts],
        max_plies=played.max_plies,
        **played.limits,
    )


Played = dict[Pair, dict[range, Tally]]
"""the tallies of each match, by the numbers of the games of each block"""


def play_tournament(
    path: Path, plan: TournamentPlan, jobs: int, progress: Progress, cluster: str | Cluster | None = None
) -> TournamentResult:
    """Play all remaining games, and write the results into the folder `path`."""
    make_folder(path, within=path.parent)
    with locked(path):
        run = _run(path, plan)
        with run.locked(), run.timed():
            try:
                cells = play_all(
                    plan, _played(run, plan), lambda rows: run.journal.append(rows), jobs, progress, cluster
                )
            except LeftBehindError:
                raise
            except KeyboardInterrupt:
                raise KeyboardInterrupt(STOPPED) from None
            if run.results() is None:
                _sort(run, plan)
                run.write_results({"matches": len(cells)})
        result = TournamentResult(plan, cells, path, run)
        write_outputs(result)
    return result


def _run(path: Path, plan: TournamentPlan) -> Run:
    """Open or create the run folder. Raises an InvalidError if it contains another tournament."""
    rules, seed = plan.rules, plan.declaration.seed
    configuration = configure(plan, rules)
    folder = path / NAME
    if not folder.exists() and (path / EXTENDED).exists():  # interrupted before the new folder was renamed
        (path / EXTENDED).rename(folder)
    if not (folder / DESCRIPTION).exists():
        return _new_run(path, plan, configuration, NAME)
    run = open_run(folder)
    run.check()
    begun, anew = run.configuration(Configuration), f"remove {path}, or choose another folder"
    if set(begun.players) <= set(configuration.players) and run.description.game == format_game(rules):
        run.check_same_code(rules, lambda: code_of_matches(plan, begun.players), anew=anew)
    was = {"game": run.description.game, "seed": run.seed, **dict(begun)}
    wanted = {"game": format_game(rules), "seed": seed, **dict(configuration.of(begun.players, begun.games))}
    others = [name for name, value in was.items() if wanted[name] != value]
    if others:
        raise InvalidError(
            f"{folder}: the tournament was begun with other settings ({WORDS.get(others[0], others[0])}); {anew}"
        )
    return run if begun == configuration else _extended(path, run, plan, configuration)


def _new_run(path: Path, plan: TournamentPlan, configuration: Configuration, name: str) -> Run:
    settings, code = configuration.model_dump(mode="json"), code_of_matches(plan, plan.players)
    return create_run(path, KIND, plan.rules, settings, {"seed": plan.declaration.seed}, code=code, name=name)


def _extended(path: Path, run: Run, plan: TournamentPlan, configuration: Configuration) -> Run:
    """Replace the run by a new run with more players or games, and keep the blocks of games that belong to both runs.

    The last block of games in a match can be shorter than the other blocks. If this block has more games in the new
    run, it is not kept, and all its games are played again.
    """
    planned = set(_blocks(plan))
    kept = [row for row, (block, _) in zip(run.journal.read(), _read(run), strict=True) if block.numbers in planned]
    remove_draft(path / EXTENDED)
    _new_run(path, plan, configuration, EXTENDED).journal.append(kept)
    before = new_draft(path)
    run.path.rename(before)
    (path / EXTENDED).rename(run.path)
    remove_draft(before)
    return open_run(run.path)


def code_of_matches(plan: TournamentPlan, players: Iterable[str]) -> Parts:
    """Return digests of the code on which matches depend: the rules, the players, and the code that plays matches."""
    played = plan.declaration.tournament
    with Children(played.allowance, in_process=played.in_process) as children:
        made = [player(text, plan.rules, children) for text in players]
        return code_of_play(plan.rules, played.openings, made)


def code_of_play(rules: Rules, openings: str, players: Iterable[Player]) -> Parts:
    """Return the same digests as `code_of_matches`, for players that are already created."""
    code = dependencies(rules, prepare, play_task, cell_of)
    if parse_openings(openings, rules).nodes is not None:
        code |= dependencies(rules, *WAYS, evaluation_for(rules))
    for each in players:
        code |= each.dependencies(rules)
    return code


def play_all(
    plan: TournamentPlan,
    played: Played,
    keep: Callable[[list[dict[str, Any]]], None],
    jobs: int,
    progress: Progress,
    cluster: str | Cluster | None = None,
) -> list[Cell]:
    """Play all games that are not yet in `played`, and return the results of all matches.

    `keep` is called with the journal rows of new blocks of games.
    """
    declared, pairs = plan.declaration.tournament, list(plan.pairs)
    found: Played = {pair: dict(played.get(pair, {})) for pair in pairs}
    contests, live = dict[int, Pair](), _LiveScores(plan)
    for pair, each in found.items():
        live.add(pair, each.values())

    def count(contest: Contest, numbers: tuple[range, ...], tallies: tuple[Tally, ...]) -> None:
        pair = contests[id(contest)]
        found[pair].update(zip(numbers, tallies, strict=True))
        live.add(pair, tallies)
        keep([block_row(pair, *each) for each in zip(numbers, tallies, strict=True)])
        progress(live.games, plan.games, live.words)

    progress(live.games, plan.games, live.words)
    if live.games == plan.games:
        return cells_of(plan, found)
    with Workers(jobs, declared.allowance, in_process=declared.in_process, cluster=cluster) as workers:
        play(_contests(plan, found, contests, workers), workers, count)
    return cells_of(plan, found)


def cells_of(plan: TournamentPlan, played: Played) -> list[Cell]:
    """Return the results of all matches that have begun, in the order of the crosstable."""
    return [
        cell_of(pair, [tally for _, tally in sorted(played[pair].items(), key=_begin)])
        for pair in plan.pairs
        if played.get(pair)
    ]


def _contests(plan: TournamentPlan, found: Played, contests: dict[int, Pair], workers: Workers) -> Iterator[Contest]:
    """Yield each match that still has games to play, and enter its two players in the dictionary `contests`."""
    declared, planned = plan.declaration.tournament, list(_blocks(plan))
    takers: set[str] | None = None
    for pair in plan.pairs:
        todo = left(planned, found[pair])
        if not todo:
            continue
        if takers is None:
            takers = plan.takes_limit(plan.players, workers.children)
        terms = Terms(
            games=declared.games,
            openings=declared.openings,
            seats=declared.seats,
            max_plies=declared.max_plies,
            limit=declared.limit if {pair.row, pair.column} & takers else UNLIMITED,
            clock=declared.clock,
            seed=pair.seed,
            openings_seed=plan.declaration.seed,
            keeps_unrepeatable=True,
            keeps_letters=True,
        )
        contest = prepare(plan.rules, pair.row, pair.column, terms, workers)
        depends = not all(each.independent for each in contest.players)
        contest.todo = deque([range(declared.games)] if depends and not found[pair] else todo)
        contests[id(contest)] = pair
        yield contest
        finished(*contest.players)


def _blocks(plan: TournamentPlan) -> Iterator[range]:
    """Yield the blocks into which each match is divided, as ranges of game numbers."""
    declared = plan.declaration.tournament
    return blocks(declared.games, len(set(SEATS[declared.seats])))


class _LiveScores:
    """The progress of a tournament: the numbers of finished games, and the scores so far."""

    def __init__(self, plan: TournamentPlan) -> None:
        self.games = 0
        self._left = dict.fromkeys(plan.pairs, plan.declaration.tournament.games)
        self._counts: dict[str, Counts] = {}

    def add(self, pair: Pair, tallies: Iterable[Tally]) -> None:
        """Add the results of newly finished games of a match to the numbers of games and to the scores."""
        for tally in tallies:
            self.games += tally.games
            self._left[pair] -= tally.games
            if pair.row != pair.column:
                for name, counts in ((pair.row, tally.counts), (pair.column, tally.counts[::-1])):
                    wins, draws, losses = map(add, counts, self._counts.get(name, (0, 0, 0)))
                    self._counts[name] = (wins, draws, losses)

    @property
    def words(self) -> str:
        """A phrase with the number of finished matches, and with the player that has the best score so far."""
        ended = f"{sum(games == 0 for games in self._left.values())} of {len(self._left)} matches"
        scores = [(share_of_points([counts]) or 0.0, name) for name, counts in self._counts.items()]
        if not scores:
            return ended
        score, name = max(scores)
        return f"lead {score:.1%} {name}; {ended}"


def _played(run: Run, plan: TournamentPlan) -> Played:
    """Read the results of all finished blocks of games from the journal.

    Raises an InvalidError if a saved block does not belong to the tournament, or occurs twice.
    """
    pairs = {(pair.row, pair.column): pair for pair in plan.pairs}
    planned = {*_blocks(plan), range(plan.declaration.tournament.games)}
    found: Played = {}
    for block, tally in _read(run):
        pair = pairs.get((block.row, block.column))
        numbers = block.numbers
        if pair is None or numbers not in planned or numbers in found.setdefault(pair, {}):
            raise InvalidError(f"{run.journal.path}: damaged; the matches in the file are not those of this tournament")
        found[pair][numbers] = tally
    return found


def _read(run: Run) -> list[tuple[Block, Tally]]:
    """Return the blocks of games in the journal, each with the totals of its results."""
    return [read_block(run.journal, number, row) for number, row in enumerate(run.journal.read(), 1)]


def _sort(run: Run, plan: TournamentPlan) -> None:
    """Sort the lines of the journal by match, in the order of the crosstable, and by game number."""
    places = {(pair.row, pair.column): place for place, pair in enumerate(plan.pairs)}
    rows = run.journal.read()
    ordered = sorted(rows, key=lambda row: (places[row["row"], row["column"]], row["begin"]))
    if ordered != rows:
        run.journal.rewrite(ordered)


def _begin(played: tuple[range, Tally]) -> int:
    return played[0].start
