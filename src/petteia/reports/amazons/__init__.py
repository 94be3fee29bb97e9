"""The report on selective search and quiescence search in the Game of the Amazons.

The report reproduces a student exercise, which compares four computer players of the game. The report plays more games
than the exercise, so that the scores have narrower confidence intervals. The modules of the report are:

- `plan`: the results that the exercise prints, and the players, limits and matches of this report
- `positions`: measurements in positions, such as the depth of a search
- `seen`: statistics of these measurements, with their tables and charts
- `orderings`: a comparison of move orderings with equal processor time
- `boards`: drawings of the board
- `rabbits`: measurements in the variant with rabbits

`claims.toml` contains the claims of the exercise, and `page.md` is the template of the page. This module contains the
declaration of the report: the conditions under which the report agrees with the claims, the tables and charts of the
matches, and the names that the page uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, permutations, product
from typing import Any

from petteia.arena.statistics import Interval
from petteia.features.amazons_mobility import Mobility
from petteia.features.amazons_rankings import AmazonsQueenDistance
from petteia.games.amazons import Amazons
from petteia.players.search import SearchPlayer
from petteia.reports.amazons import boards, orderings, plan, positions, rabbits, seen
from petteia.reports.amazons.plan import ALL_MOVES, SECONDS, SELECTIVELY, SIMPLY, SMALLEST, UPGRADED, UPGRADED_SIMPLE
from petteia.reports.engine.charts import ByEffort
from petteia.reports.engine.claims import read_claims
from petteia.reports.engine.declaration import Declaration
from petteia.reports.engine.estimates import NUMBER, SHARE
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, combination, known
from petteia.reports.engine.round_robins import Asked, against, best_is, chance_to_name, lead, score
from petteia.reports.engine.rules import Rule, above, all_of, below, more_often, within
from petteia.reports.engine.tables import MatchTable, Meeting, Row, Table, table
from petteia.search.quiescence import UntilQuiet
from petteia.search.selection import BestGroups

LITTLE, MIDDLE, MUCH = SECONDS
"""the time limits of the student exercise in seconds"""
MUCH_LOWER = 0.1
"""the smallest difference of scores that counts as large"""
OTHERS = (SIMPLY, UPGRADED_SIMPLE, UPGRADED)


def ahead(seconds: Sequence[int], *pairs: tuple[str, str], of: str = "players", bound: float = 0.0) -> Rule:
    """Return a rule that tests whether the first player of each pair has a higher score than the second player.

    The rule concerns players that meet in the experiment `of`, a key of `plan.EXPERIMENTS`. For each of the `pairs`,
    and at each time limit in `seconds`, the rule compares two scores. The score of the first player must exceed the
    score of the second player by more than `bound`.
    """
    return all_of(
        above(lead(plan.at(of, each), one, other, f", at {each} s"), bound)
        for each, (one, other) in product(seconds, pairs)
    )


def change_in_score(player: str, until: int = MUCH) -> Figure:
    """Return how much a player's score changes when the time limit of all players rises from 2 to `until` seconds."""
    one, other = (score(plan.at("players", seconds), player) for seconds in (until, LITTLE))
    return combination(((1.0, one), (-1.0, other)), "the change in score", f"“{player}”, from {LITTLE} s to {until} s")


def gain_over(one: str, other: str) -> Figure:
    """Return one player's gain in score minus another player's, as the time limit rises from 2 to 50 seconds."""
    terms = (1.0, change_in_score(one)), (-1.0, change_in_score(other))
    return combination(terms, f"the gain in score from {LITTLE} s to {MUCH} s", f"“{one}” minus “{other}”")


def change_in_lead(one: str, other: str, since: int = LITTLE, of: str = "players") -> Figure:
    """Return how much one player's lead over another changes when the time limit rises from `since` to 50 seconds.

    The lead is the score of the player `one` minus the score of the player `other` in the same round robin. The
    argument `of` is the name of the experiment that contains this round robin, a key of `plan.EXPERIMENTS`.
    """
    terms = (1.0, lead(plan.at(of, MUCH), one, other)), (-1.0, lead(plan.at(of, since), one, other))
    subject = f"“{one}” over “{other}”, from {since} s to {MUCH} s"
    return combination(terms, "the change in lead", subject)


