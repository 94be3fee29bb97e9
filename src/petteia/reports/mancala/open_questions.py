"""The sections of the page that only the scale `all` has: the open questions answered, and exact regret."""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape

from petteia.arena.statistics import Interval
from petteia.render.charts import Curve, line_chart
from petteia.reports import page
from petteia.reports.mancala.beyond import DEPTHS, GAMES, SEED_WORD, STRONGER, TRACES, Beyond, Board, Duel, gather
from petteia.reports.mancala.evidence import Evidence
from petteia.reports.mancala.exact import Judged
from petteia.reports.mancala.matches import Tell
from petteia.reports.mancala.questions import QUESTIONS, SEATS, STARTER, Compared, answer, kinds_of_traces
from petteia.reports.mancala.words import points, spread

RESTLESS = 10
"""features that are listed by how much their weights swing"""
CLOSE = 0.3
"""a correlation of less than this is none to speak of"""


def sections(found: Beyond) -> list[str]:
    """All of them, in order."""
    parts = (_asked, _settling, _averaging, _weakening, _ends, _chain, _treatment, _direct, _regret)
    return [html for part in parts for html in part(found)]


def ask(evidence: Evidence, seeds: int | None, jobs: int | None, tell: Tell) -> Beyond:
    """Ask them of the trainings of the page, in the folder where these are."""
    workers = jobs or min(os.cpu_count() or 1, 8)
    return gather(evidence.folder, evidence.rules, evidence.trainings(), evidence.scale, seeds, workers, tell)


def percent(each: Interval) -> str:
    """A share with its interval: `91.2 (89.0 to 93.1)`."""
    return spread(Interval(*(100 * part for part in each)), ".1f")


def _asked(found: Beyond) -> list[str]:
    """The questions that an experiment each answers."""
    count = sum((len({row.variant for row in rows}) - 1) * len(_columns(rows)) for rows in found.compared.values())
    parts = [
        page.heading("What was left open"),
        page.paragraph(
            "Each question is an experiment that comes with petteia, and <code>petteia experiment NAME</code> runs it. "
            "Scores are over the training seeds, with 95&nbsp;% intervals (Student's); a variant is held against the "
            "first one seed by seed, and called better or worse only where the interval of the difference is clear of "
            f"zero. Of {count} such differences about {count / 20:.0f} would be called so by luck alone."
        ),
    ]
    for question in QUESTIONS:
        rows, result = found.compared[question.experiment], found.experiments[question.experiment]
        parts += [page.heading(question.asks), page.paragraph(escape(answer(rows)))]
        if question.experiment == STARTER:
            parts.append(page.paragraph(_nearest(found.nearness)))
        if question.experiment == TRACES:
            parts.append(page.paragraph(escape(kinds_of_traces(result))))
        parts.append(page.table(["variant", *_columns(rows)], _compared(rows)))
    return parts


def _nearest(nearness: dict[str, Interval]) -> str:
    """Which reading of the training gives weights like R's, and which does not."""
    near, far = (f(nearness, key=lambda name: nearness[name].mean) for f in (min, max))
    told = [f"{name}: {spread(found, '.0%')}" for name, found in nearness.items()]
    return (
        f"The weights come out nearest to R's where <em>{escape(near)}</em>, and farthest from them where "
        f"<em>{escape(far)}</em>. How far they are from R's, in per cent of the length of R's vector: "
        f"{escape('; '.join(told))}."
    )


def _columns(rows: Sequence[Compared]) -> list[str]:
    return [f"{seat} against {opponent}" for opponent, seat in dict.fromkeys((row.opponent, row.seat) for row in rows)]


