"""The promises of the protocol as checks of any game, in plain Python.

`CHECKS` are functions that take a sample of random games (`draw_sample`) and raise `ConformanceError` with one line;
`run_checks` runs them all. What compiled code makes of a game is compared in `comparison`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from petteia.core.errors import UsageError
from petteia.core.near_misses import near_misses
from petteia.core.options import Range, check_rules, options
from petteia.core.protocol import (
    Rules,
    State,
    count,
    decided,
    format_move,
    format_state,
    image,
    image_move,
    images,
    initial,
    injective,
    is_over,
    key,
    margin,
    parse_move,
    parse_state,
    play,
    position,
    positions,
    provides,
    random_move,
    seats,
    swapped,
)
from petteia.core.random import stream
from petteia.core.sample import (
    ConformanceError,
    Sample,
    Visit,
    check_int,
    check_state,
    draw_sample,
    examine,
    explain,
    globals_of,
    spread,
    successor,
    where,
)

SOME, FEW = 300, 20  # visits looked at where a check is cheap, and where it is not
MOST_NUMBERED = 100_000  # positions up to which all of them are listed
DRAWS = 60  # random moves a legal move


class CheckResult(NamedTuple):
    """What a check found."""

    name: str
    passed: bool
    message: str
    """one line that says what is wrong; if passed, advice, or empty"""


def random_games(sample: Sample) -> None:
    """States are made of ints, moves are distinct and within limits, games end."""
    if sample.trouble is not None:
        raise ConformanceError(sample.trouble)


def moves(sample: Sample) -> None:
    """Every listed move can be played and leads to a state that keeps the protocol."""
    for visit in spread(sample.visits, SOME):
        for move in spread(visit.moves, 100):
            examine(sample.rules, successor(sample.rules, visit.state, move))


def margins(sample: Sample) -> None:
    """A finished game has a margin."""
    for visit in sample.visits:
        if visit.over:
            found = margin(sample.rules, visit.state)
            check_int(found, "margin returned", sample.rules, visit.state, least=-(1 << 63) + 1)


def decisions(sample: Sample) -> None:
    """Where the winner is said to be certain, it is the one who wins; a finished game is decided."""
    for game in sample.games:
        for visit in game.visits:
            certain = decided(sample.rules, visit.state)
            if type(certain) is not bool or (visit.over and not certain):
                expected = "True, as the game is over" if visit.over else "True or False"
                place = where(sample.rules, visit.state)
                raise ConformanceError(f"{place}: decided returned {certain!r}; must be {expected}")
            if certain and game.ended:
                now, final = margin(sample.rules, visit.state), margin(sample.rules, game.visits[-1].state)
                if _sign(now) != _sign(final):
                    expected = f"{final}, with which a game from here ended"
                    place = where(sample.rules, visit.state)
                    raise ConformanceError(f"{place}: decided with margin {now}; must have the sign of {expected}")


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def keys(sample: Sample) -> None:
    """Keys are ints of 63 bits, different for different states if the rules say so."""
    _check_keys(sample.rules, [visit.state for visit in sample.visits])


def _check_keys(rules: Rules, states: list[State]) -> None:
    if type(differ := injective(rules)) is not bool:
        raise ConformanceError(f"{where(rules)}: injective returned {differ!r}; must be True or False")
    found: dict[int, State] = {}
    for state in states:
        number = check_int(key(rules, state), "key returned", rules, state)
        other = found.setdefault(number, state)
        if differ and other != state:
            both = f"{where(rules, state)}: key {number} is also that of {format_state(rules, other)!r}"
            raise ConformanceError(f"{both}; must differ, as injective(rules) is True")


def counts(sample: Sample) -> None:
    """`count`, if defined, is the number of moves listed."""
    if not provides(sample.rules, "count"):
        return
    for visit in sample.visits:
        if visit.side in (0, 1):
            found = check_int(count(sample.rules, visit.state), "count returned", sample.rules, visit.state)
            if found != len(visit.moves):
                raise ConformanceError(
                    f"{where(sample.rules, visit.state)}: count is {found}; moves lists {len(visit.moves)}"
                )


def random_moves(sample: Sample) -> None:
    """`random_move`, if defined, draws legal moves, all equally often (by a chi-squared test with a wide margin)."""
    rules = sample.rules
    if not provides(rules, "random_move"):
        return
    for number, visit in enumerate(spread([visit for visit in sample.visits if visit.side in (0, 1)], FEW)):
        random = [stream(0, number)]
        drawn = dict.fromkeys(visit.moves, 0)
        for _ in range(DRAWS * len(drawn)):
            move = random_move(rules, visit.state, random)
            if type(move) is not int or move not in drawn:
                raise ConformanceError(
                    f"{where(rules, visit.state, move)}: random_move drew {move!r}, which moves does not list"
                )
            drawn[move] += 1
        distance = sum((times - DRAWS) ** 2 / DRAWS for times in drawn.values())
        if distance > len(drawn) + 8 * len(drawn) ** 0.5 + 20:
            worst = max(drawn, key=lambda move: abs(drawn[move] - DRAWS))
            found = f"random_move drew it {drawn[worst]} times in {DRAWS * len(drawn)}; must be about {DRAWS}"
            raise ConformanceError(f"{where(rules, visit.state, worst)}: {found}, as all moves are equally likely")


def symmetries(sample: Sample) -> None:
    """Playing and mirroring can be exchanged; a mirrored state has the mirrored moves, the same player and result."""
    rules = sample.rules
    number = check_int(images(rules), "images returned", rules)
    if number < 1:
        raise ConformanceError(f"{where(rules)}: images returned 0; must be 1 or more, as the identity is one of them")
    visits = spread(sample.visits, SOME)
    mirrored = [[_mirror(rules, visit, i) for visit in visits] for i in range(number)]
    for visit, found in zip(visits, mirrored[0], strict=True):
        if found != visit.state:
            raise ConformanceError(f"{where(rules, visit.state)}: image 0 is {found}; must be the state itself")
    for i, states in enumerate(mirrored):
        back = [[image(rules, state, j) for state in states] for j in range(number)]
        if [visit.state for visit in visits] not in back:
            raise ConformanceError(
                f"{where(rules)}: image {i} is undone by none of the {number} images; one of them must"
            )
        _check_keys(rules, [*dict.fromkeys([*states, *(visit.state for visit in sample.visits)])])


def _mirror(rules: Rules, visit: Visit, i: int) -> State:
    """Image `i` of the state visited; ConformanceError if it does not behave as the state does."""
    mirrored = image(rules, visit.state, i)
    check_state(mirrored, f"image {i}", rules, visit.state)
    seen = examine(rules, mirrored)
    shares = dict(zip(visit.moves, visit.probabilities, strict=False))
    mirrored_shares = dict(zip(seen.moves, seen.probabilities, strict=False))
    same: dict[str, tuple[Any, Any]] = {
        "is_over": (seen.over, visit.over),
        "to_move": (seen.side, visit.side),
        "decided": (decided(rules, mirrored), decided(rules, visit.state)),
        "moves": (sorted(seen.moves), sorted(image_move(rules, move, i) for move in visit.moves)),
        "chances": (mirrored_shares, {image_move(rules, move, i): share for move, share in shares.items()}),
    }
    if visit.over:
        same["margin"] = (margin(rules, mirrored), margin(rules, visit.state))
    for name, (found, expected) in same.items():
        if found != expected:
            place = f"{where(rules, visit.state)}: image {i} is {format_state(rules, mirrored)!r}"
            raise ConformanceError(f"{place}: {name} gives {found}; must be {expected}")
    for move in spread(visit.moves, 30):
        expected = image(rules, play(rules, visit.state, move), i)
        found = play(rules, mirrored, image_move(rules, move, i))
        if found != expected:
            what = f"image {i}, then its move, leads to {format_state(rules, found)!r}"
            then = f"the move, then its image, to {format_state(rules, expected)!r}; must be the same"
            raise ConformanceError(f"{where(rules, visit.state, move)}: {what}, and {then}")
    return mirrored


def exchanges(sample: Sample) -> None:
    """`swapped`, if defined, exchanges who is to move and who wins, and undoes itself."""
    rules = sample.rules
    if not provides(rules, "swapped"):
        return
    for visit in spread(sample.visits, SOME):
        other = swapped(rules, visit.state)
        check_state(other, "swapped", rules, visit.state)
        seen, again = examine(rules, other), swapped(rules, other)
        side = visit.side if visit.side not in (0, 1) else 1 - visit.side
        wrong = ""
        if again != visit.state:
            wrong = f"swapped twice is {again}; must be the state itself"
        elif (seen.over, seen.side) != (visit.over, side):
            wrong = f"swapped has is_over {seen.over}, to_move {seen.side}; must be {visit.over}, {side}"
        elif visit.over and margin(rules, other) != -margin(rules, visit.state):
            wrong = f"swapped has margin {margin(rules, other)}; must be {-margin(rules, visit.state)}"
        if wrong:
            raise ConformanceError(f"{where(rules, visit.state)}: {wrong}")


def numbering(sample: Sample) -> None:
    """Numbered positions are distinct states that keep the protocol, and every state met is among them."""
    rules = sample.rules
    if not provides(rules, "positions"):
        return
    total = check_int(positions(rules), "positions returned", rules)
    numbers = list(range(total)) if total <= MOST_NUMBERED else spread(range(total), MOST_NUMBERED // 10)
    found: dict[State, int] = {}
    for number in numbers:
        state = position(rules, number)
        check_state(state, f"position {number}", rules)
        if found.setdefault(state, number) != number:
            raise ConformanceError(
                f"{where(rules, state)}: is position {found[state]} and {number}; all must be distinct"
            )
    for state in spread(list(found), SOME):
        examine(rules, state)
        _check_round_trip(rules, state)
    _check_keys(rules, list(found))
    if len(numbers) == total:
        for visit in sample.visits:
            if visit.state not in found:
                raise ConformanceError(
                    f"{where(rules, visit.state)}: is none of the {total} positions; every state must be"
                )


def texts_of_states(sample: Sample) -> None:
    """`parse_state` undoes `format_state`, and refuses what is nearly such a text, or reads it as exactly that."""
    rules = sample.rules
    for visit in spread(sample.visits, 1000):
        _check_round_trip(rules, visit.state)
    for visit in spread(sample.visits, FEW):
        for text in near_misses(format_state(rules, visit.state)):
            state = _parsed(rules, f"parse_state of {text!r}", parse_state, rules, text)
            if state is None:
                continue
            check_state(state, f"parse_state of {text!r}", rules)
            if format_state(rules, state) != text:
                again = f"a state whose text is {format_state(rules, state)!r}"
                raise ConformanceError(f"{where(rules)}: parse_state reads {text!r} as {again}; must be a ValueError")
            examine(rules, state)


def _check_round_trip(rules: Rules, state: State) -> None:
    text = format_state(rules, state)
    if type(text) is not str or not text.isprintable() or text != text.strip() or not text:
        raise ConformanceError(f"{where(rules, state)}: format_state returned {text!r}; must be one line of text")
    try:
        again = parse_state(rules, text)
    except ValueError as error:
        raise ConformanceError(f"{where(rules, state)}: parse_state refuses its text: {error}") from None
    if again != state or type(again) is not type(state):
        raise ConformanceError(f"{where(rules, state)}: parse_state of its text is {again!r}; must be {state!r}")
    check_state(again, "parse_state", rules, state)


def _parsed(rules: Rules, what: str, parse: Callable[..., Any], *arguments: Any) -> Any:
    """What `parse` returns; None if it refuses with a ValueError of one line."""
    try:
        return parse(*arguments)
    except ValueError as error:
        if not str(error).strip() or "\n" in str(error):
            raise ConformanceError(f"{where(rules)}: {what} raised {error!r}; its message must be one line") from None
    except Exception as error:  # a user's parser can raise anything
        raise ConformanceError(f"{where(rules)}: {what} raised {error!r}; must be a ValueError") from None
    return None


def texts_of_moves(sample: Sample) -> None:
    """`parse_move` undoes `format_move` on legal moves and outcomes, and refuses all other text."""
    rules = sample.rules
    elsewhere: dict[str, None] = {}
    for visit in spread(sample.visits, SOME):
        for move in visit.moves:
            text = format_move(rules, visit.state, move)
            if type(text) is not str or not text.isprintable() or not text or " " in text:
                place = where(rules, visit.state, move)
                raise ConformanceError(f"{place}: format_move returned {text!r}; must be text without spaces")
            if (again := parse_move(rules, visit.state, text)) != move or type(again) is not int:
                place = where(rules, visit.state, move)
                raise ConformanceError(f"{place}: parse_move of {text!r} is {again!r}; must be {move}")
            elsewhere[text] = None
    others = spread(list(elsewhere), FEW)
    for visit in spread(sample.visits, FEW):
        legal = [format_move(rules, visit.state, move) for move in visit.moves]
        for text in [*others, *(near for each in spread(legal, 3) for near in near_misses(each))]:
            if text not in legal:
                move = _parsed(rules, f"parse_move of {text!r}", parse_move, rules, visit.state, text)
                if move is not None:
                    found = f"parse_move reads {text!r}, which is not legal, as {move!r}; must be a ValueError"
                    raise ConformanceError(f"{where(rules, visit.state)}: {found}")


def option_ends(sample: Sample) -> None:
    """Each option at the ends of its range starts a game or is refused in one line."""
    for option, domain in options(type(sample.rules)).items():
        values = (domain.least, domain.most) if isinstance(domain, Range) else range(len(domain.words))
        for value in values:
            rules = sample.rules._replace(**{option: value})
            try:
                check_rules(rules)
            except UsageError as error:
                if "\n" in str(error):
                    raise ConformanceError(f"{where(rules)}: refused with {str(error)!r}; must be one line") from None
                continue
            if is_over(rules, initial(rules)):
                raise ConformanceError(
                    f"{where(rules, initial(rules))}: over before it begins; let validate(rules) refuse it"
                )
            examine(rules, initial(rules))
            _check_round_trip(rules, initial(rules))


def names_of_seats(sample: Sample) -> None:
    """The players are called by two different words."""
    names = seats(sample.rules)
    if not isinstance(names, tuple) or len(set(names)) != 2 or not all(str(name).isidentifier() for name in names):
        raise ConformanceError(f"{where(sample.rules)}: seats returned {names!r}; must be two different words")


def constancy(sample: Sample) -> None:
    """The same games played again give the same states and moves, and nothing outside the states has changed."""
    rules = sample.rules
    after = globals_of(type(rules))
    for name, value in sample.globals.items():
        if after.get(name) != value:
            change = f"{name} was {value[:40]} and is {after.get(name, 'gone')[:40]} after some games"
            raise ConformanceError(f"{where(rules)}: {change}; all that changes must be in the state")
    for game in sample.games:
        state = initial(rules)
        for i, visit in enumerate(game.visits):
            for name, now, before in zip(Visit._fields, examine(rules, state), visit, strict=True):
                if now != before:
                    change = f"{name} was {before} when first played, and is {now} when played again"
                    raise ConformanceError(f"{where(rules, visit.state)}: {change}; must be the same")
            if i < len(game.moves):
                state = play(rules, state, game.moves[i])


CHECKS: tuple[Callable[[Sample], None], ...] = (
    *(random_games, constancy, moves, margins, decisions, keys, counts, random_moves, symmetries, exchanges),
    *(numbering, texts_of_states, texts_of_moves, option_ends, names_of_seats),
)
"""All checks; what the others look at is sound only if the first passes."""


def run_checks(rules: Rules, games: int = 100, seed: int = 0) -> Iterator[CheckResult]:
    """Play `games` (1 or more) random games from `seed` in plain Python and check all that `rules` promises.

    Stops after the first check if the games themselves cannot be played.
    """
    sample = draw_sample(rules, games, seed)
    for check in CHECKS:
        message = ""
        try:
            check(sample)
        except Exception as error:  # a user's rules can raise anything
            message = explain(rules, error)
        yield CheckResult(check.__name__.replace("_", " "), not message, message)
        if sample.trouble is not None:
            return
