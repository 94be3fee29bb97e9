"""The games that the suite tries, and what it measures of them in every lane: compiled, checked for bounds, and plain.

python tests/helpers/golden_games.py                          measure all; run under other settings of numba
python tests/helpers/golden_games.py perft GAME               what goes into a file of `golden/`
python tests/helpers/golden_games.py playthrough GAME MOVE...
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

from folders import TESTS
from tiny_games import DiceRace, Nim

from petteia.checking.comparison import trace
from petteia.core.errors import UsageError
from petteia.core.names import format_game, name_of
from petteia.core.options import Words, check_rules, options
from petteia.core.perft import perft
from petteia.core.protocol import (
    CHANCE,
    Rules,
    chances,
    format_move,
    format_state,
    initial,
    is_over,
    key,
    legal,
    limits,
    margin,
    parse_move,
    parse_state,
    play,
    seats,
    to_move,
)
from petteia.games import GAMES, Amazons, game

GOLDEN = TESTS / "golden"
OF_ALL_KINDS = (
    "kalah",
    "hare-and-hounds",
    "british-square",
    "tiny_games:Nim",
    "tiny_games:DiceRace:goal=20,faces=6",
    "chance_games:BearOff:home=3",
    "chance_games:TossedNim:heaps=2,size=2",
)
"""Games without and with dice, with and without notation for positions."""
CLASSES = (*GAMES, Nim, DiceRace)
MORE = (
    "amazons:width=4,height=4,rabbits=1",
    "amazons:width=5,height=4",
    "amazons:width=3,height=6,rabbits=99",
    "hare-and-hounds:first=hare,hare=7,stall=3,escape=end",
    "hare-and-hounds:stall=0,escape=level",
    "hare-and-hounds:stall=1",
    "kalah:pits=1,seeds=127",
    "kalah:pits=2,seeds=63,capture=without_capturer,end=either",
    "kalah:pits=3,seeds=2,capture=empty,leftovers=nobody",
    "kalah:pits=4,seeds=3,capture=empty,end=either",
    "kalah:pits=7,seeds=18,capture=empty,end=either,leftovers=nobody",
    "tiny_games:Nim:heaps=2,size=15,end=misere",
    "tiny_games:Nim:heaps=1,size=1",
    "tiny_games:DiceRace:goal=1,faces=1",
)
"""Rules in which several options differ from their defaults; those of the Amazons, whose large boards are slow in plain
Python, see `test_amazons`."""
FEW_NODES, MANY_NODES = 5_000, 1_000_000
TRACES = 10


def variants(cls: type) -> Iterator[Rules]:
    """The default rules, and those in which one option has another word or an end of its range."""
    yield cls()
    for option, domain in options(cls).items():
        for value in range(len(domain.words)) if isinstance(domain, Words) else (domain.minimum, domain.maximum):
            rules = cls()._replace(**{option: value})
            try:
                check_rules(rules)
            except UsageError:
                continue
            yield rules


def all_rules() -> dict[str, Rules]:
    """All rules that the suite tries, by the text form of each."""
    found = [rules for cls in CLASSES if cls is not Amazons for rules in variants(cls)] + [game(text) for text in MORE]
    return {format_game(rules): rules for rules in found}


def golden_file(cls: type, kind: str) -> Path:
    return GOLDEN / f"{name_of(cls).rpartition(':')[2]}.{kind}"


def read_perft(path: Path) -> Iterator[tuple[str, str, list[int]]]:
    """The lines of a file: game, position, and the counts for depth 1, 2, ..."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, position, counts = line.split(" | ")
            yield name, position, [int(count) for count in counts.split()]


def measure(nodes: int) -> Iterator[str]:
    """Perft as deep as `nodes` reach for each line of the golden files, and a digest of some random games."""
    for path in sorted(GOLDEN.glob("*.perft")):
        for name, position, counts in read_perft(path):
            rules = game(name)
            state = parse_state(rules, position)
            depths = [depth for depth, count in enumerate(counts, 1) if count <= nodes]
            yield f"{name} | {position} | {' '.join(str(perft(rules, state, depth)) for depth in depths)}"
    for name, rules in all_rules().items():
        digest = hashlib.sha256()
        for seed in range(TRACES):
            digest.update(trace(rules, initial(rules), seed).astype("<i8").tobytes())
        yield f"{name} | {digest.hexdigest()}"


def perft_line(rules: Rules) -> str:
    """The line for the start of `rules` in a golden file."""
    counts = []
    for depth in range(1, (limits(rules).plies or 1000) + 1):
        counts.append(perft(rules, initial(rules), depth))
        if counts[-1] == 0 or counts[-1] > MANY_NODES / 10:
            break
    return f"{format_game(rules)} | {format_state(rules, initial(rules))} | {' '.join(map(str, counts))}"


def playthrough(rules: Rules, texts: list[str]) -> str:
    """A game told state by state: position, key, what is legal, what is played."""
    state = initial(rules)
    lines = [f"game: {format_game(rules)}", f"limits: {limits(rules)}"]
    for ply, text in enumerate([*texts, ""]):
        lines += ["", f"{ply}: {format_state(rules, state)}", f"   key {key(rules, state)}"]
        if is_over(rules, state):
            lines += [f"   over, margin {margin(rules, state)}"]
            break
        side = to_move(rules, state)
        names = [format_move(rules, state, move) for move in legal(rules, state)]
        if side == CHANCE:
            shares = [0.0] * len(names)
            chances(rules, state, [0] * len(names), shares)
            names = [f"{name} ({share})" for name, share in zip(names, shares, strict=True)]
        mover = "chance" if side == CHANCE else seats(rules)[side]
        lines += [f"   {mover}: {' '.join(names)}"]
        if text:
            lines += [f"   > {text}"]
            state = play(rules, state, parse_move(rules, state, text))
    return "\n".join(lines) + "\n"


def main(command: str = "measure", name: str = "", *texts: str) -> None:
    if command == "perft":
        print("# game | position | sequences of exactly 1, 2, 3, ... plies")
        cls = type(game(name))
        print(*(perft_line(rules) for rules in all_rules().values() if type(rules) is cls), sep="\n")
    elif command == "playthrough":
        print(playthrough(game(name), list(texts)), end="")
    else:
        print(*measure(FEW_NODES), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
