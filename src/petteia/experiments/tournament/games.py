"""Provide the records of the games of a tournament, with their moves.

If the moves of a game depend only on the seed and the number of the game, the game is replayed to obtain them. The
moves of all other games were saved during the tournament. The games on the page of a tournament are replayed only once:
their moves are then saved in the file `replayed.jsonl` of the tournament's run folder.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from petteia.arena.contest import SEATS
from petteia.arena.match import match
from petteia.arena.match_result import MatchResult
from petteia.arena.openings import parse_openings
from petteia.arena.tally import LETTERS
from petteia.core.decision import Outcome
from petteia.core.errors import InvalidError, PetteiaError
from petteia.core.protocol import is_over, margin
from petteia.experiments.tournament.declaration import TournamentPlan
from petteia.experiments.tournament.matches import Block, Cell, KeptMoves, read_row
from petteia.experiments.tournament.results import TournamentResult, TournamentTable
from petteia.player_processes.process import Children
from petteia.players.player import UNLIMITED
from petteia.records.game_record import GameRecord
from petteia.records.journal import Journal

Pairing = tuple[str, str]
"""the two players of a match: the row's player and the column's player"""
REPLAYED = "replayed.jsonl"
"""the file of replayed games in the run folder of a tournament"""


class Replayed(NamedTuple):
    """The first games of a match, with the moves that were obtained by replaying the games."""

    row: str
    """the first player"""
    column: str
    """the second player"""
    letters: str
    """the result of each game, as in a block"""
    moves: tuple[KeptMoves, ...]
    """the moves of each game"""
    begin: int = 0
    """the number of the first game, as in a block"""


_REPLAYED = TypeAdapter(Replayed)


def records(result: TournamentTable) -> list[GameRecord]:
    """Return the record of each game, match by match. For errors see `first_games`."""
    kept = kept_blocks(result)
    return [
        record for cell in result.cells for record in first_games(result.plan, cell, kept[cell.row, cell.column], None)
    ]


def first_of_matches(
    result: TournamentTable, cells: Sequence[Cell], games: int
) -> tuple[list[list[GameRecord]], list[str]]:
    """Return the records of the first `games` games of each match, and error messages for matches without records.

    If the tournament has a folder, replayed games are saved in a file of its run folder, and are not replayed again.
    """
    kept, known = kept_blocks(result), _known(result)
    found: list[list[GameRecord]] = []
    remarks: list[str] = []
    new = dict(known)
    for cell in cells:
        pair, wanted = (cell.row, cell.column), min(games, cell.games)
        saved: Sequence[Block | Replayed] = kept[pair]
        if not saved and pair in known and known[pair].letters == cell.letters[:wanted]:
            saved = [known[pair]]
        first: list[GameRecord] = []
        try:
            first = first_games(result.plan, cell, saved, games)
        except PetteiaError as error:
            remarks.append(str(error))
        if first and not saved:
            new[pair] = Replayed(*pair, cell.letters[:wanted], tuple(map(_moves, first)))
        found.append(first)
    if new != known and isinstance(result, TournamentResult):
        _journal(result).rewrite(each._asdict() for each in new.values())
    return found, remarks


def _journal(result: TournamentResult) -> Journal:
    return Journal(result.run.path / REPLAYED)


def _known(result: TournamentTable) -> dict[Pairing, Replayed]:
    """Return the replayed games that were saved, by match. If their file is damaged, the dictionary is empty."""
    if isinstance(result, TournamentResult):
        with suppress(InvalidError, ValidationError):
            rows = map(_REPLAYED.validate_python, _journal(result).read())
            return {(each.row, each.column): each for each in rows}
    return {}


def _moves(record: GameRecord) -> KeptMoves:
    outcome = record.outcome
    assert outcome is not None, "a replayed game is finished"
    return KeptMoves(tuple(map(int, record.start)), tuple(map(int, record.moves)), outcome.reason, outcome.fault)


def kept_blocks(result: TournamentTable) -> Mapping[Pairing, list[Block]]:
    """Return the blocks of games whose moves were saved, grouped by match and in the order of play."""
    rows = result.run.journal.read() if isinstance(result, TournamentResult) else result.blocks
    found = defaultdict[Pairing, list[Block]](list)
    for block in sorted(map(read_row, rows), key=lambda block: block.begin):
        if block.moves:
            found[block.row, block.column].append(block)
    return found


def first_games(
    plan: TournamentPlan, cell: Cell, kept: Sequence[Block | Replayed], games: int | None
) -> list[GameRecord]:
    """Return the records of the first `games` games of a match, or of all its games if `games` is None.

    `kept` contains the games whose moves were saved. If `kept` is empty, the games are replayed to obtain their moves.
    Raises a PetteiaError if a replayed game does not have the saved result. This happens if the moves of a player
    depend on more than its seed. Raises an InvalidError if the saved moves of a game do not reach the end of the game.
    """
    wanted = cell.games if games is None else min(games, cell.games)
    if not kept:
        return _again(plan, cell, wanted)
    return [record for block in kept if block.begin < wanted for record in _kept(plan, block)][:wanted]


def play_again(plan: TournamentPlan, cell: Cell, games: int) -> MatchResult:
    """Play the first games of a match again, to obtain their moves."""
    played = plan.declaration.tournament
    with Children(played.allowance, in_process=played.in_process) as children:
        is_limited = bool(plan.takes_limit((cell.row, cell.column), children))
    return match(
        plan.rules,
        cell.row,
        cell.column,
        games=games,
        openings=played.openings,
        seats=played.seats,
        max_plies=played.max_plies,
        seed=cell.seed,
        openings_seed=plan.declaration.seed,
        limit=played.limit if is_limited else UNLIMITED,
        in_process=played.in_process,
        allowance=played.allowance,
        moves=True,
    )


def _again(plan: TournamentPlan, cell: Cell, games: int) -> list[GameRecord]:
    found = play_again(plan, cell, games)
    letters = LETTERS[[round(2 * row.score) for row in found.rows]].tobytes().decode()
    is_whole = found.games == cell.games
    if not cell.letters.startswith(letters) or (
        is_whole and (found.plies, found.distinct) != (cell.plies, cell.distinct)
    ):
        raise PetteiaError(
            f"{cell.row} against {cell.column}: the games cannot be recorded, because they were different when they "
            "were played again; players must be deterministic for a given seed"
        )
    return found.records()[:games]


def _kept(plan: TournamentPlan, block: Block | Replayed) -> Iterator[GameRecord]:
    """Yield the record of each game in a block with saved moves."""
    rules, played = plan.rules, plan.declaration.tournament
    state_of = type(parse_openings(played.openings, rules).starts[0])
    for number, (game, letter) in enumerate(zip(block.moves, block.letters, strict=True), block.begin):
        seat = SEATS[played.seats][number % 2]
        players = (block.row, block.column) if seat == 0 else (block.column, block.row)
        record = GameRecord(rules, players, state_of(*game.start), game.moves, None)
        last = record.states()[-1]
        if game.reason == "over" and not is_over(rules, last):
            raise InvalidError(
                f"{block.row} against {block.column}: the saved moves of a finished game are incomplete; play the "
                "tournament again"
            )
        won = 0 if letter == "=" else 1 if (letter == "V") == (seat == 0) else -1
        outcome = Outcome(
            int(margin(rules, last)) if game.reason == "over" else won, len(game.moves), game.reason, game.fault
        )
        yield GameRecord(rules, players, record.start, record.moves, outcome)
