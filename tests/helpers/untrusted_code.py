"""A module of which nobody has heard, and files of others that name its code."""

from __future__ import annotations

import json
from pathlib import Path

from flat_options import configure

import petteia
from petteia.experiments.training import begin
from petteia.records.description import DESCRIPTION

GAME = petteia.game("hare-and-hounds")
MODULE = """
from pathlib import Path

Path(__file__).with_suffix(".ran").touch()


class Bot:
    def new_game(self, rules, seed):
        self.rules = rules

    def choose(self, state, limit):
        from petteia.core.protocol import legal

        return legal(self.rules, state)[0]


class Reader(Bot):
    # which reads a file that names code

    def new_game(self, rules, seed):
        import petteia

        petteia.record("game.txt")
        super().new_game(rules, seed)
"""
RECORD = '[Game "evil:Bot"]\n[First "random"]\n[Second "random"]\n[Result "*"]\n\n1. 1-4 *\n'


def run_of_others(folder: Path, field: str = "opponent", text: str = "evil:Bot") -> Path:
    """A run that somebody else has begun, in which this field is this text."""
    rules, configuration = configure(GAME, learner="q", opponent="random", games=10)
    path = begin(rules, configuration, 0, folder).run.path
    written = json.loads((path / DESCRIPTION).read_text())
    part = written if field in written else written["configuration"]
    assert field in part
    part[field] = text
    written["configuration"]["opponent_hashes"] = [""] * len(written["configuration"]["opponent"].split(", then "))
    (path / DESCRIPTION).write_text(json.dumps(written))
    return path
