"""A review of a game: the regret of each move, the best move of each position, and the mistakes.

Values are exact if the game can be solved. Otherwise they come from a player that searches. One search gives the values
of all moves of a position, so that they can be compared. The regret of a move is the value of the position for the
player to move, less the value after the move, as in `petteia.regret`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from petteia.arena.analysis import AnalysedLine, Analysis, analyse
from petteia.arena.exact import EXACT, analyse_exactly, oracle_of
from petteia.core.decision import ALLOWANCE, Allowance, Limit, check_amounts
from petteia.core.errors import UsageError
from petteia.core.names import format_game
from petteia.core.protocol import CHANCE, Rules, State, format_move, legal, seats, to_move
from petteia.core.random import checked_seed
from petteia.core.stop import Stop, is_stopped, obeying
from petteia.player_processes.process import Children
from petteia.players import Player, player
from petteia.players.player import check_limit, notices
from petteia.records.game_record import GameRecord, read_record
from petteia.search.memory import MAX_DEPTH
from petteia.search.searcher import WON_POINTS
from petteia.solver.expectation import TOLERANCE
from petteia.solver.graph import MEMORY
from petteia.solver.oracle import Oracle

SLIP = 0.5
"""the default of `slip`, in points, if values come from a player"""
DICE = "chance"
"""the text in `ReviewedMove.who` at a chance node"""

Analyst = Callable[[State], Analysis | None]
"""a function that analyses a position in which a player is to move, and returns None if it cannot play that side"""


class ReviewedMove(NamedTuple):
    """One ply of a reviewed game: the move played, the best move, and the regret.

    Values of positions are from the perspective of player 0, in points. Unknown values are None.
    """

    ply: int
    """the number of the ply, from 1"""
    who: str
    """the name of the side that moved, as in the game's rules; `chance` at a chance node"""
    move: str
    """the move played, as text"""
    best: str | None
    """the best move, as text: the played move if no other is better; None at a chance node, or if it is not known"""
    before: float | None
    """the value of the position before the move, which equals the value of the best move"""
    after: float | None
    """the value of the position after the played move"""
    regret: float | None
    """the regret of the move, in points; None at a chance node, or if a value is not known"""
    is_mistake: bool
    """whether the regret is larger than `slip`"""
    is_won: bool
    """whether the winner was certain before the move"""
    plies_to_end: int | None
    """the number of plies to the end of the game with best play; None if it is not known"""
    depth: int
    """the search depth in plies; 0 if values are exact"""
    line: tuple[str, ...]
    """the principal variation from the position before the move, which begins with the best move"""


class ReviewedSide(NamedTuple):
    """The regrets of one player in a game."""

    seat: str
    """the name of the side, as in the game's rules"""
    player: str
    """the name of the person or program that played"""
    moves: int
    """the number of moves with a known regret"""
    mistakes: int
    """the number of mistakes among these moves"""
    regret: float
    """the sum of the regrets of these moves, in points"""
    mean: float | None
    """the mean regret of these moves, in points; None if there are none"""


class Review(NamedTuple):
    """The review of a game."""

    game: str
    """the text form of the rules"""
    players: tuple[str, str]
    """the names of the people or programs that played"""
    by: str
    """the source of the values: the name of a player, or `exact`"""
    is_exact: bool
    """whether values are those of best play"""
    slip: float
    """the regret, in points, above which a move is called a mistake"""
    margin: int | None
    """player 0's final margin; None for a game that was not finished"""
    moves: tuple[ReviewedMove, ...]
    """the plies of the game; fewer if the review was interrupted"""
    sides: tuple[ReviewedSide, ReviewedSide]
    """the regrets of players 0 and 1"""
    was_interrupted: bool
    """whether Ctrl-C or a stop ended the review"""
    notes: tuple[str, ...]
    """remarks for the user"""

    @property
    def mistakes(self) -> list[ReviewedMove]:
        """The plies at which a player made a mistake. A mistake is a move with a regret larger than `slip`."""
        return [each for each in self.moves if each.is_mistake]


