"""The measurements of a training run that the tests for faults use. Each measurement is made when first needed."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from petteia.analysis.doctor.judging import (
    GAMES,
    Order,
    Played,
    Values,
    by_search,
    by_table,
    meet,
    order_of_moves,
    results,
    solved,
)
from petteia.analysis.doctor.remains import UnexaminedError
from petteia.analysis.doctor.sampling import (
    spread,
)
from petteia.analysis.doctor.steps import Steps
from petteia.core.errors import UsageError
from petteia.core.protocol import decided, has_chance, initial, legal, parse_state, play, to_move
from petteia.experiments.linear_settings import LinearSettings
from petteia.experiments.played import PlayedSettings
from petteia.experiments.settings import policy_of
from petteia.experiments.table_settings import TableSettings
from petteia.features.feature_set import features, size
from petteia.policies.perfect_policy import PerfectPolicy
from petteia.policies.policy import Policy, Uniform, probabilities, tells_probabilities, workspace
from petteia.solver.tablebase import Tablebase
from petteia.value_functions.table import learned_values

TRIED_STATES = 100
"""The maximum number of states in which an opponent is tested for random moves."""


class Evidence(Steps):
    """The measurements on which tests for faults in a training run are based.

    A property or method raises UnexaminedError if its measurement cannot be made for this run.
    """

    # Players.

    @functools.cached_property
    def opponents(self) -> tuple[str, ...]:
        """The opponents in the training games, as strings, except the learner itself in self-play."""
        if isinstance(self.settings, PlayedSettings):
            raise UnexaminedError("the table was learned during play, and its opponents cannot play again")
        if isinstance(self.settings, TableSettings):
            return () if self.settings.side == "both" else self.settings.opponents
        return self.settings.opponents

    @property
    def is_self_play(self) -> bool:
        """Whether the learner plays some or all training games against itself."""
        if isinstance(self.settings, TableSettings):
            return self.settings.side == "both"
        return any(stage.every is not None for stage in self.settings.stages)

    def other(self, text: str) -> Policy:
        """Return the policy of the player described by `text`. Raises UsageError if the player has no policy."""
        if text not in self._others:
            self._others[text] = policy_of(text, self.rules, self.settings.others)
        return self._others[text]

    @functools.cached_property
    def _others(self) -> dict[str, Policy]:
        return {}

    def unlearned(self, text: str, seat: int, games: int = GAMES) -> Played:
        """Return the result of the random player in a match against the player described by `text`."""
        return self._play("random moves", Uniform(), text, seat, games)

    def learned(self, text: str, seat: int, games: int = GAMES) -> Played:
        """Return the result of the trained player in a match against the player described by `text`."""
        return self._play("what was learned", self.policy, text, seat, games)

    def won(self, text: str, seat: int) -> float:
        """Return the trained player's gain in score over a random player, divided by the largest possible gain.

        Both the trained player and the random player play against the player described by `text`. The gain is the score
        of the trained player minus the score of the random player. The largest possible gain is 1 minus the score of
        the random player.
        """
        without = self.unlearned(text, seat).score
        return (self.learned(text, seat).score - without) / max(1.0 - without, 1.0 / GAMES)

    @functools.cached_property
    def starts_elsewhere(self) -> bool:
        """Whether no training game starts at the initial position of the game."""
        if isinstance(self.settings, TableSettings) and self.settings.learner.explore_starts:
            return False
        return initial(self.rules) not in [parse_state(self.rules, text) for text in self.settings.positions]

    def from_the_start(self, one: Policy, text: str, seat: int, games: int = GAMES) -> float:
        """Play games from the initial position, and return the score of the policy `one` against the player `text`."""
        return meet(self.rules, initial(self.rules), one, self.other(text), seat, self.settings.max_plies, games).score

    def perfect_from_the_start(self, seat: int, games: int = GAMES) -> float | None:
        """Return the score of best play against the random player in games from the initial position.

        The result is None if the game cannot be solved quickly.
        """
        table = solved(self.rules, initial(self.rules))
        return None if table is None else self.from_the_start(PerfectPolicy(table), "random", seat, games)

    def perfect(self, seat: int) -> Played | None:
        """Return the result of best play against the random player; None if the game cannot be solved quickly."""
        table = self.solution
        return None if table is None else self._play("best play", PerfectPolicy(table), "random", seat)

    def against_random(self, one: Policy, seat: int, games: int = GAMES) -> float:
        """Return the score of the policy `one` against the random player, if `one` plays in the seat `seat`."""
        return self._meet(one, Uniform(), seat, games).score

    def _play(self, who: str, one: Policy, text: str, seat: int, games: int = GAMES) -> Played:
        """Play a match of the policy `one` against the player described by `text`, and return its result.

        The results of matches are cached. In the key of the cache, the string `who` stands for the policy `one`.
        """
        asked = (who, text, seat, games)
        if asked not in self._played:
            self._played[asked] = self._meet(one, self.other(text), seat, games)
        return self._played[asked]

    @functools.cached_property
    def _played(self) -> dict[tuple[str, str, int, int], Played]:
        return {}

    @property
    def measures(self) -> str:
        """The opponent in evaluation games, as a string.

        A table that is learned during play (option `keep`) has no evaluation games. For a run with such a table, the
        property returns `random`.
        """
        return "random" if isinstance(self.settings, PlayedSettings) else self.settings.against

    @property
    def measured(self) -> list[Played]:
        """The results of the trained player against the opponent of the evaluation games, for each side that learns."""
        return [self.learned(self.measures, seat) for seat in self.settings.seats]

    @functools.cached_property
    def gain(self) -> tuple[float, float]:
        """The scores of the trained player and of an untrained player against the opponent of the evaluation games.

        The untrained player depends on the kind of value function that the run learns. For a linear value function, all
        weights of the untrained player are zero. Such a player scores finished games exactly, and gives all other
        positions the same value. For a table, the untrained player makes random moves.
        """
        text, sides = self.measures, self.settings.seats
        if isinstance(self.settings, TableSettings):
            without = [self.unlearned(text, seat).score for seat in sides]
        else:
            nothing = self._by_weights(np.zeros(size(self.feature_set, self.rules)))
            without = [self._play("ends alone", nothing, text, seat).score for seat in sides]
        return float(np.mean([each.score for each in self.measured])), float(np.mean(without))

    @functools.cached_property
    def repeated(self) -> float:
        """The share of games that repeat an earlier game when the trained player plays without exploration.

        The trained player plays a match against each training opponent as each side that learns. If there is no
        opponent, it plays one match against itself. The property contains the smallest share of all matches.
        """
        games = [self.learned(text, seat) for text in self.opponents for seat in self.settings.seats]
        games = games or [self._meet(self.policy, self.policy, 0)]
        return 1.0 - max(each.different for each in games) / GAMES

    def _meet(self, one: Policy, other: Policy, seat: int, games: int = GAMES) -> Played:
        return meet(self.rules, self.start, one, other, seat, self.settings.max_plies, games)

    def plays_randomly(self, text: str) -> bool:
        """Return whether the player described by `text` chooses its move at random in some position.

        The player is tested in at most `TRIED_STATES` positions of random games.
        """
        policy, work = self.other(text), workspace(self.rules)
        if not tells_probabilities(policy):
            raise UnexaminedError(f"the opponent {text} gives no probabilities of its moves")
        for state in spread(self.random_play.turns(self.settings.others), TRIED_STATES):
            out = np.zeros(len(work.moves))
            count = probabilities(policy, self.rules, state, 1.0, out, work)
            if count > 1 and out[:count].max() < 0.999:
                return True
        return False

    # Values of moves.

    @functools.cached_property
    def solution(self) -> Tablebase | None:
        """The tablebase of the game; None if the game is too large or cannot be solved."""
        return solved(self.rules, self.start)

    @functools.cached_property
    def order(self) -> tuple[Order, str]:
        """How well learned values of moves agree with reference values, and the source of the reference values.

        The agreement of the learned values with the reference values is a rank correlation. The reference values come
        from best play in a solved game, or else from a search.
        """
        if isinstance(self.settings, LinearSettings) and self.settings.learner.turns == "chain":
            raise UnexaminedError("the training learns values of whole turns, not of single moves")
        table = self.solution
        if table is None and has_chance(self.rules):
            raise UnexaminedError("the game has chance and was not solved, so the values of its moves are unknown")
        try:
            known, against = (
                (by_table(self.rules, table, results(self.rules, table)), "best play")
                if table
                else (by_search(self.rules), "a search")
            )
        except UsageError as error:
            raise UnexaminedError(str(error)) from None
        met = self.random_play.turns(self.settings.seats)
        values = self._values_of_table if isinstance(self.settings, TableSettings) else self._values_by_weights()
        found = order_of_moves(values, known, spread(met, 1_500))
        if found is None:
            raise UnexaminedError("there are too few positions in which moves have different values")
        return found, against

    def _values_of_table(self, state: object) -> Values:
        """Return the value of each move in a state from the learned table.

        If a move still has the initial value of the table, probably nothing was learned about this move. In this case,
        the function returns an empty dictionary.
        """
        values = learned_values(self.rules, self.table, state)
        return values if all(each != self.table.initial for each in values.values()) else {}

    def _values_by_weights(self) -> Callable[[object], Values]:
        rules, feature_set, weights = self.rules, self.feature_set, self.weights.weights
        index, value = np.zeros(size(feature_set, rules), np.int64), np.zeros(size(feature_set, rules))

        def of(state: object) -> Values:
            sign, values = 1 - 2 * to_move(rules, state), Values()
            for move in legal(rules, state):
                after = play(rules, state, move)
                if not decided(rules, after):  # finished games are scored exactly, without learned values
                    count = features(feature_set, rules, after, index, value)
                    values[move] = sign * float(weights[index[:count]] @ value[:count])
            return values

        return of
