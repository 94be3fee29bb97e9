"""Checks in plain Python that the rules of a game follow the protocol of games.

Each function in `CHECKS` examines the states of random games (`draw_sample`), and records failures and advice in its
argument `notes`. The function `run_checks` runs all functions in `CHECKS`. Compiled code is checked by the module
`comparison`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from petteia.checking.dice import chance
from petteia.checking.draws import random_moves
from petteia.checking.margins import bounds_of_margins, final_scores, kinds_of_moves, scores_apart
from petteia.checking.notation import check_round_trip, texts_of_moves, texts_of_states
from petteia.checking.notes import CheckResult, Notes
from petteia.checking.numbers import observations, steps_of_moves
from petteia.checking.sample import (
    DIFFER,
    ConformanceError,
    Game,
    Sample,
    Visit,
    check_images,
    check_int,
    check_state,
    draw_sample,
    examine,
    globals_of,
    pick_evenly,
    same_key,
    successor,
    where,
)
from petteia.checking.squares import contents_of_squares
from petteia.checking.symmetry import mirrored
from petteia.core.errors import UsageError
from petteia.core.options import Range, check_rules, options
from petteia.core.protocol import (
    Rules,
    State,
    check_start,
    count,
    decided,
    format_state,
    image,
    initial,
    injective,
    is_over,
    key,
    margin,
    move_set,
    play,
    position,
    positions,
    provides,
    seats,
    swapped,
)

SOME, FEW = 300, 20  # number of visits for cheap checks, and for costly ones
MAX_NUMBERED = 100_000  # maximum number of positions of which all are checked


def random_games(sample: Sample, notes: Notes) -> None:
    """Check that states consist of ints, that moves are distinct and within the declared limits, and that games end."""
    for trouble in sample.troubles:
        notes.fail(trouble)


def moves(sample: Sample, notes: Notes) -> None:
    """Check that every listed move can be played and leads to a state that conforms to the protocol."""
    for visit in pick_evenly(sample.visits, SOME):
        for move in pick_evenly(visit.moves, 100):
            with notes:
                examine(sample.rules, successor(sample.rules, visit.state, move))


def margins(sample: Sample, notes: Notes) -> None:
    """Check that `margin` returns an int for every finished game."""
    for visit in sample.visits:
        if visit.over:
            with notes:
                value = margin(sample.rules, visit.state)
                check_int(value, "margin returned", sample.rules, visit.state, minimum=-(1 << 63) + 1)


def decisions(sample: Sample, notes: Notes) -> None:
    """Check that `decided` returns a bool, which is True for finished games.

    If a random game was played to its end, `margin` in each decided state must have the sign of the final margin.
    """
    for game in sample.games:
        for visit in game.visits:
            with notes:
                _check_decision(sample.rules, game, visit)


def _check_decision(rules: Rules, game: Game, visit: Visit) -> None:
    certain = decided(rules, visit.state)
    if type(certain) is not bool or (visit.over and not certain):
        expected = "True, as the game is over" if visit.over else "True or False"
        raise ConformanceError(f"{where(rules, visit.state)}: decided returned {certain!r}; must be {expected}")
    if certain and game.ended:
        now, final = margin(rules, visit.state), margin(rules, game.visits[-1].state)
        if _sign(now) != _sign(final):
            expected = f"{final}, the final margin of a game through this position"
            place = where(rules, visit.state)
            raise ConformanceError(
                f"{place}: decided is True and margin is {now}; margin must have the sign of {expected}"
            )


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def keys(sample: Sample, notes: Notes) -> None:
    """Check that keys are in 0..2^63-1, and that different states have different keys if `injective(rules)` is True."""
    states = [visit.state for visit in sample.visits]
    shared = _check_keys(sample.rules, states, notes)
    if shared:
        notes.advise(f"{where(sample.rules)}: {shared_keys(len(shared), len(states), shared[0])}")


def shared_keys(shared: int, states: int, such: str) -> str:
    """Return advice about equal keys: how many positions have the same key as another position, and an example.

    `shared` is the number of positions that have the same key as another position. `states` is the number of all
    positions. The string `such` describes one of the positions with a shared key as an example.
    """
    return (
        f"{shared:,} of {states:,} positions have the same key as another, such as {such}; searches and learned tables "
        "distinguish them by all fields, but solving requires different keys"
    )


def _check_keys(rules: Rules, states: list[State], notes: Notes) -> list[str]:
    """Check the keys of all states, and return descriptions of the states whose key an earlier state already has.

    If `injective(rules)` is True, different states must have different keys. In this case, each state with the key of
    an earlier state is recorded as a failure in `notes`, and the function returns an empty list.
    """
    with notes:
        if type(differ := injective(rules)) is not bool:
            raise ConformanceError(f"{where(rules)}: injective returned {differ!r}; must be True or False")
    state_of: dict[int, State] = {}
    shared = []
    for state in states:
        with notes:
            number = check_int(key(rules, state), "key returned", rules, state)
            other = state_of.setdefault(number, state)
            if other != state:
                both = same_key(rules, number, other)
                if differ:
                    raise ConformanceError(f"{where(rules, state)}: {both}; {DIFFER}")
                shared.append(f"{format_state(rules, state)!r}, whose {both}")
    return shared


def counts(sample: Sample, notes: Notes) -> None:
    """Check that `count`, if defined, is the number of listed moves."""
    rules = sample.rules
    if not provides(rules, "count"):
        return
    for visit in sample.visits:
        if visit.side in (0, 1):
            with notes:
                number = check_int(count(rules, visit.state), "count returned", rules, visit.state)
                if number != len(visit.moves):
                    place = where(rules, visit.state)
                    raise ConformanceError(
                        f"{place}: `count` returned {number}, but `moves` lists {len(visit.moves)}; both must agree"
                    )


def move_sets(sample: Sample, notes: Notes) -> None:
    """Check that `move_set`, if defined, contains the legal moves, and that `moves` lists them in ascending order."""
    rules = sample.rules
    if not provides(rules, "move_set"):
        return
    for visit in sample.visits:
        if visit.side in (0, 1):
            with notes:
                legal = check_int(move_set(rules, visit.state), "move_set returned", rules, visit.state)
                in_set = [move for move in range(legal.bit_length()) if legal >> move & 1]
                if in_set != list(visit.moves):
                    place = where(rules, visit.state)
                    raise ConformanceError(
                        f"{place}: `move_set` contains the moves {in_set}, but `moves` lists {list(visit.moves)}; both "
                        "must agree"
                    )


def symmetries(sample: Sample, notes: Notes) -> None:
    """Check that symmetries commute with moves, and preserve legal moves, the player to move and the result."""
    rules = sample.rules
    number = check_images(rules)
    visits = pick_evenly(sample.visits, SOME)
    for i in range(number):
        pairs = []
        for visit in visits:
            with notes:
                mirror_image = mirrored(rules, visit, i)
                if i == 0 and mirror_image != visit.state:
                    place = where(rules, visit.state)
                    raise ConformanceError(f"{place}: `image` 0 is {mirror_image}; must be the state itself")
                pairs.append((visit.state, mirror_image))
        with notes:
            back = ([image(rules, mirror_image, j) for _, mirror_image in pairs] for j in range(number))
            if [state for state, _ in pairs] not in back:
                raise ConformanceError(
                    f"{where(rules)}: `image` {i} has no inverse among the {number} symmetries; one of them must be "
                    "its inverse"
                )
        if i == 0:
            continue
        states = dict.fromkeys(
            [*(mirror_image for _, mirror_image in pairs), *(visit.state for visit in sample.visits)]
        )
        _check_keys(rules, [*states], notes)


def exchanges(sample: Sample, notes: Notes) -> None:
    """Check that `swapped`, if defined, exchanges the player to move and the winner, and is its own inverse.

    In a finished state, `swapped` must change the sign of the margin.
    """
    if not provides(sample.rules, "swapped"):
        return
    for visit in pick_evenly(sample.visits, SOME):
        with notes:
            _check_exchange(sample.rules, visit)


def _check_exchange(rules: Rules, visit: Visit) -> None:
    other = swapped(rules, visit.state)
    check_state(other, "swapped", rules, visit.state)
    seen, again = examine(rules, other), swapped(rules, other)
    side = visit.side if visit.side not in (0, 1) else 1 - visit.side
    wrong = ""
    if again != visit.state:
        wrong = f"`swapped` twice is {again}; must be the state itself"
    elif (seen.over, seen.side) != (visit.over, side):
        wrong = f"after `swapped`, is_over is {seen.over} and to_move {seen.side}; must be {visit.over} and {side}"
    elif visit.over and margin(rules, other) != -margin(rules, visit.state):
        wrong = f"after `swapped`, the margin is {margin(rules, other)}; must be {-margin(rules, visit.state)}"
    if wrong:
        raise ConformanceError(f"{where(rules, visit.state)}: {wrong}")


def numbering(sample: Sample, notes: Notes) -> None:
    """Check that the game's numbered positions are valid and distinct, and include the states of random games."""
    rules = sample.rules
    if not provides(rules, "positions"):
        return
    total = check_int(positions(rules), "positions returned", rules)
    numbers = list(range(total)) if total <= MAX_NUMBERED else pick_evenly(range(total), MAX_NUMBERED // 10)
    number_of: dict[State, int] = {}
    for number in numbers:
        with notes:
            state = position(rules, number)
            check_state(state, f"position {number}", rules)
            if number_of.setdefault(state, number) != number:
                raise ConformanceError(
                    f"{where(rules, state)}: has the position numbers {number_of[state]} and {number}; all positions "
                    f"must be distinct"
                )
    for state in pick_evenly(list(number_of), SOME):
        with notes:
            examine(rules, state)
            check_round_trip(rules, state)
    _check_keys(rules, list(number_of), notes)
    if len(numbers) == total:
        for visit in sample.visits:
            if visit.state not in number_of:
                place = where(rules, visit.state)
                notes.fail(f"{place}: not among the {total} numbered positions; every state must have a number")


def option_ends(sample: Sample, notes: Notes) -> None:
    """Check the rules with the smallest and the largest value of each option.

    If the values of an option are words, every word is tested. With each tested value, the rules must either start a
    game, or reject the value with a one-line error message.
    """
    for option, domain in options(type(sample.rules)).items():
        values = (domain.minimum, domain.maximum) if isinstance(domain, Range) else range(len(domain.words))
        for value in values:
            with notes:
                _check_option(sample.rules._replace(**{option: value}))


def _check_option(rules: Rules) -> None:
    try:
        check_rules(rules)
    except UsageError as error:
        if "\n" in str(error):
            raise ConformanceError(
                f"{where(rules)}: the options are rejected with {str(error)!r}; the message must be one line"
            ) from None
        return
    try:
        check_start(rules)
    except ValueError:
        return
    if is_over(rules, initial(rules)):
        raise ConformanceError(
            f"{where(rules, initial(rules))}: the game is over before its first move; let validate(rules) reject it"
        )
    examine(rules, initial(rules))
    check_round_trip(rules, initial(rules))


def names_of_seats(sample: Sample, notes: Notes) -> None:
    """Check that the players have two different names, each a single word."""
    names = seats(sample.rules)
    if not isinstance(names, tuple) or len(set(names)) != 2 or not all(str(name).isidentifier() for name in names):
        notes.fail(f"{where(sample.rules)}: seats returned {names!r}; must be two different words")


def constancy(sample: Sample, notes: Notes) -> None:
    """Check that a game repeats exactly if its moves are replayed, and that global variables do not change.

    The replayed moves must lead to the same states, with the same players to move, legal moves and probabilities of
    chance outcomes. Global variables that the game's functions may read must keep their values (see `globals_of`). The
    same applies to class attributes of the game.
    """
    rules = sample.rules
    after = globals_of(type(rules))
    for name, value in sample.globals.items():
        if after.get(name) != value:
            change = f"{name} was {value[:40]} and is {after.get(name, 'gone')[:40]} after some games"
            notes.fail(f"{where(rules)}: {change}; everything that changes must be in the state")
    for game in sample.games:
        with notes:
            _check_again(rules, game)


def _check_again(rules: Rules, game: Game) -> None:
    state = initial(rules)
    for i, visit in enumerate(game.visits):
        for name, now, before in zip(Visit._fields, examine(rules, state), visit, strict=True):
            if now != before:
                change = f"{name} was {before} when first played, and is {now} when played again"
                raise ConformanceError(f"{where(rules, visit.state)}: {change}; must be the same")
        if i < len(game.moves):
            state = play(rules, state, game.moves[i])


CHECKS: tuple[Callable[[Sample, Notes], None], ...] = (
    random_games,
    constancy,
    moves,
    chance,
    margins,
    final_scores,
    decisions,
    bounds_of_margins,
    scores_apart,
    keys,
    counts,
    move_sets,
    random_moves,
    kinds_of_moves,
    symmetries,
    exchanges,
    numbering,
    contents_of_squares,
    steps_of_moves,
    observations,
    texts_of_states,
    texts_of_moves,
    option_ends,
    names_of_seats,
)
"""All checks in plain Python. If a game of the sample failed, the checks use the states before the failure."""


def run_checks(rules: Rules, games: int = 100, seed: int = 0) -> Iterator[CheckResult]:
    """Play `games` (1 or more) random games from `seed` in plain Python, and run all checks on them.

    Each check reports all its failures and advice. If even the initial state is invalid, only the first check runs.
    """
    sample = draw_sample(rules, games, seed)
    for check in CHECKS:
        notes = Notes(rules)
        with notes:
            check(sample, notes)
        yield notes.result(check.__name__.replace("_", " "))
        if not sample.visits:
            return
