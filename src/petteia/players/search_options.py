"""The options of players that search, and their conversion to the settings of a search."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Annotated, Any, NamedTuple

from petteia.core.errors import UsageError
from petteia.core.names import format_game
from petteia.core.options import DURATION, MANY, NUMBER, TEXT, WHOLE, Domain, Number, OneOf, Range
from petteia.core.protocol import MAX_STEPS, Rules, has_chance, limits, provides
from petteia.features.evaluation import LARGEST, Evaluation
from petteia.features.rankings import ranking_for
from petteia.players.thresholds import Threshold, Thresholds, thresholds_for
from petteia.players.time_managers import MANAGERS
from petteia.players.time_share import MARGIN
from petteia.search.ends import BY_MARGIN, BY_VALUE, DECIDED, EARLY, units
from petteia.search.own_parts import own_part
from petteia.search.parts import MAX_PLIES_BEYOND, STANDARD_PARTS, Horizon, Parts, Selection
from petteia.search.quiescence import UntilQuiet
from petteia.search.searcher import check_table
from petteia.search.selection import PLACES, BestGroups, BestMoves
from petteia.search.selection import WHOLE as WHOLE_SHARE
from petteia.search.verification import Verification

YES_NO, NO_YES = OneOf(("yes", "no")), OneOf(("no", "yes"))
"""the domains of options that are yes or no, with the default value first"""
Depth = Annotated[int | None, WHOLE, "search depth in plies (default 1)"]
Won = Annotated[str | None, YES_NO, "value of a won game: 99999 (yes) or its margin (no)"]
Early = Annotated[str | None, YES_NO, "prefer early wins and late losses: yes or no; works only with won=yes"]
Decided = Annotated[str | None, YES_NO, "value a game as won once its winner is certain: yes or no"]
Draws = Annotated[
    float | None,
    NUMBER,
    "value of a draw for the player, in points (default 0); negative values avoid draws",
]
EvaluationName = Annotated[
    str | None, TEXT, "evaluation of the positions where the search stops: a name, or module:function for a custom one"
]
Megabytes = Annotated[
    int | str | None, Range(0, MANY - 1, none="none"), "size of the transposition table in megabytes, or none"
]


MAX_MARGIN = 60.0
"""the largest safety margin, in seconds"""


@dataclasses.dataclass(frozen=True)
class OrOwn(Domain):
    """The domain of an option that accepts the values of the domain `of`, and also custom classes.

    A domain is a set of valid values. A custom class is written as `module:Class`.
    """

    of: Domain

    def parse(self, text: str) -> Any:
        """Parse the value of an option. The name of a custom class is returned unchanged."""
        return text if ":" in text else self._tried(self.of.parse, text)

    def read(self, value: Any) -> Any:
        """Check the value of an option. The name of a custom class is returned unchanged."""
        return value if isinstance(value, str) and ":" in value else self._tried(self.of.read, value)

    def _tried(self, read: Callable[[Any], Any], value: Any) -> Any:
        try:
            return read(value)
        except ValueError as error:
            raise ValueError(f"{error}, or module:Class") from None


class GreedyOptions(NamedTuple):
    """The options of `greedy`; None means that an option is not given."""

    depth: Depth = None
    won: Won = None
    early: Early = None
    decided: Decided = None
    draws: Draws = None
    evaluation: EvaluationName = None
    table: Megabytes = None


class SearchOptions(NamedTuple):
    """The options of `search`; None means that an option is not given."""

    depth: Annotated[int | None, WHOLE, "maximum search depth in plies"] = None
    nodes: Annotated[int | None, WHOLE, "maximum number of nodes per move"] = None
    time: Annotated[float | None, DURATION, "time limit per move in seconds (default 3 if there is no other limit)"] = (
        None
    )
    manager: Annotated[
        str, OneOf(tuple(MANAGERS)), "time manager, which divides the time of a clock among the moves"
    ] = "even"
    margin: Annotated[
        float,
        Number(0.0, MAX_MARGIN, unit="seconds"),
        "safety margin per move in seconds under a clock, at most a tenth of the time for the move",
    ] = MARGIN
    won: Won = None
    early: Early = None
    decided: Decided = None
    draws: Draws = None
    evaluation: EvaluationName = None
    table: Megabytes = None
    exact: Annotated[str, NO_YES, "use only table entries of exactly the required depth: no or yes"] = "no"
    ties: Annotated[str, OneOf(("first", "random")), "choice among several best moves: first or random"] = "first"
    keep: Annotated[
        float | str,
        OrOwn(Number(0.0, 1.0, above=True)),
        "share of the moves that is searched, rounded up (default 1), or module:Class for a custom selection",
    ] = 1.0
    at: Annotated[
        str, OneOf(("node", "root")), "nodes at which moves are left out: every node (node) or only the root (root)"
    ] = "node"
    order: Annotated[
        str, TEXT, "ranking that selects the moves to search: value, random, a ranking for the game, or module:Class"
    ] = "value"
    group: Annotated[
        int,
        Range(0, MAX_STEPS),
        "number of steps; moves with the same first steps are ranked as a group; 0: single moves are ranked",
    ] = 0
    heavy: Annotated[
        int, WHOLE, "smallest number of legal moves for which ranks are random; 0: ranks are never random"
    ] = 0
    quiet: Annotated[
        str,
        OrOwn(OneOf(("no", "built", "repaired"))),
        "quiescence search after moves that are not quiet: no, built (at the depth limit), repaired (for the chosen "
        "move), or module:Class for a custom horizon",
    ] = "no"
    threshold: Annotated[
        int | str | None,
        Threshold(),
        "largest change of value by a quiet move, in units of the evaluation, or a quantile of the changes in games",
    ] = None
    repeat: Annotated[int, Range(1, MAX_PLIES_BEYOND), "maximum number of plies of the quiescence search"] = 1


def ends_of(options: GreedyOptions | SearchOptions, rules: Rules, name: str, ends: int = 0) -> int:
    """Return the search flags that determine how finished games are scored.

    Raises UsageError if options exclude each other, or if one of them has no effect in the game.
    """
    if ends == BY_VALUE:
        if idle := [option for option in ("won", "early", "decided", "draws") if getattr(options, option) is not None]:
            raise UsageError(f"player {name}: {idle[0]} has no effect with ends=value; leave {idle[0]} out")
        return BY_VALUE
    if has_chance(rules):
        for option in ("won", "early", "decided"):
            if getattr(options, option) == "yes":
                raise UsageError(
                    f"player {name}: {option}=yes: {format_game(rules)} has chance, so finished games are scored by "
                    f"their margin; leave {option} out"
                )
        return BY_MARGIN if options.won == "no" else ends or BY_MARGIN
    if options.won == "no":
        for option in ("early", "decided"):
            if getattr(options, option) == "yes":
                raise UsageError(f"player {name}: {option}=yes and won=no exclude each other; leave one out")
        return BY_MARGIN
    return (0 if options.early == "no" else EARLY) | (0 if options.decided == "no" else DECIDED)


def draws_of(given: float | None, evaluation: Evaluation, rules: Rules, name: str) -> int:
    """Convert the value of a draw, in points, to units of the evaluation, and clip it to the valid range."""
    worth = 0.0 if given is None else min(max(given * units(evaluation, rules), -LARGEST), LARGEST)
    if units(evaluation, rules) == 1 and worth != round(worth):
        raise UsageError(
            f"player {name}: draws={given:g}: must be a whole number, because its evaluation is in whole numbers"
        )
    return round(worth)


def megabytes_of(given: int | str | None, megabytes: int) -> int:
    """Return the size of the transposition table in megabytes; 0 for no table. `megabytes` is the default."""
    if isinstance(given, str):
        return 0
    return megabytes if given is None else check_table(given)


def parts_of(options: SearchOptions, evaluation: Evaluation, rules: Rules, name: str) -> Parts:
    """Return the components of a search that options can replace: the selection of moves, and the horizon.

    The horizon is the component that evaluates the positions at the maximum depth of a search, or searches them
    further. Raises UsageError for options that exclude each other.
    """
    return Parts(
        horizon=_horizon(options, evaluation, rules, name), selection=_selection(options, evaluation, rules, name)
    )


def _selection(options: SearchOptions, evaluation: Evaluation, rules: Rules, name: str) -> Selection:
    keep = options.keep
    if keep == 1.0 or isinstance(keep, str):
        _require(options, ("at", "order", "group", "heavy"), "keep below 1, such as keep=0.5", name)
        return own_part("keep", keep, rules, evaluation) if isinstance(keep, str) else STANDARD_PARTS.selection
    if limits(rules).moves >= PLACES:
        raise UsageError(
            f"player {name}: option keep requires a game with fewer than {PLACES:,} moves per position; omit the option"
        )
    stages = None
    if ":" in options.order:
        ranking = own_part("order", options.order, rules, evaluation)
    else:
        ranking, known = ranking_for(rules, options.order, evaluation)
        stages = known.stages
    share, only_root = round(keep * WHOLE_SHARE), int(options.at == "root")
    if stages is not None and options.group:
        raise UsageError(f"player {name}: order={options.order} already defines the stages; omit option group")
    first, last = stages or (options.group, options.group)
    if first == 0:
        return BestMoves(share, only_root, options.heavy, ranking)
    if not provides(rules, "steps"):
        raise UsageError(
            f"player {name}: group={first}: moves in {format_game(rules)} do not consist of steps; use group=0"
        )
    return BestGroups(share, only_root, options.heavy, ranking, first, last)


def _require(options: SearchOptions, dependent: Iterable[str], required: str, name: str) -> None:
    """Raise a UsageError if one of the `dependent` options is given without the `required` option."""
    for option in dependent:
        if getattr(options, option) != SearchOptions._field_defaults[option]:
            raise UsageError(f"player {name}: option {option} works only with {required}; omit the option")


def _horizon(options: SearchOptions, evaluation: Evaluation, rules: Rules, name: str) -> Horizon:
    if ":" in options.quiet:
        return own_part("quiet", options.quiet, rules, evaluation)
    if options.quiet != "built":
        return STANDARD_PARTS.horizon
    return UntilQuiet(thresholds_of(options, evaluation, rules, name)[0], options.repeat)


def verification_of(options: SearchOptions, evaluation: Evaluation, rules: Rules, name: str) -> Verification | None:
    """Return how a search verifies the move that it has chosen, or None if it does not verify the move.

    Raises UsageError for wrong options.
    """
    if options.quiet not in ("built", "repaired"):
        _require(options, ("threshold", "repeat"), "quiet=built or quiet=repaired", name)
    if options.quiet != "repaired":
        return None
    return Verification(thresholds_of(options, evaluation, rules, name)[0], options.repeat)


def thresholds_of(options: SearchOptions, evaluation: Evaluation, rules: Rules, name: str) -> Thresholds:
    """Return the largest change of value by a quiet move, for the whole game or for each third of the game.

    Raises UsageError if the option `threshold` is missing, or if it is a quantile that was not measured for this game
    and evaluation.
    """
    if isinstance(options.threshold, str):
        return thresholds_for(options.threshold, rules, evaluation, name)
    if options.threshold is None:
        raise UsageError(
            f"player {name}: option threshold is missing; a move is quiet if it changes the evaluation by at most "
            "this threshold"
        )
    return (min(options.threshold, LARGEST),)
