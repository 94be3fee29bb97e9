"""Conformance checks of a player or policy in games against a random player, first in plain Python, then compiled."""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from petteia.checking.notes import CheckResult
from petteia.checking.sample import ConformanceError, globals_of, pick_evenly, where
from petteia.checking.shared import NOTHING, WHOLE, check_methods, in_stages, in_turn, only_computes
from petteia.core.decision import Limit
from petteia.core.errors import PetteiaError
from petteia.core.protocol import (
    CHANCE,
    Rules,
    State,
    draw_move,
    format_move,
    initial,
    is_over,
    legal,
    limits,
    play,
    to_move,
)
from petteia.core.random import stream
from petteia.foreign.diagnosis import Right
from petteia.players.player import Player, scratch
from petteia.policies.play_games import DIGEST, MAX_PLIES, dice_of, match_keys, pair_of, play_chance, play_games
from petteia.policies.policy import (
    Policy,
    Uniform,
    begin,
    choose,
    for_thread,
    probabilities,
    tells_probabilities,
    workspace,
)

MAX_GAMES = 100
"""the maximum number of games for the checks of a policy in plain Python"""
MAX_CUSTOM_GAMES, SECONDS = 20, 10.0
"""the maximum number of games for the checks of a player, and the seconds after which no further game begins"""
SOME, FEW = 100, 10  # positions of a cheap and of an expensive check
LISTED = 10
"""the maximum number of legal codes listed in a message"""
EFFECTS = "a policy must have no side effects, except that it draws numbers from `random`"
DRAWS = 400
"""the number of moves drawn from a policy in each position"""
DEVIATIONS, ROUNDED = 5.0, 3.0
"""the maximum difference between the frequency of a move and its expected value: in standard deviations, and in
moves"""
COMPILED = {"choose": WHOLE, "begin": NOTHING, "probabilities": WHOLE}
"""the methods of a policy that are compiled, and their return types"""
PARAMETERS = {
    "choose": ("policy", "rules", "state", "random", "work"),
    "begin": ("policy", "rules", "random"),
    "probabilities": ("policy", "rules", "state", "share", "out", "work"),
}
RIGHT = Right(
    "keep numbers in fields of the policy, constants in tuples, and list moves in `work.moves`",
    "a string; a policy can only use numbers",
)
"""the correct ways to write a policy, used in the advice of messages"""


class Turn(NamedTuple):
    """One turn of the player or policy under test."""

    state: State
    """the state before the move"""
    move: int
    """the code of the move"""
    random: int
    """the state of the policy's random number generator after the move"""
    ply: int
    """the number of plies before the move"""


Choose = Callable[[State], tuple[int, int]]
"""a function that returns the move in a state, and the state of the random number generator after the move"""


def check_player(rules: Rules, player: Player, games: int = 1000, seed: int = 0) -> Iterator[CheckResult]:
    """Check that a player meets all requirements, in up to `games` games against a random player.

    If the player follows a policy, the policy is checked. `seed` is the seed of the games.
    """
    policy = player.policy(rules)
    if policy is not None:
        yield from check_policy(rules, policy, player.seats, games, seed)
        return
    before = globals_of(type(rules))
    played: list[list[Turn]] = []
    checks: dict[str, Callable[[], str | None]] = {
        "games": lambda: _check_games(rules, player, min(games, MAX_CUSTOM_GAMES), seed, played),
        "no change": lambda: _check_globals(rules, before),
        "constancy": lambda: _compare_again(rules, player, seed, played[0]),
    }
    try:
        yield from in_turn(rules, checks)
    finally:
        player.finish()


