"""Custom components of a search: move rankings, move selections and horizons, given as `module:Class`.

Before a search uses a custom component, the component is tested in plain Python, in positions of random games. Then
each of its methods is compiled separately. So an error in the user's code is reported in one line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from numbers import Integral
from typing import Any, Literal, NamedTuple

from petteia.checking.notes import CheckResult
from petteia.checking.sample import ConformanceError, Sample, Visit, draw_sample, pick_evenly, where
from petteia.checking.shared import WHOLE, check_methods, in_stages, in_turn, only_computes, try_once
from petteia.core.errors import UsageError
from petteia.core.pointer import Pointed
from petteia.core.protocol import CHANCE, Rules, initial, method
from petteia.features.evaluation import Evaluation
from petteia.features.evaluations import evaluation_for, sample_of
from petteia.features.rankings import METHODS as OF_RANKINGS
from petteia.features.rankings import rank
from petteia.foreign.diagnosis import Right
from petteia.foreign.loading import load_class, load_part
from petteia.search.alpha_beta import STANDARD
from petteia.search.ends import INFINITE, allowed
from petteia.search.memory import MAX_NODES, memory_for
from petteia.search.parts import MAX_PLIES_BEYOND, Parts, Search, leaves_out, plies_beyond, search_beyond, select

Option = Literal["order", "keep", "quiet"]
"""The option that names a component: `order` for rankings, `keep` for selections, `quiet` for horizons."""
PLIES = 4
"""The search depth of the tests, without the plies of a horizon."""
POSITIONS, MOVES = 200, 20
"""The maximum numbers of positions in which a component is tested before a search, and of moves ranked in each."""
MAX_POSITIONS = 2000
"""The maximum number of positions in which `petteia check` tests a component."""
RIGHT = Right("keep constants in tuples, and write into the arrays of `search.memory`", "text; a part works on numbers")
"""The advice to the user if a component does not compile."""

Check = Callable[[Search, Any, Visit, Visit], None]
"""A function that tests a component in a position, given the previous one. A fault raises ConformanceError."""


def _check_ranking(search: Search, ranking: Any, before: Visit, visit: Visit) -> None:
    """Check that a ranking returns a whole number for each move."""
    for move in pick_evenly(visit.moves, MOVES):
        _whole(rank(ranking, search.rules, visit.state, move, 0), "rank", search.rules, visit.state, move)


def _check_selection(search: Search, selection: Any, before: Visit, visit: Visit) -> None:
    """Check that a selection puts legal moves first, and that `leaves_out` returns True if it omits moves."""
    rules, moves, count = search.rules, search.memory.moves[0], len(visit.moves)
    moves[:count] = visit.moves
    kept = _whole(select(selection, search, visit.state, 0, moves, count), "select", rules, visit.state)
    place = where(rules, visit.state)
    if not 1 <= kept <= count:
        raise ConformanceError(
            f"{place}: the method `select` returned {kept}; must be in 1..{count}, the number of legal moves"
        )
    if not set(moves[:kept].tolist()) <= set(visit.moves) or len(set(moves[:kept].tolist())) < kept:
        raise ConformanceError(
            f"{place}: after the method `select`, the first {kept} entries of `moves` must be different legal moves"
        )
    if kept < count and not leaves_out(selection):
        raise ConformanceError(
            f"{place}: the method `select` leaves out {count - kept} of {count} moves, so the method `leaves_out` must "
            "return True"
        )


def _check_horizon(search: Search, horizon: Any, before: Visit, visit: Visit) -> None:
    """Check that a horizon returns a whole number in the range of search values."""
    value = search_beyond(horizon, search, before.state, visit.state, 1, -INFINITE, INFINITE)
    if abs(_whole(value, "search_beyond", search.rules, visit.state)) > INFINITE:
        raise ConformanceError(
            f"{where(search.rules, visit.state)}: the method `search_beyond` returned {value}; must be in "
            f"{-INFINITE}..{INFINITE}"
        )


def _whole(value: Any, name: str, *place: Any) -> int:
    if not isinstance(value, Integral):
        raise ConformanceError(f"{where(*place)}: the method `{name}` returned {value!r}; must be a whole number")
    return int(value)


class Kind(NamedTuple):
    """The definition of one kind of custom search component, such as rankings: its methods, and a test function."""

    methods: dict[str, tuple[str, ...]]
    """the methods of a component of this kind, with their parameters"""
    needed: tuple[str, ...]
    """the methods that each component of this kind must define"""
    check: Check
    """the function that tests a component in a position"""


KINDS: dict[Option, Kind] = {
    "order": Kind(OF_RANKINGS, ("rank",), _check_ranking),
    "keep": Kind(
        {"select": ("selection", "search", "state", "ply", "moves", "count"), "leaves_out": ("selection",)},
        ("select", "leaves_out"),
        _check_selection,
    ),
    "quiet": Kind(
        {
            "search_beyond": ("horizon", "search", "before", "state", "ply", "alpha", "beta"),
            "plies_beyond": ("horizon",),
            "leaves_out": ("horizon",),
        },
        ("search_beyond", "leaves_out"),
        _check_horizon,
    ),
}
"""The kinds of components by the option that names them."""


def own_part(option: Option, name: str, rules: Rules, evaluation: Evaluation) -> Any:
    """Return the custom search component `module:Class`, after testing it in a search with `evaluation`.

    Raises:
        UsageError: the class is not a valid component for `option`, raises an error, or does not compile
        NotFoundError: the module or class does not exist

    """
    kind = KINDS[option]
    part = load_part(name, option, kind.methods, kind.needed)
    code = (type(rules), rules, type(evaluation), evaluation, type(part), part)
    try_once(code, f"{option} {name!r}", lambda: _checks(option, part, rules, evaluation, sample_of(rules), POSITIONS))
    return part


def check_part(name: str, rules: Rules, games: int, seed: int) -> Iterator[CheckResult]:
    """Yield the results of checks of the search component `module:Class`, in positions of `games` random games."""
    option = _option_of(name)
    part = load_part(name, option, KINDS[option].methods, KINDS[option].needed)
    return _checks(option, part, rules, evaluation_for(rules), draw_sample(rules, games, seed), MAX_POSITIONS)


def options_with(name: str) -> str:
    """Return the player options that make a search use the component `name`, such as `keep=0.5,order=module:Class`."""
    option = _option_of(name)
    return f"{'keep=0.5,' if option == 'order' else ''}{option}={name}"


def _option_of(name: str) -> Option:
    """Return the player option for the search component `name`, such as `module:Class`.

    Raises UsageError if the class is not a search component.
    """
    cls = load_class(name, "part")
    for option, kind in KINDS.items():
        if method(cls, kind.needed[0]):
            return option
    needed = ", ".join(kind.needed[0] for kind in KINDS.values())
    raise UsageError(
        f"part {name!r}: {cls.__name__} is not a part of a search; to be one, it must define one of the methods "
        f"{needed}"
    )


def _checks(
    option: Option, part: Any, rules: Rules, evaluation: Evaluation, sample: Sample, maximum: int
) -> Iterator[CheckResult]:
    """Yield the results of all checks of a search component, first in plain Python, and then in compiled code."""
    kind = KINDS[option]
    tried: list[Search] = []
    checks: dict[str, Callable[[], None]] = {
        "effects": lambda: only_computes([type(part)], kind.methods, "a part of a search must have no side effects"),
        "plies_beyond": lambda: tried.append(_search_with(option, part, rules, evaluation)),
        "positions": lambda: _check_positions(tried[0], part, kind.check, sample, maximum),
    }

    def compiled() -> Iterator[CheckResult]:
        search, state = tried[0], initial(rules)
        values = {
            **dict.fromkeys(("ranking", "selection", "horizon"), part),
            **dict.fromkeys(("state", "before"), state),
            **dict.fromkeys(("move", "steps", "ply", "alpha", "beta", "count"), 0),
            "rules": rules,
            "search": Pointed(search),
            "moves": search.memory.moves[0],
        }
        returned = dict.fromkeys(kind.methods, WHOLE)
        return check_methods(returned, kind.methods, values, (type(rules), type(part)), RIGHT)

    return in_stages(in_turn(rules, checks), compiled)


def _search_with(option: Option, part: Any, rules: Rules, evaluation: Evaluation) -> Search:
    """Return a search that uses the given component, with work arrays that are large enough for the checks."""
    parts = Parts()
    if option == "quiet":
        parts = parts._replace(horizon=part)
    elif option == "keep":
        parts = parts._replace(selection=part)
    beyond = _whole(plies_beyond(parts.horizon), "plies_beyond", rules)
    if not 0 <= beyond <= MAX_PLIES_BEYOND:
        raise ConformanceError(f"the method `plies_beyond` returned {beyond}; must be in 0..{MAX_PLIES_BEYOND}")
    memory = memory_for(rules, PLIES + beyond)
    memory.counters[MAX_NODES] = INFINITE
    return Search(rules, evaluation, parts, allowed(rules, STANDARD), memory)


def _check_positions(search: Search, part: Any, check: Check, sample: Sample, maximum: int) -> None:
    """Check a search component in up to `maximum` positions of the sample.

    Positions before or after a chance outcome are omitted.
    """
    pairs = [pair for game in sample.games for pair in zip(game.visits, game.visits[1:], strict=False)]
    fit = [pair for pair in pairs if not pair[1].over and CHANCE not in (pair[0].side, pair[1].side)]
    for before, visit in pick_evenly(fit, maximum):
        check(search, part, before, visit)
