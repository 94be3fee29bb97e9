"""The policy that searches a fixed number of plies ahead."""

from __future__ import annotations

from copy import copy
from typing import NamedTuple

from petteia.core.kernel import inline
from petteia.core.pointer import pointer_to
from petteia.core.protocol import Buffer, Rules, State, initial, method, moves
from petteia.core.random import RandomState
from petteia.features.evaluation import Evaluation, renew
from petteia.policies.policy import Scratch
from petteia.search.alpha_beta import TIES
from petteia.search.ends import allowed, for_player_0
from petteia.search.memory import DONE, LISTED, Memory, Root, clear, memory_for, prepare, root_for
from petteia.search.parts import STANDARD_PARTS, Parts, Search, leaves_out, plies_beyond, select
from petteia.search.root import is_as_good, pick, search_root

ENDLESS = 1 << 62


@inline
def _search(policy: SearchPolicy, rules: Rules) -> Search:
    return Search(rules, policy.evaluation, policy.parts, policy.options, policy.memory)


@inline
def look(policy: SearchPolicy, rules: Rules, state: State) -> None:
    """Search `state`; the results stand in `policy.root`."""
    memory = policy.memory
    root = policy.root
    prepare(memory, ENDLESS, for_player_0(rules, state, policy.draws))
    search = _search(policy, rules)
    count = moves(rules, state, root.moves)
    root.counts[LISTED] = select(policy.parts.selection, pointer_to(search), state, 0, root.moves, count)
    root.counts[DONE] = 0
    multipv = 1 + 0 * policy.depth  # a constant would be a type of its own, for which all is compiled once more
    search_root(search, state, policy.depth, multipv, root)


class SearchPolicy(NamedTuple):
    """Plays the best move by a search of `depth` plies; with the option `TIES` each of several best equally likely."""

    evaluation: Evaluation
    """the evaluation of positions at which the search stops"""
    depth: int
    """plies that it looks ahead"""
    options: int
    """bits of the options of `search.alpha_beta` and `search.ends`"""
    draws: int
    """what a draw is worth for who searches, in units of the evaluation"""
    memory: Memory
    """arrays that the search writes to"""
    root: Root
    """the results of the search for each move"""
    parts: Parts
    """its horizon, the selection of moves and their order"""

    def begin(policy, rules: Rules, random: RandomState) -> None:
        """Draw what the evaluation draws for a game, and then forget what rests on what was drawn before."""
        if renew(policy.evaluation, random):
            policy.memory.slots[:] = 0

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """The move that the search finds."""
        look(policy, rules, state)
        return int(policy.root.moves[pick(policy.root, random, policy.options & TIES != 0)])

    def probabilities(policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
        """Add the same probability to each of the best moves, or the whole share to the first of them."""
        count = moves(rules, state, work.moves)
        look(policy, rules, state)
        best = pick(policy.root, work.moves, False)
        ties = 0
        for i in range(count):
            ties += is_as_good(policy.root, i, best)
        for i in range(count):
            if i == best or policy.options & TIES:
                out[i] += share * is_as_good(policy.root, i, best) / (ties if policy.options & TIES else 1)
        return count

    def tells_probabilities(policy) -> bool:
        """Whether it can tell them: not with an evaluation that is drawn for each game, nor of moves left out."""
        if leaves_out(policy.parts.selection):
            return False
        drawn = method(type(policy.evaluation), "is_drawn")
        return drawn is None or not drawn(policy.evaluation)

    def for_thread(policy) -> SearchPolicy:
        """The same policy with arrays of its own."""
        memory = policy.memory._replace(**{name: copy(part) for name, part in policy.memory._asdict().items()})
        clear(memory)
        evaluation = policy.evaluation
        if method(type(evaluation), "for_thread"):
            evaluation = evaluation.for_thread()
        return policy._replace(evaluation=evaluation, memory=memory, root=Root(*(part.copy() for part in policy.root)))


def compile_search(policy: SearchPolicy, rules: Rules) -> None:
    """Compile the search without searching anything."""
    policy.root.counts[:] = 0
    search_root(_search(policy, rules), initial(rules), policy.depth, 1, policy.root)


def search_policy(
    rules: Rules,
    evaluation: Evaluation,
    *,
    depth: int,
    options: int,
    megabytes: int = 0,
    draws: int = 0,
    parts: Parts = STANDARD_PARTS,
) -> SearchPolicy:
    """The policy, with arrays for one thread; `megabytes`: of a table, in which only entries of equal depth count."""
    memory = memory_for(rules, depth + plies_beyond(parts.horizon), megabytes)
    return SearchPolicy(
        evaluation, int(depth), allowed(rules, options), int(draws), memory, root_for(rules, depth), parts
    )
