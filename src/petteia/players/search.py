"""Players that search: `greedy:depth=3` and `search:time=1`."""

from __future__ import annotations

from typing import TypeVar

from petteia.core.decision import Decision, Limit
from petteia.core.errors import UsageError
from petteia.core.protocol import Rules, State, to_move
from petteia.core.provenance import Parts
from petteia.core.random import RandomState
from petteia.core.reach import dependencies
from petteia.features.evaluation import LARGEST, Evaluation, unit
from petteia.features.evaluations import evaluation_for, notice_of_default
from petteia.players.player import UNLIMITED, Player, PolicyPlayer
from petteia.players.settings import Options, number, positive_seconds, whole_number, word
from petteia.policies.policy import for_thread
from petteia.policies.search import SearchPolicy, compile_search, look, search_policy
from petteia.search.alpha_beta import EXACT_DEPTH, ORDER, PRINCIPAL, TIES, pick
from petteia.search.ends import BY_MARGIN, BY_VALUE, DECIDED, EARLY
from petteia.search.memory import NO_MOVE, NODES
from petteia.search.searcher import (
    MEGABYTES,
    Progress,
    Searcher,
    Thought,
    check_depth,
    check_searchable,
    check_table,
    points,
)

Number = TypeVar("Number", int, float)

SECONDS = 3.0
"""what a search is given for a move if nothing else is said"""

ENDS = {
    "won": "won ends are worth 99999 (yes), or their margin (no)",
    "early": "prefer early wins and late losses, where won ends are worth 99999: yes or no",
    "decided": "count a game whose winner is certain as won: yes or no",
    "draws": "points that a draw is worth to it (0); less than 0: it avoids draws",
    "evaluation": "of positions where the search stops: a name, or your own as module:function",
}
TABLE = "megabytes of the transposition table, or none"
GREEDY_OPTIONS = {"depth": "plies that it looks ahead (1)", **ENDS, "table": TABLE}
SEARCH_OPTIONS = {
    "depth": "plies that it looks ahead",
    "nodes": "positions that it looks at",
    "time": "seconds that it thinks; three if nothing limits it",
    **ENDS,
    "table": TABLE,
    "exact": "use of the table only what was searched exactly as deep as is wanted: no or yes",
    "ties": "the first of several best moves, or any: first or random",
}


class GreedyPlayer(PolicyPlayer):
    """Searches a fixed number of plies ahead, compiled, and tells what it expects."""

    _policy: SearchPolicy

    @property
    def evaluation(self) -> Evaluation:
        """What it asks for the worth of a position."""
        return self._policy.evaluation

    def adviser(self) -> Player:
        """A player that knows the same, with arrays of its own."""
        return type(self)(for_thread(self._policy), self.name, self.seats)

    def new_game(self, rules: Rules, seed: int) -> None:
        """Begin again from the random state `seed`; what has to be compiled is."""
        super().new_game(rules, seed)
        compile_search(self._policy, rules)

    def choose(self, state: State, limit: Limit) -> Decision:
        """The policy's move; it needs no limit."""
        policy, root = self._policy, self._policy.root
        look(policy, self._rules, state)
        best = pick(root, self._random, bool(policy.options & TIES))
        value = int(root.values[best])
        rest = root.lines[best].tolist()
        return Decision(
            int(root.moves[best]),
            points(policy.evaluation, value if to_move(self._rules, state) == 0 else -value),
            depth=policy.depth,
            nodes=int(policy.memory.counters[NODES]),
            line=(int(root.moves[best]), *rest[: rest.index(NO_MOVE)]),
        )


class SearchPlayer(Player):
    """Searches deeper and deeper until a limit is reached: its own, or one that the game sets."""

    def __init__(self, name: str, rules: Rules, searcher: Searcher, limit: Limit) -> None:
        self.name = name
        self._searcher = searcher
        self._limit = limit
        self._rules = rules
        self._random: RandomState = [0]

    def new_game(self, rules: Rules, seed: int) -> None:
        """Forget the game before."""
        self._random[0] = seed
        self._searcher.clear()

    @property
    def evaluation(self) -> Evaluation:
        """What it asks for the worth of a position."""
        return self._searcher.evaluation

    def notices(self, limit: Limit) -> tuple[str, ...]:
        """Also how long it thinks, if neither limit says so."""
        if not self._has_default(limit):
            return super().notices(limit)
        gets = f"player {self.name}: no time, depth or nodes are given, so it thinks {SECONDS:g} seconds a move"
        return (gets, *super().notices(limit))

    def _has_default(self, limit: Limit) -> bool:
        return limit == self._limit == UNLIMITED

    def choose(self, state: State, limit: Limit) -> Decision:
        """The best move found within both limits, or within three seconds if there is none."""
        thought = self.think(state, limit)
        if thought.was_interrupted:
            raise KeyboardInterrupt
        found = thought.lines[0]
        return Decision(
            *(found.moves[0], found.value),
            depth=thought.depth,
            nodes=thought.nodes,
            seconds=thought.seconds,
            line=found.moves,
            values=thought.values,
        )

    def dependencies(self, rules: Rules) -> Parts:
        """Its own, and that of its evaluation."""
        return dependencies(type(self), self._searcher.evaluation)

    def think(self, state: State, limit: Limit, lines: int = 1, progress: Progress | None = None) -> Thought:
        """What a search within both limits finds, or within three seconds if there is none."""
        own = Limit(seconds=SECONDS) if self._has_default(limit) else self._limit
        both = Limit(
            _smaller(own.depth, limit.depth), _smaller(own.nodes, limit.nodes), _smaller(own.seconds, limit.seconds)
        )
        return self._searcher.search(state, both, lines=lines, random=self._random, progress=progress)

    def adviser(self) -> Player:
        """Another one with a memory of its own."""
        searcher = self._searcher
        other = Searcher(
            self._rules,
            searcher.evaluation,
            options=searcher.options,
            megabytes=searcher.megabytes,
            draws=searcher.draws,
        )
        adviser = SearchPlayer(self.name, self._rules, other, self._limit)
        adviser.notice = self.notice
        return adviser


