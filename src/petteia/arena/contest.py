"""A match in progress: its players, its settings, its results so far, and the blocks that are still to be played."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from petteia.arena.alternate import Conditions
from petteia.arena.balanced import draw_balanced
from petteia.arena.blocks import blocks
from petteia.arena.compiled import Compiled, compiled_players
from petteia.arena.openings import parse_openings
from petteia.arena.tally import Tally, total
from petteia.arena.task import Call, Task, code_of_games
from petteia.arena.workers import Workers
from petteia.core.clock import Clock, read_clock
from petteia.core.decision import Limit, check_amounts
from petteia.core.errors import UsageError
from petteia.core.hints import argument_with
from petteia.core.protocol import Rules, State
from petteia.core.protocol import seats as seat_names
from petteia.core.random import checked_seed
from petteia.foreign.trust import allowed
from petteia.players import Player, player
from petteia.players.player import BOTH_SEATS, UNLIMITED, check_limit, notices
from petteia.policies.play_games import MAX_PLIES, match_keys

SEATS = {"both": (0, 1), "fixed": (0, 0)}
"""the seats of the first-named player in games with even numbers and in games with odd numbers, by the argument
`seats`"""
TASK_SECONDS = 0.5
"""the intended duration of a task in seconds; a task takes longer if a single block does"""
MAX_GAMES = 1 << 16
"""the maximum number of games in a task, whose results are held in memory"""
GROWTH = 8
"""the maximum factor by which the number of games grows from one task to the next"""


class Terms(NamedTuple):
    """All options of a match except its two players; see `petteia.match`."""

    games: int = 100
    openings: str = "random:2"
    seats: str | None = None
    max_plies: int = MAX_PLIES
    limit: Limit = UNLIMITED
    clock: str | Clock | None = None
    seed: int = 0
    openings_seed: int | None = None
    position: str | State | None = None
    memory: int | None = None
    """the number of bytes that players may use to solve the game"""
    keeps_rows: bool = False
    keeps_moves: bool = False
    keeps_unrepeatable: bool = False
    """whether rows contain the moves if the games of the match cannot be repeated"""
    keeps_letters: bool = False


@dataclass
class Contest:
    """A match and the results of its finished games."""

    conditions: Conditions
    players: tuple[Player, Player]
    games: int
    """the number of games of the match"""
    call: Call | None
    """the description from which other processes create the players; None if they cannot create them"""
    compiled: Compiled | None
    """the policies for the compiled loop; None if games are driven from Python"""
    keeps_rows: bool
    is_timed: bool
    """whether a player can lose a game by a late move or has its own time limit; timed games do not share a core"""
    notes: list[str]
    """remarks for the user"""
    todo: deque[range] = field(default_factory=deque)
    """the blocks that are not yet given to a worker, in their order"""
    _parts: dict[int, Tally] = field(default_factory=dict)
    _size: int = 1

    @property
    def tally(self) -> Tally:
        """The results of all finished games, added up."""
        return total(self._parts[begin] for begin in sorted(self._parts))

    def cut(self, jobs: int) -> tuple[range, ...]:
        """Remove the blocks of the next task from the queue, and return these blocks.

        The first tasks contain few games, because the duration of a game is not known yet.
        """
        maximum = self._size if jobs == 1 else min(self._size, sum(map(len, self.todo)) // (2 * jobs))
        taken = [self.todo.popleft()]
        while self.todo and self.todo[0].start == taken[-1].stop and self.todo[0].stop - taken[0].start <= maximum:
            taken.append(self.todo.popleft())
        return tuple(taken)

    def task(self, taken: tuple[range, ...]) -> Task:
        """Return a task in which a worker plays the blocks `taken`."""
        conditions = self.conditions.of(range(taken[0].start, taken[-1].stop))
        return Task(conditions, taken, self.compiled is not None, self.keeps_rows)

    def add(self, taken: tuple[range, ...], tallies: Iterable[Tally], seconds: float) -> None:
        """Add the results of finished blocks to the results of the match.

        `taken` contains the finished blocks, each as a range of game numbers. `seconds` is the time in which a worker
        played these blocks. This time determines how many games later tasks contain.
        """
        for block, tally in zip(taken, tallies, strict=True):
            self._parts[block.start] = tally
        games = taken[-1].stop - taken[0].start
        self._size = min(int(games * TASK_SECONDS / max(seconds, 1e-6)), GROWTH * games, MAX_GAMES)

    def check_two(self) -> None:
        """Raise a UsageError if the same player object plays both seats."""
        if self.players[0] is self.players[1]:
            raise UsageError(
                "a player object cannot play against itself; give its text form twice, or create a second player"
            )

    def call_driven(self, jobs: int) -> Call:
        """Return a description of both players, from which each worker process can create the players.

        Raises a UsageError if the same player object plays both seats, if other processes cannot create the players or
        import the rules, or if the games of a player depend on each other. `jobs` is the number of workers, for the
        error messages.
        """
        self.check_two()
        first, second = self.players
        if self.call is None:
            name = (first if first.text is None else second).name
            raise UsageError(f"jobs={jobs}: player {name} must be given as text, so that each job can create its own")
        for each in self.players:
            if not each.independent:
                raise UsageError(f"jobs={jobs}: the games of player {each.name} depend on each other; use jobs=1")
        if type(self.conditions.rules).__module__ == "__main__":
            raise UsageError(
                f"jobs={jobs}: other processes cannot import a game of a script or notebook; move it to a module"
            )
        return self.call


def prepare(rules: Rules, first: object, second: object, terms: Terms, workers: Workers) -> Contest:
    """Prepare a match of two players with the options in `terms`. Raises the same errors as `petteia.match`."""
    games = terms.games
    check_counts(games=games, max_plies=terms.max_plies)
    keys = match_keys(checked_seed(terms.seed))
    if terms.openings_seed is not None:
        keys = keys._replace(opening=match_keys(checked_seed(terms.openings_seed)).opening)
    if terms.seats is not None and terms.seats not in SEATS:
        raise UsageError(f"seats={terms.seats!r}: must be one of {', '.join(SEATS)}")
    check_amounts(**terms.limit.amounts)
    clock = read_clock(terms.clock, terms.limit)
    check_counts(**({} if terms.memory is None else {"memory": terms.memory}))
    one, two = (player(each, rules, workers.children, memory=terms.memory) for each in (first, second))
    check_limit(terms.limit, one, two)
    seats_of_first, notes = _seats(rules, one, two, terms.seats)
    starts, plies, nodes = parse_openings(terms.openings, rules, terms.position)
    if nodes is not None:
        pairs = games if seats_of_first[0] == seats_of_first[1] else -(-games // 2)
        balanced = draw_balanced(rules, starts[0], plies, nodes, keys.opening, pairs)
        starts, plies = balanced.starts, 0
        notes.append(balanced.note(nodes))
    conditions = Conditions(
        rules,
        starts,
        plies,
        seats_of_first,
        terms.max_plies,
        terms.limit,
        keys,
        workers.children.allowance.grace,
        clock,
        keeps_letters=terms.keeps_letters,
    )
    notes += notices(one, two, limit=conditions.first_limit)
    is_timed = conditions.is_timed or any(each.is_timed(conditions.first_limit) for each in (one, two))
    is_repeatable = not is_timed and one.repeatable and two.repeatable
    keeps_moves = terms.keeps_moves or (terms.keeps_unrepeatable and not is_repeatable)
    if is_timed and workers.jobs > workers.cores:
        notes.append(
            f"{workers.jobs} jobs: only {workers.cores} run at a time, because timed games must not share a core"
        )
    if games % conditions.games_per_opening:
        games += 1
        notes.append(f"{games - 1} games are rounded up to {games}, as each opening is played from both sides")
    runs_free = terms.limit == UNLIMITED and clock is None and not keeps_moves
    return Contest(
        conditions._replace(keeps_moves=keeps_moves),
        (one, two),
        games,
        _call(rules, one, two, terms.memory, workers),
        compiled_players(rules, one, two) if runs_free else None,
        terms.keeps_rows or keeps_moves,
        is_timed,
        notes,
        deque(blocks(games, conditions.games_per_opening)),
    )


def _call(rules: Rules, one: Player, two: Player, memory: int | None, workers: Workers) -> Call | None:
    if one.text is None or two.text is None:
        return None
    children = workers.children
    match = secrets.token_hex(8)
    code = None if workers.cluster is None else code_of_games(rules, one, two)
    return Call(match, one.text, two.text, memory, children.allowance, children.in_process, allowed(), code)


def check_counts(**counts: int) -> None:
    """Raise a UsageError unless the value of each option, such as `games=100`, is a whole number of 1 or more."""
    for name, count in counts.items():
        if not hasattr(count, "__index__"):
            raise UsageError(f"{name}={count!r}: must be a whole number")
        if count < 1:
            raise UsageError(f"{name}={count}: must be 1 or more")


def _seats(rules: Rules, first: Player, second: Player, seats: str | None) -> tuple[tuple[int, int], list[str]]:
    """Return the seats of the first-named player, and messages for the user.

    The seats are a pair: the seat in games with even numbers, and the seat in games with odd numbers. Raises a
    UsageError if a player cannot play the seats that `seats` assigns to it. Also raises a
    UsageError if `seats` is None and both players can play only the same seat.
    """
    names = seat_names(rules)
    one_sided = [each for each in (first, second) if set(each.seats) != set(BOTH_SEATS)]
    if seats is None:
        if not one_sided:
            return SEATS["both"], []
        for seat in (0, 1):
            if seat in first.seats and 1 - seat in second.seats:
                notes = (f"player {each.name} only plays {names[each.seats[0]]}, in all games" for each in one_sided)
                return (seat, seat), list(notes)
        raise UsageError(
            f"players {first.name} and {second.name} both play {names[first.seats[0]]} only; replace one of them"
        )
    for each, fixed in ((first, 0), (second, 1)):
        if set(BOTH_SEATS if seats == "both" else (fixed,)) <= set(each.seats):
            continue
        can = each.seats[0]
        place = ("first", "second")[can]
        raise UsageError(
            f"player {each.name} only plays {names[can]}: give it as the {place} player with "
            f"{argument_with('seats', 'fixed')}, or leave seats out"
        )
    return SEATS[seats], []
