"""The public functions that belong to no one room: they take games as text or as rules and give rows that pandas takes.

`import petteia` offers them, and those of the rooms, by name. The command line calls nothing else.
"""

from __future__ import annotations

import itertools
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from petteia.core.errors import InvalidError, UsageError
from petteia.core.interrupt import interruptible
from petteia.core.names import name_of
from petteia.core.options import options
from petteia.core.positions import read_position
from petteia.core.protocol import (
    Rules,
    State,
    format_move,
    legal,
    seats,
)
from petteia.core.protocol import play as after
from petteia.core.random import checked_seed
from petteia.games import GAMES, untried
from petteia.games import game as rules_of

if TYPE_CHECKING:
    from petteia.checking.notes import CheckResult
    from petteia.features.evaluation import Evaluation
    from petteia.features.feature_set import FeatureSet
    from petteia.records.game_record import GameRecord

DEEPEST = 1000
"""plies that perft takes at most"""


class GameRow(NamedTuple):
    """A game that comes with the package."""

    name: str
    """the name of the game"""
    seats: str
    """what players 0 and 1 are called"""
    options: str
    """the options of the rules and their values, defaults first"""
    about: str
    """the first sentence of its description"""


class Divided(NamedTuple):
    """A first move, and the number of sequences of plies that begin with it."""

    move: str
    """the move as text"""
    nodes: int
    """the number of sequences of plies that begin with it"""


def list_games(*games: str | Rules) -> list[GameRow]:
    """List the games of the package, or the given games: rules or texts such as `my_module:Nim`.

    Raises UsageError for an unknown game, NotFoundError for a module or class that is not there.
    """
    return [_row(rules_of(game)) for game in games or [cls() for cls in GAMES]]


def _row(rules: Rules) -> GameRow:
    cls = type(rules)
    about = re.split(r"\.(?:\s|$)", _docstring(cls))[0]
    domains = options(cls)
    shown = (f"{option}={domain.format(getattr(rules, option))} ({domain})" for option, domain in domains.items())
    return GameRow(name_of(cls), " and ".join(seats(rules)), ", ".join(shown), " ".join(about.split()))


def _docstring(cls: type) -> str:
    """What a game's class says of itself, or its module; of a game of the package always its module."""
    own = cls.__doc__ or ""
    is_made = own == f"{cls.__name__}({', '.join(getattr(cls, '_fields', ()))})"  # by NamedTuple
    return (sys.modules[cls.__module__].__doc__ or "") if cls in GAMES or is_made else own


def perft(game: str | Rules, depth: int, *, position: str | State | None = None) -> int:
    """Count the sequences of exactly `depth` plies (perft), a test of a move generator.

    Args:
        game: the rules or their text, such as `hare-and-hounds:stall=0`
        depth: plies, 0..1000
        position: where to start, a state or its text; default: the first of the game

    Returns:
        The number. A finished game adds none; chance outcomes count as plies.

    Raises:
        UsageError: an unknown game or option, a depth out of range
        NotFoundError: a module or class that is not there
        InvalidError: a malformed or impossible position

    """
    from petteia.core.perft import perft as count

    rules = rules_of(game)
    start = read_position(rules, position)
    _check_depth(depth, 0)
    return interruptible(lambda: count(rules, start, depth))


def divide(game: str | Rules, depth: int, *, position: str | State | None = None) -> list[Divided]:
    """Count as `perft` does, for each first move; depth is 1..1000. Arguments and errors are those of `perft`."""
    from petteia.core.perft import perft as count

    rules = rules_of(game)
    start = read_position(rules, position)
    _check_depth(depth, 1)

    def nodes(move: int) -> int:
        return interruptible(lambda: count(rules, after(rules, start, move), depth - 1))

    return [Divided(format_move(rules, start, move), nodes(move)) for move in legal(rules, start)]


def _check_depth(depth: int, least: int) -> None:
    if not least <= depth <= DEEPEST:
        raise UsageError(f"depth={depth}: must be in {least}..{DEEPEST}")


