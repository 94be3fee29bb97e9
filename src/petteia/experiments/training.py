"""A training: one learner, one opponent, many games, and an evaluation every so many of them, in a run folder.

What a training does is settled by its configuration and its seed: game `i` draws its random numbers from a key and `i`.
So a training that was interrupted, or killed, and resumed leaves the same bytes as one that was not. A checkpoint is
the weights file, which says from how many games it has learned; whatever the journal has beyond that is dropped. A run
that was damaged does not go on: what belongs together, and how that is seen, says `petteia.records.runs`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from petteia.core import random
from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, Stopped, UsageError
from petteia.core.interrupt import InterruptLater
from petteia.core.protocol import Rules, State, seats
from petteia.core.stop import Stop, check_stop, is_stopped, obeying
from petteia.experiments.advice import advice
from petteia.experiments.configuration import KINDS, Configuration, configure, read_settings
from petteia.experiments.linear_settings import LinearSettings
from petteia.experiments.linear_trainer import LinearTrainer
from petteia.experiments.options import EvaluationGames, Learner, TrainingOptions, flat
from petteia.experiments.played import WINDOW, PlayedSettings, only_playing, read_played
from petteia.experiments.scores import Score, curve_chart, score_of
from petteia.experiments.table_settings import TableSettings
from petteia.experiments.table_trainer import TableTrainer
from petteia.experiments.trainer import Point, Trainer, points_until, read_points
from petteia.foreign.trust import require
from petteia.games import game as rules_of
from petteia.players import Player, player
from petteia.players.foreign import explain_compiler
from petteia.players.player import notices
from petteia.players.settings import text_by
from petteia.playing.agent import Agent
from petteia.provenance.live import Parts
from petteia.provenance.reach import dependencies
from petteia.records.description import DESCRIPTION
from petteia.records.runs import PUT_BACK, Run, create_run, open_run, runs_folder
from petteia.records.weights import games_learned
from petteia.render.charts import Chart
from petteia.search.memory import memories, stoppable

TRAINERS: dict[type[Configuration], type[Trainer]] = {TableSettings: TableTrainer, LinearSettings: LinearTrainer}
"""Who learns, by what was configured."""
CHECKPOINT_SECONDS = 2.0
CHUNK_SECONDS = 0.05
"""that may pass before a stop is heard"""


Progress = Callable[[int, int, Point | None], None]
"""Called with the games learned from, those wanted, and the latest point."""


@dataclass(frozen=True, repr=False)
class Training:
    """A training in its run folder."""

    run: Run
    configuration: Configuration
    advice: tuple[str, ...] = ()
    """what people should be told about what was learned, if it has just been learned"""

    @property
    def rules(self) -> Rules:
        """The rules it is about."""
        return rules_of(self.run.description.game)

    @property
    def points(self) -> list[Point]:
        """The learning curve so far; where both sides learn, their points in turn. InvalidError if it is damaged."""
        if isinstance(self.configuration, PlayedSettings):
            return self.configuration.points()
        return read_points(self.run.journal, self.configuration)

    @property
    def last_points(self) -> list[Point]:
        """The last point of each side that learns; none if there is none yet."""
        return self.points[-len(self.configuration.seats) :]

    @property
    def score(self) -> tuple[Score, ...]:
        """How well each side that learns played when that was last measured; none if that was not done yet."""
        opponent, names = self.configuration.against, seats(self.rules)
        return tuple(score_of(point, names, opponent) for point in self.last_points)

    def plot(self) -> Chart:
        """The learning curve, a chart that shows itself in notebooks and can be saved: `training.plot().save("x.svg")`.

        A point of games played has the score of the last 20. Raises NotFoundError if nothing has been measured yet,
        PetteiaError without the extra `plot`.
        """
        points, settings = self.points, self.configuration
        if not points:
            raise NotFoundError(f"{self.run.path}: has no points yet; go on with: petteia resume {self.run.path}")
        title = f"{settings.name} in {self.run.description.game}"
        window = f", the last {WINDOW} games" if isinstance(settings, PlayedSettings) else ""
        return curve_chart(points, seats(self.rules), f"{settings.against}{window}", title)

    def __repr__(self) -> str:
        try:
            scores = [f"{each.seat} {each.score:.3f} against {each.opponent}" for each in self.score]
            words = ", ".join([f"{self.games:,} of {self.configuration.games:,} games", *scores])
        except PetteiaError:
            words = "damaged"
        return f"<Training of {self.run.description.game} by {self.configuration.name}, {words}, in {self.run.path}>"

    @property
    def games(self) -> int:
        """How many games the saved weights have learned from."""
        return games_learned(self.run.weights, self.configuration.holds) if self.run.weights.exists() else 0

    @property
    def notes(self) -> tuple[str, ...]:
        """What people should be told about the players that it meets, and about what was learned."""
        return (*notices(*(player(text, self.rules) for text in self.configuration.players)), *self.advice)

    def as_player(self, rules: Rules) -> Player:
        """The player by what has been learned so far, for games under `rules`: `q:agent=RUN` or `theta:agent=RUN`.

        Raises NotFoundError if nothing has been saved yet, InvalidError for a damaged run or other rules.
        """
        return player(text_by(self.run.path, self.configuration.holds), rules)

    def agent(self, side: int | str | None = None) -> Agent:
        """An agent that plays by what has been learned so far.

        Args:
            side: the only side that it plays: its name, 0 or 1; default: all that it has learned

        Raises:
            UsageError: a side that it has not learned
            NotFoundError: nothing has been saved yet
            InvalidError: the run is damaged, or its code has changed

        """
        return Agent(self.as_player(self.rules), self.rules, side)

    def check(self) -> None:
        """Raise an InvalidError unless its rules are those of its game now, and its settings and saved points fit them.

        To be asked before anything that takes long, such as making the players that it meets.
        """
        with _settings_of(self.run, UsageError, InvalidError):
            rules = self.rules
            self.configuration.check(rules)
        self.run.check_same_rules(rules)
        if not isinstance(self.configuration, PlayedSettings):
            read_points(self.run.journal, self.configuration, points_until(self.games, self.configuration))

    @property
    def is_finished(self) -> bool:
        """Whether all games have been learned from."""
        return self.run.results() is not None


def train(
    game: str | Rules,
    learner: str | Learner = "q",
    *,
    opponent: str | None = None,
    side: int | str | None = None,
    games: int = TrainingOptions.games,
    position: str | State | None = None,
    max_plies: int = TrainingOptions.max_plies,
    follow: Sequence[tuple[str, str]] = (),
    evaluation: EvaluationGames = TrainingOptions.evaluation,
    seed: int = 0,
    runs: str | Path | None = None,
    name: str | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Training:
    """Train an agent to play a game and save it as a new run.

    Args:
        game: the rules or their text, such as `hare-and-hounds:stall=0`
        learner: a `TableLearner`, or only its target, such as `sarsa`: values of states and moves in a table; or a
            `LinearLearner`: a value that is linear in features
        opponent: whom to learn against, as text; in stages, `random for 20000, then simple`. With a LinearLearner also
            `self` (as it is), and `self:every=10000` (as it was). Default: `random`; of a LinearLearner `self`
        side: the side that learns: its name, 0 or 1; `both`: each against the other; with a LinearLearner also
            `random`: drawn for each game. Default: 0; of a LinearLearner `both`, or `random` against others than `self`
        games: to learn from
        position: where games start, a state or its text; several, with `;` between them: one is drawn for each game.
            Default: the first of the game
        max_plies: a game is stopped there, without a reward
        follow: positions, each with a move, whose learned values are noted at every point of the curve
        evaluation: how often, by how many games and against whom it is measured on its way
        seed: of all random numbers, 0 or more
        runs: folder of runs; default: PETTEIA_RUNS, else `runs`
        name: of the run; default: a new one
        progress: called as the training goes on
        stop: ends the training, once set; `resume` goes on with it

    Returns:
        The training; its `notes` say so if what was learned loses to what needs no learning. It is unfinished
        (`is_finished`) if `stop` was set: what it had learned is saved, but for that of the last seconds where it was
        being measured, or where a player that searches takes part.

    Raises:
        UsageError: an argument that does not fit
        NotFoundError, InvalidError: an opponent, module or position that is not there or not sound
        PetteiaError: learning has diverged
        KeyboardInterrupt: interrupted; what was learned is saved and `resume` goes on

    """
    rules, configuration = configure(
        game,
        learner,
        opponent=opponent,
        side=side,
        games=games,
        position=position,
        max_plies=max_plies,
        follow=follow,
        evaluation=evaluation,
    )
    return _finish(begin(rules, configuration, seed, runs_folder(runs), name), progress, stop)


def resume(
    where: str | Path,
    *,
    runs: str | Path | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Training:
    """Resume an interrupted training; a finished one is returned unchanged.

    `where` is its folder or, in the folder `runs`, its name; `progress` and `stop` are those of `train`. Raises
    NotFoundError if there is none, UsageError for games played, InvalidError if it is damaged, of another version or of
    changed code, or names code that nobody vouches for, PetteiaError if it is being written to.
    """
    training = open_training(where, runs)
    if isinstance(training.configuration, PlayedSettings):
        raise only_playing(training.run)
    training.run.tidy()
    if not training.is_finished:
        training.check()

        def code() -> Parts:
            with _settings_of(training.run, UsageError):
                return code_of(training.rules, training.configuration)

        training.run.check_same_code(training.rules, code)
        return _finish(training, progress, stop)
    return training


def begin(
    rules: Rules,
    configuration: Configuration,
    seed: int,
    folder: Path,
    name: str | None = None,
    *,
    code: Parts | None = None,
) -> Training:
    """A new training in `folder`, in which nothing has been learned yet. Errors are those of `train`.

    `code` is `code_of` these, where that has been looked up already.
    """
    seeds = {"seed": random.checked_seed(seed)}
    run = create_run(
        folder,
        configuration.kind,
        rules,
        flat(configuration),
        seeds,
        code=code_of(rules, configuration) if code is None else code,
        name=name,
        label=configuration.name,
    )
    return Training(run, configuration)


def code_of(rules: Rules, configuration: Configuration) -> Parts:
    """The code that a training depends on beside that of the rules: who learns what, and the players that it meets."""
    parts = dependencies(_learn, TRAINERS[type(configuration)], type(configuration), configuration.learned(rules))
    for text in configuration.players:
        parts |= player(text, rules).dependencies(rules)
    return parts


def open_training(where: str | Path, runs: str | Path | None = None) -> Training:
    """Open the training in the folder `where`, or of this name in `runs`; errors are those of `resume`."""
    training = read_training(where, runs)
    training.run.vouch()
    require(training.run.path / DESCRIPTION, *training.run.description.texts)
    return training


def read_training(where: str | Path, runs: str | Path | None = None) -> Training:
    """What `open_training` returns, to be described; the code that it names must not be looked up."""
    run = open_run(where, runs_folder(runs))
    kind = run.description.kind
    if kind == PlayedSettings.kind:
        run.check()
        with _settings_of(run, UsageError):
            return Training(run, read_played(run))
    if kind not in KINDS:
        raise InvalidError(f"{run.path}: is a run of kind {kind!r}, not a training")
    try:
        configuration = read_settings(kind, run.description.configuration)
    except InvalidError as error:
        raise InvalidError(f"{run.path / DESCRIPTION}: is damaged: {error}") from None
    run.check()
    return Training(run, configuration)


def go_on(training: Training, progress: Progress | None = None) -> bool:
    """Go on from the last checkpoint to the end, or until this thread is asked to end. Returns whether it finished.

    Raises InvalidError if its opponent has changed or its weights do not fit, PetteiaError if it is being written to.
    """
    with training.run.locked(), training.run.timed(), suppress(Stopped):
        return _learn(training, _trainer(training), progress or (lambda done, wanted, point: None))
    return False


def _finish(training: Training, progress: Progress | None, stop: Stop | None) -> Training:
    with InterruptLater() as interrupt, obeying(interrupt.stop), obeying(stop):
        if not go_on(training, progress):
            if not interrupt.requested:
                return training
            raise KeyboardInterrupt(f"the work is saved; go on with: petteia resume {training.run.path}")
    with suppress(Stopped), obeying(stop):
        said = advice(_trainer(training), training.configuration, training.run.seed)
        return replace(training, advice=said)
    return training


def _trainer(training: Training) -> Trainer:
    """Who learns, from where the run stands."""
    with _settings_of(training.run, UsageError, InvalidError):
        training.configuration.check(training.rules)
    with _settings_of(training.run, UsageError):
        return TRAINERS[type(training.configuration)](training.run, training.rules, training.configuration)


@contextmanager
def _settings_of(run: Run, *errors: type[PetteiaError]) -> Iterator[None]:
    """Within it, errors of these kinds tell of damaged settings of a run, not of wrong arguments."""
    try:
        yield
    except errors as error:
        raise InvalidError(f"{run.path / DESCRIPTION}: {error}") from None


@contextmanager
def _explained(trainer: Trainer) -> Iterator[None]:
    """Name the policy of a user that does not compile."""
    try:
        yield
    except Exception as error:  # a compiler can raise anything; all is raised again
        for policy in (*trainer.asks, trainer.measure):
            cls = type(policy)
            explain_compiler(error, f"{cls.__module__}:{cls.__name__}", trainer.rules, policy)
        raise


def _learn(training: Training, trainer: Trainer, progress: Progress) -> bool:
    run, settings = training.run, training.configuration
    if run.rewind() != points_until(trainer.done, settings):
        raise InvalidError(f"{run.journal.path}: is not of {trainer.done:,} games, as the weights are; {PUT_BACK}")
    point: Point | None = None
    chunk = 1
    saved_at = time.monotonic() if run.weights.exists() else -math.inf  # the first games at once, for an early stop
    searching = tuple(memories(trainer.asks))
    while trainer.done < settings.games:
        until = min((trainer.done // settings.every + 1) * settings.every, settings.games)
        clock, count = time.monotonic(), min(chunk, until - trainer.done)
        with stoppable(*searching), _explained(trainer):
            trainer.learn(count)
        if searching:
            check_stop()  # a search that was cut short has left these games others than they would be
        seconds = max(time.monotonic() - clock, 1e-6)
        chunk = max(1, min(64 * count, int(count * CHUNK_SECONDS / seconds)))
        if trainer.done == until:
            with _explained(trainer):
                points = trainer.evaluate()
            run.journal.append([each.row() for each in points])
            point = points[-1]
        progress(trainer.done, settings.games, point)
        stopping = is_stopped()
        if stopping or time.monotonic() - saved_at > CHECKPOINT_SECONDS:
            trainer.save()
            saved_at = time.monotonic()
        if stopping:
            return False
    trainer.save()
    run.write_results({"games": trainer.done, "points": [each.row() for each in training.last_points]})
    return True
