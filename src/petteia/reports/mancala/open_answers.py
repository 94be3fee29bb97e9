"""The sections that answer what no experiment of `questions` does, and exact regret."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from petteia.analysis.sampled_regret import SampledRegret
from petteia.render.charts import Curve, line_chart
from petteia.reports.engine.claims import above, below, every
from petteia.reports.engine.estimates import POINTS, mean_over_trainings
from petteia.reports.engine.parts import drawing, heading, paragraph, table
from petteia.reports.mancala.beyond import SEED_WORD, Beyond, Board, Step
from petteia.reports.mancala.duels import (
    AVERAGING,
    CHAIN,
    ENDS,
    GAMES,
    OPTIONS,
    STRONGER,
    WEIGHTS,
    by_seed,
    of,
    over_seeds,
)
from petteia.reports.mancala.evidence import DEPTHS
from petteia.reports.mancala.published import progress
from petteia.reports.mancala.questions import SEATS, gain
from petteia.reports.mancala.words import counted, extent, percent, points, size

RESTLESS = 10
"""features that are listed by how much their weights swing"""
CLOSE = 0.3
"""a correlation of less than this is none to speak of"""


def sections(found: Beyond) -> list[str]:
    """All of them, in order."""
    parts = (_settling, _averaging, _weakening, _ends, _chain, _treatment, _direct, _regret)
    return [html for part in parts for html in part(found)]


def _settling(found: Beyond) -> list[str]:
    seen = found.settling
    often = _tells(
        seen.with_frequency,
        "features that are seen often swing more, not rare ones",
        "rare features swing more",
        "how rare a feature is has little to do with it",
    )
    alike = _tells(
        seen.with_inflation,
        "features that others nearly make up for swing more",
        "features that others nearly make up for swing less",
        "how much other features tell about one has little to do with it",
    )
    return [
        heading("Why do some weights never settle?"),
        paragraph(
            f"{_rest(found.steps)} Among features, {often} (Spearman's correlation of swing and frequency "
            f"{seen.with_frequency:+.2f}), and {alike} (of swing and variance inflation {seen.with_inflation:+.2f}). "
            "Variance inflation says how far others make up for a feature, as the learner sees it, where its block "
            "applies: 1 if not at all."
        ),
        table(
            ["alpha", "mean in the last quarter", "mean swing over the last quarter"],
            [[step.alpha, f"{step.size:.2g}", size(step.swing, ".3f")] for step in found.steps],
        ),
        table(
            ["feature", "swing", "not zero in", "variance inflation, uncentred"],
            [
                [row.feature, f"{row.swing:.3f}", f"{row.frequency:.0%}", f"{row.inflation:,.1f}"]
                for row in seen.rows[:RESTLESS]
            ],
        ),
    ]


def _rest(steps: Sequence[Step]) -> str:
    """Whether weights come to rest when the step size does: its order is that of the swings, and their ends differ."""
    by_swing = sorted(steps, key=lambda step: step.swing.mean)
    least, most = by_swing[0], by_swing[-1]
    times = f"{most.swing.mean / least.swing.mean:,.1f} times as far" if least.swing.mean > 0 else "without comparison"
    told = (
        f"With alpha {most.alpha} the weights swing {times} over the last quarter of the games as with alpha "
        f"{least.alpha}."
    )
    if not (least.swing.is_known and most.swing.is_known and least.swing.high < most.swing.low):
        return f"{told} Whether that comes of the step size cannot be told from luck."
    if by_swing == sorted(steps, key=lambda step: step.size):
        return (
            f"{told} A weight comes to rest when the step size does: the smaller this is by then, the less it swings."
        )
    return f"{told} But the order of the swings is not that of the step sizes."


def _tells(correlation: float, more: str, less: str, nothing: str) -> str:
    if not abs(correlation) >= CLOSE:  # nor where there is none
        return nothing
    return more if correlation > 0 else less


def _beside(scores: Mapping[str, Sequence[float]]) -> str:
    """By how much variants score more than the first, seed by seed, in words."""
    (name, first), *others = scores.items()
    told = []
    for other, mine in others:
        gained = gain(mine, first)
        clear = "clearly more" if gained.low > 0.0 else "clearly less" if gained.high < 0.0 else "which can be luck"
        told.append(f"{other} {points(gained)}, {clear}")
    return f"beside {name}: {'; '.join(told)}"


def _averaging(found: Beyond) -> list[str]:
    rows = {weights: of(found.duels, AVERAGING, variant=weights) for weights in WEIGHTS}
    return [
        heading("Does it help to average the weights?"),
        paragraph(
            "The same trainings, played by vectors drawn from the last 2000 games, by the last, and by the mean of the "
            f"second half, {GAMES[AVERAGING]} games of each seed in each seat against greedy1. The mean score of both "
            f"seats, {_beside({weights: by_seed(row) for weights, row in rows.items()})}."
        ),
        table(
            ["weights", *(f"score as {seat}" for seat in SEATS)],
            [
                [weights, *(percent(over_seeds(of(row, AVERAGING, seat=seat))) for seat in SEATS)]
                for weights, row in rows.items()
            ],
        ),
    ]


def _weakening(found: Beyond) -> list[str]:
    seen = found.course
    change, enough = mean_over_trainings(seen.changes, POINTS), sorted(seen.enough)
    answer = {
        True: "It does against greedy1",
        False: "Against greedy1 it does not",
        None: "Against greedy1 that cannot be told from luck",
    }[below(change, 0.0)]
    both_ways = min(seen.changes) < 0.0 < max(seen.changes)
    trend = " What one training loses between the two, another gains." if both_ways else ""
    theirs = [" and ".join(f"{progress(mark, seat).wins:g} %" for seat in (0, 1)) for mark in (1, 3)]
    again = {
        True: "So it is here",
        False: "It is not so here",
        None: "Whether it is so here cannot be told from luck",
    }[every(above(each, 0.0) for *_, each in seen.stages)]
    told = "; ".join(f"as {SEATS[seat]} than that after {games:,}, {points(each)}" for seat, games, each in seen.stages)
    return [
        heading(f"Why does the player weaken between {seen.early:,} and {seen.late:,} games, and how many are enough?"),
        paragraph(
            f"{answer}: the score, in both seats, changes by {points(change)} from {seen.early:,} to {seen.late:,} "
            f"games, each the mean of all points of the curve within {seen.beside:,} games, over "
            f"{counted(len(seen.changes), 'seed')}.{trend} R has no weakening there: as first and as second it "
            f"wins {theirs[0]}, and later {theirs[1]}."
        ),
        paragraph(
            "What is odd in R is its table of stages: the player after 100,000 games scores more against the others, "
            "as first than those after 200,000 and 400,000, as second than that after 200,000. "
            f"{again}. The player after {seen.early:,} games scores more: {told}."
        ),
        paragraph(
            "The score, smoothed over nine points, stays within two points of its end from "
            f"{extent(enough, ',')} games on, by seed."
        ),
    ]


def _ends(found: Beyond) -> list[str]:
    duels = of(found.duels, ENDS)
    rows = [
        [
            f"{name}, as {seat}",
            *(percent(over_seeds(of(duels, ENDS, variant=name, seat=seat, depth=depth))) for depth in DEPTHS),
        ]
        for name in OPTIONS
        for seat in SEATS
    ]
    scores = {name: by_seed(of(duels, ENDS, variant=name)) for name in OPTIONS}
    return [
        heading("Theta without special ends, and without early wins?"),
        paragraph(
            f"{GAMES[ENDS]} games of each seed, in each seat and at each depth, against the greedy player of the same "
            f"depth. The mean score of all, {_beside(scores)}."
        ),
        table(["score", *(f"theta{depth}" for depth in DEPTHS)], rows),
    ]


def _chain(found: Beyond) -> list[str]:
    rows = {name: of(found.duels, CHAIN, variant=name) for name in STRONGER}
    cells = {(name, depth): over_seeds(of(row, CHAIN, depth=depth)) for name, row in rows.items() for depth in DEPTHS}
    told = []
    for name in STRONGER:
        answers = {f"theta{depth}": above(cells[name, depth], 0.5) for depth in DEPTHS}
        who, unsure = ([theta for theta, answer in answers.items() if answer is known] for known in (True, None))
        open_ones = f" (it cannot be told of {', '.join(unsure)})" if unsure else ""
        told.append(f"with {name}, {', '.join(who) or 'none'}{open_ones}")
    means = {name: by_seed(row) for name, row in rows.items()}
    different = [each.distinct for each in found.duels if each.question == CHAIN]
    return [
        heading("Does the chain feature hold as second against heuristic?"),
        paragraph(
            "In the report only theta3 did. Here more than half of the points as second go, over the seeds, to: "
            f"{'; '.join(told)}. The mean score of all depths, {_beside(means)}. Of the "
            f"{GAMES[CHAIN]} games of a match {extent(different, 'd')} are different ones: the heuristic never "
            "draws lots."
        ),
        table(
            ["score as second, with features", *(f"theta{depth}" for depth in DEPTHS)],
            [[name, *(percent(cells[name, depth]) for depth in DEPTHS)] for name in STRONGER],
        ),
    ]


def _treatment(found: Beyond) -> list[str]:
    seen = found.treatment
    won = "" if seen.won_starving is None else f" It won {seen.won_starving:.0%} of the games in which it did."
    return [
        heading("How often does theta5 starve or stuff its opponent?"),
        paragraph(
            f"In {seen.games} games against greedy5, each random opening from both sides, theta5 won "
            f"{percent(seen.won)} per cent. In {percent(seen.starved)} per cent the game ended, undecided, as greedy5 "
            f"had no stone to move, in {percent(seen.was_starved)} as theta5 had none.{won} A pit of greedy5's "
            f"held thirteen stones or more in {percent(seen.stuffed)} per cent of the games, one of theta5's in "
            f"{percent(seen.was_stuffed)}."
        ),
    ]


def _direct(found: Beyond) -> list[str]:
    seen = found.direct
    learned = [over_seeds(of(found.duels, AVERAGING, variant="last", seat=seat), "won") for seat in SEATS]
    beats = all(above(it, each.high) for it, each in zip((seen.first, seen.second), learned, strict=True))
    wins = " and ".join(f"{percent(each)} as {seat}" for seat, each in zip(SEATS, learned, strict=True))
    held = " What keeps the learner below that is not its features." if beats else ""
    generations = list(range(1, len(seen.curve) + 1))
    return [
        heading("How much do these 40 features allow?"),
        paragraph(
            f"At least {percent(seen.first)} per cent of the games won as first, and {percent(seen.second)} as second, "
            f"by a player that looks one ply ahead, against greedy1. Not learned: found by direct search over the "
            f"weights, the noisy cross-entropy method, in {seen.generations} generations and {seen.games:,} games from "
            f"the learned ones, and tried in fresh games. By their last weights the trainings win {wins}.{held}"
        ),
        drawing(
            line_chart(
                [Curve("elite", generations, seen.curve)],
                "Direct search",
                "generation",
                "games won by its elite, both seats",
            ),
            "The elite's score in its own games, which flatters it.",
        ),
    ]


def _regret(found: Beyond) -> list[str]:
    parts: list[str] = [
        heading("Exact regret"),
        paragraph(
            "Against the truth there is no opponent to be lucky with: regret is what a move gives away of the final "
            "margin, in stones, in the mean over positions. The players look for wins, not for margins, so the share "
            "of positions whose result they spoil is told, too. Of theta there is a player for each training seed; "
            "shown are their mean and, in brackets, the least and the most of them, else 95&nbsp;% intervals."
        ),
    ]
    for board in found.boards:
        parts += [heading(board.name), paragraph(escape(f"{board.about}.")), _board(board)]
    return parts


def of_all_seeds(judged: Sequence[SampledRegret]) -> list[SampledRegret]:
    """The players, those of several training seeds taken together: means, and the range of their mean regrets."""
    found = []
    for name in dict.fromkeys(each.player.partition(SEED_WORD)[0] for each in judged):
        mine = [each for each in judged if each.player.partition(SEED_WORD)[0] == name]
        if len(mine) == 1:
            found.append(mine[0]._replace(player=name))
            continue
        shares, regrets, spoiled = (
            [getattr(each, part) for each in mine] for part in ("perfect_share", "mean", "given_away")
        )
        middle, low, high = sum(regrets) / len(mine), min(regrets), max(regrets)
        of_all = (sum(shares) / len(mine), middle, low, high, sum(spoiled) / len(mine))
        found.append(SampledRegret(name, mine[0].positions, *of_all))
    return found


def _board(board: Board) -> str:
    rows = [
        [
            each.player,
            f"{each.perfect_share:.1%}",
            f"{each.mean:.3f} ({each.low:.3f} to {each.high:.3f})",
            f"{each.given_away:.1%}",
        ]
        for each in of_all_seeds(board.judged)
    ]
    return table(["player", "perfect moves", "mean regret", "results spoiled"], rows)
