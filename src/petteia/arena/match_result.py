"""The result of a match."""

from __future__ import annotations

from typing import NamedTuple

from petteia.arena.alternate import GameRow
from petteia.arena.sprt import Verdict
from petteia.arena.tally import Counts
from petteia.core.decision import FAULTS, Outcome
from petteia.games import game as rules_of
from petteia.records.game_record import GameRecord


class MatchResult(NamedTuple):
    """The result of a match, from the perspective of the first-named player."""

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
    """the number of games drawn, including draws by the limit of plies"""
    losses: int
    """the number of games lost"""
    units: tuple[int, ...]
    """the number of pairs of games for each number of points of the first-named player, from none to all in steps of
    half a point; the number of single games if games do not come in pairs"""
    by_seat: tuple[Counts, Counts]
    """the numbers of wins, draws and losses of the first-named player as player 0, and as player 1"""
    score: float
    """the share of all points that the first-named player won, 0..1: a win is one point, a draw half a point"""
    low: float
    """lower bound of the 95 % interval of the score"""
    high: float
    """upper bound of the same interval"""
    elo: float | None
    """the Elo difference computed from the score; after a sequential test, its median-unbiased estimate. None if it is
    infinite"""
    elo_low: float | None
    """lower bound of the 95 % interval of the Elo difference"""
    elo_high: float | None
    """upper bound of the same interval"""
    normalized: float | None
    """the difference in normalized Elo points after a sequential test; None without a test, or if the scores of all
    games are equal"""
    normalized_low: float | None
    """lower bound of the 95 % interval of the normalized Elo difference"""
    normalized_high: float | None
    """upper bound of the same interval"""
    superiority: float
    """the likelihood that the first-named player is the stronger one, 0..1"""
    margin: float
    """the mean final margin of a game; a game lost by an illegal move, a late move or a crash counts as 1 for the
    winner"""
    margin_low: float | None
    """lower bound of the 95 % interval of the mean margin; None if it is unknown, for example after one pair of
    games"""
    margin_high: float | None
    """upper bound of the same interval"""
    verdict: Verdict | None
    """the hypothesis that a sequential test accepted, `elo0` or `elo1`; None if it accepted neither, or without a
    test"""
    ratio: float | None
    """the logarithm of the likelihood ratio of the two hypotheses of a sequential test; None without a test"""
    unpaired_low: float | None
    """lower bound of the score's interval, computed as if the games of a pair had independent dice and openings; None
    if no games have common dice"""
    unpaired_high: float | None
    """upper bound of this interval"""
    illegal: int
    """the number of games that either player lost by an illegal move"""
    timeouts: int
    """the number of games that either player lost by a late move"""
    crashed: int
    """the number of games that either player lost by an exception or the termination of its process"""
    stopped: int
    """the number of games that ended as a draw by the limit of plies"""
    distinct: int
    """the number of different sequences of moves among the games; above 16,000, an estimate with an error of about 1
    %"""
    plies: float
    """the mean length of a game in plies, after its opening"""
    notes: tuple[str, ...]
    """remarks for the user"""
    faults: tuple[GameRow, ...]
    """the first game of each kind of fault (illegal move, late move, crash), in the order of the games"""
    rows: tuple[GameRow, ...]
    """the row of each game, in the order of the games; empty if the match did not keep rows"""

    def records(self) -> list[GameRecord]:
        """Return the record of each game. The list is empty if the match was played without the option `moves`."""
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
