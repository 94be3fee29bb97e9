"""The settings of the training runs, and the matches and measures of the report.

There are three kinds of training runs: those of the term project, those with a change to the training of the project,
and those of learners that learn both sides.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib import resources
from itertools import product
from typing import Any

from petteia.arena.match import match as play
from petteia.games import game as rules_of
from petteia.reports.engine import truth
from petteia.reports.engine.estimates import Unit, certain
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, Part, Values, of_match
from petteia.reports.engine.kept import kept
from petteia.reports.engine.settings import Agent, Seated, Setting, Size

WORDS: dict[str, dict[str, Any]] = tomllib.loads(
    (resources.files("petteia.reports.british_square") / "words.toml").read_text(encoding="utf-8")
)
READINGS: dict[str, str] = WORDS["readings"]
"""The readings of the rules with their names. The last one is the published game."""
MOVER, EITHER, PUBLISHED = READINGS
SHORT = {game: words.partition(" ")[0] for game, words in READINGS.items()}
"""the readings in the names of claims and figures"""
SEATS = ("first", "second")
PLACES = [*product(READINGS, range(len(SEATS)))]
COMPARED = [place for place in PLACES if place[0] != EITHER]
"""the readings and seats in which the solution of the game is used"""
CHANGES: dict[str, str] = WORDS["changes"]
"""the changes to the term project's learner, with their words"""
ALL, SELF_PLAY, FASTER, SHALLOW = "all", "self-play", "alpha", "all-shallow"
COMPARISONS: dict[str, str] = CHANGES | WORDS["comparisons"]
"""the changes whose regret is compared with the regret of the unchanged learner, with their words"""
SUGGESTED = ("features", "open-squares", "open-squares-ahead", "perfect-play")
"""the changes that the project suggests; all but the first are opponents with a strategy"""
JUDGED_WORDS: dict[str, str] = WORDS["judged"]
"""the changes that claims judge, with their words in the measure"""
LEARNERS: dict[str, str] = WORDS["learners"]
"""the learners of both sides, with their words"""
BEST = "patterns"
WORKING = "british-square-learners"
EXPERIMENTS = (*(f"{kind}-{seat}" for kind in ("term-project", "suspects") for seat in SEATS), WORKING)

ALPHA, RULE, FEATURES = 1e-5, "rootstrap", "counts"
"""the step size, learning algorithm and features of the standard settings"""
UNTRAINED, *ALPHAS = 0.0, 1e-6, ALPHA, 1e-4
"""Step sizes. With step size 0 the program keeps its initial weights, as if it never loaded its learned weights."""
MOMENTS = {RULE: "before the move", "rootstrap-after": "after the move"}
MIDDLES = {FEATURES: "nine inner squares", "counts-centre": "the centre"}
DEPTHS = (1, 2)
TRAINED = [*product(ALPHAS, MOMENTS, MIDDLES, DEPTHS)]
"""the combinations of alpha, learning algorithm, features, and search depth in play that are tried with training"""
CHOICES = [*product([UNTRAINED], [RULE], MIDDLES, DEPTHS), *TRAINED]
"""all combinations that are tried, with and without training"""

GAMES, STRONG, RANDOM = Size(1000, 200), Size(10_000, 500), Size(100_000, 5000)
"""games of a match of the project's learners, of the stronger learners, and of random play against itself"""
POSITIONS, JUDGED = Size(20_000, 2000), Size(1000, 100)
"""positions of the sample for each side to move; games in which regret and margins are measured"""
IMPOSSIBLE = {(game, *result) for game in (MOVER, EITHER) for result in ((0, "lost"), (1, "won"))}
"""Results that the rules exclude. Stones are placed in turn, so the second player never has more than the first."""


def term(
    game: str, seat: int, alpha: float = ALPHA, rule: str = RULE, features: str = FEATURES, depth: int = 2
) -> Seated:
    """Return the term project's learner. If the step size `alpha` is 0, it is untrained and has its initial weights."""
    values = {"game": game, "alpha": alpha, "learner": rule, "features": features}
    return _seated("term-project", values, game, seat, depth, draws_lose=True)


