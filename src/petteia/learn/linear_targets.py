"""The targets of linear learning: the values towards which the value of an afterstate is moved.

Each target is one entry in `LINEAR_TARGETS`. Let V be the learned value, x an afterstate, x' the next one, and r the
reward at the end. The targets differ in when V(x) is updated: as soon as x' is known, at the end of the game, or by a
search. The command line, help and error messages list the entries of `LINEAR_TARGETS`.

SARSA and TD learn on-policy: V(x) is the expected reward if the learner continues to choose moves as in training,
exploration included. V(x) is moved towards V(x'), even if x' follows an exploratory move. So V(x') must be updated even
after an exploratory move (Sutton and Barto 2018, sections 6.1 and 6.4: every visited state is updated). Q-learning
moves V(x) towards the value of the best afterstate, and Monte Carlo towards the result of the game. Neither Q-learning
nor Monte Carlo uses the value of the afterstate of an exploratory move, so neither updates this value.

The entries contain flags, not code. Compiled code reads the flags at run time, so that one compiled function serves all
targets.
"""

from __future__ import annotations

from typing import NamedTuple


class LinearTarget(NamedTuple):
    """A target of linear learning, such as Q-learning or TD, described by flags.

    The flags `by_steps`, `by_end`, `before_move` and `after_move` state which values are updated, and when. Exactly one
    of these four flags is True.
    """

    by_steps: bool = False
    """V(x) is updated when x' is known, or at the end of the game; eligibility traces require this"""
    by_best: bool = False
    """with `by_steps`: x' is the best afterstate, even if another one is chosen, which ends the traces"""
    with_replies: bool = False
    """with `by_steps`: positions after moves of the other side are afterstates, too"""
    by_end: bool = False
    """all afterstates of a game are stored, and updated at its end"""
    before_move: bool = False
    """the position before a move of the learner is updated by a search of this position"""
    after_move: bool = False
    """the position after a move of the learner is updated by a search of this position"""
    learns_explored: bool = False
    """afterstates of exploratory moves are updated, too, unless the learner sets `learn_explored`"""

    @property
    def by_search(self) -> bool:
        """Whether a search computes the target of each update.

        If a search computes the targets, all visited positions are updated, even after exploratory moves.
        """
        return self.before_move or self.after_move


Q = LinearTarget(by_steps=True, by_best=True)
"""Q-learning: gamma V(x'), where x' is the best afterstate of the learner's next decision.

Source: Watkins 1989, "Learning from delayed rewards".
"""
SARSA = LinearTarget(by_steps=True, learns_explored=True)
"""SARSA: gamma V(x'), where x' is the afterstate that the learner chooses at its next decision.

Source: Rummery and Niranjan 1994, "On-line Q-learning using connectionist systems".
"""
TD = LinearTarget(by_steps=True, with_replies=True, learns_explored=True)
"""TD: gamma V(x'), where x' is the next position of the game, after a move of either player.

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
"""RootStrap of afterstates: gamma times the value of a search of the position after the learner's move.

Source: as for `ROOTSTRAP`.
"""

LINEAR_TARGETS = {
    "q": Q,
    "sarsa": SARSA,
    "td": TD,
    "monte-carlo": MONTE_CARLO,
    "rootstrap": ROOTSTRAP,
    "rootstrap-after": ROOTSTRAP_AFTER,
}
"""The targets of linear learning by name."""
USUAL = "monte-carlo"
"""The name of the default target."""
WITH_TRACES = "sarsa"
"""The name of the default target if lambda is given. Monte Carlo has no traces, and random moves end those of
Q-learning."""
