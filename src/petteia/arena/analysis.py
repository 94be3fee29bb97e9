"""The analysis of a position by a player."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from petteia.arena.alternate import legal_move
from petteia.arena.openings import start_state
from petteia.arena.reasons import Explained, Reason, explain, reasons
from petteia.core.decision import ALLOWANCE, Allowance, Fault, Limit, check_amounts
from petteia.core.errors import InvalidError, PetteiaError, UsageError
from petteia.core.names import format_game
from petteia.core.protocol import (
    CHANCE,
    UNEVEN,
    Rules,
    State,
    chances,
    check_count,
    format_move,
    format_state,
    is_over,
    legal,
    limits,
    margin,
    method,
    play,
    seats,
    to_move,
)
from petteia.core.stop import Stop, is_stopped, obeying
from petteia.features.evaluation import Evaluation, Zero, unit
from petteia.features.evaluation import evaluate as value_by
from petteia.features.evaluations import EVALUATIONS, evaluation_for
from petteia.features.linear import Linear
from petteia.games import game as rules_of
from petteia.player_processes.process import Children
from petteia.players import Player, player
from petteia.players.kinds import kind_of
from petteia.players.player import check_limit, notices
from petteia.search.chance import NO_PROBABILITIES
from petteia.search.searcher import Thought, Variation, check_choice

MAX_OUTCOMES = 1000
"""the maximum number of outcomes that are analysed at a chance node"""
MAX_IN_A_ROW = 20
"""the maximum number of chance nodes in a row"""


class AnalysedLine(NamedTuple):
    """A move with its value and its principal variation."""

    move: str
    """the move as text"""
    value: float | None
    """the value of the move for player 0, in points; None if the player computes no values"""
    is_won: bool
    """whether it is certain who wins: player 0 if the value is above 0, otherwise player 1. In a game with chance, this
    player must be able to win within the searched plies for every outcome; a separate test determines this at the end
    of the search"""
    plies_to_end: int | None
    """the number of plies to the end of a won game; None if it is not known, for example because the search stopped at
    a decided position"""
    line: tuple[str, ...]
    """the principal variation, which begins with this move"""


class AnalysedOutcome(NamedTuple):
    """An outcome of a chance node, with the best move and the value of the position after the outcome."""

    outcome: str
    """the outcome as text; outcomes of successive chance nodes are separated by spaces"""
    probability: float
    """the probability of the outcome, 0..1"""
    position: str
    """the position after the outcome, as text"""
    move: str | None
    """the best move in this position, as text; None if the game is over, or if the player does not play the side to
    move"""
    value: float | None
    """the value of the position for player 0, in points; the final margin if the game is over; None if the player
    computes no values"""


class Analysis(NamedTuple):
    """The analysis of a position by a player. Values are in points, from the perspective of player 0.

    If a search proves a win for player 0, the value is by default 99,999 minus the number of plies to the end. A proven
    win for player 1 has the negative of this value.

    A chance node has no best move. The player analyses the position after each outcome instead, and `outcomes` contains
    the best move after each outcome. `value` is then the expected value over the outcomes. `depth` is the smallest
    depth of these analyses, and `nodes` and `seconds` are their totals.
    """

    game: str
    """the text form of the rules"""
    position: str
    """the position as text"""
    player: str
    """the name of the player"""
    move: str | None
    """the best move in the position, as text; None at a chance node"""
    value: float | None
    """the value of the position; None if the player computes no values"""
    depth: int
    """the depth of the last complete search, in plies"""
    nodes: int
    """the number of positions searched"""
    seconds: float
    """the duration of the analysis, in seconds"""
    lines: tuple[AnalysedLine, ...]
    """the best moves with their values and lines, best first; empty at a chance node"""
    values: Mapping[str, float]
    """the value of each legal move, by its text; empty if the player does not compute the values of all moves"""
    outcomes: tuple[AnalysedOutcome, ...]
    """at a chance node, each outcome with the best move after it"""
    is_final: bool
    """whether a longer analysis would give the same result"""
    was_interrupted: bool
    """whether Ctrl-C or a stop ended the analysis"""
    features: tuple[Explained, ...] = ()
    """the features that are not zero before or after the move, if the player's value is linear in them. For a player
    that chooses whole chains of moves, `after` is the end of the chain"""
    is_blind: bool = False
    """whether a value of 0 carries no information, because the search did not reach the end of the game in all lines
    and has no evaluation for the positions at its horizon"""
    notes: tuple[str, ...] = ()
    """remarks for the user"""

    @property
    def reasons(self) -> list[Reason]:
        """The features that explain the best move. The feature with the largest effect on the value comes first."""
        return reasons(self.features)

    @property
    def nodes_per_second(self) -> float:
        """The number of positions searched per second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0