def best(words: str, holds: Callable[..., bool], *seconds: int) -> Rule:
    """Return a rule that tests a condition on the best shares of moves to search at several time limits.

    A selective player searches only a share of the legal moves. A share is a candidate for the best share at a time
    limit if no other share scores significantly higher. The function `holds` tests the condition that `words`
    describes. Its arguments are one candidate for each time limit in `seconds`, in the same order.
    """

    def shares(evidence: Any) -> Mapping[str, Sequence[float]]:
        return {f"at {each} s": plan.possibly_best(evidence, plan.effort_for(evidence, each)) for each in seconds}

    return best_is(words, "candidates for the best w", shares, holds)


def is_best(seconds: int, share: float) -> Rule:
    """Return a rule that tests whether `share` is the best share of moves to search at a time limit of `seconds`."""
    return best(f"w = {share:g} is the only candidate at {seconds} s", lambda found: found == share, seconds)


def grows(*shares: float) -> bool:
    """Return whether a sequence of shares never decreases, and its last share is larger than its first share.

    Each argument is the best share of moves to search at one time limit. The time limits increase.
    """
    return list(shares) == sorted(shares) and shares[0] < shares[-1]


RULES: dict[str, Rule] = {
    "first-moves": all_of(within(seen.first_moves(kind), count, count) for kind, count in enumerate((20, 544, 2176))),
    "branching-falls": above(seen.FALL, 0.0),
    "spends-long": above(seen.settled(MIDDLE), 0.5),
    "queen-distance-best": all_of(
        above(lead(orderings.at_equal_time, "queen distance", each, " with equal processor time"), 0.0)
        for each in ("mobility", "decision tree", "neighbours", "random")
    ),
    "square-matters": above(seen.MATTERS_MORE, 0.0),
    "tree-is-cowardly": above(seen.COWARDLY, 0.0),
    "share-trades": all_of(
        [*(above(seen.deeper(SMALLEST, SIMPLY, each), 0.0) for each in SECONDS), below(seen.holds(0.25), 0.95)]
    ),
    "takes-back": more_often(
        "the best reply cancels the whole gain significantly more often for moves that are not quiet than for quiet "
        "moves",
        "gains that the best reply cancels",
        ("moves that are not quiet", "quiet moves"),
        seen.taken_back,
    ),
    "selective-deeper": all_of(above(seen.deeper("selective", "upgraded selective", each), 0.0) for each in SECONDS),
    "not-ready": all_of(above(seen.not_ready("upgraded selective", each), 0.1) for each in SECONDS),
    **{f"best-{seconds}": is_best(seconds, share) for seconds, share in plan.ORIGINAL_BEST.items()},
    "best-grows": best(
        "for every choice of one candidate per time limit, w is larger at 50 s than at 2 s, and never decreases in "
        "between",
        grows,
        *SECONDS,
    ),
    "small-helps": ahead([LITTLE], (SMALLEST, ALL_MOVES), of="selection"),
    "small-shrinks": below(change_in_lead(SMALLEST, ALL_MOVES, of="selection"), 0.0),
    "repair-helps": above(lead(plan.repairs, plan.repaired(plan.THRESHOLD, 1), plan.BUILT), 0.0),
    "selective-best-2": ahead([LITTLE], *product((SELECTIVELY, UPGRADED), (SIMPLY, UPGRADED_SIMPLE))),
    "simple-wins-10": ahead([MIDDLE], *product([SIMPLY], (SELECTIVELY, UPGRADED_SIMPLE, UPGRADED))),
    "simple-improves": above(change_in_score(SIMPLY, MIDDLE), MUCH_LOWER),
    "selective-wins-50": ahead([MUCH], *product([SELECTIVELY], OTHERS)),
    "simple-third-2": ahead([LITTLE], (SELECTIVELY, SIMPLY), (UPGRADED, SIMPLY), (SIMPLY, UPGRADED_SIMPLE)),
    "simple-second-50": ahead([MUCH], (SELECTIVELY, SIMPLY), (SIMPLY, UPGRADED_SIMPLE), (SIMPLY, UPGRADED)),
    "only-harms": ahead(SECONDS, (SIMPLY, UPGRADED_SIMPLE), (SELECTIVELY, UPGRADED)),
    "simple-behind": ahead(SECONDS, (SELECTIVELY, SIMPLY)),
    "overtakes": all_of(
        [ahead([MUCH], (SELECTIVELY, SIMPLY)), above(change_in_lead(SELECTIVELY, SIMPLY, since=MIDDLE), 0.0)]
    ),
    "same-order": ahead(SECONDS, (SELECTIVELY, UPGRADED), (UPGRADED, UPGRADED_SIMPLE)),
    "selective-rises": above(change_in_score(SELECTIVELY), 0.0),
    "upgraded-fall": all_of(below(change_in_score(each), 0.0) for each in (UPGRADED_SIMPLE, UPGRADED)),
    "gap-grows": all_of(above(change_in_lead(SELECTIVELY, each), 0.0) for each in (UPGRADED, UPGRADED_SIMPLE)),
    "best-potential": all_of(above(gain_over(SELECTIVELY, each), 0.0) for each in OTHERS),
    "harms-much": ahead(SECONDS, (SELECTIVELY, UPGRADED), bound=MUCH_LOWER),
}
"""the conditions under which this report agrees with the claims in `claims.toml`, by the names of the claims"""
CLAIMS = read_claims(__name__, "claims.toml", RULES)


