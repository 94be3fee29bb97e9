"""A policy that chooses its moves by a search of fixed depth."""

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
    """Search `state`, and write the moves and their values to `policy.root`."""
    memory = policy.memory
    root = policy.root
    prepare(memory, ENDLESS, for_player_0(rules, state, policy.draws))
    search = _search(policy, rules)
    count = moves(rules, state, root.moves)
    root.counts[LISTED] = select(policy.parts.selection, pointer_to(search), state, 0, root.moves, count)
    root.counts[DONE] = 0
    multipv = 1 + 0 * policy.depth  # a constant would have another type, and the search would be compiled again
    search_root(search, state, policy.depth, multipv, root)


class SearchPolicy(NamedTuple):
    """A policy that plays a best move according to a search of `depth` plies.

    With the flag `TIES` in `options`, the policy chooses at random among all best moves.
    """

    evaluation: Evaluation
    """the evaluation of the positions at the leaves"""
    depth: int
    """the search depth in plies"""
    options: int
    """the bits of the options of `search.alpha_beta` and `search.ends`"""
    draws: int
    """the value of a draw for the searching player, in units of the evaluation"""
    memory: Memory
    """the work arrays of the search"""
    root: Root
    """the results of the search for each move"""
    parts: Parts
    """the parts of the search: its horizon, its selection of moves and their order"""

    def begin(policy, rules: Rules, random: RandomState) -> None:
        """Begin a game. If the evaluation draws new random weights for the game, clear the transposition table."""
        if renew(policy.evaluation, random):
            policy.memory.slots[:] = 0

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """Return the best move that the search finds."""
        look(policy, rules, state)
        return int(policy.root.moves[pick(policy.root, random, policy.options & TIES != 0)])

    def probabilities(policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
        """Divide `share` among the best moves. Without the flag `TIES`, the first best move gets the whole share."""
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
        """Return whether the method `probabilities` can compute the probabilities of the policy's moves.

        The method returns False if the evaluation draws new weights for each game, or if the search can omit legal
        moves.
        """
        if leaves_out(policy.parts.selection):
            return False
        drawn = method(type(policy.evaluation), "is_drawn")
        return drawn is None or not drawn(policy.evaluation)

    def for_thread(policy) -> SearchPolicy:
        """Return a copy of the policy with separate arrays, for another thread."""
        memory = policy.memory._replace(**{name: copy(part) for name, part in policy.memory._asdict().items()})
        clear(memory)
        evaluation = policy.evaluation
        if method(type(evaluation), "for_thread"):
            evaluation = evaluation.for_thread()
        return policy._replace(evaluation=evaluation, memory=memory, root=Root(*(part.copy() for part in policy.root)))


def compile_search(policy: SearchPolicy, rules: Rules) -> None:
    """Compile the search without running it."""
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
    """Return a policy that searches to a fixed depth. Only one thread can use it, because it contains work arrays.

    `megabytes` is the size of the transposition table. The search only uses entries that were searched to the same
    depth.
    """
    memory = memory_for(rules, depth + plies_beyond(parts.horizon), megabytes)
    return SearchPolicy(
        evaluation, int(depth), allowed(rules, options), int(draws), memory, root_for(rules, depth), parts
    )
