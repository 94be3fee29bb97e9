"""What the page is held to: many games at once, one game alone, abandoned games (`petteia web`, on Linux).

python benchmarks/page.py [load|alone|abandoned] [--games N] [--seconds N]

The load is made by threads of this process, one a visitor, whose processor time is shown beside that of the server. A
visitor thinks for 3 seconds, 50 % more or less, before each move, and plays the four games against their levels 1 to 3.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import threading
import time

from page_server import Server, Visitor, server

from petteia.records.machine import machine

GAMES = ("kalah", "hare-and-hounds", "british-square", "amazons")
LEVELS = ("level:1", "level:2", "level:3")
THOUGHT, SPREAD = 3.0, 0.5
ABANDONED = 10_000
MOVES_ALONE = 200


class Visits:
    """What visitors have seen, together."""

    def __init__(self) -> None:
        self.requests: list[float] = []
        self.boards: list[float] = []
        """seconds from a click to the board after it"""
        self.answers: list[float] = []
        """seconds from the click that completes a move to the board with the program's move"""
        self.errors: list[str] = []

    def play(self, visitor: Visitor, chance: random.Random, think: bool = True) -> None:
        """Play a move of the game on the page."""
        if think:
            time.sleep(THOUGHT * chance.uniform(1 - SPREAD, 1 + SPREAD))
        is_begun = True
        while is_begun and visitor.choices:
            clock = time.perf_counter()
            visitor.choose(chance.choice(visitor.choices))
            self.boards.append(time.perf_counter() - clock)
            is_begun = visitor.is_begun
        visitor.wait()
        self.answers.append(time.perf_counter() - clock)


def visit(served: Server, number: int, end: float, visits: Visits) -> None:
    """Play games until the end comes."""
    chance = random.Random(number)
    time.sleep(THOUGHT * chance.random())
    with Visitor(served) as visitor:
        try:
            while time.monotonic() < end:
                visitor.begin(GAMES[number % len(GAMES)], LEVELS[number % len(LEVELS)])
                while time.monotonic() < end and visitor.choices:
                    visits.play(visitor, chance)
        except Exception as error:  # whatever goes wrong is counted
            visits.errors.append(f"{type(error).__name__}: {error}")
        visits.requests += visitor.seconds


def load(served: Server, games: int, seconds: float) -> None:
    """Many games at once."""
    warm_up(served)
    visits, end = Visits(), time.monotonic() + seconds
    before, own, held, threads = served.seconds(), time.process_time(), served.megabytes(), served.threads()
    visitors = [threading.Thread(target=visit, args=(served, number, end, visits)) for number in range(games)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    print(f"{games} games at once, {seconds:.0f} s, {THOUGHT:.0f} s of thought +- {SPREAD:.0%}, {', '.join(LEVELS)}")
    told("requests", visits.requests)
    told("click to board", visits.boards)
    told("click to the program's answer", visits.answers)
    print(f"  errors: {len(visits.errors)} {visits.errors[:3] or ''}")
    print(f"  processor time: server {served.seconds() - before:.1f} s, visitors {time.process_time() - own:.1f} s")
    print(f"  memory: {held:.0f} MB before, {served.megabytes():.0f} MB after")
    print(f"  threads: {threads} before, {served.threads()} after")


def alone(served: Server, moves: int) -> None:
    """One game at a time, and nothing else."""
    warm_up(served)
    print("one game alone")
    for game in GAMES:
        visits, chance = Visits(), random.Random(1)
        before = served.seconds()
        with Visitor(served) as visitor:
            while len(visits.answers) < moves:
                if not visitor.choices:
                    visitor.begin(game)
                    visitor.seconds.clear()
                visits.play(visitor, chance, think=False)
                visits.requests += visitor.seconds
                visitor.seconds.clear()
        told(f"{game}, requests", visits.requests)
        told(f"{game}, click to board", visits.boards)
        print(f"  {game}, server: {(served.seconds() - before) / len(visits.boards) * 1000:.1f} ms a click")


def abandoned(served: Server, games: int) -> None:
    """Games that are begun, played for two clicks, and left."""
    warm_up(served)
    held, threads, clock = served.megabytes(), served.threads(), time.perf_counter()
    with Visitor(served) as visitor:
        for number in range(games):
            visitor.begin(GAMES[number % len(GAMES)])
            for _ in range(2):
                visitor.choose(visitor.choices[number % len(visitor.choices)])
    print(f"{games} abandoned games, {time.perf_counter() - clock:.0f} s")
    print(f"  memory: {held:.0f} MB before, {served.megabytes():.0f} MB after")
    print(f"  threads: {threads} before, {served.threads()} after")


def warm_up(served: Server) -> None:
    """Have every program make a move, which compiles it."""
    chance = random.Random(0)
    with Visitor(served) as visitor:
        for game in GAMES:
            for level in LEVELS:
                visitor.begin(game, level)
                Visits().play(visitor, chance, think=False)


def told(what: str, seconds: list[float]) -> None:
    """Print percentiles, in milliseconds."""
    ordered = sorted(each * 1000 for each in seconds)
    shares = {
        name: ordered[min(int(len(ordered) * share), len(ordered) - 1)]
        for name, share in {"p50": 0.5, "p95": 0.95, "p99": 0.99, "most": 1.0}.items()
    }
    figures = ", ".join(f"{name} {value:.1f}" for name, value in shares.items())
    print(f"  {what}: {len(ordered):,}, ms: {figures}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", default=["alone", "load", "abandoned"])
    parser.add_argument("--games", type=int, default=100, help="at once")
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    for name, value in machine().items():
        print(f"{name}: {value}")
    for what in arguments.what:
        with tempfile.TemporaryDirectory() as folder, server(folder) as served:
            if what == "load":
                load(served, arguments.games, arguments.seconds)
            elif what == "alone":
                alone(served, MOVES_ALONE)
            else:
                abandoned(served, ABANDONED)


if __name__ == "__main__":
    main()
