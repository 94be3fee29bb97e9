"""How far players are from perfect in a sample of positions, where a solved game has too many to look at all of them.

What regret is, `petteia.arena.regret` says; there all positions are looked at, of one side. Here a sample is drawn from
those of both.
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import numpy as np

from petteia.arena.judgement import COLUMNS, GIVEN, MISTAKE, REGRET, judge_moves, judge_policy, turns
from petteia.arena.openings import start_state
from petteia.arena.regret import DRAWS, drawn_moves
from petteia.arena.statistics import NORMAL_95
from petteia.core.arrays import Floats, Ints
from petteia.core.errors import UsageError
from petteia.core.names import format_game
from petteia.core.protocol import Rules, State, images, initial
from petteia.core.random import checked_seed
from petteia.games import game as rules_of
from petteia.players import Player, player
from petteia.policies.policy import tells_probabilities
from petteia.solver.graph import MEMORY, explore, numbers_positions
from petteia.solver.tablebase import Tablebase, build, find_known

POSITIONS = 20_000
"""that are drawn, unless said"""


class SampledRegret(NamedTuple):
    """How well a player does in a sample of positions whose values are known."""

    player: str
    """the name of the player"""
    positions: int
    """the number of positions in the sample"""
    perfect_share: float
    """share of the moves that give nothing away"""
    mean: float
    """mean regret of a move, in units of the margin"""
    low: float
    """lower bound of the 95 % interval of the mean"""
    high: float
    """upper bound of it"""
    given_away: float
    """share of the positions in which the result of the game gets worse"""


def sampled_regret(
    game: str | Rules,
    *subjects: str | Any,
    positions: int = POSITIONS,
    position: str | State | None = None,
    seed: int = 0,
    memory: int = MEMORY,
) -> list[SampledRegret]:
    """Solve a game, and measure how far players are from perfect in a sample of its positions.

    Args:
        game: the rules or their text; a game that can be solved
        subjects: the players, which play both sides: their texts, players, or policies
        positions: how many are drawn at most, without repeats, from those that can be reached and are not over
        position: where the game starts, a state or its text; default: the first of the game
        seed: of what is drawn, 0..2^63-1
        memory: bytes that solving may use

    Returns:
        A row for each player.

    Raises:
        UsageError: an unknown game or player, a game that cannot be solved, a player of one side alone
        NotFoundError: a module, class, run or file that is not there
        InvalidError: an impossible position, a file that does not fit
        PetteiaError: a player that fails or makes an illegal move

    """
    rules = rules_of(game)
    if positions < 1:
        raise UsageError(f"positions={positions}: must be 1 or more")
    judged = [player(each, rules) for each in subjects]
    solved = solve_and_sample(rules, positions, checked_seed(seed), start=start_state(rules, position), memory=memory)
    return [regret_in_sample(solved, each) for each in judged]


class SolvedSample(NamedTuple):
    """A solved game, and a sample of its positions."""

    rules: Rules
    """the rules of the game"""
    value: float
    """the final margin of best play from the start, player 0's; its expectation where chance can move"""
    positions: int
    """the number of positions that can be reached"""
    table: Tablebase
    """the table of the solved game"""
    sample: Ints
    """the states that were drawn, [sampled, fields]"""


def solve_and_sample(
    rules: Rules,
    positions: int,
    seed: int,
    *,
    start: State | None = None,
    memory: int = MEMORY,
    table: Tablebase | None = None,
) -> SolvedSample:
    """Solve a game, and draw a sample of at most so many positions that are not over.

    They are left of twice as many that are drawn, so there can be fewer, where most positions are over. Raises a
    UsageError if there is none. `table` is that of the game, where it has been solved before.
    """
    first = initial(rules) if start is None else start
    table = build(rules, first, memory=memory) if table is None else table
    states = table.states
    if images(rules) > 1 or numbers_positions(rules):  # then the table has others, too, or one for several
        states = explore(rules, first, folded=False, numbered=False, memory=memory).states
    random = np.random.default_rng(seed)
    rows = np.sort(random.choice(len(states), min(2 * positions, len(states)), replace=False))
    sample = np.concatenate([turns(rules, first, side, states[rows]) for side in (0, 1)])
    chosen = sample[np.sort(random.permutation(len(sample))[:positions])]
    if len(chosen) == 0:
        raise UsageError(f"{format_game(rules)}: all of the {len(rows)} positions that were drawn are over; draw more")
    value: float = table.values[find_known(rules, table, first)].item()
    return SolvedSample(rules, value, len(states), table, chosen)


def regret_in_sample(solved: SolvedSample, subject: str | Any, name: str | None = None) -> SampledRegret:
    """How a player does in the sample. It is called by its text form, unless by another `name`.

    Of a player that cannot tell how likely it plays each move two moves are drawn in each position.
    """
    judged = player(subject, solved.rules)
    check_both_seats(judged)
    like = initial(solved.rules)
    parts = [turns(solved.rules, like, side, solved.sample) for side in (0, 1)]
    columns = [_judge(solved, judged, side, parts[side], like) for side in (0, 1)]
    return summed_up(judged.name if name is None else name, np.concatenate(columns))


def check_both_seats(judged: Player) -> None:
    """Raise a UsageError for a player of one side alone."""
    if len(judged.seats) < 2:
        raise UsageError(f"player {judged.name} plays one side alone; here it must play both")


def _judge(solved: SolvedSample, judged: Player, side: int, states: Ints, like: State) -> Floats:
    """A row of columns for each of `states`, in which `side` is to move; see `petteia.arena.judgement`."""
    rules, table = solved.rules, solved.table
    policy = judged.policy(rules)
    if policy is not None and tells_probabilities(policy):
        return judge_policy(rules, like, table, side, states, policy)
    repeated = np.repeat(states, DRAWS, axis=0)
    drawn = drawn_moves(rules, judged, like, repeated, seed=side)
    columns = judge_moves(rules, like, table, side, repeated, drawn)
    return np.asarray(columns.reshape(-1, DRAWS, COLUMNS).mean(axis=1))


def summed_up(name: str, columns: Floats) -> SampledRegret:
    """The figures that the rows of `petteia.arena.judgement`, one for each position, add up to."""
    regrets = columns[:, REGRET]
    mean = float(regrets.mean())
    error = NORMAL_95 * float(regrets.std(ddof=1)) / len(regrets) ** 0.5 if len(regrets) > 1 else inf
    return SampledRegret(
        player=name,
        positions=len(columns),
        perfect_share=1.0 - float(columns[:, MISTAKE].mean()),
        mean=mean,
        low=max(0.0, mean - error),
        high=mean + error,
        given_away=float(columns[:, GIVEN].mean()),
    )
