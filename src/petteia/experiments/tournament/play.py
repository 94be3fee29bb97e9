"""Playing a tournament: match after match, each noted in a journal, so that it goes on wherever it was stopped.

The folder of the experiment holds, besides what every experiment leaves,

- `matches/`: the run folder, whose journal has a line for each match; with players added, a new one takes its place;
- `index.html`: the page with standings, tables, charts and a game to step through;
- `table.csv`: every match; `comparison.csv`: the published figures beside ours, and how likely they are;
- `summary.csv`: what was found, and what does not fit, in words;
- `table.tex` and `table.svg`: the table, for LaTeX and as a figure in which cells with a finding are marked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from petteia.arena.match import match
from petteia.arena.match_result import MatchResult
from petteia.arena.openings import parse_openings
from petteia.arena.valuation import WAYS
from petteia.arena.workers import Workers
from petteia.children.process import Children
from petteia.core.decision import Limit
from petteia.core.errors import InvalidError
from petteia.core.interrupt import InterruptLater, LeftBehindError
from petteia.core.names import format_game
from petteia.core.protocol import Rules, format_state
from petteia.experiments.settings import policy_hash
from petteia.experiments.tournament.declaration import Pair, TournamentPlan
from petteia.experiments.tournament.matches import Cell, read_cell
from petteia.experiments.tournament.outputs import write_outputs
from petteia.experiments.tournament.results import TournamentResult, TournamentTable
from petteia.experiments.work import STOPPED, Progress
from petteia.features.evaluations import evaluation_for
from petteia.players import player
from petteia.players.player import UNLIMITED
from petteia.provenance.live import Parts
from petteia.provenance.reach import dependencies
from petteia.records.description import DESCRIPTION
from petteia.records.drafts import new_draft, remove_draft
from petteia.records.files import make_folder
from petteia.records.lock import locked
from petteia.records.runs import Run, create_run, open_run

KIND, NAME, EXTENDED = "tournament", "matches", "matches-extended"


class Configuration(BaseModel):
    """The resolved settings of the matches: `configuration` in the run.json."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    players: list[str]
    knowledge: list[str]
    """hashes of what the players know, so that a resumed tournament has the same ones; empty where it cannot be told"""
    games: int
    """of each match"""
    pairing: str
    seats: str
    diagonal: bool
    openings: str
    starts: list[str]
    """the positions that the openings begin with"""
    max_plies: int
    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    clock: str | None = None
    grace: float | None = None
    """where there is a time or a clock"""

    def of(self, players: list[str]) -> Configuration:
        """The settings of the same tournament of these players alone, in its order."""
        taking_part = [pair for pair in zip(self.players, self.knowledge, strict=True) if pair[0] in players]
        return self.model_copy(
            update={"players": [name for name, _ in taking_part], "knowledge": [known for _, known in taking_part]}
        )


def configure(plan: TournamentPlan, rules: Rules) -> Configuration:
    """The settings of a tournament, resolved."""
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


def play_tournament(path: Path, plan: TournamentPlan, jobs: int, progress: Progress) -> TournamentResult:
    """Play all matches that are not played yet, and write what was found into the folder `path`."""
    make_folder(path, within=path.parent)
    with locked(path):
        run = _run(path, plan)
        with run.locked(), run.timed():
            try:
                cells = play_all(
                    plan,
                    _played(run, list(plan.pairs)),
                    lambda cell: run.journal.append([cell._asdict()]),
                    jobs,
                    progress,
                )
            except LeftBehindError:
                raise
            except KeyboardInterrupt:
                raise KeyboardInterrupt(STOPPED) from None
            if run.results() is None:
                run.write_results({"matches": len(cells)})
        result = TournamentResult(plan, cells, path, run)
        write_outputs(result)
    return result


def _run(path: Path, plan: TournamentPlan) -> Run:
    """The run folder, which is made if it is not there; InvalidError if it holds another tournament."""
    rules, seed = plan.rules, plan.declaration.seed
    configuration = configure(plan, rules)
    folder = path / NAME
    if not folder.exists() and (path / EXTENDED).exists():  # killed when it was about to take its place
        (path / EXTENDED).rename(folder)
    if not (folder / DESCRIPTION).exists():
        return _new_run(path, plan, configuration, NAME)
    run = open_run(folder)
    run.check()
    begun, anew = run.configuration(Configuration), f"remove {path}, or choose another folder"
    if set(begun.players) <= set(configuration.players) and run.description.game == format_game(rules):
        run.check_same_code(rules, lambda: code_of_matches(plan, begun.players), anew=anew)
    if (begun, run.description.game, run.seed) != (configuration.of(begun.players), format_game(rules), seed):
        raise InvalidError(f"{folder}: was begun with other settings; {anew}")
    return run if begun == configuration else _with_more_players(path, run, plan, configuration)