def check_policy(
    rules: Rules, policy: Policy, seats: tuple[int, ...] = (0, 1), games: int = 1000, seed: int = 0
) -> Iterator[CheckResult]:
    """Check that a policy meets all requirements, in up to `games` games against a random player.

    `seats` are the seats that the policy plays, and `seed` is the seed of the games. The checks of compiled code are
    skipped if a check in plain Python failed or if no compiler is available.
    """
    number = min(games, MAX_GAMES)
    played: list[list[Turn]] = []
    checks: dict[str, Callable[[], str | None]] = {
        "effects": lambda: only_computes(_classes(policy), COMPILED, EFFECTS),
        "games": lambda: played.extend(_policy_games(rules, policy, seats, number, seed)),
        "constancy": lambda: _check_same(rules, played, _policy_games(rules, policy, seats, number, seed)),
    }
    if tells_probabilities(policy):
        checks["probabilities"] = lambda: _check_probabilities(rules, policy, _states(played))
        checks["draws"] = lambda: _check_draws(rules, policy, _states(played), seed)
    return in_stages(
        in_turn(rules, checks),
        lambda: _compiling_checks(rules, policy),
        lambda: in_turn(rules, {"compiled games": lambda: _check_compiled(rules, policy, seats, number, seed, played)}),
    )


# Games in plain Python.


def _game(rules: Rules, seats: tuple[int, ...], game: int, seed: int, chosen: Choose) -> list[Turn]:
    """Play a game against a random player, and return the turns of the checked player.

    The game uses the same random numbers as game number `game` of a match in compiled code. The seat of the checked
    player is `seats[game % len(seats)]`.
    """
    keys, work, seat = match_keys(seed), scratch(rules), seats[game % len(seats)]
    dice, other = dice_of(keys.chance, pair_of((seats[0], seats[-1]), game)), [stream(keys.second, game)]
    last = CHANCE
    state, turns = initial(rules), list[Turn]()
    for ply in range(MAX_PLIES):
        if is_over(rules, state):
            break
        side = to_move(rules, state)
        if side == CHANCE:
            state = play_chance(rules, state, dice[last], work)
            continue
        last = side
        if side != seat:
            state = play(rules, state, draw_move(rules, state, other, work.moves))
        else:
            move, random = chosen(state)
            turns.append(Turn(state, _legal(rules, state, move), random, ply))
            state = play(rules, state, turns[-1].move)
    return turns


def _legal(rules: Rules, state: State, move: Any) -> int:
    codes = legal(rules, state)
    try:
        if operator.index(move) in codes:
            return operator.index(move)
    except TypeError:
        pass
    names = ", ".join(f"{code} ({format_move(rules, state, code)})" for code in codes[:LISTED])
    more = f" and {len(codes) - LISTED} more" if len(codes) > LISTED else ""
    raise ConformanceError(
        f"{where(rules, state)}: the method `choose` returned {move!r}; must be the code of a legal move: {names}{more}"
    )


def _policy_games(rules: Rules, policy: Policy, seats: tuple[int, ...], games: int, seed: int) -> list[list[Turn]]:
    keys, own, work = match_keys(seed), for_thread(policy), scratch(rules)

    def turns(game: int) -> list[Turn]:
        random = [stream(keys.first, game)]
        begin(own, rules, random)

        def chosen(state: State) -> tuple[int, int]:
            return choose(own, rules, state, random, work), int(random[0])

        return _game(rules, seats, game, seed, chosen)

    return [turns(game) for game in range(games)]


def _player_game(rules: Rules, player: Player, game: int, seed: int, seconds: list[float]) -> list[Turn]:
    """Play one game with the player under test, and append the time of each of its moves to `seconds`."""

    def chosen(state: State) -> tuple[int, int]:
        with _placed(rules, state):
            clock = time.perf_counter()
            decision = player.choose(state, Limit())
            seconds.append(time.perf_counter() - clock)
        return decision.move, 0

    with _placed(rules, initial(rules)):
        player.new_game(rules, stream(match_keys(seed).first, game))
    turns = _game(rules, player.seats, game, seed, chosen)
    if turns:
        last = play(rules, turns[-1].state, turns[-1].move)
        with _placed(rules, last):
            player.end_game(last)
    return turns


