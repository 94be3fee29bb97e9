"""The open questions of report M: the page and its files follow the figures, which are made up here."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from made_up_mancala import (
    DOWN,
    FALLING,
    STEADY,
    UP,
    WEAKER,
    all_found,
    judged,
    page_of,
    played,
    seeds,
    swept,
    text_of,
    traces,
    treated,
)

from petteia.analysis.settling import Settling
from petteia.experiments.formats import csv_text
from petteia.reports.mancala import beyond, questions
from petteia.reports.mancala.beyond import Step
from petteia.reports.mancala.open_claims import LAST
from petteia.reports.mancala.open_questions import ROWS, of_all_seeds
from petteia.reports.mancala.questions import (
    LOWER_EXPLORED,
    QUESTIONS,
    compare,
)


def test_players_of_several_seeds_are_taken_together() -> None:
    rows = [judged("random"), judged("theta1, seed 1", 0.2), judged("theta2, seed 1"), judged("theta1, seed 2", 0.4)]
    rows[3] = rows[3]._replace(perfect_share=0.85, given_away=15.0)
    random, theta1, theta2 = of_all_seeds(rows)
    assert random == rows[0]
    assert (theta1.player, theta1.positions) == ("theta1", 100)
    figures = theta1.perfect_share, theta1.mean, theta1.low, theta1.high, theta1.given_away
    assert figures == pytest.approx((0.8, 0.3, 0.2, 0.4, 10.0)), "means, and the range of the mean regrets"
    assert theta2 == rows[2]._replace(player="theta2")


@pytest.mark.slow
def test_the_page_is_whole() -> None:
    html = page_of()
    for tag in ("p", "table", "figure", "svg", "h3", "tr", "td"):
        assert len(re.findall(rf"<{tag}\b", html)) == html.count(f"</{tag}>") > 0, tag
    for asks in QUESTIONS.values():
        assert asks in html
    assert html.count("Clearly better than") == len(QUESTIONS)
    assert html.count("They do not coincide") == 2, "in the answer and in the claim"
    # ten experiments of a variant, one of five in four cells each, one of three in two cells each
    assert "Of 66 such differences about 3 would" in html
    assert "80.0% (73.5% to 85.5%)" in text_of()
    assert "feature 10" in html
    assert "feature 11" not in html, "no more than ten are listed"


def test_rows_of_files() -> None:
    whole = all_found()
    found = {name: of(whole) for name, of in ROWS.items()}
    assert list(found) == list(ROWS)
    assert {name: len(rows) for name, rows in found.items()} == {
        "questions": 10 * 2 * 4 + 6 * 4 + 4 * 2,
        "answers": 72,
        "settling": 12,
        "steps": 2,
        "course": 3,
        "duels": len(whole.duels),
        "search": 2,
        "regret": 2,
    }
    assert {row["verdict"] for row in found["questions"]} == {"", "better"}
    last = {row["experiment"]: row for row in found["questions"]}["mancala-features"]
    assert (last["variant"], last["gain_mean"]) == ("alpha 0.2", pytest.approx(0.2))
    assert len({(row["about"], row["variant"], row["figure"]) for row in found["answers"]}) == 72
    assert found["answers"][0] == {
        "about": "weights",
        "variant": "either <side>",
        "figure": "distance from those of the report",
        "value": pytest.approx(0.1),
        "low": pytest.approx(0.0901838),
        "high": pytest.approx(0.1098162),
    }
    assert found["course"][0] == {"seed": 1, "from_games": 100, "to_games": 400, "change": -0.05, "enough": 30_000}
    names = ("question", "variant", "seed", "depth", "opponent", "seat")
    assert len({tuple(row[name] for name in names) for row in found["duels"]}) == len(whole.duels)
    assert found["search"][1] == {"generation": 2, "elite": 0.9}
    assert {row["board"] for row in found["regret"]} == {"Kalah(4, 3)"}
    for name, each in found.items():
        assert csv_text(each), name


ONE_SEED = {
    "duels": played((0.0,)),
    "steps": [step._replace(swing=step.swing[1:2]) for step in FALLING],
    "course": WEAKER._replace(changes=[0.05], stages=[(0, 200, [0.1]), (1, 200, [0.2])], enough=[7]),
    "nearness": {"one reading": [0.3]},
}


def test_of_one_seed_no_interval_is_shown() -> None:
    results = {each: swept({0.1: STEADY[:1], 0.2: UP[:1]}) for each in QUESTIONS}
    results |= {beyond.TRACES: traces(UP[:1], STEADY[:1]), LOWER_EXPLORED: all_found().experiments[LOWER_EXPLORED]}
    compared = {name: compare(result) for name, result in results.items() if name != LOWER_EXPLORED}
    compared[LOWER_EXPLORED] = compare(swept({0.1: STEADY[:1]}))
    changes = {"experiments": results, "compared": compared, **ONE_SEED}
    said = text_of(**changes)
    assert not re.search(r"\b(inf|nan)\b", said)
    for words in (
        "59.0% (one seed)",
        "0.200 (one seed)",
        "one reading: 30% (one seed)",
        "With one seed no difference can be told.",
        "Against greedy1 that cannot be told from luck: the score, in both seats, changes by +5.0 points (one seed)",
        "stays within two points of its end from 7 games on",
        "Whether that comes of the step size cannot be told from luck.",
        "Whether it lacks what random moves would teach cannot be told",
        "last +0.0 points (one seed), which can be luck",
    ):
        assert words in said
    assert "another gains" not in said
    assert "is not its features" not in said
    assert " 5 would be called so" not in said
    written = {name: of(all_found(**changes)) for name, of in ROWS.items()}
    csv = csv_text(written["questions"])
    assert not re.search(r"\b(inf|nan)\b", csv)
    assert "mancala-features,alpha 0.1,greedy1,first,0.59,,,0.0,,," in csv
    assert "Infinity" not in json.dumps(written)


WINS = LAST["first"].text(all_found())
LESS, UNSURE = seeds(-0.3), seeds(0.1, 0.3)


def steps(least: list[float], most: list[float], sizes: tuple[float, float] = (0.1, 0.2)) -> list[Step]:
    return [Step(name, size, swing) for name, size, swing in zip("ab", sizes, (least, most), strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "With alpha 0.01 the weights swing 4.0 times as far"),
        ({"steps": steps(seeds(0.1), seeds(0.2))}, "With alpha b the weights swing 2.0 times as far"),
        ({"steps": steps(seeds(0.1), seeds(0.2))}, "A weight comes to rest when the step size does"),
        ({"steps": steps(seeds(0.1), seeds(0.2), (0.2, 0.1))}, "the order of the swings is not that of the step sizes"),
        ({"steps": steps(seeds(0.1), seeds(0.11))}, "Whether that comes of the step size cannot be told"),
        ({}, "rare features swing more (Spearman's correlation of swing and frequency -0.50)"),
        ({}, "and features that others nearly make up for swing more (of swing and variance inflation +0.50)"),
        ({"settling": Settling([], -0.5, 0.5)}, "features that are seen often swing more, not rare ones"),
        ({"settling": Settling([], -0.5, 0.5)}, "features that others nearly make up for swing less"),
        ({"settling": Settling([], 0.2, -0.2)}, "how rare a feature is has little to do with it"),
        ({"settling": Settling([], 0.2, -0.2)}, "how much other features tell about one has little to do with it"),
        ({}, "weaken between 100 and 400 games"),
        (
            {},
            "It does against greedy1: the score, in both seats, changes by -5.0 points (-7.5 to -2.5) from 100 ",
        ),
        ({}, "each the mean of all points of the curve within 40 games, over 3 seeds. R's player dips"),
        ({"course": WEAKER._replace(changes=[0.05, 0.06, 0.05])}, "Against greedy1 it does not: the score"),
        ({"course": WEAKER._replace(changes=[0.05, 0.06, -0.05])}, "Against greedy1 that cannot be told from luck: "),
        ({"course": WEAKER._replace(changes=[0.05, 0.06, -0.05])}, "What one training loses between the two, another "),
        ({}, "So it is here. The player after 100 games scores more: as first than that after 200, +10.0 points ("),
        ({}, "as second than that after 200, +30.0 points (+29.0 to +31.0)"),
        ({"course": WEAKER._replace(stages=[(0, 200, seeds(0.1)), (1, 200, LESS)])}, "It is not so here."),
        ({"course": WEAKER._replace(stages=[(0, 200, UNSURE)])}, "Whether it is so here cannot be told from luck."),
        ({}, "stays within two points of its end from 20,000 to 30,000 games on, by seed"),
        (
            {"duels": played(mean=0.7)},
            "beside drawn: last +0.0 points (-0.6 to +0.6), which can be luck; mean +60.0 ",
        ),
        ({"duels": played(mean=0.7)}, "mean +60.0 points (+59.4 to +60.6), clearly more."),
        ({"duels": played(drawn=0.7)}, "beside drawn: last -60.0 points (-60.6 to -59.4), clearly less; mean -60.0"),
        ({"duels": played(say=0.75)}, "beside as it is: ends are worth what the weights say +65.0 points"),
        ({"duels": played(wins=0.75)}, "which can be luck; no early wins +65.0 points"),
        ({}, "with report, none; with report+chain, none. The mean score of all depths, beside report: report+chain"),
        ({}, "Of the 80 games of a match 7 to 19 are different ones"),
        ({"duels": played(report3=0.95)}, "with report, theta3; with report+chain, none"),
        ({"duels": played(report3=0.6)}, "with report, theta3; with report+chain, none"),
        ({"duels": played(chain1=0.95, chain5=0.97)}, "with report, none; with report+chain, theta1, theta5"),
        ({"duels": played(true=0.6)}, "It lacks what random moves would teach it. As second against greedy1, in 300 g"),
        (
            {"duels": played(true=0.6)},
            "against self:every=10000, 10.0% (9.3% to 10.8%) if nothing is learned from random",
        ),
        (
            {"duels": played(true=0.6)},
            "and 60.0% (58.8% to 61.2%) if it is, +50.0 points (+49.3 to +50.7); trained against",
        ),
        ({"duels": played(true=0.05)}, "What random moves would teach is not all that it lacks."),
        ({}, "It won 90% of the games in which it did."),
        ({}, "nearest to R's where either &lt;side&gt; , and farthest from them where lower ."),
        ({}, "either &lt;side&gt;: 10% (9% to 11%); lower: 35% (34% to 36%)"),
        ({"nearness": {"a": seeds(0.4), "b": seeds(0.2)}}, "nearest to R's where b , and farthest from them where a"),
        ({"nearness": {"a": seeds(0.4), "b": [0.0, 0.2, 0.4]}}, "b: 20% (0% to 70%)"),
        ({}, f"the trainings win {WINS} as first and {WINS} as second."),
        ({}, "What keeps the learner below that is not its features."),
    ],
)
def test_words_follow_figures(changes: dict[str, Any], words: str) -> None:
    assert words in text_of(**changes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "another gains"),
        ({"course": WEAKER._replace(changes=[0.05, 0.0, 0.01])}, "another gains"),
        ({"steps": steps(seeds(0.1), seeds(0.11))}, "comes to rest"),
        ({"steps": steps(seeds(0.1), seeds(0.2), (0.2, 0.1))}, "comes to rest"),
        ({"duels": played(last=0.93)}, "is not its features"),  # up to 95.5 % over the seeds, and the search from 93 %
        ({"duels": played(true=0.6)}, "is not all that it lacks"),
        ({"treatment": treated(won_starving=None)}, "in which it did"),
        ({"experiments": all_found().experiments | {beyond.TRACES: traces(STEADY)}}, "do not coincide"),
    ],
)
def test_words_are_not_said_without_their_figures(changes: dict[str, Any], words: str) -> None:
    assert words not in text_of(**changes)


def test_worse_becomes_a_word_of_the_page() -> None:
    result = swept({0.1: STEADY, 0.2: DOWN})
    name = next(iter(questions.QUESTIONS))
    whole = all_found()
    said = text_of(compared={**whole.compared, name: compare(result)})
    assert "Clearly worse than alpha 0.1: alpha 0.2 (-10.0 as first against greedy1" in said
    assert re.search(r"alpha 0\.2\s+50\.0% worse", said)