def best(
    game: str | Rules,
    *,
    position: str | State | None = None,
    player: str | Any = "search",
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    lines: int = 1,
    seed: int = 0,
    in_process: bool = False,
    allowance: Allowance = ALLOWANCE,
    progress: Callable[[Analysis], None] = lambda analysis: None,
    stop: Stop | None = None,
) -> Analysis:
    """Find a player's best move in a position, or its best move after each outcome at a chance node.

    Args:
        game: the rules or their text form
        position: a state or its text form; default: the initial position
        player: the player, given as its text form, a run or weights file, a training run, an agent or a player object.
            Without any limit, `search` thinks for three seconds
        depth: the maximum search depth in plies, in place of the player's own maximum; only for players that search
        nodes: the maximum number of nodes, in place of the player's own maximum; only for players that search
        seconds: the time limit in seconds, in place of the player's own limit; only for players that search
        lines: the number of best moves to report, each with its principal variation; only for players that search. Must
            be 1 at a chance node
        seed: the seed of the player's random numbers
        in_process: run a custom player in this process instead of a child process
        allowance: time and memory limits of the player besides the limit of a move
        progress: called from another thread after each completed depth of a search; at a chance node, called after each
            outcome
        stop: an event that ends the analysis when it is set

    Returns:
        The analysis. If Ctrl-C or `stop` interrupts the player, the analysis contains the player's result so far. For a
        player that searches, this is the result of the last completed depth.

    Raises:
        UsageError: an unknown game, player or option; a limit or number out of range; a limit that the player does not
            accept; a player that cannot play the side to move
        NotFoundError: a missing module, class or file
        InvalidError: a malformed or impossible position, a finished game, or a chance node with more than 1000 outcomes
        PetteiaError: a player that fails, exceeds its time, or makes an illegal move
        Stopped: `stop` was set before the child process of a player found a move, or before the game was solved for the
            player `perfect`

    Examples:
        >>> analysis = petteia.best("kalah", depth=6)
        >>> analysis.move, analysis.value
        ('6', 3.0)

    """
    rules = rules_of(game)
    state = start_state(rules, position)
    is_chance = not is_over(rules, state) and to_move(rules, state) == CHANCE
    if not is_chance:
        check_choice(rules, state)
    check_amounts(depth=depth, nodes=nodes, seconds=seconds, lines=lines)
    limit = Limit(depth, nodes, seconds)
    with obeying(stop), Children(allowance, in_process=in_process) as children:
        thinker = _player(player, rules, children)
        if not is_chance:
            return analyse(rules, state, thinker, limit, lines, seed, progress)
        if lines > 1:
            raise UsageError(
                f"lines={lines}: must be 1 at a chance node, where one best move is computed for each outcome"
            )
        return _after_chance(rules, state, thinker, limit, seed, progress)


def _after_chance(
    rules: Rules, state: State, thinker: Player, limit: Limit, seed: int, progress: Callable[[Analysis], None]
) -> Analysis:
    """Find a player's best move after each outcome of a chance node."""
    check_limit(limit, thinker)
    outcomes = []
    made = []
    for words, probability, after in _outcomes(rules, state, (), 1.0):
        move, value = None, None
        if is_over(rules, after):
            value = float(margin(rules, after))
        elif to_move(rules, after) in thinker.seats:
            made.append(analyse(rules, after, thinker, limit, 1, seed, lambda analysis: None))
            if made[-1].nodes:
                progress(made[-1])
            move, value = made[-1].move, made[-1].value
        outcomes.append(AnalysedOutcome(" ".join(words), probability, format_state(rules, after), move, value))
        if made and made[-1].was_interrupted:
            break
    if not made and any(each.value is None for each in outcomes):
        raise UsageError(f"player {thinker.name} does not play the side to move after the chance node")
    is_whole = not (made and made[-1].was_interrupted)
    known = [each.probability * each.value for each in outcomes if each.value is not None]
    return Analysis(
        game=format_game(rules),
        position=format_state(rules, state),
        player=thinker.name,
        move=None,
        value=math.fsum(known) if is_whole and len(known) == len(outcomes) else None,
        depth=min((each.depth for each in made), default=0),
        nodes=sum(each.nodes for each in made),
        seconds=sum(each.seconds for each in made),
        lines=(),
        values={},
        outcomes=tuple(outcomes),
        is_final=is_whole and all(each.is_final for each in made),
        was_interrupted=not is_whole,
        is_blind=any(each.is_blind for each in made),
        notes=notices(thinker, limit=limit),
    )


def _outcomes(
    rules: Rules, state: State, before: tuple[str, ...], probability: float
) -> list[tuple[tuple[str, ...], float, State]]:
    """Return every sequence of outcomes of successive chance nodes, with its probability and the resulting state."""
    if is_over(rules, state) or to_move(rules, state) != CHANCE:
        return [(before, probability, state)]
    maximum = limits(rules).moves
    codes, shares = [0] * maximum, [0.0] * maximum
    count = chances(rules, state, codes, shares)
    check_count(rules, state, count)
    if not abs(math.fsum(shares[:count]) - 1.0) <= UNEVEN:
        raise PetteiaError(NO_PROBABILITIES)
    outcomes = []
    for code, share in zip(codes[:count], shares[:count], strict=True):
        words = (*before, format_move(rules, state, code))
        if len(words) > MAX_IN_A_ROW:
            text = format_state(rules, state)
            raise InvalidError(f"position {text!r}: more than {MAX_IN_A_ROW} chance nodes follow in a row")
        outcomes += _outcomes(rules, play(rules, state, code), words, probability * share)
        if len(outcomes) > MAX_OUTCOMES:
            raise InvalidError(f"position {format_state(rules, state)!r}: chance has more than {MAX_OUTCOMES} outcomes")
    return outcomes


