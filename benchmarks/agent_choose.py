"""What `Agent.choose` costs over the `choose` of its player: medians, in microseconds.

python benchmarks/agent_choose.py
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import petteia
from petteia.core.random import below
from petteia.players import player
from petteia.players.player import UNLIMITED

CALLS = 20_000
GAMES = ("hare-and-hounds", "kalah", "british-square")
PLAYERS = ("simple", "random")


def median(ask: Callable[[petteia.Position], object], positions: list[petteia.Position]) -> float:
    """The median time of a call, in microseconds."""
    times = []
    for number in range(CALLS):
        position = positions[number % len(positions)]
        begin = time.perf_counter_ns()
        ask(position)
        times.append(time.perf_counter_ns() - begin)
    return statistics.median(times) / 1000


def random_positions(game: str, plies: int = 10) -> list[petteia.Position]:
    """The positions of random games, as far as they are not over."""
    random, positions = [1], []
    for _ in range(20):
        position = petteia.position(game)
        while not position.is_over and len(positions) % plies != plies - 1:
            positions.append(position)
            position = position.play(position.moves[below(random, len(position.moves))])
        positions.append(petteia.position(game))
    return positions


def main() -> None:
    """Print a row for each game and player."""
    print(f"{'game':18}{'player':10}{'Player.choose':>15}{'Agent.choose':>15}{'more':>8}  us")
    for game in GAMES:
        rules, positions = petteia.game(game), random_positions(game)
        for name in PLAYERS:
            inner = player(name, rules)
            inner.new_game(rules, 0)
            agent = petteia.agent(name, game)
            bare = median(lambda position, inner=inner: inner.choose(position.state, UNLIMITED), positions)
            whole = median(agent.choose, positions)
            print(f"{game:18}{name:10}{bare:15.1f}{whole:15.1f}{whole - bare:8.1f}")


if __name__ == "__main__":
    main()
