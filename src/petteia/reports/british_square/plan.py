"""The plan of the report: its training runs, its measures, and the rules that test its claims.

There are three kinds of training runs. The first kind repeats the training of the term project. The second kind changes
one or more settings of this training. The third kind trains learners to play both sides.

The term project does not say when a game ends, in which seat its program played, or whether losses count. The
statements of the project can therefore be interpreted in several ways. Each interpretation is a separate claim in
claims.toml.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from typing import Any

from petteia.arena.match import match as play
from petteia.experiments.verdicts import AGREES, DIFFERS
from petteia.games import game as rules_of
from petteia.reports.engine import truth
from petteia.reports.engine.claims import read_claims
from petteia.reports.engine.estimates import Unit, certain
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, Part, Values, combination, of_match, ratio
from petteia.reports.engine.kept import kept
from petteia.reports.engine.rules import Rule, above, all_of, below
from petteia.reports.engine.settings import Agent, Seated, Setting, Size, read_toml

WORDS = read_toml("petteia.reports.british_square", "words.toml")
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
JUDGED_WORDS: dict[str, list[str]] = WORDS["judged"]
"""the changes that claims judge, with the words for the regret with and without the change"""
LEARNERS: dict[str, str] = WORDS["learners"]
"""the learners of both sides, with their words"""
BEST = "patterns"
WORKING = "british-square-learners"
WEIGHTS = "learner.safetensors"
"""the file beside the page that contains the weights of the learner with patterns"""
EXPERIMENTS = (*(f"{kind}-{seat}" for kind in ("term-project", "suspects") for seat in SEATS), WORKING)

ALPHA, RULE, FEATURES = 1e-5, "rootstrap", "counts"
"""the step size, learning algorithm and features of the standard settings"""
LARGER = 1e-4
"""a step size that is larger than the standard one"""
UNTRAINED, *ALPHAS = 0.0, 1e-6, ALPHA, LARGER
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
    """Return the term project's learner. If the step size `alpha` is 0, the learner keeps its initial weights."""
    values = {"game": game, "alpha": alpha, "learner": rule, "features": features}
    return _seated("term-project", values, game, seat, depth, draws_lose=True)


def suspect(change: str, game: str, seat: int) -> Seated:
    """Return the term project's learner with a change to its training, a key of `CHANGES`.

    With the changes `ends`, `ends-and-first-weights` and `all`, the search scores a draw higher than a loss. With the
    other changes, it scores a draw like a loss. With the change `all`, the learner learns only the values of
    afterstates. Its search depth in play is then 1, because a search of one ply evaluates afterstates.
    """
    values = {"treatment": change, "game": game}
    draws_lose = change not in ("ends", "ends-and-first-weights", ALL)
    return _seated("suspects", values, game, seat, 1 if change == ALL else 2, draws_lose)


def compared(change: str, game: str, seat: int) -> tuple[Seated, Seated]:
    """Return a learner with a change from `COMPARISONS`, and the unchanged learner for comparison.

    Both learners have the same step size, except for the changes `alpha`, `all` and `all-shallow`.
    """
    faster, usual = term(game, seat, LARGER), term(game, seat)
    special = {FASTER: (faster, usual), SHALLOW: (suspect(ALL, game, seat), term(game, seat, depth=1))}
    return special.get(change) or (suspect(change, game, seat), faster if change == "features" else usual)


def _seated(kind: str, values: dict[str, Any], game: str, seat: int, depth: int, draws_lose: bool) -> Seated:
    """Return a learner of the term project. If `draws_lose` is true, the learner's search scores a draw like a loss."""
    words = f"the {player_of(game, seat)}"
    options = f"depth={depth},weights=last{',draws=-100000' if draws_lose else ''}"
    return Seated(Agent(Setting(f"{kind}-{SEATS[seat]}", values, words, seat), options), seat, game, words)


def player_of(game: str, seat: int) -> str:
    """Describe a seat and an end-of-game rule in words, such as `first player with the rule “...”`."""
    return f"{SEATS[seat]} player with the rule “{READINGS[game]}”"


def working(name: str, seat: int, depth: int = 1) -> Seated:
    """Return a player with weights that were trained for both sides of the published game."""
    setting = Setting(WORKING, {"treatment": name}, name, seat)
    return Seated(Agent(setting, f"depth={depth},weights=last"), seat, PUBLISHED, name)


