"""Players that search: `greedy:depth=3` and `search:time=1`."""

from __future__ import annotations

from petteia.core.decision import Decision, Limit
from petteia.core.errors import UsageError
from petteia.core.protocol import Rules, State, to_move
from petteia.core.random import RandomState
from petteia.features.evaluation import Evaluation
from petteia.features.evaluations import evaluation_for, notice_of_default
from petteia.players.player import UNLIMITED, Player, PolicyPlayer
from petteia.players.search_options import (
    GreedyOptions,
    SearchOptions,
    draws_of,
    ends_of,
    megabytes_of,
    parts_of,
    thresholds_of,
    verification_of,
)
from petteia.players.thresholds import Thresholds, third_of
from petteia.players.time_managers import MANAGERS, Manager
from petteia.players.time_share import MARGIN, prepare, share
from petteia.policies.policy import for_thread
from petteia.policies.search_policy import SearchPolicy, compile_search, look, search_policy
from petteia.provenance.live import Parts
from petteia.provenance.reach import dependencies
from petteia.search.alpha_beta import EXACT_DEPTH, ORDER, PVS, TIES
from petteia.search.chance import STAR1, STAR2
from petteia.search.memory import NO_MOVE, NODES, STOP, clear, stoppable
from petteia.search.root import pick
from petteia.search.searcher import (
    MEGABYTES,
    Patience,
    Progress,
    Searcher,
    Thought,
    check_depth,
    points,
)

SECONDS = 3.0
"""the default time limit for a move, in seconds"""


class GreedyPlayer(PolicyPlayer):
    """A player that searches to a fixed depth in compiled code, and reports the expected value of its move.

    A depth limit replaces the player's own depth. With a node limit, a time limit or a clock, the player searches by
    iterative deepening. Its option `depth`, if given, is then the maximum depth.
    """

    takes_limit = True
    tells_lines = True
    _policy: SearchPolicy
    _game: tuple[Rules, int]

    def __init__(self, policy: SearchPolicy, name: str, options: GreedyOptions) -> None:
        super().__init__(policy, name)
        self._options = options
        self._limited: tuple[tuple[Limit, bool], Player] | None = None
        self._teller: tuple[int | None, SearchPlayer] | None = None

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation that the search uses at its leaves."""
        return self._policy.evaluation

    def adviser(self) -> Player:
        """Return a player that gives hints according to the same evaluation, with its own work arrays."""
        return GreedyPlayer(for_thread(self._policy), self.name, self._options)

    def new_game(self, rules: Rules, seed: int) -> None:
        """Begin a game, clear earlier results, and compile the search if necessary.

        `seed` is the initial state of the random number generator.
        """
        super().new_game(rules, seed)
        if self._policy.memory.counters[NODES]:
            clear(self._policy.memory)
        compile_search(self._policy, rules)
        self._game = (rules, seed)
        if self._limited is not None:  # now, because it takes time
            self._limited[1].new_game(*self._game)

    def expect(self, rules: Rules, start: State, limit: Limit) -> None:
        """Prepare the search for games that start in `start`, with the limits `limit`."""
        if limit != UNLIMITED:
            self._rules, self._game = rules, (rules, 0)
            self._within(limit).expect(rules, start, limit._replace(depth=None))

    def choose(self, state: State, limit: Limit) -> Decision:
        """Search to the fixed depth, or within `limit` if a limit is given, and return the chosen move.

        If the search to the fixed depth is stopped before it is complete, its values do not determine the best move.
        The player then searches to a depth of one ply instead.
        """
        if limit != UNLIMITED:
            return self._within(limit).choose(state, limit._replace(depth=None))
        policy, root = self._policy, self._policy.root
        with stoppable(policy.memory):
            look(policy, self._rules, state)
        if policy.memory.counters[STOP]:  # values of some moves do not determine the best move
            policy = policy._replace(depth=1)
            look(policy, self._rules, state)
        best = pick(root, self._random, bool(policy.options & TIES))
        value = int(root.values[best])
        rest = root.pvs[best].tolist()
        return Decision(
            int(root.moves[best]),
            points(policy.evaluation, self._rules, value if to_move(self._rules, state) == 0 else -value),
            depth=policy.depth,
            nodes=int(policy.memory.counters[NODES]),
            line=(int(root.moves[best]), *rest[: rest.index(NO_MOVE)]),
        )

    def analyse(self, state: State, limit: Limit, *, lines: int = 1, progress: Progress | None = None) -> Thought:
        """Analyse a state. If `lines` is above 1, an iterative deepening search with the same evaluation is used."""
        if lines == 1:
            return super().analyse(state, limit, progress=progress)
        is_limited = limit.nodes is not None or limit.seconds is not None
        depth = limit.depth or (self._options.depth if is_limited else self._policy.depth)
        if self._teller is None or self._teller[0] != depth:
            self._teller = (depth, self._searching(depth))
        teller = self._teller[1]
        teller.new_game(*self._game)
        return teller.analyse(state, limit._replace(depth=None), lines=lines, progress=progress)

    def explained(self, line: tuple[int, ...]) -> tuple[int, ...]:
        """Return only the first move of `line`, because the effect of this move explains the player's choice."""
        return line[:1]

    def _within(self, limit: Limit) -> Player:
        """Return a player with the same evaluation that continues the current game and searches within `limit`."""
        kind = (limit.of_move, limit.remaining is not None)
        if self._limited is None or self._limited[0] != kind:
            self._limited = (kind, self._made(limit))
            self._limited[1].new_game(*self._game)
        return self._limited[1]

    def _made(self, limit: Limit) -> Player:
        policy, table = self._policy, self._options.table
        if limit == Limit(depth=limit.depth):
            depth = check_depth(limit.depth or 1)
            policy = search_policy(
                self._rules,
                policy.evaluation,
                depth=depth,
                options=policy.options,
                megabytes=megabytes_of(table, 0),
                draws=policy.draws,
                parts=policy.parts,
            )
            return GreedyPlayer(policy, self.name, self._options)
        return self._searching(limit.depth or self._options.depth)

    def _searching(self, depth: int | None) -> SearchPlayer:
        """Create a player with iterative deepening and the same evaluation. `depth` is the maximum depth, if given."""
        policy = self._policy
        searcher = Searcher(
            self._rules,
            policy.evaluation,
            options=policy.options,
            megabytes=megabytes_of(self._options.table, MEGABYTES),
            draws=policy.draws,
            parts=policy.parts,
        )
        return SearchPlayer(self.name, self._rules, searcher, Limit(depth=depth))


