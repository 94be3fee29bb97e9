"""Commands about this machine: bench, warmup."""

from __future__ import annotations

import itertools

from petteia.cli.output import print_json, print_table, say
from petteia.cli.parameters import Json

LATE = 4
"""plies before the end"""


def bench(as_json: Json = False) -> None:
    """Measure how fast this machine learns, counts, searches, plays and solves."""
    from petteia.cli.bench import measure
    from petteia.records.machine import machine

    rows = []
    for row in measure():
        say(f"{row.name}: {row.value:,.4g} {row.unit}")
        rows.append(row)
    if as_json:
        print_json("bench", machine=machine(), figures=[row._asdict() for row in rows])
        return
    print("\n".join(f"{name}: {value}" for name, value in machine().items()) + "\n")
    print_table(("figure", "measured", "unit", "goal"), [(*row[:1], row.shown, *row[2:]) for row in rows])


def _late_position(name: str) -> str:
    """A position shortly before the end of a random game: little is to be solved from there."""
    from petteia.core.protocol import format_state
    from petteia.core.sample import play_game
    from petteia.games import game

    rules = game(name)
    visits = play_game(rules, [0]).visits
    return format_state(rules, [visit.state for visit in visits if not visit.over][-LATE:][0])


def warmup() -> None:
    """Compile ahead what commands need for the games."""
    import tempfile

    import petteia

    for row in petteia.list_games():
        say(f"warming up {row.name}")
        petteia.perft(row.name, 2)
        for first, second in itertools.product(("random", "simple"), repeat=2):
            petteia.match(row.name, first, second, games=2)
        late = _late_position(row.name)
        petteia.best(row.name, position=late, depth=2)
        petteia.match(row.name, "greedy", "random", games=2)
        petteia.solve(row.name, position=late, check=True)
        petteia.regret(row.name, "random", position=late)
        with tempfile.TemporaryDirectory() as folder:
            for opponent in ("random", "simple"):
                petteia.train(row.name, opponent=opponent, games=2, evaluate_every=1, evaluation_games=2, runs=folder)


COMMANDS = {"bench": bench, "warmup": warmup}
