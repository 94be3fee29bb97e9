"""Our search against OpenSpiel's native MCTS bot at Kalah, with equal time for a move.

python benchmarks/against_mcts.py [GAMES] [SECONDS]

Games come in pairs that begin with the same two random plies and are played from both sides, one at a time, so that
neither program disturbs the other. The bot plays as OpenSpiel's examples set it up: UCT with constant 2, a random game
to value a leaf, proven ends backed up.
"""

from __future__ import annotations

import random
import sys
import time

import numpy as np
import pyspiel

from petteia.arena.statistics import score_interval
from petteia.core.decision import Limit
from petteia.core.protocol import initial, is_over, legal, margin, play
from petteia.games import game
from petteia.players import player

RULES = game("kalah:capture=nonempty,end=either,leftovers=owner")
ENDLESS = 1 << 30
MEGABYTES = 1000
OPENING_PLIES = 2


def action_of(side: int, move: int) -> int:
    """OpenSpiel's number of a pit: 1..6 are South's, 8..13 North's."""
    return move + 1 + 7 * side


def play_game(opening_seed: int, our_side: int, seconds: float, taken: list[float]) -> float:
    """One game; what we get: 1, 0.5 or 0. Adds the seconds of our moves and of theirs to `taken`."""
    mancala = pyspiel.load_game("mancala")
    theirs = mancala.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, opening_seed)
    bot = pyspiel.MCTSBot(
        mancala, evaluator, 2.0, ENDLESS, MEGABYTES, True, opening_seed, False, max_wall_clock_time=seconds
    )
    ours = player("search", RULES)
    ours.new_game(RULES, opening_seed)
    draw = random.Random(opening_seed)
    state, plies = initial(RULES), 0
    while not is_over(RULES, state):
        if plies < OPENING_PLIES:
            move = draw.choice(legal(RULES, state))
        else:
            clock = time.perf_counter()
            if state.side == our_side:
                move = ours.choose(state, Limit(seconds=seconds)).move
            else:
                move = bot.step(theirs) - 1 - 7 * state.side
            taken[state.side != our_side] += time.perf_counter() - clock
        theirs.apply_action(action_of(state.side, move))
        state = play(RULES, state, move)
        plies += 1
    won = margin(RULES, state) * (1 if our_side == 0 else -1)
    return 0.5 if won == 0 else float(won > 0)


def main(games: int, seconds: float) -> None:
    pairs = []
    taken = [0.0, 0.0]
    for number in range((games + 1) // 2):
        scores = [play_game(number, side, seconds, taken) for side in (0, 1)]
        pairs.append(sum(scores) / 2)
        print(f"{2 * len(pairs)} games, score {sum(pairs) / len(pairs):.1%}", file=sys.stderr)
    mean, low, high = score_interval(np.array(pairs))
    print(
        f"search against OpenSpiel's MCTS, {seconds:g} s a move, {2 * len(pairs)} games: {mean:.1%} "
        f"(95 % interval {low:.1%} to {high:.1%}); time used {taken[0]:.1f} s and {taken[1]:.1f} s"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100, float(sys.argv[2]) if len(sys.argv) > 2 else 0.05)
