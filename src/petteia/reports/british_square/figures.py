"""The figures of the report: shares of games against the random player, and what moves give away."""

from __future__ import annotations

from petteia.reports.british_square.evidence import Evidence
from petteia.reports.british_square.plan import Setting
from petteia.reports.engine.estimates import SHARE, Unit, certain
from petteia.reports.engine.figures import Figure, Values

STONES = Unit(".3f", " stones", least=0.0)


def of_games(words: str, part: str, setting: Setting, depth: int | None = None) -> Figure:
    """A share of the games against the random player."""

    def of(evidence: Evidence) -> Values:
        return [getattr(each, part) for each in evidence.shares(setting, depth)]

    return Figure(words, SHARE, of, setting.words)


def won(setting: Setting, depth: int | None = None) -> Figure:
    """The share of games won against the random player."""
    return of_games("the share of games won", "won", setting, depth)


def drawn(setting: Setting) -> Figure:
    """The share of games drawn against the random player."""
    return of_games("the share of games drawn", "drawn", setting)


def lost(setting: Setting) -> Figure:
    """The share of games lost against the random player."""
    return of_games("the share of games lost", "lost", setting)


def given_away(setting: Setting, against: str, depth: int | None = None) -> Figure:
    """The mean of what a move gives away."""
    return Figure(
        "what a move gives away",
        STONES,
        lambda evidence: [each.mean for each in evidence.given_away(setting, against, depth)],
        setting.words,
    )


def by_game(setting: Setting, against: str) -> Figure:
    """The mean of what is given away in a game."""
    return Figure(
        "what is given away in a game",
        STONES,
        lambda evidence: [each.by_game for each in evidence.given_away(setting, against)],
        setting.words,
    )


def of_stage(setting: Setting, against: str, stage: int) -> Figure:
    """The mean of what a move gives away in a stage of the game."""

    def of(evidence: Evidence) -> Values:
        return [each.stages[stage] or 0.0 for each in evidence.given_away(setting, against)]

    return Figure("what a move gives away", STONES, of, setting.words)


def against_perfect(setting: Setting, part: str) -> Figure:
    """A share of the games against the perfect player."""
    return Figure(
        f"the share of games {part}",
        SHARE,
        lambda evidence: [getattr(each, part) for each in evidence.against_perfect(setting)],
        setting.words,
    )


def ceiling(game: str, seat: int, words: str) -> Figure:
    """The share of games that the best player wins against the random player, exactly."""
    return Figure(words, SHARE, lambda evidence: certain(evidence.ceilings(game, seat)[0].won))