def random_player(game: str, seat: int) -> Seated:
    """Return the random player, as first or as second player."""
    return Seated("random", seat, game, "random play")


# Measures.


def share(player: Seated, part: Part) -> Figure:
    """Return the share of a player's games against a random player that have the result `part`: won, drawn or lost.

    If the rules exclude the result `part`, the share is exactly 0.
    """
    has_learned = isinstance(player.player, Agent)
    games = RANDOM if not has_learned else STRONG if player.setting.experiment == WORKING else GAMES
    found = of_match(player.against("random", games), part)
    is_impossible = (player.game, player.seat, part) in IMPOSSIBLE
    return replace(found, of=lambda _: certain(0.0)) if is_impossible else found


def shares(player: Seated) -> tuple[Figure, ...]:
    """Return a player's shares of games won, drawn and lost against a random player, for a table cell."""
    return tuple(share(player, part) for part in ("won", "drawn", "lost"))


def regret(player: Seated, over: str = truth.SAMPLE, part: str = "mean") -> Figure:
    """Return the mean regret of a player's moves, in stones.

    If `over` is `sample`, the moves are made in sampled positions. Otherwise `over` names an opponent, and the moves
    are made in games against it. If `part` is `faultless`, the share of moves without regret is returned instead.
    """
    amount = POSITIONS if over == truth.SAMPLE else JUDGED
    return truth.gives_away(player, over, amount, part, Unit(".3f", " stones", minimum=0.0))


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


# Claims.

GAINED = 0.05
"""The minimum difference from another program, as a share of the games won or lost, that counts as a gain."""
HELPED = 0.9
"""A change to the training helps if the regret, relative to the unchanged learner, is below this number."""
RESULTS: tuple[Part, ...] = ("won", "lost")
"""the results that an observer may count"""


def place(game: str, seat: int) -> str:
    """Return the part of a claim's name that identifies an end-of-game rule and a seat, such as `mover-first`."""
    return f"{SHORT[game]}-{SEATS[seat]}"


def many_draws(learner: Seated) -> Rule:
    """Return a rule that tests whether a learner draws more than half of its games against a random player."""
    drawn = share(learner, "drawn")
    return above(replace(drawn, words=f"{drawn.words} against random play"), 0.5)


def gain(learner: Seated, other: Seated, part: Part, than: str = "a random player") -> Figure:
    """Return the gain of one program over another: more games won, or fewer games lost, as a share of the games.

    The gain is positive if the program `learner` is better than the program `other`. If `part` is `won`, the shares of
    games won are compared, and otherwise the shares of games lost. `than` describes the program `other` in words.
    """
    sign, words = (1.0, "increase") if part == "won" else (-1.0, "decrease")
    words = f"the {words} in the share of games {part}, compared with {than},"
    return combination(((sign, share(learner, part)), (-sign, share(other, part))), words, learner.words)


def no_gain(learner: Seated, part: Part) -> Rule:
    """Return a rule that tests whether a learner is not clearly better than a random player.

    `part` is `won` if the shares of games won are compared, and `lost` if the shares of games lost are compared.
    """
    return below(gain(learner, random_player(learner.game, learner.seat), part), GAINED)


def learned(game: str, seat: int) -> Rule:
    """Return a rule that tests whether the term project's learner is clearly better after training than before."""
    untrained = term(game, seat, UNTRAINED)
    return above(gain(term(game, seat), untrained, decisive(game, seat), "the untrained learner"), GAINED)


def decisive(game: str, seat: int) -> Part:
    """Return the result by which players are compared: `won`, or `lost` if the rules exclude a win in this seat.

    Seat 0 is the first player, and seat 1 is the second player.
    """
    return "lost" if (game, seat, "won") in IMPOSSIBLE else "won"


def fits(learner: Seated, counted: Iterable[Part]) -> Rule:
    """Return a rule that tests whether a learner draws very often and is not clearly better than a random player.

    A learner draws very often if it draws more than half of its games against a random player. `counted` contains the
    results by which the learner is compared with a random player: `won`, `lost`, or both.
    """
    return all_of((many_draws(learner), *(no_gain(learner, part) for part in counted)))