def _compared(rows: Sequence[Compared]) -> list[list[str]]:
    return [
        [variant, *(f"{percent(row.score)} {row.verdict}".strip() for row in rows if row.variant == variant)]
        for variant in dict.fromkeys(row.variant for row in rows)
    ]


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
    least, most = (f(found.steps, key=lambda step: found.steps[step].mean) for f in (min, max))
    steady = found.steps[most].mean / found.steps[least].mean if found.steps[least].mean > 0 else float("inf")
    return [
        page.heading("Why do some weights never settle?"),
        page.paragraph(
            f"With alpha {most} the weights swing {steady:,.0f} times as far over the last quarter of the games as "
            f"with alpha {least}. A weight comes to rest when the step size does. Of what is left, {often} (Spearman's "
            f"correlation of swing and frequency {seen.with_frequency:+.2f}), and {alike} (of swing and variance "
            f"inflation {seen.with_inflation:+.2f})."
        ),
        page.table(
            ["alpha", "mean swing over the last quarter"],
            [[name, spread(step, ".3f")] for name, step in found.steps.items()],
        ),
        page.table(
            ["feature", "swing", "not zero in", "variance inflation"],
            [
                [row.feature, f"{row.swing:.3f}", f"{row.frequency:.0%}", f"{row.inflation:,.1f}"]
                for row in seen.rows[:RESTLESS]
            ],
        ),
    ]


def _tells(correlation: float, more: str, less: str, nothing: str) -> str:
    if not abs(correlation) >= CLOSE:  # nor where there is none
        return nothing
    return more if correlation > 0 else less


def _of(found: Beyond, question: str) -> list[Duel]:
    return [each for each in found.duels if each.question == question]


def _option(each: Duel, name: str, default: str) -> str:
    """The value of an option in the player's text."""
    return each.player.partition(f",{name}=")[2].partition(",")[0] or default


def _averaging(found: Beyond) -> list[str]:
    duels = _of(found, "averaging")
    rows = {
        weights: [each for each in duels if _option(each, "weights", "drawn") == weights]
        for weights in ("drawn", "last", "mean")
    }
    best = max(rows, key=lambda weights: sum(each.score for each in rows[weights]))
    return [
        page.heading("Does it help to average the weights?"),
        page.paragraph(
            f"The same training, played by vectors drawn from its last 2000 games, by the last, and by the mean of its "
            f"second half, {GAMES} games in each seat against greedy1: the most points go to <em>{best}</em>."
        ),
        page.table(
            ["weights", *(f"score as {seat}" for seat in SEATS)],
            [
                [weights, *(percent(Interval(each.score, each.low, each.high)) for each in row)]
                for weights, row in rows.items()
            ],
        ),
    ]


def _weakening(found: Beyond) -> list[str]:
    off, enough = found.weakening, sorted(found.enough)
    both_ways = off.is_known and off.low <= 0 < off.high
    trend = "What one training loses between two marks, another gains. " if both_ways else ""
    clear = "It does" if off.low > 0 else "It does not" if off.high <= 0 else "That cannot be told from luck"
    return [
        page.heading("Why does the player weaken between 100,000 and 400,000 games, and how many are enough?"),
        page.paragraph(
            f"{clear}: over the training seeds the score against greedy1, in both seats, is at 400,000 games less than "
            f"at 100,000 by {points(off)}. {trend}"
            f"The smoothed score stays within two points of its end from {enough[0]:,} games on in the quickest "
            f"training, and from {enough[-1]:,} on in the slowest."
        ),
    ]


def _ends(found: Beyond) -> list[str]:
    duels = _of(found, "ends")
    kinds = {"as it is": "", "ends are worth what the weights say": "ends=value", "no early wins": "early=no"}
    rows = []
    for name, option in kinds.items():
        for seat in SEATS:
            mine = [each for each in duels if each.seat == seat and _kind(each) == option]
            rows.append([f"{name}, as {seat}", *(f"{each.won:.0%}" for each in mine)])
    totals = {
        name: sum(each.score for each in duels if _kind(each) == option) / len(DEPTHS) / len(SEATS)
        for name, option in kinds.items()
    }
    told = ", ".join(f"{name} {total:.1%}" for name, total in totals.items())
    return [
        page.heading("Theta without special ends, and without early wins?"),
        page.paragraph(f"Mean score of theta1 to theta5 against the greedy player of the same depth: {told}."),
        page.table(["games won by", *(f"theta{depth}" for depth in DEPTHS)], rows),
    ]