def review(
    record: GameRecord | str,
    *,
    by: str | Any = EXACT,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    slip: float | None = None,
    memory: int = MEMORY,
    seed: int = 0,
    in_process: bool = False,
    allowance: Allowance = ALLOWANCE,
    progress: Callable[[ReviewedMove], None] = lambda move: None,
    stop: Stop | None = None,
) -> Review:
    """Review a game: find the played move, the best move and the regret at each ply.

    Args:
        record: the game, as `petteia.record` and `Session.record` return it, or its text
        by: `exact` for values under best play, or a player that searches or that computes the values of all moves.
            `exact` requires that the game can be solved. A player is given as its text form, a run or weights file, a
            training run, an agent or a player object
        depth: the maximum search depth in plies, in place of the player's own maximum; only for players that search
        nodes: the maximum number of nodes for each position, in place of the player's own maximum; only for players
            that search
        seconds: the time limit for each position in seconds, in place of the player's own limit; only for players that
            search
        slip: the regret, in points, above which a move is called a mistake; default: 0 if values are exact, otherwise
            half a point
        memory: the maximum number of bytes used to solve the game
        seed: the seed of the player's random numbers
        in_process: run a custom player in this process instead of a child process
        allowance: time and memory limits of the player besides the limit of a move
        progress: called after each ply
        stop: an event that ends the review when it is set

    Returns:
        The plies with their values and regrets. After Ctrl-C, or when `stop` is set, the result contains only the plies
        reviewed so far.

    Raises:
        UsageError: a game that cannot be solved, an unknown player or option, a limit with exact values, a player that
            computes no values
        NotFoundError: a missing module, class, run or file
        InvalidError: a damaged record
        PetteiaError: a player that fails or exceeds its time
        Stopped: `stop` was set before the game was solved

    Examples:
        >>> session = petteia.session("hare-and-hounds", ("random", "perfect"))
        >>> steps = session.advance()
        >>> review = petteia.review(session.record())
        >>> [(move.ply, move.move, move.best) for move in review.moves if move.is_mistake]
        [(3, '2-5', '1-5')]

    """
    game = read_record(record) if isinstance(record, str) else record
    check_amounts(depth=depth, nodes=nodes, seconds=seconds)
    seed, limit = checked_seed(seed), Limit(depth, nodes, seconds)
    if slip is not None and not slip >= 0:
        raise UsageError(f"slip={slip}: must be 0 or more")
    if memory < 1:
        raise UsageError(f"memory={memory}: must be 1 byte or more")
    with obeying(stop), Children(allowance, in_process=in_process) as children:
        if isinstance(by, str) and by == EXACT:
            if limit != Limit():
                raise UsageError(
                    f"by={EXACT}: exact values are computed without a limit; omit the limit, or choose a player that "
                    "searches"
                )
            oracle = _solved(game, memory)
            return _review(game, EXACT, lambda state: analyse_exactly(oracle, state), slip or 0.0, progress)
        thinker = player(by, game.rules, children)
        check_limit(limit, thinker)
        allowed = SLIP if slip is None else slip
        answer = _review(game, thinker.name, analyst(game.rules, thinker, limit, seed), allowed, progress)
        if answer.moves and not answer.was_interrupted and not any(each.best for each in answer.moves):
            raise UsageError(
                f"player {thinker.name} does not evaluate moves; choose a player that searches, or {EXACT}"
            )
        return answer._replace(notes=notices(thinker, limit=limit))


def analyst(rules: Rules, thinker: Player, limit: Limit, seed: int) -> Analyst:
    """Return a function that analyses positions with a player.

    If the player can rank several moves, each analysis contains all legal moves, from the best to the worst. Otherwise
    the analysis contains only the best move. If the player computes values of all moves, the analysis also contains
    these values. If the player cannot play the side to move, the returned function returns None.
    """

    def think(state: State) -> Analysis | None:
        if to_move(rules, state) not in thinker.seats:
            return None
        lines = len(legal(rules, state)) if thinker.tells_lines else 1
        return analyse(rules, state, thinker, limit, lines, seed, lambda analysis: None)

    return think


def _solved(game: GameRecord, memory: int) -> Oracle:
    try:
        return oracle_of(game.rules, game.start, memory)
    except UsageError as error:
        raise UsageError(f"{error}, or review the game with a player, such as search:depth=6") from None


