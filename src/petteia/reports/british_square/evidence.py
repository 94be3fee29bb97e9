"""All that the report has found: trainings, matches against the random player, and what moves give away."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from petteia.analysis.ceilings import Ceiling, ceilings
from petteia.arena.alternate import Conditions
from petteia.arena.judgement import MISTAKE, REGRET, judge_moves, turns
from petteia.arena.known_positions import drawn_moves
from petteia.arena.match import match
from petteia.arena.recorded import record
from petteia.core.arrays import Floats, Ints
from petteia.core.protocol import Rules, initial
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.experiments.training import Training
from petteia.games import game as rules_of
from petteia.games.british_square import Position
from petteia.players import Player, player
from petteia.players.perfect import solved
from petteia.players.player import UNLIMITED
from petteia.policies.play_games import match_keys
from petteia.reports.british_square import plan
from petteia.reports.british_square.plan import PROJECT, PUBLISHED, SEATS, Setting
from petteia.reports.engine.matches import AGENT, Matches, Pairing, seated, turned
from petteia.reports.engine.work import Work

STAGES = (6, 12)
"""stones on the board with which the middle and the end of a game begin"""
STAGE_NAMES = ("opening", "middle", "end")
SAMPLE = "sample"
CEILING_GAMES = (PROJECT, PUBLISHED)


class Sizes(NamedTuple):
    """How much is measured."""

    games: int
    """of a match"""
    strong: int
    """of a match of learners that work"""
    judged: int
    """games in which moves are judged"""
    positions: int
    """of the sample, of each side"""


SIZES = {"paper": Sizes(1000, 10_000, 1000, 20_000), "quick": Sizes(200, 500, 100, 2000)}


class GivenAway(NamedTuple):
    """What the moves of a player give away, in stones."""

    positions: int
    mean: float
    """a move"""
    by_game: float
    """in a game; 0 for a sample"""
    faultless: float
    """share of the moves that give nothing away"""
    stages: tuple[float | None, ...]
    """the mean of a move in each of STAGE_NAMES; None where there was none"""


class Outcome(NamedTuple):
    """Shares of games against the perfect player."""

    won: float
    drawn: float
    full: float
    """in which it got at least what best play of both comes to"""


class Shares(NamedTuple):
    """Shares of games, as one player sees them."""

    won: float
    drawn: float
    lost: float


@dataclass(frozen=True)
class Evidence:
    """What the claims are judged by, and what the page shows."""

    rules: Rules
    """of the published game"""
    work: Work
    experiments: dict[str, ExperimentResult]
    matches: dict[str, Matches]
    """by the rules"""
    _samples: dict[tuple[str, int], Ints] = field(default_factory=dict)

    @property
    def sizes(self) -> Sizes:
        """How much is measured."""
        return SIZES[self.work.scale]

    @property
    def is_judged(self) -> bool:
        """Whether trainings are as long as the original's, so that its figures can be held against theirs."""
        return self.work.scale == "paper"

    @property
    def seeds(self) -> int:
        """Trainings of each combination."""
        return len(self.cell(plan.term(PROJECT, 0)).trainings)

    @property
    def trainings(self) -> list[Training]:
        """All of them."""
        cells = (cell for result in self.experiments.values() for cell in result.cells)
        return list({training.run.path: training for cell in cells for training in cell.trainings}.values())

    def cell(self, setting: Setting) -> CellResult:
        """The trainings of a setting."""
        (cell,) = (
            each
            for each in self.experiments[setting.experiment].cells
            if each.side == setting.seat and setting.values.items() <= each.combination.values.items()
        )
        return cell

    def player(self, training: Training, setting: Setting, depth: int) -> str:
        """Who plays by what was learned: to the project's a draw is as bad as a game lost."""
        draws = f",draws={-plan.DRAW}" if setting.is_project else ""
        return f"theta:{AGENT}{self.work.place_of(training)}),depth={depth},weights=last{draws}"

    # Against the random player.

    def pairings(self, setting: Setting, depth: int | None = None) -> list[Pairing]:
        """A match for each training."""
        games = self.sizes.games if setting.experiment != plan.WORKING else self.sizes.strong
        texts = (self.player(each, setting, depth or setting.depth) for each in self.cell(setting).trainings)
        return [seated(each, "random", setting.seat, games) for each in texts]

    def shares(self, setting: Setting, depth: int | None = None) -> list[Shares]:
        """How each training fares against the random player."""
        cells = (self.matches[setting.game][each] for each in self.pairings(setting, depth))
        seen = (turned(cell, setting.seat) for cell in cells)
        return [Shares(*(count / cell.games for count in (cell.wins, cell.draws, cell.losses))) for cell in seen]

    def of_random(self, game: str, seat: int) -> Shares:
        """How the random player fares against itself."""
        cell = turned(self.matches[game][self.of_random_pairing], seat)
        return Shares(*(count / cell.games for count in (cell.wins, cell.draws, cell.losses)))

    @property
    def of_random_pairing(self) -> Pairing:
        """Random play against itself."""
        return Pairing("random", "random", 10 * self.sizes.strong)

    def ceilings(self, game: str, seat: int) -> list[Ceiling]:
        """How often random play can be beaten at all, by each way of play; what is known is kept."""
        by_seat: list[list[Ceiling]] = self.work.kept(
            f"ceilings-{plan.CODES[game]}", {"game": game}, lambda: ceilings(game), list[list[Ceiling]]
        )
        return by_seat[seat]

    # Against the truth.

    def given_away(self, setting: Setting, against: str, depth: int | None = None) -> list[GivenAway]:
        """What the moves of each training give away: in games against a player, or over the SAMPLE."""
        trainings = {self.work.place_of(each): each for each in self.cell(setting).trainings}
        looks = depth or setting.depth

        def judge(key: str) -> GivenAway:
            text = self.player(trainings[key.split(" ")[0]], setting, looks)
            return self._given_away(setting, text, against)

        amount = self.sizes.positions if against == SAMPLE else self.sizes.judged
        keys = [
            f"{place} {plan.CODES[setting.game]} {SEATS[setting.seat]} {looks} {against} {amount}"
            for place in trainings
        ]
        rows = self.work.kept_rows("given-away", keys, judge, "what moves give away", GivenAway)
        return [*rows.values()]

    def given_away_by(self, text: str, game: str, seat: int, against: str) -> GivenAway:
        """The same of a player that has not learned."""
        setting = Setting(text, "", {}, game, seat)
        amount = self.sizes.positions if against == SAMPLE else self.sizes.judged
        key = f"{text} {plan.CODES[game]} {SEATS[seat]} 1 {against} {amount}"
        rows = self.work.kept_rows(
            "given-away", [key], lambda key: self._given_away(setting, text, against), "what moves give away", GivenAway
        )
        found: GivenAway = rows[key]
        return found

    def _given_away(self, setting: Setting, text: str, against: str) -> GivenAway:
        rules, seat = rules_of(setting.game), setting.seat
        judged, table = self._read(text, rules), solved(rules)
        if against == SAMPLE:
            states = self._sample(setting.game, seat)
            moves = drawn_moves(rules, judged, initial(rules), states, seed=0)
            return summed_up(states, judge_moves(rules, initial(rules), table, seat, states, moves), 0)
        conditions = Conditions(rules, (initial(rules),), 0, (seat, seat), 1000, UNLIMITED, match_keys(0))
        played = [*record(conditions, judged, player(against, rules), self.sizes.judged)]
        states = np.concatenate([each.states for each in played])
        moves = np.concatenate([each.moves for each in played])
        columns = judge_moves(rules, initial(rules), table, seat, states, moves)
        return summed_up(states, columns, self.sizes.judged)

    def _sample(self, game: str, seat: int) -> Ints:
        """The same positions for everybody: drawn from all, images of each other counted once."""
        if (game, seat) not in self._samples:
            rules = rules_of(game)
            states = solved(rules).states
            random = np.random.default_rng(0)
            drawn = states[random.choice(len(states), 4 * self.sizes.positions, replace=False)]
            self._samples[game, seat] = turns(rules, initial(rules), seat, drawn)[: self.sizes.positions]
        return self._samples[game, seat]

    def against_perfect(self, setting: Setting) -> list[Outcome]:
        """How each training fares against the perfect player."""
        rules = rules_of(setting.game)
        trainings = {self.work.place_of(each): each for each in self.cell(setting).trainings}

        def play(key: str) -> Outcome:
            texts = [
                self._read(self.player(trainings[key.split(" ")[0]], setting, setting.depth), rules),
                player("perfect", rules),
            ]
            result = match(
                *(rules, *(texts if setting.seat == 0 else texts[::-1])),
                games=self.sizes.judged,
                openings="none",
                seats="fixed",
                seed=0,
            )
            sign = 1 - 2 * setting.seat
            margins = sign * np.array([row.margin for row in result.rows])
            full = sign * value_of(rules)
            return Outcome(*(float(each.mean()) for each in (margins > 0, margins == 0, margins >= full)))

        keys = [f"{place} {SEATS[setting.seat]} {self.sizes.judged}" for place in trainings]
        return [
            *self.work.kept_rows("against-perfect", keys, play, "games against the perfect player", Outcome).values()
        ]

    def _read(self, text: str, rules: Rules) -> Player:
        return player(text.replace(AGENT, f"{AGENT}{self.work.folder}/"), rules)


def value_of(rules: Rules) -> int:
    """What best play of both comes to, in stones of the first player's."""
    return int(solved(rules).values[0])


def stones(states: Ints) -> Ints:
    """The stones on the board in each of `states`, int64[rows, fields]."""
    first, second = (states[:, Position._fields.index(name)] for name in ("first", "second"))
    return np.asarray(np.bitwise_count(first | second), np.int64)


def summed_up(states: Ints, columns: Floats, games: int) -> GivenAway:
    """The figures of moves in `states`, [rows, fields], from the rows of `petteia.arena.judgement`."""
    regrets, stage = columns[:, REGRET], np.digitize(stones(states), STAGES)
    return GivenAway(
        positions=len(regrets),
        mean=float(regrets.mean()),
        by_game=float(regrets.sum() / games) if games else 0.0,
        faultless=1.0 - float(columns[:, MISTAKE].mean()),
        stages=tuple(
            float(regrets[stage == each].mean()) if (stage == each).any() else None for each in range(len(STAGE_NAMES))
        ),
    )