def game_by_game(name: str) -> Table:
    """Return a table that compares the winners of single games in the student exercise and in this report.

    Each row stands for one game of the student exercise. For each time limit, the row shows the winner of this game. It
    also shows the winners of the first games between the same players in this report. `name` is the name of the
    experiment, a key of `plan.EXPERIMENTS`.
    """
    games = plan.PRINTED[name]

    def rows(evidence: Evidence) -> Iterator[Row]:
        for number, pair in enumerate(games.pairs):
            cells = ((games.printed(each, number), plan.winners(evidence, name, each, pair)) for each in SECONDS)
            yield [f"{number + 1}: {pair[0]} {pair[1]}", *chain.from_iterable(cells)]

    return Table(f"{name}-games", ("game", *_beside("", "")), rows)


def scores(name: str) -> Table:
    """Return a table with each player's number of wins in the student exercise and its score in this report.

    For each time limit of the student exercise, the table has a column for the exercise and a column for this report.
    `name` is the name of the experiment, a key of `plan.EXPERIMENTS`.
    """
    games = plan.PRINTED[name]

    def rows(evidence: Evidence) -> Iterator[Row]:
        for letter, player in games.names.items():
            cells: Iterator[Row] = (
                (f"{games.wins(each, letter)} of 6", score(plan.at(name, each), player)) for each in SECONDS
            )
            yield [f"{letter}: {player}", *chain.from_iterable(cells)]

    return Table(f"{name}-scores", ("player", *_beside(": wins", ": score")), rows)


def _beside(original: str, here: str) -> list[str]:
    """Return two column names for each time limit: one for the student exercise and one for this report.

    The text `original` is appended to the column names for the student exercise, and the text `here` to those for this
    report.
    """
    return [words for each in SECONDS for words in (f"original, {each} s{original}", f"here, for {each} s{here}")]


def crosstable(name: str, asked: Asked) -> MatchTable:
    """Return a table with the results of all matches of a round robin."""

    def meetings(evidence: Evidence) -> Iterator[Meeting]:
        wanted = asked(evidence)
        found = evidence.round_robin(wanted)
        for (row, one), (column, other) in permutations(wanted.players.items(), 2):
            yield Meeting(row, column, [found.crosstable[one, other]])

    return MatchTable(name, "player", meetings)


