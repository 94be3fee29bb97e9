"""Players that use a learned table of action values: `q:agent=RUN`.

By default, `q` plays the move with the highest value. If one of the options `epsilon`, `alpha` and `gamma` is given,
`q` also learns from its games. It then saves its table to a new file after the last game. A session with the argument
`keep` saves the table to a run after each game (`petteia.players.kept`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

from petteia.core.errors import UsageError
from petteia.core.hints import argument
from petteia.core.options import SHARE, TEXT, OneOf
from petteia.core.protocol import Rules
from petteia.learn.targets import Rates
from petteia.players.by_table import SavingPlayer, TablePlayer
from petteia.players.kept import Keep, KeptPlayer
from petteia.players.player import BOTH_SEATS, Player
from petteia.players.settings import learned_weights
from petteia.records.description import DESCRIPTION
from petteia.value_functions.table import TablePolicy, empty_table
from petteia.value_functions.table_file import LearnedTable, load_table

DEFAULTS = {"epsilon": 0.0, "alpha": 0.1, "gamma": 0.9}
"""the default parameters of a player that learns"""


class QOptions(NamedTuple):
    """The options of the player `q`. The value None stands for an option that is not given."""

    agent: Annotated[str | None, TEXT, "run or weights file"] = None
    epsilon: Annotated[float | None, SHARE, "exploration rate, 0..1 (default 0 for a learning player)"] = None
    alpha: Annotated[float | None, SHARE, "learning rate, 0..1 (default 0.1 for a learning player)"] = None
    gamma: Annotated[float | None, SHARE, "discount factor, 0..1 (default 0.9 for a learning player)"] = None
    save: Annotated[str | None, TEXT, "new file for the learned table (default: named after the agent)"] = None
    other_rules: Annotated[
        str,
        OneOf(("no", "yes")),
        "accept a table that was learned under other rules or other code of the game: no or yes",
    ] = "no"


class Agent(NamedTuple):
    """A learned table and the path of its file."""

    path: Path
    """the weights file"""
    learned: LearnedTable
    """the learned table"""


def load_agent(where: str, rules: Rules, *, other_rules: bool = False) -> Agent:
    """Load the agent from a run or weights file. With `other_rules`, it may belong to other rules of the same game.

    Raises NotFoundError if there is no such run or file. Raises InvalidError if the run or file is damaged or belongs
    to rules that are not accepted.
    """
    weights = learned_weights(where)
    return Agent(weights.path, load_table(weights, rules, other_rules=other_rules))


def make_q(options: QOptions, rules: Rules, name: str, keep: Keep | None) -> Player:
    """Create the player `q`. If the player learns and `keep` names a run, the player is saved in this run."""
    given = {rate: value for rate in DEFAULTS if (value := getattr(options, rate)) is not None}
    if not given:
        keep = None
    if options.save is not None:
        _check_save(options.save, name, is_kept=keep is not None, learns=bool(given))
    if options.agent is not None:
        agent = load_agent(options.agent, rules, other_rules=options.other_rules == "yes")
    elif keep is not None:
        agent = Agent(Path(), LearnedTable(empty_table(rules), BOTH_SEATS, 0))
    else:
        words = argument("keep", "keep", "--keep NAME")
        nothing = f"; with {words}, petteia play starts with an empty table" if given else ""
        raise UsageError(
            f"player {name}: option agent is missing; give a run or a weights file, as in q:agent=RUN{nothing}"
        )
    rates = Rates(*((DEFAULTS | given)[rate] for rate in ("alpha", "epsilon", "gamma")))
    chosen: Player
    if keep is not None:
        chosen = KeptPlayer(agent.learned, name, rates, keep, options.agent)
    elif given:
        chosen = SavingPlayer(agent.learned, name, rates, Path(options.save) if options.save else _beside(agent.path))
    else:
        chosen = TablePlayer(TablePolicy(agent.learned.table), name, agent.learned.seats)
    if agent.learned.notice is not None:
        chosen.notice = f"player {name}: {agent.learned.notice}"
    return chosen


def _check_save(save: str, name: str, *, is_kept: bool, learns: bool) -> None:
    """Raise a UsageError if this player cannot save its table to a new file with the name `save`."""
    if not learns:
        raise UsageError(
            f"player {name}: option save requires a player that learns; set option epsilon, alpha or gamma, or omit "
            "option save"
        )
    if is_kept:
        raise UsageError(f"player {name}: the table of the player is already saved in a run; omit option save")
    if Path(save).exists():
        raise UsageError(f"player {name}: save={save}: the file exists already; choose another name")
    if not Path(save).parent.is_dir():
        raise UsageError(f"player {name}: save={save}: there is no folder {Path(save).parent}; create it first")


def _beside(path: Path) -> Path:
    """Return the default path for a saved table, next to the loaded weights file or the loaded run folder."""
    if (path.parent / DESCRIPTION).exists():
        return path.parent.with_name(f"{path.parent.name}-played.safetensors")
    return path.with_stem(f"{path.stem}-played")
