"""The text form of players: `random`, `q:agent=runs/hare,epsilon=0.1`, `my_module:Name:depth=3`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

from petteia.core.errors import UsageError
from petteia.core.hints import classes_named_by, did_you_mean, nearest
from petteia.core.options import declared, read_options
from petteia.core.origin import is_of_package
from petteia.core.protocol import Rules
from petteia.core.text import parse_call
from petteia.player_processes.own import check_player_class, is_policy_class
from petteia.player_processes.process import Children
from petteia.players.foreign import ForeignPlayer, ForeignPolicyPlayer, parse_foreign
from petteia.players.heuristic import make_heuristic
from petteia.players.human import HumanPlayer
from petteia.players.kept import Keep
from petteia.players.levels import LevelOptions, level_text
from petteia.players.mixed import MixedOptions, make_mixed
from petteia.players.perfect import PerfectOptions, make_perfect
from petteia.players.player import NoOptions, Player, PolicyPlayer
from petteia.players.q import QOptions, make_q
from petteia.players.search import make_greedy, make_search
from petteia.players.search_options import GreedyOptions, SearchOptions
from petteia.players.settings import is_place, learned_weights, text_by
from petteia.players.theta import ThetaOptions, make_theta
from petteia.policies.policy import Lowest, Uniform

COUNTED = ("depth", "memory")
"""the options that a whole number without a name probably sets"""


class KnownPlayer(NamedTuple):
    """A kind of player that comes with the package."""

    help: str
    """a description of the player in one line"""
    takes: type
    """the class of the options: a NamedTuple whose fields have the domain and the help of each option"""
    make: Callable[..., Player]
    """a function that creates the player from its options, the rules, its text form, and the players that it consists
    of"""
    parts: tuple[str, ...] = ()
    """the names of the required options whose values are players"""
    solves: bool = False
    """whether `make` also takes a memory limit in bytes, for solving the game; None stands for the default limit"""
    learns: bool = False
    """whether `make` also takes the run in which a learning player is saved; None stands for no run"""
    alone: str = ""
    """the name of the option that is set by a number without a name, as in `level:3`"""

    @property
    def options(self) -> dict[str, str]:
        """The names of the options, with the help text of each."""
        return {name: option.help for name, option in declared(self.takes).items()}


PLAYERS: dict[str, KnownPlayer] = {
    "random": KnownPlayer(
        "plays a legal move uniformly at random", NoOptions, lambda options, rules, name: PolicyPlayer(Uniform(), name)
    ),
    "simple": KnownPlayer(
        "always plays the legal move with the lowest code",
        NoOptions,
        lambda options, rules, name: PolicyPlayer(Lowest(), name),
    ),
    "heuristic": KnownPlayer("plays by a simple rule for the game", NoOptions, make_heuristic),
    "q": KnownPlayer("plays the move with the highest value in a learned table", QOptions, make_q, learns=True),
    "greedy": KnownPlayer(
        "searches to a fixed depth and chooses among the best moves at random", GreedyOptions, make_greedy
    ),
    "theta": KnownPlayer("searches to a fixed depth with a linear value function", ThetaOptions, make_theta),
    "search": KnownPlayer(
        "searches by iterative deepening: alpha-beta with a transposition table", SearchOptions, make_search
    ),
    "perfect": KnownPlayer(
        "plays perfectly, by values of the solved game, and wins as fast as possible",
        PerfectOptions,
        make_perfect,
        solves=True,
    ),
    "mixed": KnownPlayer(
        "chooses one of two players at random for each move, and plays its move",
        MixedOptions,
        make_mixed,
        parts=("first", "second"),
    ),
    "level": KnownPlayer(
        "plays at a graded strength: level:1 is the weakest",
        LevelOptions,
        lambda options, rules, name, memory: _level(options, rules, name, memory),
        solves=True,
        alone="number",
    ),
    "human": KnownPlayer(
        "asks a person at the terminal for each move", NoOptions, lambda options, rules, name: HumanPlayer(name=name)
    ),
}
"""the players of the package by name"""


@runtime_checkable
class Playable(Protocol):
    """An object that can be converted to a player, such as a training run or an agent."""

    def as_player(self, rules: Rules) -> Player:
        """Return the player for games under `rules`."""


def player(
    given: str | Any,
    rules: Rules,
    children: Children | None = None,
    *,
    memory: int | None = None,
    keep: Keep | None = None,
) -> Player:
    """Return the player described by `given`, for games under `rules`.

    Args:
        given: the text form of a player, the path or name of a run, the path of a weights file, a training run, an
            agent, or a player or policy object. A player or policy object is not copied
        rules: the rules of the games
        children: the child processes of custom players. By default, each custom player has its own process, which ends
            with the player
        memory: memory limit in bytes for a player that solves the game; the text form can override it
        keep: the run in which a player that learns while it plays is saved

    Raises UsageError for an unknown player or option, NotFoundError for a missing module, class or file, and
    InvalidError for a file that is damaged or belongs to other rules.

    """
    if isinstance(given, Playable):
        return given.as_player(rules)
    if isinstance(given, Path) or (isinstance(given, str) and given not in PLAYERS and is_place(given)):
        given = text_by(given, learned_weights(given).kind)
    if not isinstance(given, str):
        return _taken(given)
    made = _read(given, rules, children, memory, keep)
    made.text = given
    return made


def _level(options: LevelOptions, rules: Rules, name: str, memory: int | None) -> Player:
    made = player(level_text(options, rules), rules, memory=memory)
    made.name = name
    return made


def written_out(text: str) -> str:
    """Return the text form of a player with its option name written out: `level:3` becomes `level:number=3`."""
    name, _, value = text.partition(":")
    kind = PLAYERS.get(name)
    return f"{name}:{kind.alone}={value}" if kind and kind.alone and value.isdecimal() else text


def _read(text: str, rules: Rules, children: Children | None, memory: int | None, keep: Keep | None) -> Player:
    call = parse_call(
        written_out(text), "player", {name: partial(_option_of, each.options) for name, each in PLAYERS.items()}
    )
    if call.is_foreign:
        return parse_foreign(call, text, rules, children or Children())
    kind = PLAYERS.get(call.name)
    if kind is None:
        meant = did_you_mean(*classes_named_by(call.name, "player")) or nearest(call.name, PLAYERS)
        hint = meant or f"choose from {', '.join(PLAYERS)}, or module:Name for a custom one"
        raise UsageError(f"there is no player {call.name!r}; {hint}")
    for option in call.options:
        if option not in kind.options:
            has = f"its options are {', '.join(kind.options)}" if kind.options else "it has no options"
            raise UsageError(f"player {call.name} has no option {option!r}; {nearest(option, kind.options) or has}")
    for option in kind.parts:
        if option not in call.options:
            raise UsageError(f"player {text}: option {option} is missing")
    options = kind.takes(**read_options(kind.takes, call.options, f"player {text}"))
    parts = [player(call.options[option], rules, children, memory=memory) for option in kind.parts]
    more = [*([memory] if kind.solves else []), *([keep] if kind.learns else [])]
    return kind.make(options, rules, text, *parts, *more)


def _option_of(options: Iterable[str], value: str) -> str:
    """Guess which option is meant by a value without an option name, such as `3` in `search:3`.

    If `value` is a whole number, the guess is the first option of `COUNTED`, a list of options with whole numbers, that
    is also in `options`. If there is no such option or `value` is not a whole number, the guess is the first of
    `options`. If `options` is empty, the guess is an empty string.
    """
    likely = [option for option in (COUNTED if value.isdecimal() else ()) if option in options]
    return next(iter([*likely, *options]), "")


def _taken(given: Any) -> Player:
    cls = type(given)
    if isinstance(given, Player):
        return given
    if is_policy_class(cls):
        own = is_of_package(cls)
        return (PolicyPlayer if own else ForeignPolicyPlayer)(given, cls.__name__)
    if cls.__module__ == "builtins":
        raise UsageError(
            f"player {given!r}: must be a string, the path of a run or weights file, a training run, an agent or a "
            "player"
        )
    check_player_class(cls, cls.__name__)
    return ForeignPlayer(given, cls.__name__)
