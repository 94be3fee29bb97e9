"""How far players are from perfect near the end of games that are too large to be solved.

Endings are taken from random games and searched to their ends, so that every move of theirs has its value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from petteia.analysis.sampled_regret import SampledRegret, check_both_seats, summed_up
from petteia.arena.alternate import legal_move
from petteia.arena.judgement import COLUMNS, GIVEN, MISTAKE, REGRET, VALUE
from petteia.arena.openings import start_state
from petteia.arena.regret import DRAWS
from petteia.core.arrays import Floats
from petteia.core.decision import Limit
from petteia.core.errors import UsageError
from petteia.core.names import format_game
from petteia.core.protocol import Rules, State, draw_move, has_chance, initial, is_over, legal, limits, play, to_move
from petteia.core.random import below, checked_seed, keys, stream
from petteia.features.evaluation import Evaluation
from petteia.features.evaluations import evaluation_for
from petteia.games import game as rules_of
from petteia.players import Player, player
from petteia.policies.play_games import MAX_PLIES
from petteia.policies.policy import Policy, Scratch, probabilities, tells_probabilities, workspace
from petteia.search.alpha_beta import ORDER
from petteia.search.ends import BY_MARGIN
from petteia.search.searcher import Searcher

ENDINGS, MAX_GAMES = 400, 1000
"""that are taken, unless said, and random games in a row that may have none"""
UNLIMITED = Limit()


class Ending(NamedTuple):
    """A position near the end, and what its moves are worth."""

    state: State
    """the position, in which a player has a choice"""
    values: dict[int, float]
    """of each legal move the final margin under best play, player 0's"""


def regret_in_endings(
    game: str | Rules,
    *subjects: str | Any,
    is_ending: Callable[[Rules, State], bool],
    endings: int = ENDINGS,
    evaluation: str | Evaluation | Callable[..., Any] | None = None,
    position: str | State | None = None,
    seed: int = 0,
) -> list[SampledRegret]:
    """Measure how far players are from perfect near the ends of random games.

    Args:
        game: the rules or their text; a game without chance
        subjects: the players, which play both sides: their texts, players, or policies
        is_ending: whether a state is so near the end that it can be searched to all its ends
        endings: how many are taken, one from each of so many random games that have one with a choice
        evaluation: what orders the moves of the search; default: that of the game
        position: where the games start, a state or its text; default: the first of the game
        seed: of these games, 0..2^63-1

    Returns:
        A row for each player.

    Raises:
        UsageError: an unknown game or player, a game with chance, a player of one side alone, no ending in sight
        NotFoundError: a module, class, run or file that is not there
        InvalidError: an impossible position, a file that does not fit
        PetteiaError: a player that fails or makes an illegal move

    """
    rules = rules_of(game)
    if endings < 1:
        raise UsageError(f"endings={endings}: must be 1 or more")
    judged = [player(each, rules) for each in subjects]
    solved_endings = find_endings(
        rules, endings, is_ending, checked_seed(seed), evaluation=evaluation, start=start_state(rules, position)
    )
    return [judge_in_endings(rules, solved_endings, each) for each in judged]


def find_endings(
    rules: Rules,
    count: int,
    is_ending: Callable[[Rules, State], bool],
    seed: int,
    *,
    evaluation: str | Evaluation | Callable[..., Any] | None = None,
    start: State | None = None,
    advance: Callable[[int], None] = lambda count: None,
) -> list[Ending]:
    """Endings with a choice, one of each of so many random games that have one, searched to their ends."""
    if has_chance(rules):
        raise UsageError(f"{format_game(rules)}: chance moves in it, and a search rounds means; see `petteia.regret`")
    searcher = Searcher(rules, evaluation_for(rules, evaluation), options=BY_MARGIN | ORDER)
    endings = list[Ending]()
    for state in _endings(rules, initial(rules) if start is None else start, is_ending, seed):
        thought = searcher.search(state, UNLIMITED, multipv=limits(rules).moves)
        endings.append(Ending(state, thought.values))
        advance(len(endings))
        if len(endings) == count:
            break
    return endings


def _endings(rules: Rules, start: State, is_ending: Callable[[Rules, State], bool], seed: int) -> Iterator[State]:
    """One of each random game that has one, for ever."""
    (key,) = keys(seed, 1)
    buffer = [0] * limits(rules).moves
    game = without = 0
    while without < MAX_GAMES:
        random, state = [stream(key, game)], start
        seen = []
        for _ in range(MAX_PLIES):
            if is_over(rules, state):
                break
            if is_ending(rules, state) and len(legal(rules, state)) > 1:
                seen.append(state)
            state = play(rules, state, draw_move(rules, state, random, buffer))
        without = 0 if seen else without + 1
        if seen:
            yield seen[below(random, len(seen))]
        game += 1
    raise UsageError(f"{format_game(rules)}: {MAX_GAMES} random games in a row had no ending with a choice")


def judge_in_endings(
    rules: Rules, endings: Sequence[Ending], subject: str | Any, name: str | None = None
) -> SampledRegret:
    """How a player does in these endings. It is called by its text form, unless by another `name`.

    Of a player that cannot tell how likely it plays each move two moves are drawn in each ending.
    """
    judged = player(subject, rules)
    check_both_seats(judged)
    policy, work = judged.policy(rules), workspace(rules)
    tells = policy is not None and tells_probabilities(policy)
    rows = []
    for number, ending in enumerate(endings):
        chosen = _probable_moves(rules, policy, ending, work) if tells else _drawn(rules, judged, ending, number)
        rows.append(_judge(rules, ending, chosen))
    return summed_up(judged.name if name is None else name, np.array(rows))


def _probable_moves(rules: Rules, policy: Policy, ending: Ending, work: Scratch) -> list[tuple[int, float]]:
    """The legal moves, and how likely a policy plays each."""
    out = np.zeros(limits(rules).moves)
    count = probabilities(policy, rules, ending.state, 1.0, out, work)
    return [(int(work.moves[i]), float(out[i])) for i in range(count)]


def _drawn(rules: Rules, judged: Player, ending: Ending, number: int) -> list[tuple[int, float]]:
    """Moves that a player draws in games that begin with the ending."""
    chosen = []
    for draw in range(DRAWS):
        judged.new_game(rules, stream(number, draw))
        move = judged.choose(ending.state, UNLIMITED).move
        chosen.append((legal_move(rules, judged, ending.state, move), 1.0 / DRAWS))
    return chosen


def _judge(rules: Rules, ending: Ending, chosen: Sequence[tuple[int, float]]) -> Floats:
    """A row of columns, see `petteia.arena.judgement`."""
    row, sign = np.zeros(COLUMNS), 1.0 if to_move(rules, ending.state) == 0 else -1.0
    best = max(sign * value for value in ending.values.values())
    row[VALUE] = best
    for move, probability in chosen:
        value = sign * ending.values[move]
        if value < best:
            row[REGRET] += probability * (best - value)
            row[MISTAKE] += probability
            row[GIVEN] += probability * (best > 0 >= value or best == 0)
    return row
