"""Train a table of action values, with the settings of `table_settings`."""

from __future__ import annotations

from petteia.core.errors import InvalidError
from petteia.core.protocol import Rules, parse_move, parse_state
from petteia.experiments.settings import same_policy
from petteia.experiments.stages import stage_of
from petteia.experiments.table_settings import TableSettings, table_hash
from petteia.experiments.trainer import Learned, Trainer
from petteia.learn.starts import AnyPosition
from petteia.learn.tabular import learn_games
from petteia.policies.policy import Policy, Uniform
from petteia.records.runs import Run
from petteia.value_functions.table import Table, TablePolicy, learned_values
from petteia.value_functions.table_file import LearnedTable, load_table, save_table, shape


class TableTrainer(Trainer):
    """A trainer that learns a table of action values."""

    def __init__(self, run: Run, rules: Rules, settings: TableSettings) -> None:
        super().__init__(run, rules, settings)
        self._table_settings = settings
        self._opponents = [
            same_policy(run.path, stage.opponent, hashed, rules, settings.others)
            for stage, hashed in zip(settings.stages, settings.opponent_hashes, strict=True)
        ]
        self._table, self.done = _checkpoint(run, rules, settings)

    def learn(self, count: int) -> None:
        """Learn from the next `count` games."""
        settings = self._table_settings
        end, stages = self.done + count, settings.stages
        while self.done < end:
            number = stage_of(stages, self.done)
            games = min(end, stages[number].end) - self.done
            self._table = learn_games(
                self.rules,
                AnyPosition() if settings.learner.explore_starts else self.start,
                settings.learns,
                self._table,
                self._opponents[number],
                alphas=settings.rate.schedule.over(self.done, games, settings.games),
                explorations=settings.exploration.over(self.done, games, settings.games),
                gammas=settings.discount.over(self.done, games, settings.games),
                keys=self.keys,
                first_game=self.done,
                max_plies=settings.max_plies,
                learner=settings.rule,
            )
            self.done += games

    @property
    def asks(self) -> tuple[object, ...]:
        """The opponents."""
        return tuple(self._opponents)

    def save(self) -> None:
        """Save the table to the run folder."""
        save_table(
            self.run.weights,
            self.rules,
            LearnedTable(self._table, self._table_settings.seats, self.done),
            self.run.place,
        )

    def policy(self) -> Policy:
        """The policy that makes a move with the largest value in the table."""
        return TablePolicy(self._table)

    def unlearned(self) -> tuple[str, Policy]:
        """Return the name and the policy of `random`, a player that does not learn, for comparison with the learner."""
        return "random", Uniform()

    def learned(self) -> Learned:
        """The number of visited states, which is recorded in the learning curve."""
        return Learned(states=int(self._table.used[0]))

    def value(self, position: str, move: str) -> float:
        """The learned value of a move, from the perspective of the player who makes it."""
        state = parse_state(self.rules, position)
        known = learned_values(self.rules, self._table, state)
        return known.get(parse_move(self.rules, state, move), self._table.initial)


def _checkpoint(run: Run, rules: Rules, settings: TableSettings) -> tuple[Table, int]:
    """Return the last saved table, or else the initial table, and the number of games from which it was learned."""
    if not run.weights.exists():
        first = settings.first_table(rules)
        if settings.weights_hash and table_hash(first) != settings.weights_hash:
            raise InvalidError(f"{run.path}: the weights {settings.learner.weights} have changed since the run began")
        return first, 0
    checkpoint, empty = load_table(run.weights, rules), settings.empty_table(rules)
    if (checkpoint.seats, shape(checkpoint.table)) != (
        settings.seats,
        shape(empty),
    ) or checkpoint.games > settings.games:
        raise InvalidError(
            f"{run.weights}: these are not the weights of this training run; restore its weights, or begin a new run"
        )
    return checkpoint.table, checkpoint.games
