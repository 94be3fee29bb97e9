"""Positions of random games in which two players choose different moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from petteia.arena.alternate import legal_move
from petteia.arena.openings import start_state
from petteia.core.decision import ALLOWANCE, Allowance, Decision, Limit, check_amounts
from petteia.core.errors import UsageError
from petteia.core.names import format_game
from petteia.core.protocol import CHANCE, Rules, State, format_move, format_state, is_over, legal, play, seats, to_move
from petteia.core.random import below, keys, next_word, stream
from petteia.games import game as rules_of
from petteia.player_processes.process import Children
from petteia.players import Player, player
from petteia.players.player import check_limit, notices, scratch
from petteia.policies.play_games import MAX_PLIES, play_chance

UNLIMITED = Limit()
MAX_GAMES = 1000


class Difference(NamedTuple):
    """A position in which two players choose different moves.

    The value of a move is computed by the player that chose the move, from the perspective of player 0. The value is
    None if the player computes no values.
    """

    number: int
    """the number of the position, from 0"""
    position: str
    """the position as text"""
    first_move: str
    """the first player's move as text"""
    second_move: str
    """the second player's move as text"""
    first_value: float | None
    """the first player's value of the move that it chose"""
    second_value: float | None
    """the second player's value of the move that it chose"""


class Differences(NamedTuple):
    """A comparison of the moves of two players in random positions."""

    game: str
    """the text form of the rules"""
    first: str
    """the name of the first player"""
    second: str
    """the name of the second player"""
    positions: int
    """the number of positions in which the players were compared; each has at least two legal moves"""
    notes: tuple[str, ...]
    """remarks for the user"""
    rows: tuple[Difference, ...]
    """the positions in which the two players choose differently"""


def differ(
    game: str | Rules,
    first: str | Any,
    second: str | Any,
    *,
    positions: int = 100,
    position: str | State | None = None,
    limit: Limit = UNLIMITED,
    seed: int = 0,
    in_process: bool = False,
    allowance: Allowance = ALLOWANCE,
    progress: Callable[[int, Difference | None], None] = lambda done, difference: None,
) -> Differences:
    """Compare the moves of two players in random positions.

    Args:
        game: the rules or their text form
        first: a player's text form, a run or weights file, a training run, an agent, a player, or a policy
        second: the second player, in the same forms
        positions: the number of positions. One position is drawn from each random game, among those with at least two
            legal moves
        position: the start of these games, a state or its text form; default: the initial position of the game
        limit: the limit of each move, which replaces the limits of players that search
        seed: the seed of all random numbers
        in_process: run custom players in this process instead of child processes
        allowance: further time and memory limits of the players
        progress: called after each position with the number of positions so far, and with the `Difference` in this
            position, or None if the players agree

    Returns:
        The comparison. Its `rows`, which pandas can convert to a table, are the positions in which the players choose
        different moves.

    Raises:
        UsageError: an unknown game or player, a number out of range, a limit that neither player accepts, players
            that have no side in common, or 1000 random games in which no such side ever has two legal moves
        NotFoundError: a missing module, class or file
        InvalidError: an impossible position or a damaged file
        PetteiaError: a player that fails, exceeds its time, or makes an illegal move

    Examples:
        >>> differences = petteia.differ("kalah", "greedy:depth=1", "greedy:depth=4", positions=20)
        >>> len(differences.rows), differences.rows[0].first_move, differences.rows[0].second_move
        (9, '3', '6')

    """
    rules = rules_of(game)
    start = start_state(rules, position)
    if positions < 1:
        raise UsageError(f"positions={positions}: must be 1 or more")
    if not 0 <= seed < 1 << 63:
        raise UsageError(f"seed={seed}: must be in 0..2^63-1")
    check_amounts(**limit.amounts)
    with Children(allowance, in_process=in_process) as children:
        players = (player(first, rules, children), player(second, rules, children))
        check_limit(limit, *players)
        common = [seat for seat in players[0].seats if seat in players[1].seats]
        if not common:
            raise UsageError(
                f"players {players[0].name} and {players[1].name} do not play the same side; choose two players that "
                "play the same side"
            )
        rows = []
        for number, (state, word) in enumerate(_drawn(rules, start, common, positions, seed)):
            one, two = (_asked(rules, each, state, word, limit) for each in players)
            difference = None
            if one.move != two.move:
                first_move, second_move = (format_move(rules, state, each.move) for each in (one, two))
                difference = Difference(
                    number, format_state(rules, state), first_move, second_move, one.value, two.value
                )
                rows.append(difference)
            progress(number + 1, difference)
    notes = notices(*players, limit=limit)
    return Differences(format_game(rules), players[0].name, players[1].name, positions, notes, tuple(rows))


def _asked(rules: Rules, each: Player, state: State, word: int, limit: Limit) -> Decision:
    each.new_game(rules, word)
    decision = each.choose(state, limit)
    legal_move(rules, each, state, decision.move)
    return decision


def _drawn(rules: Rules, start: State, common: list[int], count: int, seed: int) -> Iterator[tuple[State, int]]:
    """Yield `count` random positions, each with a random 64-bit seed for the players.

    `common` contains the sides that both players can play. In each position, one of these sides is to move and has at
    least two legal moves.
    """
    key = keys(seed, 1)[0]
    number = drawn = 0
    while drawn < count:
        random = [stream(key, number)]
        number += 1
        choices = [state for state in _random_game(rules, start, random) if to_move(rules, state) in common]
        if choices:
            drawn += 1
            yield choices[below(random, len(choices))], next_word(random)
        elif drawn == 0 and number == MAX_GAMES:
            names = " or ".join(seats(rules)[seat] for seat in common)
            raise UsageError(
                f"{format_game(rules)}: {MAX_GAMES} random games contained no position in which {names} had two or "
                "more legal moves; choose another start position"
            )


def _random_game(rules: Rules, start: State, random: list[int]) -> Iterator[State]:
    """Play a random game and yield its states in which a player has at least two legal moves."""
    work = scratch(rules)
    state = start
    for _ in range(MAX_PLIES):
        if is_over(rules, state):
            return
        if to_move(rules, state) == CHANCE:
            state = play_chance(rules, state, random, work)
            continue
        codes = legal(rules, state)
        if len(codes) > 1:
            yield state
        state = play(rules, state, codes[below(random, len(codes))])
