"""Measurements in positions sampled from games, such as search depths and the ranks of moves in move orderings.

One position is sampled at random from each third of each game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from petteia.arena.match import match
from petteia.core.decision import Limit
from petteia.core.protocol import MAX_STEPS, State, initial, is_over, legal, margin, parse_state, play, steps, to_move
from petteia.core.protocol import format_state as written
from petteia.features.amazons_rankings import AMAZON, TARGET
from petteia.features.evaluation import evaluate
from petteia.features.evaluations import evaluation_for
from petteia.features.rankings import rank, ranking_for
from petteia.games.amazons_board import free_squares
from petteia.games.queens import SQUARES, only, reach, size_of, union
from petteia.reports.amazons.plan import SIMPLE, THRESHOLD, keeping
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.kept import kept
from petteia.reports.engine.settings import Size

THIRDS = ("first third", "second third", "last third")
GAMES = Size(paper=100, quick=8, all=500)
NODES = 3_000
"""nodes per move in the games from which the positions are taken"""
DEPTH = 3
"""search depth of the simple player whose choice judges the move orderings"""
RANKINGS = ("queen_distance", "mobility", "neighbours", "decision_tree", "value", "random")
LOST = 2
"""the maximum number of squares that an amazon can ever reach if it counts as trapped"""
REPLIED = 4
"""the number of gaining moves of a position, drawn at random, to which the best reply is computed"""
WON = 10_000
"""the value of a won game, which is above every difference of queen moves"""


class Played(NamedTuple):
    """Sampled positions, and numbers of legal moves, from games between the players `simple` and `selective`."""

    positions: list[list[str]]
    """for each third of a game, one random position of each game"""
    counts: list[list[int]]
    """for each game, the number of legal moves at each ply after its opening"""


@kept
def played(evidence: Evidence, games: int) -> Played:
    """Play games between the players `simple` and `selective`, and sample a position from each third of each game."""
    texts = (f"{each},nodes={NODES}" for each in (SIMPLE, keeping(0.5)))
    found = match(evidence.rules, *texts, games=games, seed=3, jobs=evidence.work.jobs, moves=True)
    drawn: list[list[str]] = [[] for _ in THIRDS]
    counts = []
    for number, record in enumerate(found.records()):
        states, random = record.states()[:-1], np.random.default_rng(number)
        counts.append([len(legal(evidence.rules, state)) for state in states])
        for third, part in zip(drawn, np.array_split(np.arange(len(states)), len(THIRDS)), strict=True):
            third.append(written(evidence.rules, states[int(random.choice(part))]))
    return Played(drawn, counts)


def positions(evidence: Evidence, third: int) -> list[str]:
    """Return the positions that were sampled from one third of each game, without duplicates.

    `third` is 0 for the first third of a game, 1 for the second, and 2 for the last.
    """
    return [*dict.fromkeys(played(evidence, evidence.size(GAMES)).positions[third])]


class Seen(NamedTuple):
    """Measurements in one position, such as the rank of a good move in each move ordering."""

    ranks: dict[str, int]
    """the place, from 1, that each ranking gives to the amazon move of the simple player"""
    groups: int
    """the number of amazon moves"""
    picks_lost: bool
    """whether the first stage of the decision tree picks a trapped amazon"""
    left: float
    """the share of the moves that remain after the first stage"""
    by_amazon: float
    """the share of the variance of the values after the moves that the amazon moves explain"""
    by_arrow: float
    """the share of the same variance that the squares of the arrows explain"""
    taken_back: list[int]
    """four counts of gaining moves: moves that are not quiet and lose all the gain by the best reply; all moves that
    are not quiet; and the same two counts for quiet moves"""


@kept
def seen_in(evidence: Evidence, position: str) -> Seen:
    """Compute the measurements of the class `Seen` for one position."""
    rules = evidence.rules
    state = parse_state(rules, position)
    moves, evaluation = legal(rules, state), evaluation_for(rules, "mobility")
    squares = [parts(evidence, move) for move in moves]
    sign = 1 - 2 * to_move(rules, state)
    values = np.array([value_of(evidence, play(rules, state, move)) for move in moves], np.float64)
    groups: dict[tuple[int, ...], list[int]] = {}
    for number, each in enumerate(squares):
        groups.setdefault(tuple(each[:TARGET]), []).append(number)
    chosen = evidence.player(f"{SIMPLE},depth={DEPTH}")
    chosen.new_game(rules, 0)
    wanted = [*groups].index(tuple(parts(evidence, chosen.choose(state, Limit()).move)[:TARGET]))
    ranks = {}
    for name in RANKINGS:
        ranking, known = ranking_for(rules, name, evaluation)
        stages = range((known.stages or (TARGET,))[0], TARGET + 1)
        found = [
            [float(max(sign * values[numbers]))]
            if name == "value"
            else [float(rank(ranking, rules, state, moves[numbers[0]], steps)) for steps in stages]
            for numbers in groups.values()
        ]
        ranks[name] = 1 + sum(each > found[wanted] for each in found) + found[:wanted].count(found[wanted])
    tree, _ = ranking_for(rules, "decision_tree", evaluation)
    firsts = (moves[numbers[0]] for numbers in groups.values())
    pick = max(firsts, key=lambda move: rank(tree, rules, state, move, AMAZON))
    origin = parts(evidence, pick)[0]
    return Seen(
        ranks,
        len(groups),
        size_of(reached(evidence, state, pick // SQUARES**2 % SQUARES)) <= LOST,
        sum(each[0] == origin for each in squares) / len(moves),
        explained(values, [tuple(each[:TARGET]) for each in squares]),
        explained(values, [each[TARGET] for each in squares]),
        taken_back(evidence, state, moves, sign * values),
    )


def parts(evidence: Evidence, move: int) -> list[int]:
    """Return the squares of a move: origin, target and arrow."""
    buffer = [0] * MAX_STEPS
    return buffer[: steps(evidence.rules, initial(evidence.rules), move, buffer)]


def value_of(evidence: Evidence, state: State) -> int:
    """Return the evaluation of a position for player 0. If the game is over, return its margin times `WON` instead.

    The evaluation is player 0's number of queen moves minus player 1's.
    """
    if is_over(evidence.rules, state):
        return WON * int(margin(evidence.rules, state))
    return int(evaluate(evaluation_for(evidence.rules, "mobility"), evidence.rules, state))


def reached(evidence: Evidence, state: Any, square: int) -> Any:
    """Return a bit set of the squares that an amazon can reach in any number of consecutive moves."""
    found, free = only(square), free_squares(evidence.rules, state)
    while (more := union(found, reach(found, free))) != found:
        found = more
    return reach(found, free)


def explained(values: Any, groups: Sequence[Any]) -> float:
    """Return the share of the variance of `values` that the groups explain, or 0 if all values are equal."""
    total = float(np.var(values)) * len(values)
    numbers = np.unique([repr(each) for each in groups], return_inverse=True)[1]
    counts = np.bincount(numbers)
    means = np.bincount(numbers, values) / counts
    return float(np.sum(counts * (means - values.mean()) ** 2)) / total if total > 0.0 else 0.0


def taken_back(evidence: Evidence, state: State, moves: Sequence[int], values: Any) -> list[int]:
    """Count sampled moves that raise the evaluation, and those of them whose gain the opponent's best reply cancels.

    At most `REPLIED` of the moves that raise the evaluation, and do not win at once, are sampled. The result contains
    the four counts of the field `Seen.taken_back`. `values` contains the evaluation after each of the `moves`, for the
    player that makes the move.
    """
    rules, found, sign = evidence.rules, [0, 0, 0, 0], 1 - 2 * to_move(evidence.rules, state)
    before = sign * value_of(evidence, state)
    gaining = np.flatnonzero((values > before) & (values < WON))
    for place in np.random.default_rng(len(moves)).permutation(gaining)[:REPLIED].tolist():
        child = play(rules, state, moves[place])
        replied = min(sign * value_of(evidence, play(rules, child, reply)) for reply in legal(rules, child))
        at = 0 if values[place] - before > THRESHOLD else 2
        found[at] += replied <= before
        found[at + 1] += 1
    return found


class Thought(NamedTuple):
    """The depth of a search, and the share of its nodes that it had visited when its choice of a move became final."""

    depth: int
    """the depth of the last complete search, in plies"""
    settled: float
    """the share of the nodes after which the choice did not change"""


@kept
def thought_in(evidence: Evidence, position: str, player: str, nodes: int) -> Thought:
    """Let a player search a position with a limit of `nodes` nodes, and return statistics of this search."""
    made, so_far = evidence.player(player), list[Any]()
    made.new_game(evidence.rules, 0)
    found = made.analyse(parse_state(evidence.rules, position), Limit(nodes=nodes), progress=so_far.append)
    settled = found.nodes
    for each in reversed(so_far):
        if each.variations[0].moves[0] != found.variations[0].moves[0]:
            break
        settled = each.nodes
    return Thought(found.depth, settled / found.nodes)
