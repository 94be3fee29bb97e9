"""The records of the games of a tournament, with their moves.

If the moves of a game depend only on the seed and the number of the game, the game is replayed to obtain them. The
moves of all other games were saved during the tournament.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from petteia.arena.contest import SEATS
from petteia.arena.match import match
from petteia.arena.match_result import MatchResult
from petteia.arena.openings import parse_openings
from petteia.arena.tally import LETTERS
from petteia.core.decision import Outcome
from petteia.core.errors import InvalidError, PetteiaError
from petteia.core.protocol import is_over, margin
from petteia.experiments.tournament.declaration import TournamentPlan
from petteia.experiments.tournament.matches import Block, Cell, read_row
from petteia.experiments.tournament.results import TournamentResult, TournamentTable
from petteia.player_processes.process import Children
from petteia.players.player import UNLIMITED
from petteia.records.game_record import GameRecord

Pairing = tuple[str, str]
"""the two players of a match: the row's player and the column's player"""


def records(result: TournamentTable) -> list[GameRecord]:
    """Return the record of each game, match by match. For errors see `first_games`."""
    kept = kept_blocks(result)
    return [
        record for cell in result.cells for record in first_games(result.plan, cell, kept[cell.row, cell.column], None)
    ]


def kept_blocks(result: TournamentTable) -> Mapping[Pairing, list[Block]]:
    """Return the blocks of games whose moves were saved, grouped by match and in the order of play."""
    rows = result.run.journal.read() if isinstance(result, TournamentResult) else result.blocks
    found = defaultdict[Pairing, list[Block]](list)
    for block in sorted(map(read_row, rows), key=lambda block: block.begin):
        if block.moves:
            found[block.row, block.column].append(block)
    return found


def first_games(plan: TournamentPlan, cell: Cell, kept: Sequence[Block], games: int | None) -> list[GameRecord]:
    """Return the records of the first `games` games of a match, or of all its games if `games` is None.

    `kept` contains the blocks of games whose moves were saved. If `kept` is empty, the games are replayed to obtain
    their moves. Raises a PetteiaError if a replayed game does not have the saved result. This happens if the moves of a
    player depend on more than its seed. Raises an InvalidError if the saved moves of a game do not reach the end of the
    game.
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
            f"{cell.row} against {cell.column}: replayed games differ, so they have no records; players must choose "
            "their moves by the given seed alone"
        )
    return found.records()[:games]


def _kept(plan: TournamentPlan, block: Block) -> Iterator[GameRecord]:
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
                f"{block.row} against {block.column}: the ends of its games were not saved; play the tournament again"
            )
        won = 0 if letter == "=" else 1 if (letter == "V") == (seat == 0) else -1
        outcome = Outcome(
            int(margin(rules, last)) if game.reason == "over" else won, len(game.moves), game.reason, game.fault
        )
        yield GameRecord(rules, players, record.start, record.moves, outcome)