class SearchPlayer(Player):
    """A player that searches by iterative deepening up to a limit.

    The fields that are set in the argument `limit` of `choose`, such as `nodes`, replace the player's own limits.
    """

    plays_legally = True
    takes_limit = True
    tells_lines = True

    def __init__(
        self,
        name: str,
        rules: Rules,
        searcher: Searcher,
        limit: Limit,
        manager: Manager = MANAGERS["even"],
        margin: float = MARGIN,
        thresholds: Thresholds = (),
    ) -> None:
        """Create a player. `limit` contains its default limits, which apply unless a call of `choose` replaces them.

        `manager` divides the time on a clock among the moves, and `margin` is the safety margin per move in seconds.
        `thresholds` contains a threshold of the quiescence search for each third of the game: the largest change of the
        evaluation by a quiet move. If `thresholds` is empty, the threshold does not change during the game.
        """
        self.name = name
        self._searcher = searcher
        self._limit = limit
        self._manager = manager
        self._margin = margin
        self._thresholds = thresholds
        self._rules = rules
        self._random: RandomState = [0]

    def new_game(self, rules: Rules, seed: int) -> None:
        """Begin a game, and clear the results of the last game."""
        self._random[0] = seed
        self._searcher.clear()

    def expect(self, rules: Rules, start: State, limit: Limit) -> None:
        """Compile in advance the functions that estimate the number of remaining moves, to save time on the clock."""
        prepare(rules, start, limit)
        if self._thresholds:
            third_of(rules, start)

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation that the search uses at its leaves."""
        return self._searcher.evaluation

    def notices(self, limit: Limit) -> tuple[str, ...]:
        """Return the player's messages that the user sees before games, such as a message on the default time limit."""
        if not self._has_default(limit):
            return super().notices(limit)
        gets = f"player {self.name}: no limit of time, depth or nodes is given; it uses {SECONDS:g} seconds per move"
        return (gets, *super().notices(limit))

    def is_timed(self, limit: Limit) -> bool:
        """Return whether `limit`, the player's options or the default contain a time limit for the search."""
        return self._within(limit).seconds is not None

    def _has_default(self, limit: Limit) -> bool:
        return limit == self._limit == UNLIMITED

    def choose(self, state: State, limit: Limit) -> Decision:
        """Return the best move found within the limits. Without any limit, the search takes three seconds."""
        thought = self._think(state, limit)
        if thought.was_interrupted:
            raise KeyboardInterrupt
        best = thought.variations[0]
        return Decision(
            move=best.moves[0],
            value=best.value,
            depth=thought.depth,
            nodes=thought.nodes,
            seconds=thought.seconds,
            line=best.moves,
            values=thought.values,
        )

    def dependencies(self, rules: Rules) -> Parts:
        """Return digests of the code of this player, of its evaluation, and of the components of its search."""
        return dependencies(type(self), self._searcher.evaluation, self._searcher.parts, self._searcher.verification)

    def analyse(self, state: State, limit: Limit, *, lines: int = 1, progress: Progress | None = None) -> Thought:
        """Analyse a state under the same limits as `choose`.

        In games with chance nodes, the analysis also finds wins that no outcome of chance can prevent.
        """
        return self._think(state, limit, multipv=lines, progress=progress, certainty=True)

    def _within(self, limit: Limit) -> Limit:
        """Return `limit` with unset fields filled from the player's own limits, or three seconds if no limit is set."""
        return Limit(seconds=SECONDS) if self._has_default(limit) else limit.over(self._limit)

    def _think(
        self,
        state: State,
        limit: Limit,
        *,
        multipv: int = 1,
        progress: Progress | None = None,
        certainty: bool = False,
    ) -> Thought:
        within = self._within(limit)
        if self._thresholds:
            self._searcher.set_threshold(self._thresholds[third_of(self._rules, state)])
        return self._searcher.search(
            state,
            within.of_move,
            multipv=multipv,
            random=self._random,
            progress=progress,
            patience=None if within.remaining is None else self.patience(state, within),
            certainty=certainty,
        )

    def patience(self, state: State, limit: Limit) -> Patience:
        """Return a function that determines, after each search depth, the total time for the move.

        `limit` contains the time left on the player's clock. The time for the move is a part of this time.
        """
        given, side = share(self._rules, state, limit, self._margin), to_move(self._rules, state)
        return lambda found: self._manager.seconds(given, found, side)

    def adviser(self) -> Player:
        """Return a player that gives hints. It has the same options and its own transposition table."""
        searcher = self._searcher
        other = Searcher(
            self._rules,
            searcher.evaluation,
            options=searcher.options,
            megabytes=searcher.megabytes,
            draws=searcher.draws,
            parts=searcher.parts,
            verification=searcher.verification,
        )
        adviser = SearchPlayer(
            self.name, self._rules, other, self._limit, self._manager, self._margin, self._thresholds
        )
        adviser.notice = self.notice
        return adviser