def _smaller(own: Number | None, given: Number | None) -> Number | None:
    return min((limit for limit in (own, given) if limit is not None), default=None)


def parse_greedy(options: Options, rules: Rules, name: str) -> Player:
    """The player `greedy`; UsageError for options that do not fit, or a game with chance."""
    evaluation = evaluation_for(rules, options.get("evaluation"))
    found = greedy_player(evaluation, options, rules, name)
    found.notice = _notice(options, rules, evaluation)
    return found


def _notice(options: Options, rules: Rules, evaluation: Evaluation) -> str | None:
    return None if "evaluation" in options else notice_of_default(rules, evaluation)


def greedy_player(evaluation: Evaluation, options: Options, rules: Rules, name: str) -> GreedyPlayer:
    """The player that looks a fixed number of plies ahead with this evaluation; errors as of `parse_greedy`."""
    check_searchable(rules)
    depth = whole_number(options, "depth", name)
    policy = search_policy(
        *(rules, evaluation),
        depth=check_depth(1 if depth is None else depth),
        options=_ends(options, name) | EXACT_DEPTH | ORDER | TIES,
        megabytes=_table(options, 0, name),
        draws=_draws(options, evaluation, name),
    )
    return GreedyPlayer(policy, name)


def parse_search(options: Options, rules: Rules, name: str) -> Player:
    """The player `search`; errors as of `parse_greedy`."""
    check_searchable(rules)
    depth, nodes = (whole_number(options, option, name) for option in ("depth", "nodes"))
    if depth is not None:
        check_depth(depth)
    if nodes == 0:
        raise UsageError(f"player {name}: nodes=0: must be 1 or more")
    flags = _ends(options, name) | ORDER | PRINCIPAL
    if word(options, "exact", ("no", "yes"), name) == "yes":
        flags |= EXACT_DEPTH
    if word(options, "ties", ("first", "random"), name) == "random":
        flags |= TIES
    evaluation = evaluation_for(rules, options.get("evaluation"))
    megabytes, draws = _table(options, MEGABYTES, name), _draws(options, evaluation, name)
    searcher = Searcher(rules, evaluation, options=flags, megabytes=megabytes, draws=draws)
    found = SearchPlayer(name, rules, searcher, Limit(depth, nodes, positive_seconds(options, "time", name)))
    found.notice = _notice(options, rules, evaluation)
    return found


def _ends(options: Options, name: str) -> int:
    """What the options say of the ends of games."""
    if word(options, "ends", ("special", "value"), name) == "value":
        if idle := [option for option in ("won", "early", "decided", "draws") if option in options]:
            raise UsageError(
                f"player {name}: {idle[0]} says nothing of ends that are worth their value, as by ends=value"
            )
        return BY_VALUE
    if word(options, "won", ("yes", "no"), name) == "no":
        for option in ("early", "decided"):
            if options.get(option) == "yes":
                raise UsageError(f"player {name}: {option}=yes and won=no do not go together")
        return BY_MARGIN
    flags = EARLY if word(options, "early", ("yes", "no"), name) == "yes" else 0
    return flags | (DECIDED if word(options, "decided", ("yes", "no"), name) == "yes" else 0)


def _draws(options: Options, evaluation: Evaluation, name: str) -> int:
    """What a draw is worth, in units of the evaluation."""
    given = number(options, "draws", name)
    units = 0.0 if given is None else given * unit(evaluation)
    if abs(units) > LARGEST:
        most = LARGEST // unit(evaluation)
        raise UsageError(f"player {name}: draws={given:g}: must be in {-most}..{most}")
    if unit(evaluation) == 1 and units != round(units):
        raise UsageError(f"player {name}: draws={given:g}: must be a whole number, as its values of positions are")
    return round(units)


def _table(options: Options, megabytes: int, name: str) -> int:
    """Megabytes of the table, 0 for none."""
    if options.get("table") == "none":
        return 0
    given = whole_number(options, "table", name)
    return megabytes if given is None else check_table(given)
