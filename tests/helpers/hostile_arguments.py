"""Command lines that nobody means: every command with every option, and every part of a text, at hostile values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import typer

from petteia.cli import main
from petteia.cli.app import app
from petteia.core.names import name_of
from petteia.core.options import options
from petteia.games import GAMES
from petteia.players import PLAYERS

HARE, KALAH = "hare-and-hounds", "kalah:pits=2,seeds=2"
VALUES = ("0", "-1", str(2**31), str(2**63), str(2**64), str(10**30), "inf", "-inf", "nan", "1e400", "", "text", "٣")
VALUES += ("-0", "1_000", "0x10", "1.5", "a=b", "1,2")
BASES: dict[str, tuple[str, ...]] = {
    "games": (HARE,),
    "perft": (f"{HARE} 1",),
    "check": (f"{HARE} --games 2",),
    "play": (f"{HARE} --by random --against random --seed 1",),
    "match": (f"{HARE} random simple --games 2", f"{HARE} search:depth=1 simple --games 2"),
    "record": ("game.txt",),
    "best": (f"{HARE} --depth 1", f"{HARE} --nodes 10"),
    "differ": (f"{HARE} random simple --positions 2",),
    "train": (
        f"{HARE} --games 10 --evaluation-games 2",
        f"{KALAH} --features store --games 10 --evaluation-games 2",
    ),
    "resume": ("table",),
    "runs": ("",),
    "experiment": ("small.toml",),
    "solve": (f"{HARE}:stall=0",),
    "prove": (f"{HARE}:stall=1 --memory 1",),
    "regret": (f"{HARE} random --over games --games 2",),
    "report": ("nothing",),
    "warmup": ("nothing",),
}
"""Arguments of the commands, with which they have done quickly; `bench` and those that write a file to begin with have
no options that are numbers."""
NUMBERS = {"perft": f"{HARE} {{}}", "report": f"{HARE} --jobs={{}} --scale nothing"}
EXPERIMENT = f"""
title = "small"
question = "does it work?"
[training]
game = "{HARE}"
games = 10
evaluation_games = 2
"""
RECORD = f"""[Game "{HARE}:stall=0"]
[First "random"]
[Second "human"]
[Result "*"]

1. 0-2 2. 10-7 3. 2-5 *
"""


def prepare(folder: Path) -> None:
    """Write what the commands are given into the working folder."""
    (folder / "small.toml").write_text(EXPERIMENT)
    (folder / "game.txt").write_text(RECORD)
    main(["train", HARE, "--games", "20", "--evaluation-games", "2", "--name", "table"])
    main(["train", KALAH, "--features", "store", "--games", "20", "--evaluation-games", "2", "--name", "weights"])


def warm_up() -> None:
    """Run each command as it is meant, so that none is interrupted while it imports and compiles."""
    for name, bases in BASES.items():
        for base in bases:
            main([name, *base.split()])


def command_lines() -> Iterator[list[str]]:
    """All of them."""
    for words in (*_of_commands(), *_of_texts()):
        for value in VALUES:
            yield [word.replace("{}", value) for word in words]


def _of_commands() -> Iterator[list[str]]:
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]  # it is a group
        for base in BASES.get(name, ()):
            for option in command.params:
                if option.param_type_name == "option" and not getattr(option, "is_flag", False):
                    yield [name, *base.split(), f"{option.opts[-1]}={{}}"]
    for name, base in NUMBERS.items():
        yield [name, *base.split()]


def _of_texts() -> Iterator[list[str]]:
    for game in GAMES:
        yield from (["perft", f"{name_of(game)}:{option}={{}}", "1"] for option in options(game))
    for name, player in PLAYERS.items():
        agent = {"q": "agent=runs/table,", "theta": "agent=runs/weights,"}.get(name, "")
        game = KALAH if name == "theta" else HARE
        for option in player.options:
            text = f"{name}:{agent if option != 'agent' else ''}{option}={{}}"
            if player.parts:
                text = f"mixed:first=random,second=simple,share=0.5,{option}={{}}"
            yield ["match", game, text, "random", "--games", "2", "--seats", "fixed"]
    for openings in ("random:{}", "{}"):
        yield ["match", HARE, "random", "simple", "--games", "2", f"--openings={openings}"]
    for schedule in ("0.1@{},0.2@9", "{}..0.1", "0.1,{}@5"):
        yield ["train", HARE, "--games", "10", "--evaluation-games", "2", f"--alpha={schedule}"]
    yield ["train", HARE, "--games", "10", "--evaluation-games", "2", "--opponent", "random for {}, then simple"]