@contextmanager
def _placed(rules: Rules, state: State) -> Iterator[None]:
    """Return a context manager that turns an error of the player into a ConformanceError that shows the position."""
    try:
        yield
    except PetteiaError as error:
        raise ConformanceError(f"{where(rules, state)}: {error}") from None


# The checks of a player.


def _check_games(rules: Rules, player: Player, games: int, seed: int, played: list[list[Turn]]) -> str:
    """Check that all moves are legal and no error is raised, and report the time per move."""
    begun, seconds = time.perf_counter(), list[float]()
    while len(played) < games and (len(played) < len(player.seats) or time.perf_counter() - begun < SECONDS):
        played.append(_player_game(rules, player, len(played), seed, seconds))
    if not seconds:
        return f"{len(played)} games, in which the player never had to move"
    mean, maximum = (f"{1000 * each:.3g} ms" for each in (sum(seconds) / len(seconds), max(seconds)))
    return f"{len(played)} games; a move takes {mean}, at most {maximum}"


def _check_globals(rules: Rules, before: dict[str, str]) -> None:
    """Check that the player has not changed the global variables that the rules read.

    The states that the player receives are immutable, so only the global variables are checked.
    """
    after = globals_of(type(rules))
    for name, value in before.items():
        if after.get(name) != value:
            now = after.get(name, "gone")[:40]
            change = f"the global variable {name} was {value[:40]} and is {now} after some games"
            raise ConformanceError(f"{where(rules)}: {change}; a player must not change the game")


def _compare_again(rules: Rules, player: Player, seed: int, first: list[Turn]) -> str | None:
    """Play a game again with the same seed, and return a message for the user if the player's moves differ.

    A difference is not an error, because the author may want the player to choose random moves.
    """
    again = _player_game(rules, player, 0, seed, [])
    place = next((i for i, (one, other) in enumerate(zip(first, again, strict=False)) if one != other), None)
    if place is None:
        return None
    state, now, before = first[place].state, again[place].move, first[place].move
    moves = f"{format_move(rules, state, before)}, and {format_move(rules, state, now)} when the game was played again"
    return f"{where(rules, state)}: the player played {moves}; for repeatable results, draw from the seed of new_game"


# The checks of a policy.


def _classes(policy: Policy) -> list[type]:
    """Return the classes of a policy and of all policies and evaluations that it contains."""
    parts = [part for part in policy if isinstance(part, tuple) and hasattr(part, "_fields")]
    return [type(policy), *(cls for part in parts for cls in _classes(part))]


def _states(played: list[list[Turn]]) -> list[State]:
    return list(dict.fromkeys(turn.state for turns in played for turn in turns))


def _check_same(rules: Rules, played: list[list[Turn]], again: list[list[Turn]]) -> None:
    """Check that a policy plays the same moves when a game is repeated with the same random numbers."""
    for first, second in zip(played, again, strict=True):
        for turn, other in zip(first, second, strict=False):
            if turn.move != other.move:
                moves = " and then ".join(format_move(rules, turn.state, each.move) for each in (turn, other))
                raise ConformanceError(
                    f"{where(rules, turn.state)}: the policy played {moves} from the same random state; a policy must "
                    "always play the same move from the same random state"
                )
            if turn != other:
                raise ConformanceError(
                    f"{where(rules, turn.state)}: the policy drew different random numbers when the game was repeated; "
                    "a policy must draw the same numbers from the same random state"
                )