def remaining_regret(change: str, game: str, seat: int, over: str = truth.SAMPLE) -> Figure:
    """Return the regret after a change to the training, divided by the regret of the unchanged learner."""
    changed, before = compared(change, game, seat)
    unchanged = f"after the change “{COMPARISONS[change]}”", "of the unchanged learner"
    words = "the regret {}, divided by the regret {},".format(*JUDGED_WORDS.get(change, unchanged))
    return replace(ratio(regret(changed, over), regret(before, over)), words=words, subject=before.words)


def helps(change: str, game: str, *seats: int, over: str = truth.SAMPLE) -> Rule:
    """Return a rule that tests whether a change to the training lowers the regret by more than 10 %.

    By default, this must be true both for the first player and for the second player.
    """
    return all_of(below(remaining_regret(change, game, seat, over), HELPED) for seat in seats or (0, 1))


def results(depth: int = 2) -> dict[str, Rule]:
    """Return the rules that test the claims about the term project's results, by claim name.

    The results are those of a learner with search depth `depth` in play.
    """
    rules = {}
    for each in PLACES:
        learner = term(*each, depth=depth)
        rules[f"draws-{place(*each)}"] = many_draws(learner)
        for part in RESULTS:
            if part == "won" or (*each, part) not in IMPOSSIBLE:
                rules[f"{part}-{place(*each)}"] = no_gain(learner, part)
    return rules


def opposite(evidence: Any) -> list[str]:
    """Return the names of claims about the project's results with opposite verdicts at search depth 2 and at depth 1.

    Opposite verdicts are AGREES and DIFFERS.
    """
    shallow = results(1)
    verdicts = {name: {each[name].judge(evidence).verdict for each in (RULES, shallow)} for name in shallow}
    return [name for name, found in verdicts.items() if found == {AGREES, DIFFERS}]


RULES = {
    **results(),
    **{f"{name}-helps-{SHORT[game]}": helps(name, game) for name in JUDGED_WORDS for game in (MOVER, PUBLISHED)},
}
"""the rule of each claim in claims.toml"""
CLAIMS = read_claims("petteia.reports.british_square", "claims.toml", RULES)
QUESTIONS = {
    "second-can-win": above(truth.ceiling(MOVER, 1), 0.0),
    **{f"{change}-{place(*each)}": helps(change, *each) for change in COMPARISONS for each in COMPARED},
    **{f"in-games-{SEATS[seat]}": helps(SELF_PLAY, PUBLISHED, seat, over=truth.PERFECT) for seat in (0, 1)},
}
"""Further conditions on whose verdicts sentences of the page depend. They are not counted as claims."""

SECOND = MOVER, 1
FIGURES: dict[str, Figure] = {
    "lost_mover": share(term(*SECOND), "lost"),
    "random_lost_mover": share(random_player(*SECOND), "lost"),
    "won_both": share(term(PUBLISHED, 1), "won"),
    "random_won_both": share(random_player(PUBLISHED, 1), "won"),
    "random_won_mover": share(random_player(MOVER, 0), "won"),
    "untrained_won": share(term(MOVER, 0, UNTRAINED), "won"),
    **{f"random_draws_{SHORT[game]}": share(random_player(game, 0), "drawn") for game in READINGS},
    "untrained_draws": share(term(MOVER, 0, UNTRAINED), "drawn"),
    "features_wins": share(suspect("features", PUBLISHED, 1), "won"),
    "unchanged_wins": share(term(PUBLISHED, 1, LARGER), "won"),
    "shallow_drawn": share(term(EITHER, 1, depth=1), "drawn"),
    "shallow_lost": share(term(EITHER, 1, depth=1), "lost"),
    "random_lost_either": share(random_player(EITHER, 1), "lost"),
    "max_second": truth.ceiling(PUBLISHED, 1),
    **{
        f"{name}_{SEATS[seat]}": each
        for seat in (0, 1)
        for name, each in {
            "self_play_in_games": remaining_regret(SELF_PLAY, PUBLISHED, seat, truth.PERFECT),
            "wins": share(working(BEST, seat), "won"),
            "regret": regret(working(BEST, seat)),
            "regret_ahead": regret(working(BEST, seat, 2)),
            "regret_project": regret(term(PUBLISHED, seat)),
            "regret_faster": regret(term(PUBLISHED, seat, LARGER)),
        }.items()
    },
}
"""The figures that the text of the page names."""
