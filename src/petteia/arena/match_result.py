"""What a match has shown."""

from __future__ import annotations

from typing import NamedTuple

from petteia.arena.alternate import GameRow
from petteia.arena.sprt import Verdict
from petteia.arena.tally import Counts
from petteia.core.decision import FAULTS, Outcome
from petteia.games import game as rules_of
from petteia.records.game_record import GameRecord


class MatchResult(NamedTuple):
    """What a match has shown. Figures are the first-named player's."""

    game: str
    """the text form of the rules"""
    first: str
    """the name of the first-named player"""
    second: str
    """the name of the second-named player"""
    games: int
    """the number of games"""
    wins: int
    """the number of games won"""
    draws: int
    """the number of games drawn, those by the limit of plies included"""
    losses: int
    """the number of games lost"""
    units: tuple[int, ...]
    """pairs of games, or single games where they do not come in pairs, by the points of the first-named player: from
    none to all in steps of half a point"""
    by_seat: tuple[Counts, Counts]
    """wins, draws and losses of the first-named player as player 0, and as player 1"""
    score: float
    """share of the points, 0..1: a win is one, a draw half of one"""
    low: float
    """lower bound of the 95 % interval of the score"""
    high: float
    """upper bound"""
    elo: float | None
    """difference of strength in Elo points, by the score; after a sequential test its median-unbiased estimate. None
    where it is infinite"""
    elo_low: float | None
    """lower bound of its 95 % interval"""
    elo_high: float | None
    """upper bound"""
    normalized: float | None
    """the same in normalized Elo points, after a sequential test; None without one, and where scores do not scatter"""
    normalized_low: float | None
    """lower bound of its 95 % interval"""
    normalized_high: float | None
    """upper bound"""
    superiority: float
    """likelihood that the first-named player is the stronger one, 0..1"""
    margin: float
    """mean margin of a game; a game that is lost by what a player must not do counts one"""
    margin_low: float | None
    """lower bound of its 95 % interval; None where it is not known, as after one pair of games"""
    margin_high: float | None
    """upper bound"""
    verdict: Verdict | None
    """what a sequential test has accepted: `elo0` or `elo1`; None if it has not come to an end, or there was none"""
    ratio: float | None
    """the logarithm of the likelihood ratio of its hypotheses"""
    unpaired_low: float | None
    """lower bound of the interval if the games of a pair had dice, and openings, of their own; None without dice in
    common"""
    unpaired_high: float | None
    """upper bound likewise"""
    illegal: int
    """games lost, by either player, by an illegal move"""
    timeouts: int
    """games lost, by either player, by taking too long"""
    crashed: int
    """games lost, by either player, by raising an error, or by an end of its process"""
    stopped: int
    """draws by the limit of plies"""
    distinct: int
    """different sequences of moves among the games; of more than 16,000 it may be an estimate, to about a hundredth"""
    plies: float
    """mean length of a game, after its opening"""
    notes: tuple[str, ...]
    """what people should be told besides"""
    faults: tuple[GameRow, ...]
    """the first game of each kind in which a player did what it must not, by number"""
    rows: tuple[GameRow, ...]
    """each game, by number; none where they were not wanted"""

    def records(self) -> list[GameRecord]:
        """The record of each game; none unless the match kept the moves."""
        rules = rules_of(self.game)
        return [
            GameRecord(
                rules,
                (self.first, self.second) if row.seat_of_first == 0 else (self.second, self.first),
                row.start,
                row.moves,
                Outcome(row.margin, len(row.moves), row.reason, row.fault if row.reason in FAULTS else ""),
            )
            for row in self.rows
            if row.start is not None
        ]

    def __repr__(self) -> str:
        score = f"score {self.score:.3f} ({self.low:.3f} to {self.high:.3f})"
        counts = f"{self.wins:,} won, {self.draws:,} drawn, {self.losses:,} lost"
        return f"<Match of {self.game}, {self.first} against {self.second}: {counts}, {score}>"