def _review(
    game: GameRecord,
    by: str,
    think: Analyst,
    slip: float,
    progress: Callable[[ReviewedMove], None],
) -> Review:
    rules, moves = game.rules, list[ReviewedMove]()
    was_interrupted = False
    for ply, (state, move) in enumerate(zip(game.states(), game.moves, strict=False), 1):
        if was_interrupted := is_stopped():
            break
        analysis = None if to_move(rules, state) == CHANCE else think(state)
        if was_interrupted := analysis is not None and analysis.was_interrupted:
            break
        moves.append(reviewed(rules, ply, state, move, analysis, slip))
        progress(moves[-1])
    names = seats(rules)
    sides = tuple(_side(names[side], game.players[side], moves) for side in (0, 1))
    return Review(
        game=format_game(rules),
        players=game.players,
        by=by,
        is_exact=by == EXACT,
        slip=slip,
        margin=None if game.outcome is None else game.outcome.margin,
        moves=tuple(moves),
        sides=(sides[0], sides[1]),
        was_interrupted=was_interrupted,
        notes=(),
    )


def reviewed(rules: Rules, ply: int, state: State, move: int, analysis: Analysis | None, slip: float) -> ReviewedMove:
    """Review a move, using an analysis of the position before it.

    If there is no analysis, or if it contains no values, the values and the regret in the result are None.
    """
    side, played = to_move(rules, state), format_move(rules, state, move)
    who = DICE if side == CHANCE else seats(rules)[side]
    best = None if analysis is None or not analysis.lines else analysis.lines[0]
    if analysis is None or best is None or best.value is None:
        return ReviewedMove(ply, who, played, None, None, None, None, False, False, None, 0, ())
    mine = line_of(analysis, played)
    if mine is not None and is_as_good(mine, best):
        best = mine
    before, after = (None if line is None else known(analysis, line.value) for line in (best, mine))
    regret = None if mine is None or before is after is None else regret_of(best, mine, side)
    return ReviewedMove(
        ply=ply,
        who=who,
        move=played,
        best=best.move,
        before=before,
        after=after,
        regret=regret,
        is_mistake=regret is not None and regret > slip,
        is_won=best.is_won,
        plies_to_end=best.plies_to_end,
        depth=0 if analysis.player == EXACT else analysis.depth,
        line=best.line,
    )


def known(analysis: Analysis, value: float | None) -> float | None:
    """Return the value of a move in an analysis, or None if the value 0 only means that nothing is known.

    This is the case if the player evaluates all unfinished games as 0, and at least one line of the search did not
    reach the end of the game.
    """
    return None if value == 0 and analysis.is_blind else value


def line_of(analysis: Analysis, move: str) -> AnalysedLine | None:
    """Return a move with its value and principal variation, or None if the analysis does not contain the move."""
    for line in analysis.lines:
        if line.move == move:
            return line
    if move in analysis.values:
        return AnalysedLine(move, analysis.values[move], False, None, (move,))
    return None


def is_as_good(line: AnalysedLine, best: AnalysedLine) -> bool:
    """Return whether a move is as good as the best move: its value and its number of plies to the end are the same."""
    return line.value == best.value and line.plies_to_end == best.plies_to_end


def regret_of(best: AnalysedLine, line: AnalysedLine, side: int) -> float | None:
    """Return the regret of a move of `side`, compared with the best move, or None if a value is not known.

    The regret is 0 if both moves win or both moves lose, even if the win is slower or the loss is faster.
    """
    if best.value is None or line.value is None:
        return None
    if _is_end(best) and _is_end(line) and (best.value > 0) == (line.value > 0):
        return 0
    lost = best.value - line.value if side == 0 else line.value - best.value
    return lost if lost > TOLERANCE else 0


def _is_end(line: AnalysedLine) -> bool:
    """Return whether the value of a move stands for a proven win or loss, instead of a margin in points."""
    return line.is_won and line.value is not None and abs(line.value) >= WON_POINTS - MAX_DEPTH


def _side(seat: str, player: str, moves: list[ReviewedMove]) -> ReviewedSide:
    known = [(each, each.regret) for each in moves if each.who == seat and each.regret is not None]
    regret = sum(lost for _, lost in known)
    return ReviewedSide(
        seat=seat,
        player=player,
        moves=len(known),
        mistakes=sum(each.is_mistake for each, _ in known),
        regret=regret,
        mean=regret / len(known) if known else None,
    )