def _kind(each: Duel) -> str:
    return next((option for option in ("ends=value", "early=no") if option in each.player), "")


def _chain(found: Beyond) -> list[str]:
    rows = [_of(found, f"chain with {name}") for name in STRONGER]
    holds = {
        name: [f"theta{depth}" for depth, each in zip(DEPTHS, row, strict=True) if each.score > 0.5]
        for name, row in zip(STRONGER, rows, strict=True)
    }
    told = "; ".join(f"with {name}: {', '.join(who) or 'none'}" for name, who in holds.items())
    return [
        page.heading("Does the chain feature hold as second against heuristic?"),
        page.paragraph(
            f"In the report only theta3 did. Here more than half of the points as second go to, {told}. The heuristic "
            "never draws lots, so a cell has few distinct games."
        ),
        page.table(
            ["games won as second, with features", *(f"theta{depth}" for depth in DEPTHS)],
            [
                [name, *(f"{each.won:.0%} ({each.distinct} distinct)" for each in row)]
                for name, row in zip(STRONGER, rows, strict=True)
            ],
        ),
    ]


def _treatment(found: Beyond) -> list[str]:
    seen = found.treatment
    won = "" if seen.won_starving is None else f" It won {seen.won_starving:.0%} of the games in which it did."
    return [
        page.heading("How often does theta5 starve or stuff its opponent?"),
        page.paragraph(
            f"In {seen.games} games against greedy5, each random opening from both sides, theta5 won "
            f"{percent(seen.won)} per cent. In {percent(seen.starved)} per cent the game ended, undecided, as greedy5 "
            f"had no stone to move, in {percent(seen.was_starved)} as theta5 had none.{won} A pit of greedy5's "
            f"held thirteen stones or more in {percent(seen.stuffed)} per cent of the games, one of theta5's in "
            f"{percent(seen.was_stuffed)}."
        ),
    ]


def _direct(found: Beyond) -> list[str]:
    seen = found.direct
    learned = [each for each in _of(found, "averaging") if _option(each, "weights", "drawn") == "last"]
    beats = all(it.low > each.won for it, each in zip((seen.first, seen.second), learned, strict=True))
    held = " What keeps the learner below that is not its features." if beats else ""
    generations = list(range(1, len(seen.curve) + 1))
    return [
        page.heading("How much do these 40 features allow?"),
        page.paragraph(
            f"At least {percent(seen.first)} per cent of the games won as first, and {percent(seen.second)} as second, "
            f"by a player that looks one ply ahead, against greedy1. Not learned: found by direct search over the "
            f"weights, the noisy cross-entropy method, in {seen.generations} generations and {seen.games:,} games from "
            f"the learned ones, and tried in fresh games.{held}"
        ),
        page.figure(
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
    parts = [
        page.heading("Exact regret"),
        page.paragraph(
            "Against the truth there is no opponent to be lucky with: regret is what a move gives away of the final "
            "margin, in stones, in the mean over positions. The players look for wins, not for margins, so the share "
            "of positions whose result they spoil is told, too. Of theta there is a player for each training seed; "
            "shown are their mean and, in brackets, the least and the most of them, else 95&nbsp;% intervals."
        ),
    ]
    for board in found.boards:
        parts += [page.heading(board.name), page.paragraph(escape(f"{board.about}.")), _board(board)]
    return parts


def over_seeds(judged: Sequence[Judged]) -> list[Judged]:
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
        found.append(Judged(name, mine[0].positions, *of_all))
    return found


def _board(board: Board) -> str:
    rows = [
        [
            each.player,
            f"{each.perfect_share:.1%}",
            f"{each.mean:.3f} ({each.low:.3f} to {each.high:.3f})",
            f"{each.given_away:.1%}",
        ]
        for each in over_seeds(board.judged)
    ]
    return page.table(["player", "perfect moves", "mean regret", "results spoiled"], rows)
