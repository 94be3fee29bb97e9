"""The targets of linear learning: what a value is moved towards.

Each target is one entry in `LINEAR_TARGETS`. With V the value that is learned, x an afterstate, x' the next one and r
the reward at the end, an entry says whether x is moved when x' is known, when the game has ended, or whether a position
is moved towards a search of it, and what else is particular to that. What commands, help and errors say of targets
follows from the entries.

SARSA and TD learn on-policy: V(x) is what x is worth if the learner goes on as it does, exploring included. So x' may
have come about by exploring, and then its value must be learned as well, or x is moved towards a number that nothing
has moved (Sutton and Barto 2018, sections 6.1 and 6.4: every state that is visited is updated). Q-learning moves x
towards the best afterstate, Monte Carlo towards how the game ended. Neither needs the values of what was explored, and
both leave such afterstates alone.

An entry consists of flags, which compiled code reads as it runs: one machine code serves all targets.
"""

from __future__ import annotations

from typing import NamedTuple


class LinearTarget(NamedTuple):
    """What the learning of games asks a target; one of `by_steps`, `by_end`, `before_move` and `after_move` is set."""

    by_steps: bool = False
    """x is moved when x' is known, the last one at the end; only then can there be eligibility traces"""
    by_best: bool = False
    """by steps: x' is the best afterstate, even if another is chosen, and then traces end; else x' is the chosen one"""
    with_replies: bool = False
    """by steps: positions after moves of the other side are afterstates, too"""
    by_end: bool = False
    """all afterstates of a game are remembered, and moved when it has ended"""
    before_move: bool = False
    """the position before a move of the learner is moved towards a search of it"""
    after_move: bool = False
    """the position after a move of the learner is moved towards a search of it"""
    learns_explored: bool = False
    """afterstates that came about by exploring are moved, too, unless the learner says otherwise"""

    @property
    def by_search(self) -> bool:
        """Whether positions are moved towards a search of them, all that are met, with no regard to exploring."""
        return self.before_move or self.after_move


Q = LinearTarget(by_steps=True, by_best=True)
"""Q-learning: gamma V(x'), x' being the best afterstate of the learner's next decision.

Source: Watkins 1989, "Learning from delayed rewards".
"""
SARSA = LinearTarget(by_steps=True, learns_explored=True)
"""SARSA: gamma V(x'), x' being the afterstate that the learner chooses at its next decision.

Source: Rummery and Niranjan 1994, "On-line Q-learning using connectionist systems".
"""
TD = LinearTarget(by_steps=True, with_replies=True, learns_explored=True)
"""TD: gamma V(x'), x' being the next position of the game, whoever has moved.

Source: Tesauro 1992, "Practical issues in temporal difference learning".
"""
MONTE_CARLO = LinearTarget(by_end=True)
"""Monte Carlo: gamma^k r for a game that ends k steps later.

Source: Sutton and Barto 2018, "Reinforcement learning: an introduction", chapters 5 and 9.
"""
ROOTSTRAP = LinearTarget(before_move=True)
"""RootStrap: gamma times the value of a search of the position in which the learner moves.

Source: Veness, Silver, Uther and Blair 2009, "Bootstrapping from game tree search".
"""
ROOTSTRAP_AFTER = LinearTarget(after_move=True)
"""RootStrap of the positions that the learner's moves lead to; source as above."""

LINEAR_TARGETS = {
    "q": Q,
    "sarsa": SARSA,
    "td": TD,
    "monte-carlo": MONTE_CARLO,
    "rootstrap": ROOTSTRAP,
    "rootstrap-after": ROOTSTRAP_AFTER,
}
"""The targets by name."""
USUAL = "monte-carlo"
"""the default"""
WITH_TRACES = "sarsa"
"""the default where lambda is given: Monte Carlo has no traces, those of Q-learning end with every random move"""
