"""Public functions that list games, count positions with perft, check games, and read recorded games.

Each game is given as a rules object or as a string. The functions return rows that pandas accepts. `import petteia`
makes the functions available, together with the public names of the subpackages. The commands of the command line
call the same functions.
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

MAX_DEPTH = 1000
"""The maximum depth of perft, in plies."""


class GameRow(NamedTuple):
    """Information about a game: its name, the names of its seats, its options and a description."""

    name: str
    """the name of the game"""
    seats: str
    """the names of the seats of players 0 and 1"""
    options: str
    """the options of the rules with their defaults and allowed values"""
    about: str
    """the first sentence of the game's description"""


class Divided(NamedTuple):
    """A legal move, and the number of move sequences that begin with it, as counted by `divide`."""

    move: str
    """the move as text"""
    nodes: int
    """the number of move sequences that begin with this move"""


def list_games(*games: str | Rules) -> list[GameRow]:
    """Describe the given games, or all games of the package if none are given.

    Each game is a rules object, or a string such as `my_module:Nim`.

    Raises UsageError for an unknown game, and NotFoundError for a missing module or class.

    Examples:
        >>> [row.name for row in petteia.list_games()]
        ['kalah', 'hare-and-hounds', 'british-square', 'amazons']

    """
    return [_row(rules_of(game)) for game in games or [cls() for cls in GAMES]]


def _row(rules: Rules) -> GameRow:
    cls = type(rules)
    about = re.split(r"\.(?:\s|$)", _docstring(cls))[0]
    domains = options(cls)
    shown = (f"{option}={domain.format(getattr(rules, option))} ({domain})" for option, domain in domains.items())
    return GameRow(name_of(cls), " and ".join(seats(rules)), ", ".join(shown), " ".join(about.split()))


def _docstring(cls: type) -> str:
    """Return the description of a game: the docstring of its class or of its module.

    The description of a custom game is the docstring of its class. For a game of the package, or a class without a
    docstring, it is the docstring of the module.
    """
    own = cls.__doc__ or ""
    is_made = own == f"{cls.__name__}({', '.join(getattr(cls, '_fields', ()))})"  # by NamedTuple
    return (sys.modules[cls.__module__].__doc__ or "") if cls in GAMES or is_made else own


def perft(game: str | Rules, depth: int, *, position: str | State | None = None) -> int:
    """Count the move sequences of exactly `depth` plies from a position (perft).

    Args:
        game: the rules, as an object or as a string such as `hare-and-hounds:stall=0`
        depth: the number of plies, 0..1000
        position: the start position, as a state or as a string; default: the initial position

    Returns:
        The number of move sequences. Games that end in fewer plies are not counted. The outcome of a chance node counts
        as a ply.

    Raises:
        UsageError: an unknown game or option, a depth out of range
        NotFoundError: a missing module or class
        InvalidError: a malformed or impossible position

    Examples:
        >>> petteia.perft("kalah", 6)
        23233

    """
    from petteia.core.perft import perft as count

    rules = rules_of(game)
    start = read_position(rules, position)
    _check_depth(depth, 0)
    return interruptible(lambda: count(rules, start, depth))


def divide(game: str | Rules, depth: int, *, position: str | State | None = None) -> list[Divided]:
    """For each legal move, count the move sequences of `depth` plies (1 or more) that begin with it.

    The other arguments and the exceptions are the same as those of `perft`.

    Examples:
        >>> petteia.divide("hare-and-hounds", 2)[0]
        Divided(move='0-2', nodes=3)

    """
    from petteia.core.perft import perft as count

    rules = rules_of(game)
    start = read_position(rules, position)
    _check_depth(depth, 1)

    def nodes(move: int) -> int:
        return interruptible(lambda: count(rules, after(rules, start, move), depth - 1))

    return [Divided(format_move(rules, start, move), nodes(move)) for move in legal(rules, start)]


def _check_depth(depth: int, minimum: int) -> None:
    if not minimum <= depth <= MAX_DEPTH:
        raise UsageError(f"depth={depth}: must be in {minimum}..{MAX_DEPTH}")


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
    """Run the checks for a game, or for a component such as a player, and yield their results.

    If one of the arguments `features`, `evaluation`, `player`, `learner` and `part` is given, that component is checked
    instead of the game. At most one of these arguments may be given.

    Args:
        game: the rules, as an object or as a string such as `my_module:Nim`
        features: a feature set for the game, as an object or as a string such as `my_module:Heaps`
        evaluation: an evaluation for the game, as an object or as a string such as `my_module:value`
        player: a player or policy, as an object or as a string such as `my_module:Bot`
        learner: an update rule, as a string such as `my_module:Rule`
        part: a part of a search (a ranking, a selection or a horizon), as a string such as `my_module:Ranking`
        games: number of random games, 1 or more. To check a game, each random game is played in plain Python and by the
            compiled code, and the results are compared. A feature set, an evaluation or a part of a search is tested in
            the positions of these games. This is also the maximum number of games that a player plays, or from which an
            update rule learns
        seed: the seed of the random games

    Returns:
        One row for each check, yielded as soon as the check is done. A row contains the name of the check, whether it
        passed, and a one-line message. The message states the failure, gives advice, or is empty. The field `more`
        contains further failures and advice.

    Raises:
        UsageError: an unknown game, option or component; a component given without its game; a component that lacks
            required methods
        NotFoundError: a missing module or class

    Examples:
        >>> results = petteia.check("kalah", games=5)
        >>> all(result.passed for result in results)
        True

    """
    of_a_game = {"features": features, "evaluation": evaluation, "player": player, "learner": learner, "part": part}
    given = [name for name, value in of_a_game.items() if value is not None]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)}: only one component can be checked at a time; give one of them")
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
    """Raise UsageError if `name` is the name of a component, which can only be checked together with a game."""
    from petteia.players.kinds import WORDS, kind_of

    if kind := kind_of(name):
        raise UsageError(
            f"{name} is {WORDS[kind]}, not a game; name the game too: petteia check {shlex.quote(name)} --game GAME"
        )


def record(path: str | Path) -> GameRecord:
    """Read the first game recorded in the file `path` and replay every move.

    Raises NotFoundError if there is no such file. Raises InvalidError for a malformed record, with the number of the
    line in the message.

    Examples:
        >>> from pathlib import Path
        >>> session = petteia.session("kalah", ("greedy", "random"))
        >>> steps = session.advance()
        >>> written = Path("game.txt").write_text(session.record().write())
        >>> petteia.record("game.txt").players
        ('greedy', 'random')

    """
    return next(saved_games(path))


def saved_games(path: str | Path) -> Iterator[GameRecord]:
    """Read the games recorded in the file `path`, one after the other, and replay every move.

    Raises the same exceptions as `record`. The exception for an invalid game is raised when the iteration reaches the
    game.

    Examples:
        >>> from pathlib import Path
        >>> session = petteia.session("kalah", ("greedy", "random"))
        >>> steps = session.advance()
        >>> written = Path("games.txt").write_text(session.record().write() * 2)
        >>> [len(game.moves) for game in petteia.saved_games("games.txt")]
        [29, 29]

    """
    from petteia.records.bounds import RECORD
    from petteia.records.files import read_file
    from petteia.records.game_record import read_records

    try:
        yield from read_records(read_file(Path(path), RECORD).decode())
    except UnicodeDecodeError:
        raise InvalidError(f"{path}: the file is not UTF-8 text; save it in this encoding") from None
    except InvalidError as error:
        raise InvalidError(f"{path}: {error}") from None