def _new_run(path: Path, plan: TournamentPlan, configuration: Configuration, name: str) -> Run:
    settings, code = configuration.model_dump(mode="json"), code_of_matches(plan, plan.players)
    return create_run(path, KIND, plan.rules, settings, {"seed": plan.declaration.seed}, code=code, name=name)


def _with_more_players(path: Path, run: Run, plan: TournamentPlan, configuration: Configuration) -> Run:
    """The run of a tournament that has more players than `run`, in the place of it, with the matches that it has."""
    cells = _played(run, list(plan.pairs))
    remove_draft(path / EXTENDED)
    _new_run(path, plan, configuration, EXTENDED).journal.append([cell._asdict() for cell in cells])
    before = new_draft(path)
    run.path.rename(before)
    (path / EXTENDED).rename(run.path)
    remove_draft(before)
    return open_run(run.path)


def code_of_matches(plan: TournamentPlan, players: Iterable[str]) -> Parts:
    """The code of the rules, of matches, and that which these players play by."""
    code = dependencies(plan.rules, _play)
    played = plan.declaration.tournament
    if parse_openings(played.openings, plan.rules).nodes is not None:
        code |= dependencies(plan.rules, *WAYS, evaluation_for(plan.rules))
    with Children(played.allowance, in_process=played.in_process) as children:
        for text in players:
            code |= player(text, plan.rules, children).dependencies(plan.rules)
    return code


def play_all(
    plan: TournamentPlan, cells: list[Cell], keep: Callable[[Cell], None], jobs: int, progress: Progress
) -> list[Cell]:
    """All matches in their order: `cells`, which have been played, and the others; of each of these `keep` is told."""
    pairs, games = list(plan.pairs), plan.declaration.tournament.games
    cells = list(cells)
    done = len(cells) * games
    telling = threading.Lock()
    played = plan.declaration.tournament

    def on_progress(more: int) -> None:
        nonlocal done
        with telling:
            done += more
            progress(done, plan.games, f"{len(cells)} of {len(pairs)} matches{_leader(plan, cells)}")

    with Workers(jobs, played.allowance, in_process=played.in_process) as workers:
        on_progress(0)
        takers = plan.takes_limit(plan.players, workers.children)
        known = {(cell.row, cell.column) for cell in cells}
        for pair in pairs:
            if (pair.row, pair.column) in known:
                continue
            limit = played.limit if {pair.row, pair.column} & takers else UNLIMITED
            cell = _play(plan, pair, workers, on_progress, limit)
            with InterruptLater() as interrupt:
                cells.append(cell)
                keep(cell)
            if interrupt.requested:
                raise KeyboardInterrupt
        on_progress(0)
    return _in_order(cells, pairs)


def _leader(plan: TournamentPlan, cells: list[Cell]) -> str:
    """Who leads so far, by its score."""
    standings = [(table.average(name), name) for table in [TournamentTable(plan, cells)] for name in plan.players]
    known = [(score, name) for score, name in standings if score is not None]
    return "; {1} leads with {0:.1%}".format(*max(known)) if known else ""


def _played(run: Run, pairs: list[Pair]) -> list[Cell]:
    """The matches in the journal, in their order; InvalidError unless each is one of `pairs`."""
    cells = [read_cell(run.journal, number, row) for number, row in enumerate(run.journal.read(), 1)]
    found = {Pair(cell.row, cell.column, cell.seed) for cell in cells}
    if len(found) < len(cells) or not found <= set(pairs):
        raise InvalidError(f"{run.journal.path}: is damaged: its matches are not those of this tournament")
    return _in_order(cells, pairs)


def _in_order(cells: list[Cell], pairs: list[Pair]) -> list[Cell]:
    places = {(pair.row, pair.column): place for place, pair in enumerate(pairs)}
    return sorted(cells, key=lambda cell: places[cell.row, cell.column])


def _play(plan: TournamentPlan, pair: Pair, workers: Workers, on_progress: Callable[[int], None], limit: Limit) -> Cell:
    """The match of a pair, under this limit."""
    played = plan.declaration.tournament
    result = match(
        plan.rules,
        pair.row,
        pair.column,
        games=played.games,
        openings=played.openings,
        seats=played.seats,
        max_plies=played.max_plies,
        seed=pair.seed,
        openings_seed=plan.declaration.seed,
        limit=limit,
        clock=played.clock,
        rows=False,
        workers=workers,
        advance=on_progress,
    )
    named = {name: getattr(result, name) for name in Cell._fields if name in result._fields}
    row_fault, column_fault = (_first_fault(result, score) for score in (0.0, 1.0))
    return Cell(
        row=pair.row, column=pair.column, row_fault=row_fault, column_fault=column_fault, seed=pair.seed, **named
    )


def _first_fault(result: MatchResult, score: float) -> str:
    """What was done in the first game that was lost by what was done in it, and that has this score."""
    return next((row.fault for row in result.faults if row.score == score), "")