def evaluate(rules: Rules, state: State, given: str | Any) -> float:
    """Return the value of a position according to a player or an evaluation.

    See `Position.evaluate` in `petteia.playing`.
    """
    if is_over(rules, state):
        return float(margin(rules, state))
    if _is_evaluation(given):
        return _valued(evaluation_for(rules, given), rules, state)
    with Children() as children:
        thinker = player(given, rules, children)
        if thinker.evaluation is not None:
            return _valued(thinker.evaluation, rules, state)
        value = best(rules, position=state, player=thinker).value
    if value is None:
        raise UsageError(f"player {thinker.name} gives no values of positions; choose one that searches or learns")
    return value


def _is_evaluation(given: str | Any) -> bool:
    if isinstance(given, str):
        return given in EVALUATIONS or kind_of(given) == "evaluation"
    return inspect.isfunction(given) or method(type(given), "evaluate") is not None


def _valued(evaluation: Evaluation, rules: Rules, state: State) -> float:
    return value_by(evaluation, rules, state) / unit(evaluation)


def analyse(
    rules: Rules,
    state: State,
    thinker: Player,
    limit: Limit,
    lines: int,
    seed: int,
    progress: Callable[[Analysis], None],
) -> Analysis:
    """Analyse a position in which a player is to move. Raises the same errors as `best`."""
    if to_move(rules, state) not in thinker.seats:
        raise UsageError(f"player {thinker.name} does not play {seats(rules)[to_move(rules, state)]}")
    check_limit(limit, thinker)
    thinker.new_game(rules, seed)

    def on_progress(thought: Thought) -> None:
        progress(_from_thought(rules, state, thinker, thought))

    thought = thinker.analyse(state, limit, lines=lines, progress=on_progress)
    _check_thought(rules, state, thinker, thought)
    analysis = _ended(_from_thought(rules, state, thinker, thought), thinker, limit)
    explained = thinker.explained(thought.variations[0].moves)
    if explained and isinstance(thinker.evaluation, Linear):
        after = functools.reduce(functools.partial(play, rules), explained, state)
        analysis = analysis._replace(features=explain(thinker.evaluation, rules, state, after))
    return analysis


def _ended(analysis: Analysis, thinker: Player, limit: Limit) -> Analysis:
    """Return the analysis with the player's messages for the user. If a stop ended it, set `was_interrupted`."""
    was_interrupted = analysis.was_interrupted or is_stopped()
    return analysis._replace(was_interrupted=was_interrupted, notes=notices(thinker, limit=limit))


def _player(given: str | Any, rules: Rules, children: Children) -> Player:
    return player(given, rules, children)


def _from_thought(rules: Rules, state: State, thinker: Player, thought: Thought) -> Analysis:
    best = thought.variations[0]
    return Analysis(
        game=format_game(rules),
        position=format_state(rules, state),
        player=thinker.name,
        move=format_move(rules, state, best.moves[0]),
        value=best.value,
        depth=thought.depth,
        nodes=thought.nodes,
        seconds=thought.seconds,
        lines=tuple(_line(rules, state, line) for line in thought.variations),
        values=_values(rules, state, thought.values),
        outcomes=(),
        is_final=thought.is_final,
        was_interrupted=thought.was_interrupted,
        is_blind=type(thinker.evaluation) is Zero and not thought.is_final,
    )


def _check_thought(rules: Rules, state: State, thinker: Player, thought: Thought) -> None:
    """Raise a Fault if a player's analysis contains an illegal move.

    If the analysis contains values of moves, it must contain one value for each legal move, and no other values.
    Otherwise this function also raises a Fault.
    """
    for line in thought.variations:
        after = state
        for move in line.moves:
            after = play(rules, after, legal_move(rules, thinker, after, move))
    if thought.values and set(thought.values) != set(legal(rules, state)):
        raise Fault(f"player {thinker.name}: its values must contain all legal moves, and no others")


def _line(rules: Rules, state: State, line: Variation) -> AnalysedLine:
    written = []
    for move in line.moves:
        written.append(format_move(rules, state, move))
        state = play(rules, state, move)
    return AnalysedLine(written[0], line.value, line.is_won, line.plies_to_end, tuple(written))


def _values(rules: Rules, state: State, values: Mapping[int, float]) -> dict[str, float]:
    return {format_move(rules, state, move): values[move] for move in legal(rules, state) if values}