def _probability_of_moves(rules: Rules, policy: Policy, state: State) -> dict[int, float]:
    """Return the probability of each legal move, with the move codes as keys.

    Raises ConformanceError if the method `probabilities` gives wrong results.
    """
    work, out = scratch(rules), [0.0] * limits(rules).moves
    count = int(probabilities(policy, rules, state, 1.0, out, work))
    shares, codes = out[:count], [int(code) for code in work.moves[:count]]
    wrong = ""
    if codes != legal(rules, state):
        right = "must write all legal moves in order, and return their number"
        wrong = f"wrote the moves {codes} to work.moves and returned {count}; {right}"
    elif not all(share >= 0.0 for share in shares):
        wrong = f"wrote the probability {min(shares)}; must be 0 or more"
    elif abs(sum(shares) - 1.0) > 1e-9:
        wrong = f"wrote probabilities with the sum {sum(shares)}; the sum must be 1"
    else:
        probabilities(policy, rules, state, 0.5, out, work)
        if abs(sum(out[:count]) - 1.5) > 1e-9:
            wrong = f"changed the sum of out from 1 to {sum(out[:count])}; with share 0.5, the new sum must be 1.5"
    if wrong:
        raise ConformanceError(f"{where(rules, state)}: the method `probabilities` {wrong}")
    return dict(zip(codes, shares, strict=True))


def _check_probabilities(rules: Rules, policy: Policy, states: list[State]) -> None:
    for state in pick_evenly(states, SOME):
        _probability_of_moves(rules, policy, state)


def _check_draws(rules: Rules, policy: Policy, states: list[State], seed: int) -> None:
    """Check that a policy chooses moves with the probabilities that its method `probabilities` returns."""
    work = scratch(rules)
    for place, state in enumerate(pick_evenly(states, FEW)):
        shares, random = _probability_of_moves(rules, policy, state), [stream(seed, place)]
        drawn = dict.fromkeys(shares, 0)
        for _ in range(DRAWS):
            drawn[_legal(rules, state, choose(policy, rules, state, random, work))] += 1
        for move, share in shares.items():
            expected, deviation = DRAWS * share, (DRAWS * share * max(1.0 - share, 0.0)) ** 0.5
            allowed = DEVIATIONS * deviation + ROUNDED if 0.0 < share < 1.0 else 0.5
            if abs(drawn[move] - expected) > allowed:
                often = f"the method `choose` returned this move {drawn[move]} times in {DRAWS}"
                right = f"according to the method `probabilities`, the probability of the move is {share:.4g}"
                raise ConformanceError(f"{where(rules, state, move)}: {often}, but {right}")


def _compiling_checks(rules: Rules, policy: Policy) -> Iterator[CheckResult]:
    """Check that each method of the policy can be compiled separately."""
    maximum = limits(rules).moves
    values = {
        "policy": for_thread(policy),
        "rules": rules,
        "state": initial(rules),
        "random": np.zeros(1, np.int64),
        "work": workspace(rules),
        "share": 1.0,
        "out": np.zeros(maximum),
    }
    return check_methods(COMPILED, PARAMETERS, values, (type(rules), *_classes(policy)), RIGHT)


def _check_compiled(
    rules: Rules, policy: Policy, seats: tuple[int, ...], games: int, seed: int, played: list[list[Turn]]
) -> None:
    """Check that the compiled match loop plays exactly the games in `played`.

    `played` contains the turns of the policy in each game when the policy runs in plain Python. Raises ConformanceError
    at the first ply at which the compiled policy plays another move.
    """

    def digest(number: int, first: int, plies: int, *, compiled: bool) -> list[int]:
        results = play_games(
            rules,
            initial(rules),
            policy,
            Uniform(),
            games=number,
            keys=match_keys(seed),
            seats=(seats[0], seats[-1]),
            max_plies=plies,
            first_game=first,
            compiled=compiled,
        )
        return [int(each) for each in results[:, DIGEST]]

    plain, compiled = (digest(games, 0, MAX_PLIES, compiled=way) for way in (False, True))
    for game, turns in enumerate(played):
        if plain[game] == compiled[game]:
            continue
        for plies in range(1, MAX_PLIES + 1):
            if digest(1, game, plies, compiled=False) != digest(1, game, plies, compiled=True):
                state = next(turn.state for turn in turns if turn.ply == plies - 1)
                raise ConformanceError(
                    f"{where(rules, state)}: the policy played different moves in compiled code and in plain Python; "
                    "both must be the same"
                )