def make_greedy(options: GreedyOptions, rules: Rules, name: str) -> Player:
    """Create the player `greedy`. Raises UsageError for options that exclude each other."""
    evaluation = evaluation_for(rules, options.evaluation)
    player = greedy_player(evaluation, options, rules, name)
    player.notice = _notice(options.evaluation, rules, evaluation)
    return player


def _notice(given: str | None, rules: Rules, evaluation: Evaluation) -> str | None:
    return notice_of_default(rules, evaluation) if given is None else None


def greedy_player(
    evaluation: Evaluation, options: GreedyOptions, rules: Rules, name: str, *, ends: int = 0
) -> GreedyPlayer:
    """Create a player that searches to a fixed depth and evaluates positions by `evaluation`.

    Raises UsageError for options that are invalid, that exclude each other, or that have no effect.

    The keyword argument `ends` determines how the search scores finished games. With BY_VALUE, the score is the
    evaluation of the last position, and the options `won`, `early`, `decided` and `draws` must not be given. With
    BY_RESULT, a win in a game with chance nodes counts as one point, unless the option `won=no` is given. With 0, the
    options and the game determine the score.
    """
    policy = search_policy(
        rules,
        evaluation,
        depth=check_depth(1 if options.depth is None else options.depth),
        options=ends_of(options, rules, name, ends) | EXACT_DEPTH | ORDER | TIES | STAR1 | STAR2,
        megabytes=megabytes_of(options.table, 0),
        draws=draws_of(options.draws, evaluation, rules, name),
    )
    return GreedyPlayer(policy, name, options)


def make_search(options: SearchOptions, rules: Rules, name: str) -> Player:
    """Create the player `search`. Raises UsageError for options that are invalid or exclude each other."""
    if options.depth is not None:
        check_depth(options.depth)
    if options.nodes == 0:
        raise UsageError(f"player {name}: nodes=0: must be 1 or more")
    flags = ends_of(options, rules, name) | ORDER | PVS | STAR1 | STAR2
    if options.exact == "yes":
        flags |= EXACT_DEPTH
    if options.ties == "random":
        flags |= TIES
    evaluation = evaluation_for(rules, options.evaluation)
    megabytes, draws = megabytes_of(options.table, MEGABYTES), draws_of(options.draws, evaluation, rules, name)
    searcher = Searcher(
        rules,
        evaluation,
        options=flags,
        megabytes=megabytes,
        draws=draws,
        parts=parts_of(options, evaluation, rules, name),
        verification=verification_of(options, evaluation, rules, name),
    )
    by_thirds = isinstance(options.threshold, str)
    thresholds = thresholds_of(options, evaluation, rules, name) if by_thirds else ()
    limit, manager = Limit(options.depth, options.nodes, options.time), MANAGERS[options.manager]
    player = SearchPlayer(name, rules, searcher, limit, manager, options.margin, thresholds)
    player.notice = _notice(options.evaluation, rules, evaluation)
    return player