def check(
    game: str | Rules,
    *,
    features: str | FeatureSet | None = None,
    evaluation: str | Evaluation | None = None,
    player: str | Any | None = None,
    learner: str | None = None,
    part: str | None = None,
    games: int = 1000,
    seed: int = 0,
) -> Iterator[CheckResult]:
    """Check a game, or a part made for it, in plain Python and compiled, and compare the two.

    Args:
        game: the rules or their text, such as `my_module:Nim`
        features: a feature set for the game or its text, such as `my_module:Heaps`: it is then checked instead
        evaluation: an evaluation for the game or its text, such as `my_module:value`: likewise
        player: a player or a policy or its text, such as `my_module:Bot`: likewise
        learner: the text of an update rule, such as `my_module:Rule`: likewise
        part: a ranking, a selection or a horizon of a search, such as `my_module:Ranking`: likewise
        games: random games, 1 or more, that are played in plain Python and compiled, and compared; or whose positions
            the feature set describes, the evaluation values, or the part is tried in; or, at most, games that the
            player plays, or from which is learned
        seed: where their random numbers start

    Returns:
        A row for each check as it is done: name, passed, one line that says what is wrong if it is not (if it is,
            advice, or nothing), and further lines.

    Raises:
        UsageError: an unknown game, option or thing that is for a game; one of the latter without its game; what lacks
            so much of any that it cannot be checked
        NotFoundError: a module or class that is not there

    """
    of_a_game = {"features": features, "evaluation": evaluation, "player": player, "learner": learner, "part": part}
    given = [name for name, value in of_a_game.items() if value is not None]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} are checked one by one; give one of them")
    if isinstance(game, str) and not given:
        _check_is_game(game)
    rules = untried(game)
    if games < 1:
        raise UsageError(f"games={games}: must be 1 or more")
    seed = checked_seed(seed)
    if evaluation is not None:
        from petteia.features.check import check_evaluation
        from petteia.features.evaluations import evaluation_for

        return check_evaluation(rules, evaluation_for(rules, evaluation), games, seed)
    if features is not None:
        from petteia.features.check import check_feature_set
        from petteia.features.feature_sets import read_feature_set
        from petteia.features.tuples import made

        return check_feature_set(rules, made(rules, read_feature_set(rules, features)), games, seed)
    if player is not None:
        from petteia.players.check import check_player
        from petteia.players.text import player as read_player

        return check_player(rules, read_player(player, rules), games, seed)
    if learner is not None:
        from petteia.learn.check import check_update_rule
        from petteia.learn.update_rules import update_rule_for

        return check_update_rule(rules, update_rule_for(learner), games, seed)
    if part is not None:
        from petteia.search.own_parts import check_part

        return check_part(part, rules, games, seed)
    from petteia.checking.check import check_game
    from petteia.render.check import check_drawing

    return itertools.chain(check_game(rules, games, seed), check_drawing(rules, seed))


def _check_is_game(name: str) -> None:
    """Raise a UsageError if this is the name of what only a game makes sense of."""
    from petteia.players.kinds import WORDS, kind_of

    if kind := kind_of(name):
        raise UsageError(f"{name} is {WORDS[kind]}; say for which game: petteia check {shlex.quote(name)} --game GAME")


def record(path: str | Path) -> GameRecord:
    """Read the first game recorded in the file `path` and replay every move.

    Raises NotFoundError if there is no such file, InvalidError, naming the line, if it is not a sound record.
    """
    return next(saved_games(path))


def saved_games(path: str | Path) -> Iterator[GameRecord]:
    """Read the games recorded in the file `path`, one after the other, and replay every move.

    Errors are those of `record`; one of a later game is raised when that game is asked for.
    """
    from petteia.records.bounds import RECORD
    from petteia.records.files import read_file
    from petteia.records.game_record import read_records

    try:
        yield from read_records(read_file(Path(path), RECORD).decode())
    except UnicodeDecodeError:
        raise InvalidError(f"{path}: is not UTF-8 text") from None
    except InvalidError as error:
        raise InvalidError(f"{path}: {error}") from None
