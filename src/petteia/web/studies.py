"""Analyses of positions, games and moves that run in the background, called studies.

A study is an analysis in the background, which reports each of its results as soon as it is found. A study is cached
for some time, and stops when no page shows it any more. By default, the values are exact if the whole game, or the game
from the analysed position on, can be solved quickly and with little memory. Otherwise a player computes the values.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TypeVar

from petteia.arena.analysis import Analysis, best
from petteia.arena.exact import EXACT, analyse_exactly, oracle_of
from petteia.arena.refutation import Refutation, refutation
from petteia.arena.review import ReviewedMove, review
from petteia.arena.valuation import SOLVING
from petteia.core.errors import InvalidError, PetteiaError, Stopped, UsageError
from petteia.core.names import format_game
from petteia.core.protocol import Rules, State, initial, legal, parse_state
from petteia.core.stop import Stop, check_stop
from petteia.player_processes.process import Children
from petteia.players import player as read_player
from petteia.playing.position import Position
from petteia.records.game_record import GameRecord
from petteia.solver.oracle import Oracle
from petteia.warming import late_position
from petteia.web.thinkers import Thinkers, within_budget
from petteia.web.time_limit import limited
from petteia.web.words import words

KNOWN = ""
"""The text that requests exact values instead of naming a player. If exact values cannot be computed, the values come
from a search."""
SEARCH, SEARCH_OF_GAME = "search:time=8", "search:time=0.4"
"""The players whose search is used if there are no exact values: for a single position, and for each position of a
game."""
BUDGET_OF_POSITION, BUDGET_OF_GAME, BUDGET_OF_SOLVING = 40.0, 120.0, 15.0
"""The time limits, in seconds: for the study of a position, for the study of a game, and for solving a game unless
`EXACT` is requested."""
LEFT = 3.0
"""The time, in seconds, after which a study ends if no page shows it."""
MAX_LINES, MAX_STUDIES, MAX_REFUSED = 60, 40, 1000
"""The maximum numbers of lines of a search, of cached studies, and of positions that are remembered because they cannot
be solved."""

Known = TypeVar("Known")


@dataclass(eq=False)
class Study:
    """An analysis that runs in the background, with its results so far. Any thread may read them."""

    analysis: Analysis | None = None
    """the analysis of the position; None if there is none yet"""
    moves: tuple[ReviewedMove, ...] = ()
    """the reviewed plies of a game"""
    refutation: Refutation | None = None
    """the explanation why a move is worse than the best move; None if there is none yet"""
    by: str = ""
    """the source of the values, as text"""
    trouble: str = ""
    """the reason why there is no result, as text; empty if there is none"""
    version: int = 0
    """a number that grows with each new result"""
    is_solving: bool = False
    """whether the study is solving the game at the moment"""
    was_slow: bool = False
    """whether solving took too long, so that a player computes the values"""
    is_done: bool = False
    was_left: bool = False
    """whether the study ended early because no page showed it"""
    stop: Stop = field(default_factory=Stop)
    seen_at: float = field(default_factory=time.monotonic)

    def tell(self) -> None:
        """Report a new result to the pages that show this study. If no page shows it any more, stop the study."""
        self.version += 1
        if time.monotonic() > self.seen_at + LEFT:
            self.end()

    def end(self) -> None:
        """Ask the study to stop before it is complete."""
        if not self.is_done:
            self.was_left = True
        self.stop.set()


class Studies:
    """The background analyses (studies) of the server. Each begins when a page first requests it."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._held: OrderedDict[tuple[str, ...], Study] = OrderedDict()
        self._refused: OrderedDict[tuple[str, State], UsageError] = OrderedDict()
        self._compiled = set[str]()
        self._lock = threading.Lock()

    def of_position(self, position: Position, by: str) -> Study:
        """Begin the analysis of a position in which a player is to move, or return the cached analysis.

        The string `by` selects how the values are computed. With `EXACT`, the game is solved. With `KNOWN`, the game is
        solved if this takes little time, and otherwise a search computes the values. Any other string is the text form
        of a player that computes the values.
        """
        rules, state = position.rules, position.state

        def work(study: Study) -> None:
            def tell(analysis: Analysis) -> None:
                study.analysis, study.by = analysis, analysis.player
                study.tell()

            if by == EXACT:
                tell(self._exactly(rules, state))
                return
            if by == KNOWN and (found := _if_quick(study, lambda: self._exactly(rules, state))):
                tell(found)
                return
            text = by or SEARCH
            lines = min(len(legal(rules, state)), MAX_LINES) if read_player(text, rules).tells_lines else 1
            tell(best(rules, position=state, player=text, lines=lines, progress=tell))

        return self._study(("position", format_game(rules), position.text, by), BUDGET_OF_POSITION, work, rules)

    def of_game(self, game: GameRecord, by: str) -> Study:
        """Begin the review of a game, which computes the regret of each move, or return the cached review.

        The string `by` selects how the values are computed. With `EXACT`, the game is solved. With `KNOWN`, the game is
        solved if this takes little time, and otherwise a search computes the values. Any other string is the text form
        of a player that computes the values.
        """

        def work(study: Study) -> None:
            def tell(move: ReviewedMove) -> None:
                study.moves = (*study.moves, move)
                study.tell()

            study.by = by
            if by == KNOWN:
                is_solved = _if_quick(study, lambda: self._oracle(game.rules, game.start)) is not None
                study.by = EXACT if is_solved else SEARCH_OF_GAME
            review(game, by=study.by, memory=SOLVING, progress=tell)

        return self._study(("game", format_game(game.rules), game.write(), by), BUDGET_OF_GAME, work, game.rules)

    def of_move(self, position: Position, by: str, analysis: Analysis, move: str) -> Study:
        """Begin to explain why `move` is worse than the best move of `analysis`, or return the cached study.

        `by` is the text form of the player that computed the values of `analysis`, or `KNOWN` for a search. If the
        values of `analysis` are exact, `by` is ignored.
        """
        rules = position.rules

        def work(study: Study) -> None:
            with Children() as children:
                thinker = None if analysis.player == EXACT else read_player(by or SEARCH, rules, children)
                study.refutation = refutation(rules, position.state, thinker, analysis, move)

        return self._study(("move", format_game(rules), position.text, by, move), BUDGET_OF_POSITION, work, rules)

    def leave(self, study: Study) -> None:
        """Record that a page that shows the analysis was closed. The analysis stops if no page shows it again soon."""

        def end() -> None:
            if time.monotonic() > study.seen_at + LEFT:
                study.end()

        timer = threading.Timer(LEFT + 0.1, end)
        timer.daemon = True
        timer.start()

    def close(self) -> None:
        """Stop all background analyses."""
        with self._lock:
            for study in self._held.values():
                study.end()
        self._thinkers.close()

    def _study(self, key: tuple[str, ...], budget: float, work: Callable[[Study], None], rules: Rules) -> Study:
        """Return the cached analysis with this key, or begin a new one that calls `work` in a thread.

        The work is stopped after `budget` seconds.
        """
        with self._lock:
            study = self._held.get(key)
            if study is not None and not study.was_left:
                study.seen_at = time.monotonic()
                self._held.move_to_end(key)
                return study
            study = self._held[key] = Study()
            while len(self._held) > MAX_STUDIES:
                self._held.popitem(last=False)[1].end()

        def run() -> None:
            try:
                self._compile(study, rules)
                with within_budget(study.stop, budget):
                    limited(lambda: work(study))
            except Stopped:
                study.trouble = "" if study.analysis or study.moves else words()["nothing_in_time"]
            except PetteiaError as error:
                study.trouble = str(error)
            except Exception as error:  # custom code can raise any error
                study.trouble = f"{type(error).__name__}: {error}"
            study.is_done = True
            study.version += 1

        try:
            self._thinkers.submit(run)
        except UsageError as error:
            study.trouble, study.is_done = str(error), True
        return study

    def _compile(self, study: Study, rules: Rules) -> None:
        """Compile the code that solves games, by solving a position near the end of a game.

        The code is compiled in advance, because the compilation would otherwise use up the time limit of the study.
        """
        name = format_game(rules)
        if name in self._compiled:
            return
        with _solving(study), suppress(Exception):  # custom code can raise any error; the study itself reports it
            late = parse_state(rules, late_position(rules))
            analyse_exactly(oracle_of(rules, late, SOLVING), late)
        self._compiled.add(name)

    def _exactly(self, rules: Rules, state: State) -> Analysis:
        """Return the exact values of the moves in a position.

        The whole game is solved if possible, and otherwise only the game from `state` on.

        Raises UsageError if even the game from `state` on is too large to be solved.
        """
        try:
            return analyse_exactly(self._oracle(rules, initial(rules)), state)
        except (UsageError, InvalidError):  # too large, or the position cannot be reached from the first one
            return analyse_exactly(self._oracle(rules, state), state)

    def _oracle(self, rules: Rules, start: State) -> Oracle:
        key = (format_game(rules), start)
        if key in self._refused:
            raise self._refused[key]
        try:
            return oracle_of(rules, start, SOLVING)
        except UsageError as error:
            self._refused[key] = error
            while len(self._refused) > MAX_REFUSED:
                self._refused.popitem(last=False)
            raise


@contextmanager
def _solving(study: Study) -> Iterator[None]:
    """Context manager that sets `study.is_solving`, so that pages report that the game is being solved."""
    study.is_solving = True
    study.version += 1
    try:
        yield
    finally:
        study.is_solving = False


def _if_quick(study: Study, solve: Callable[[], Known]) -> Known | None:
    """Call `solve` and return its result, or None if the game cannot be solved or the time limit is exceeded."""
    try:
        with _solving(study), within_budget(Stop(), BUDGET_OF_SOLVING):
            return solve()
    except UsageError:
        return None
    except Stopped:
        check_stop()  # raises it again if the whole study is to end
        study.was_slow = True
        return None