def suspect(change: str, game: str, seat: int) -> Seated:
    """Return the term project's learner with one of the `CHANGES` to its training.

    The change `all` combines several of them. With a change to the rewards, or with `all`, a draw is rewarded
    more than a loss. With `all`, the learner learns the values of afterstates only. It therefore searches one ply in
    play, so that the search evaluates afterstates.
    """
    values = {"treatment": change, "game": game}
    draws_lose = change not in ("ends", "ends-and-first-weights", ALL)
    return _seated("suspects", values, game, seat, 1 if change == ALL else 2, draws_lose)


def compared(change: str, game: str, seat: int) -> tuple[Seated, Seated]:
    """Return the learner with one of the `COMPARISONS`, and the unchanged learner with which it is compared.

    Both learners have the same step size `alpha`, unless `change` is `alpha`, `all` or `all-shallow`.
    """
    faster, usual = term(game, seat, ALPHAS[-1]), term(game, seat)
    special = {FASTER: (faster, usual), SHALLOW: (suspect(ALL, game, seat), term(game, seat, depth=1))}
    return special.get(change) or (suspect(change, game, seat), faster if change == "features" else usual)


def _seated(kind: str, values: dict[str, Any], game: str, seat: int, depth: int, draws_lose: bool) -> Seated:
    """Return a learner of the term project. If `draws_lose` is true, its search scores a draw like a loss."""
    words = f"the {player_of(game, seat)}"
    options = f"depth={depth},weights=last{',draws=-100000' if draws_lose else ''}"
    return Seated(Agent(Setting(f"{kind}-{SEATS[seat]}", values, words, seat), options), seat, game, words)


def player_of(game: str, seat: int) -> str:
    """Return a seat and the rule for the end of the game in words, such as `first player with the rule “...”`."""
    return f"{SEATS[seat]} player with the rule “{READINGS[game]}”"


def working(name: str, seat: int, depth: int = 1) -> Seated:
    """Return a learner of the published game that was trained to play both sides."""
    setting = Setting(WORKING, {"treatment": name}, name, seat)
    return Seated(Agent(setting, f"depth={depth},weights=last"), seat, PUBLISHED, name)


def random_player(game: str, seat: int) -> Seated:
    """Return the player that moves at random, as first or as second player."""
    return Seated("random", seat, game, "random play")


# Measures.


def share(player: Seated, part: Part) -> Figure:
    """Return the share of a player's games against random play that are won, drawn or lost.

    If the result `part` is impossible under the rules, the share is exactly 0.
    """
    has_learned = isinstance(player.player, Agent)
    games = RANDOM if not has_learned else STRONG if player.setting.experiment == WORKING else GAMES
    found = of_match(player.against("random", games), part)
    is_impossible = (player.game, player.seat, part) in IMPOSSIBLE
    return replace(found, of=lambda _: certain(0.0)) if is_impossible else found


def shares(player: Seated) -> tuple[Figure, ...]:
    """Return the shares of a player's games against random play that are won, drawn and lost, for a table cell."""
    return tuple(share(player, part) for part in ("won", "drawn", "lost"))


def regret(player: Seated, over: str = truth.SAMPLE, part: str = "mean") -> Figure:
    """Return the mean regret of a player's moves, in stones.

    The argument `over` states whether the moves are made in a sample of positions or in games against an opponent. If
    `part` is `faultless`, the result is the share of moves without regret instead.
    """
    return truth.gives_away(
        player, over, POSITIONS if over == truth.SAMPLE else JUDGED, part, unit=Unit(".3f", " stones", minimum=0.0)
    )


@kept
def mean_margin(evidence: Evidence, player: str, game: str, seat: int, opponent: str, games: int) -> float:
    """Return the mean margin of a player in games against an opponent."""
    players = [evidence.player(each, game) for each in (player, opponent)][:: 1 - 2 * seat]
    found = play(rules_of(game), *players, games=games, openings="none", seats="fixed", seed=0, rows=False)
    return (1 - 2 * seat) * found.margin


def margin(player: Seated, opponent: str) -> Figure:
    """Return the mean margin of a learner in games against an opponent."""

    def of(evidence: Evidence) -> Values:
        where = player.game, player.seat, opponent, evidence.size(JUDGED)
        return [mean_margin(evidence, text, *where) for text in evidence.texts(player.player)]

    return Figure("the mean margin", Unit("+.2f", " stones"), of, player.words)
