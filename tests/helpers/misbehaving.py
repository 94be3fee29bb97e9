"""Players as users write them when they write them badly, or mean no good."""

from __future__ import annotations

import contextlib
import functools
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import ClassVar

from petteia.core.decision import Decision
from petteia.core.protocol import legal


class OddError(BaseException):
    def __str__(self):
        return "two\nlines"


class MuteError(Exception):
    def __str__(self):
        raise ValueError("nothing to say")


def fork():
    """Two processes come back."""
    os.fork()


def hold():
    """The process dies, another one holds all that it had open."""
    if os.fork() == 0:
        time.sleep(60)
    os._exit(4)


def escape():
    """A process in a session of its own, whose parent has ended, which holds nothing and ignores what it can."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            os.closerange(0, 100)
            time.sleep(60)
        os._exit(0)


def throw(error):
    raise error


def eat():
    rooms = []
    while True:
        rooms.append(bytearray(10**8))


def loop():
    while True:
        pass


def close():
    """As in a module that prints too much for its author's liking."""
    sys.stdout.close()
    with contextlib.suppress(OSError):
        os.close(1)


def shout():
    """Write into everything that is open."""
    for descriptor in range(3, 300):
        with contextlib.suppress(OSError):
            os.write(descriptor, b"\x00\x00\x00\x02[]")


FORGED = {
    "other_answer": b'[3,"answered",{"0":1}]',
    "no_answer": b'[3,"answered",null]',
    "empty": b"[]",
    "odd_refusal": b'[3,"refused",[],"x"]',
    "refusal": b'[3,"refused",3,"there is no such game"]',
    "win": b'[3,"failed","over","x"]',
    "early": b'[9,"answered",[1]]',
    "twice": b'[3,"answered",[true]]',
    "deep": b"[" * 100_000,
    "huge": b'[3,"answered",[1' + b"0" * 5000 + b"]]",
    "not_finite": b'[3,"answered",[0,NaN,0,0,1e999,[],[]]]',
    "no_text": b'[3,"failed","crashed","\xff"]',
}
"""what the module says in its process's place, to its first choose"""


def forge(message):
    """Send a message through whatever is open."""
    for descriptor in range(3, 100):
        with contextlib.suppress(OSError):
            os.write(descriptor, len(message).to_bytes(4, "big") + message)


def print_much():
    """On both outputs, with what a terminal obeys."""
    print("\x1b[31mred\x9b\u202e")
    for number in range(5000):
        print(number)
    print("error", file=sys.stderr)


DEEDS = {
    "nothing": lambda: None,
    "raise": lambda: 1 // 0,
    "odd": lambda: throw(OddError()),
    "mute": lambda: throw(MuteError()),
    "generator": lambda: throw(GeneratorExit()),
    "interrupt": lambda: throw(KeyboardInterrupt()),
    "exit": lambda: sys.exit(0),
    "os_exit": lambda: os._exit(3),
    "signal": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "loop": loop,
    "eat": eat,
    "fork": fork,
    "hold": hold,
    "escape": escape,
    "shout": shout,
    "print": lambda: print("hello from the player", flush=True),
    "print_much": print_much,
    "close": close,
    "close_all": lambda: os.closerange(3, 100),
    "spawn": lambda: subprocess.Popen(["sleep", "60"]),
    "stop": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "read": lambda: input(),
    **{name: functools.partial(forge, message) for name, message in FORGED.items()},
}


class Bad:
    """Plays at random, but for what it does in one of its methods."""

    def __init__(self, how: str = "nothing", when: str = "choose", note: str = "") -> None:
        self.how, self.when = how, when
        if note:
            with Path(note).open("a") as file:
                print(os.getpid(), file=file)
        self._do("init")

    def _do(self, when):
        if when == self.when:
            DEEDS[self.how]()

    def new_game(self, rules, seed):
        self.rules = rules
        self.random = random.Random(seed)
        self._do("new_game")

    def choose(self, state, limit):
        self._do("choose")
        return self.random.choice(legal(self.rules, state))

    def end_game(self, state):
        self._do("end_game")

    def finish(self):
        self._do("finish")
        return "goodbye"


class Talkative(Bad):
    def finish(self):
        return "\x1b[2J\nbye" * 100_000


class Answers(Bad):
    """Answers with what it is told to."""

    ANSWERS: ClassVar = {
        "none": None,
        "text": "e4",
        "fraction": 1.0,
        "negative": -1,
        "large": 10**30,
        "huge": 10**5000,
        "list": [1],
        "no_move": Decision(None),
        "no_value": Decision(1, value="good"),
        "no_line": Decision(1, line=(None,)),
        "no_values": Decision(1, values={None: 1}),
        "huge_depth": Decision(1, depth=10**5000),
    }

    def choose(self, state, limit):
        return self.ANSWERS[self.how]


class Thorough(Bad):
    """Says all that a decision can say."""

    def choose(self, state, limit):
        self.asked = limit
        move = legal(self.rules, state)[-1]
        return Decision(move, 0.25, 3, 17, 0.5, (move,), {each: float(each) for each in legal(self.rules, state)})


class Seated(Bad):
    seats = (1,)


class Unseated(Bad):
    seats = "both"


class Slow(Bad):
    """Takes its time before games, not in them."""

    def new_game(self, rules, seed):
        time.sleep(0.3)
        super().new_game(rules, seed)
