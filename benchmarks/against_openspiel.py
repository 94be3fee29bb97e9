"""The speed of Kalah's rules here and in OpenSpiel's `mancala`, measured in turns in one run, each on one core.

python benchmarks/against_openspiel.py

OpenSpiel is measured through its Python face (a loop that asks for the legal actions and applies one) and by its native
random rollouts, which never leave C++. Both programs play the same rules, as in
`tests/games/test_kalah_in_openspiel.py`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pyspiel

from petteia.core.perft import perft
from petteia.core.protocol import initial, is_over, legal, play
from petteia.games import game
from petteia.policies.play_games import match_keys, play_games
from petteia.policies.policy import Uniform

RULES = game("kalah:capture=nonempty,end=either,leftovers=owner")
MANCALA = pyspiel.load_game("mancala")
DEPTH, GAMES = 8, 10_000
RUNS, SECONDS = 5, 0.5


def our_perft() -> None:
    perft(RULES, initial(RULES), DEPTH)


def their_perft() -> None:
    count(MANCALA.new_initial_state(), DEPTH)


def count(state: Any, depth: int) -> int:
    """What `perft` counts."""
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(count(state.child(action), depth - 1) for action in actions)


def our_games() -> None:
    play_games(RULES, initial(RULES), Uniform(), Uniform(), games=GAMES, keys=match_keys(0))


def our_game_from_python() -> None:
    state = initial(RULES)
    while not is_over(RULES, state):
        state = play(RULES, state, random.choice(legal(RULES, state)))


def their_game_from_python() -> None:
    state = MANCALA.new_initial_state()
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))


def their_games() -> None:
    """What its MCTS bot does in its first simulation: it values the root by that many random games."""
    bot = pyspiel.MCTSBot(MANCALA, pyspiel.RandomRolloutEvaluator(GAMES, 0), 2.0, 1, 100, False, 0, False)
    bot.mcts_search(MANCALA.new_initial_state())


NODES = count(MANCALA.new_initial_state(), DEPTH)
MEASURED: dict[str, tuple[Callable[[], None], int]] = {
    "perft, petteia": (our_perft, NODES),
    "perft, OpenSpiel from Python": (their_perft, NODES),
    "random games, petteia": (our_games, GAMES),
    "random games, OpenSpiel's native rollouts": (their_games, GAMES),
    "random games, petteia in plain Python": (our_game_from_python, 1),
    "random games, OpenSpiel from Python": (their_game_from_python, 1),
}
"""What is done, and how many nodes or games that is."""
RATIOS = (
    ("perft, petteia", "perft, OpenSpiel from Python"),
    ("random games, petteia", "random games, OpenSpiel's native rollouts"),
    ("random games, petteia", "random games, OpenSpiel from Python"),
)


def seconds(work: Callable[[], None], times: int) -> float:
    clock = time.perf_counter()
    for _ in range(times):
        work()
    return time.perf_counter() - clock


def main() -> None:
    assert perft(RULES, initial(RULES), DEPTH) == NODES
    times, best = {}, dict.fromkeys(MEASURED, float("inf"))
    for name, (work, _) in MEASURED.items():
        work()
        times[name] = max(1, int(SECONDS / seconds(work, 1)))
    for _ in range(RUNS):
        for name, (work, _) in MEASURED.items():
            best[name] = min(best[name], seconds(work, times[name]) / times[name])
    rates = {name: units / best[name] for name, (_, units) in MEASURED.items()}
    for name, rate in rates.items():
        print(f"{name:<42} {rate:>13,.0f} {'nodes' if 'perft' in name else 'games'}/s")
    for ours, theirs in RATIOS:
        print(f"{ours}, over {theirs.partition(', ')[2]}: {rates[ours] / rates[theirs]:,.1f} times")


if __name__ == "__main__":
    main()