@table(
    "search limit per move",
    "games of each pair",
    "candidates for the best w",
    "probability that the best w has the highest score in 36 games",
)
def what_36_games_tell(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each search limit: the probability that 36 games identify the best player of experiment 1.

    The players of experiment 1 search different shares of the legal moves. In the student exercise, they play 36 games
    at each time limit.
    """
    for effort in plan.efforts(evidence):
        found = evidence.round_robin(plan.shares(evidence, effort))
        chance = known("the probability", SHARE, chance_to_name(found, 2 * plan.RUNS))
        candidates = ", ".join(f"w = {share:g}" for share in plan.possibly_best(evidence, effort))
        yield [effort.words, str(found.plan.declaration.tournament.games), candidates, chance]


@table("player", "score")
def repairs(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row with the score of each variant of the selective player.

    One variant has no quiescence search. The other variants differ in their quiescence search.
    """
    for player in plan.repairs(evidence).players:
        yield [player, score(plan.repairs, player)]


@table("opponent", "score of search against it")
def strength(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each opponent of the player `search`, with the score of `search` against this opponent."""
    for player in [*plan.strength(evidence).players][1:]:
        yield [player, against(plan.strength, plan.OURS, player)]


@table(
    *("move ordering", "seconds per million nodes", "time share", "nodes per move"),
    *("score with equal processor time", *(f"rank of the chosen move, {words}" for words in positions.THIRDS)),
)
def rankings(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each move ordering: its processor time, its score in matches, and its rank of a good move.

    The score is that of a player with this move ordering, in matches in which all players have about the same processor
    time. The good move is the amazon move, without its arrow, that the player `simple` chooses at search depth
    `positions.DEPTH`.
    """
    nodes = orderings.nodes_of(evidence)
    for order, each in orderings.times(evidence).items():
        places = (seen.placed(order, third) for third in seen.WHOLE)
        taken = f"{each.million:.2f}", f"{each.ranking:.1%}", f"{nodes[order]:,}"
        yield [orderings.in_words(order), *taken, score(orderings.at_equal_time, orderings.in_words(order)), *places]


def lines(name: str, evidence: Any) -> Mapping[str, Sequence[tuple[float, Figure]]]:
    """Return a chart line for each player of the experiment `name`.

    Each point of a line shows the player's score at one search limit.
    """
    asked = plan.EXPERIMENTS[name]
    return {
        player: [(each.amount, score(partial(asked, effort=each), player)) for each in plan.efforts(evidence)]
        for player in plan.PRINTED[name].names.values()
    }


def best_lines(evidence: Any) -> Mapping[str, Sequence[tuple[float, Figure]]]:
    """Return a chart line that shows, for each search limit, the best share of moves to search.

    A point shows the share of moves that scores highest. Its error bar reaches from the smallest to the largest share
    that no other share beats significantly.
    """
    points = []
    for effort in plan.efforts(evidence):
        may_be = plan.possibly_best(evidence, effort)
        interval = Interval(plan.highest(evidence, effort), min(may_be), max(may_be))
        points.append((effort.amount, known("the best share", NUMBER, interval)))
    return {"w": points}


def axis(evidence: Any) -> str:
    """Return the label of the chart axis for the search limit: seconds for five moves, or nodes per move."""
    return "seconds for five moves" if evidence.scale == "paper" else "nodes per move"


def names(evidence: Evidence) -> dict[str, Any]:
    """Return the template variables that are available only on the page of this report."""
    return {
        "orderings": orderings,
        "plan": plan,
        "positions": evidence.size(positions.GAMES),
        "shown": rabbits.SHOWN,
        "efforts": [(each.words, evidence.size(each.games)) for each in plan.efforts(evidence)],
        "selective_shares": [(each.words, plan.best_share(evidence, each)) for each in plan.efforts(evidence)],
        "below_heavy": seen.below_heavy(evidence),
        "boards": boards,
        "example": boards.taken_back_in(evidence),
        "games_of": lambda asked: evidence.size(asked(evidence).games),
    }


REPORT = Declaration(
    package=__name__,
    game=plan.GAME,
    depends=(
        *(Amazons, SearchPlayer, Mobility, AmazonsQueenDistance, BestGroups, UntilQuiet),
        *(positions.played, positions.seen_in, positions.thought_in, orderings.time_of, boards.taken_back_in),
        *(rabbits.on_small_board, rabbits.on_large_board, rabbits.of_games),
    ),
    claims=CLAIMS,
    tables=(
        *map(game_by_game, plan.EXPERIMENTS),
        *map(scores, plan.EXPERIMENTS),
        *(crosstable(f"{name}-{seconds}", plan.at(name, seconds)) for name in plan.EXPERIMENTS for seconds in SECONDS),
        *(what_36_games_tell, repairs, strength, crosstable("evaluations", plan.evaluations)),
        *(rankings, seen.trade, seen.improvement, seen.stages, rabbits.rabbits),
    ),
    charts={
        "selection": ByEffort("Experiment 1: four shares w of searched moves", axis, partial(lines, "selection")),
        "branching": seen.branching,
        "all-moves": boards.all_moves,
        "kept-moves": boards.kept_moves,
        "best": ByEffort("The best share", axis, best_lines, "share of the moves, w"),
        "players": ByEffort("Experiment 2: the four players", axis, partial(lines, "players")),
        "tree": rabbits.tree,
    },
    names=names,
    scales=("quick", "paper", "all"),
)
