"""Our search against OpenSpiel's native MCTS bot at Kalah or the Game of the Amazons, with equal time for a move.

python benchmarks/against_mcts.py [kalah|amazons] [GAMES] [SECONDS]

Games come in pairs that begin with the same two random plies and are played from both sides, one at a time, so that
neither program disturbs the other. The bot plays as OpenSpiel's examples set it up: UCT with constant 2, a random game
to value a leaf, proven ends backed up. A move of the Amazons is three actions there, each of which gets a third of the
time.
"""

from __future__ import annotations

import random
import sys
import time
from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import pyspiel

from petteia.arena.statistics import score_interval
from petteia.core.decision import Limit
from petteia.core.protocol import Rules, State, initial, is_over, legal, margin, play
from petteia.games import game
from petteia.games.queens import LARGEST, SQUARES
from petteia.players import player

ENDLESS = 1 << 30
MEGABYTES = 1000
OPENING_PLIES = 2


class Bridge(ABC):
    """A game under the same rules here and there."""

    rules: Rules
    ours: str
    """the player"""
    theirs: str
    """the name of the game in OpenSpiel"""
    actions_a_move: int

    @abstractmethod
    def actions(self, state: State, move: int) -> list[int]:
        """Their actions that make our move."""


class Kalah(Bridge):
    """By the rules of their mancala."""

    rules = game("kalah:capture=nonempty,end=either,leftovers=owner")
    ours, theirs, actions_a_move = "search", "mancala", 1

    def actions(self, state: State, move: int) -> list[int]:
        """Pits 1..6 are South's, 8..13 North's."""
        return [move + 1 + 7 * state.side]


class Amazons(Bridge):
    """On the board of 10x10."""

    rules = game("amazons")
    ours, theirs, actions_a_move = "search:evaluation=mix", "amazons", 3

    def actions(self, state: State, move: int) -> list[int]:
        """Squares are numbered from the top; from where, to where, and where the arrow lands."""
        squares = (move // SQUARES**2, move // SQUARES % SQUARES, move % SQUARES)
        return [(LARGEST - 1 - square // LARGEST) * LARGEST + square % LARGEST for square in squares]


BRIDGES: dict[str, Bridge] = {"kalah": Kalah(), "amazons": Amazons()}


def play_game(bridge: Bridge, opening_seed: int, our_side: int, seconds: float, taken: list[float]) -> float:
    """One game; what we get: 1, 0.5 or 0. Adds the seconds of our moves and of theirs to `taken`."""
    rules = bridge.rules
    their_game = pyspiel.load_game(bridge.theirs)
    theirs = their_game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, opening_seed)
    share = seconds / bridge.actions_a_move
    bot = pyspiel.MCTSBot(
        their_game, evaluator, 2.0, ENDLESS, MEGABYTES, True, opening_seed, False, max_wall_clock_time=share
    )
    ours = player(bridge.ours, rules)
    ours.new_game(rules, opening_seed)
    draw = random.Random(opening_seed)
    state, plies = initial(rules), 0
    while not is_over(rules, state):
        possible = {tuple(bridge.actions(state, move)): move for move in legal(rules, state)}
        clock = time.perf_counter()
        if plies < OPENING_PLIES:
            actions = draw.choice(list(possible))
        elif state.side == our_side:
            actions = tuple(bridge.actions(state, ours.choose(state, Limit(seconds=seconds)).move))
        else:
            actions = tuple(bot_actions(bot, theirs.clone(), bridge.actions_a_move))
        if plies >= OPENING_PLIES:
            taken[state.side != our_side] += time.perf_counter() - clock
        for action in actions:
            theirs.apply_action(action)
        state = play(rules, state, possible[actions])
        plies += 1
    won = margin(rules, state) * (1 if our_side == 0 else -1)
    return 0.5 if won == 0 else float(won > 0)


def bot_actions(bot: Any, state: Any, count: int) -> list[int]:
    """The actions that the bot takes in its turn; plays them on `state`."""
    actions = []
    for _ in range(count):
        actions.append(bot.step(state))
        state.apply_action(actions[-1])
    return actions


def main(name: str, games: int, seconds: float) -> None:
    bridge = BRIDGES[name]
    pairs = []
    taken = [0.0, 0.0]
    for number in range((games + 1) // 2):
        scores = [play_game(bridge, number, side, seconds, taken) for side in (0, 1)]
        pairs.append(sum(scores) / 2)
        print(f"{2 * len(pairs)} games, score {sum(pairs) / len(pairs):.1%}", file=sys.stderr)
    mean, low, high = score_interval(np.array(pairs))
    print(
        f"{name}, {bridge.ours} against OpenSpiel's MCTS, {seconds:g} s a move, {2 * len(pairs)} games: {mean:.1%} "
        f"(95 % interval {low:.1%} to {high:.1%}); time used {taken[0]:.1f} s and {taken[1]:.1f} s"
    )


if __name__ == "__main__":
    given = dict(enumerate(sys.argv[1:]))
    main(given.get(0, "kalah"), int(given.get(1, "100")), float(given.get(2, "0.05")))
