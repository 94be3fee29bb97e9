"""The open questions of report M: the page and its files follow the figures, which are made up here."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from made_up_mancala import DOWN, STEADY, Found, made_up, page_of, regret, swept, text_of, traces

from petteia.experiments.formats import csv_text
from petteia.reports.mancala import boards, duels
from petteia.reports.mancala.further import EARLY_IS_BETTER, LAST
from petteia.reports.mancala.open_questions import BEYOND
from petteia.reports.mancala.plan import LATE, LATER
from petteia.reports.mancala.questions import FEATURES, QUESTIONS, STEPS, TRACES


def test_players_of_several_seeds_are_taken_together() -> None:
    random, seeds = regret("random"), [regret("one", 0.2), regret("two", 0.4, perfect_share=0.85, results_lost=15.0)]
    perfect, mean, spoiled = boards.row([random])
    assert (perfect, spoiled) == ("75.0%", "5.0%")
    assert "0.400 to 0.600" in mean
    perfect, mean, spoiled = boards.row(seeds)
    assert (perfect, spoiled) == ("80.0%", "10.0%")
    assert "0.300" in mean
    assert "0.200 to 0.400" in mean, "the range of the mean regrets"


@pytest.mark.slow
def test_the_page_is_whole() -> None:
    html = page_of()
    for tag in ("p", "table", "figure", "svg", "h3", "tr", "td"):
        assert len(re.findall(rf"<{tag}\b", html)) == html.count(f"</{tag}>") > 0, tag
    for asks in QUESTIONS.values():
        assert asks in html
    assert html.count("Clearly better than") == len(QUESTIONS)
    assert html.count("Both kinds of traces do not give the same scores") == 2, "in the answer and in the claim"
    # ten experiments of a variant, one of six in four cells each, one of three in four cells each
    assert "about 4 of 76 such differences would" in html
    assert "80.0% (73.5% to 85.5%)" in text_of()
    assert "feature 10" in html
    assert "feature 11" not in html, "no more than ten are listed"


def test_rows_of_files() -> None:
    whole: Any = Found()
    found = {name: of(whole) for name, of in BEYOND.rows.items()}
    assert {name: len(rows) for name, rows in found.items()} == {
        "questions": 10 * 2 * 4 + 7 * 4 + 4 * 4,
        "answers": 72,
        "settling": 12,
        "steps": 2,
        "course": 5,
        "duels": 5 * len(duels.WANTED),
        "search": 2,
        "regret": 1,
    }
    assert {row["verdict"] for row in found["questions"]} == {"", "better"}
    last = {row["experiment"]: row for row in found["questions"]}["mancala-features"]
    assert (last["variant"], last["gain_mean"]) == ("alpha 0.2", pytest.approx(0.2))
    assert len({(row["about"], row["variant"], row["figure"]) for row in found["answers"]}) == 72
    assert found["answers"][0] == {
        "about": "weights",
        "variant": "opponent <side>",
        "figure": "the distance from R's weights",
        "value": pytest.approx(0.1),
        "low": pytest.approx(0.0901838),
        "high": pytest.approx(0.1098162),
    }
    assert found["course"][0] == {"seed": 1, "from_games": 100, "to_games": 400, "change": -0.05, "enough": 24_000}
    assert found["search"][1] == {"generation": 2, "elite": 0.9}
    for name, each in found.items():
        assert csv_text(each), name


def test_of_one_seed_no_interval_is_shown() -> None:
    results = {
        name: made_up(*(replace(each, runs=each.runs[:1]) for each in of.cells))
        for name, of in Found().experiments.items()
    }
    changes = {"experiments": results, "seeds": 1}
    said = text_of(**changes)
    assert not re.search(r"\b(inf|nan)\b", said)
    for words in (
        "59.0% (one training run)",
        "0.190 (one training run)",
        "opponent &lt;side&gt;: 9% (one training run)",
        "With one seed, no difference can be judged.",
        "whether the player becomes weaker against greedy1: the mean score over both seats changes by -5.0 points (one",
        "stays within two percentage points of its final value from 24,000 games on",
        "It is undecided whether the step size is the reason.",
        "It is undecided whether this learner becomes better as second player",
        "points (one training run), which can be chance",
    ):
        assert words in said, words
    assert "others lose" not in said
    assert "do not limit the learner" not in said
    assert "would be called better or worse" not in said
    written = {name: of(Found(**changes)) for name, of in BEYOND.rows.items()}
    csv = csv_text(written["questions"])
    assert not re.search(r"\b(inf|nan)\b", csv)
    assert "mancala-features,alpha 0.1,greedy1,first,0.59,,,0.0,,," in csv
    assert "Infinity" not in json.dumps(written)


WINS = LAST["first"].text(Found())
SEVERAL = {"change_between": (0.05, 0.06, -0.05, 0.05, 0.05)}


def swings(minimum: float, maximum: float, alphas: tuple[str, str] = ("0.1", "0.2")) -> dict[str, Any]:
    """Trainings with two step sizes, that with the first one swings least."""
    experiment = swept(dict.fromkeys(alphas, STEADY))
    found = dict(zip(alphas, (minimum, maximum), strict=True))
    return {"experiments": Found().experiments | {STEPS: experiment}, "mean_swing": found}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "the weights swing 4.0 times as far with alpha 0.01 as with alpha 0.01..0.0001."),
        (swings(0.1, 0.2), "the weights swing 2.0 times as far with alpha 0.2 as"),
        (swings(0.1, 0.2), "The weights settle with the step size"),
        (swings(0.1, 0.2, ("0.2", "0.1")), "the swings do not have the order of the step sizes"),
        (swings(0.1, 0.11), "It is undecided whether the step size is the reason."),
        ({}, "The weights of rare features swing more (Spearman's correlation of swing and frequency -0.50)"),
        (
            {},
            "a feature, its weight swings more (correlation of swing and variance inflation +0.50)",
        ),
        ({"swings_of": ([], -0.5, 0.5)}, "frequent features swing more, not those of rare features"),
        ({"swings_of": ([], -0.5, 0.5)}, "a feature, its weight swings less"),
        ({"swings_of": ([], 0.2, -0.2)}, "frequency of a feature has little to do with the swing"),
        ({"swings_of": ([], 0.2, -0.2)}, "The swing of a weight has little to do with the other features"),
        ({}, "weaken between 100 and 400 games"),
        (
            {},
            "Against greedy1 the player becomes weaker: the mean score over both seats changes by -5.0 points (-5.9 to",
        ),
        (
            {},
            "over 5 seeds. Each score is the mean of all points of the learning curve within 40 games. R's player",
        ),
        ({"change_between": (0.05, 0.06, 0.05, 0.05, 0.06)}, "Against greedy1 the player does not become weaker: the"),
        (SEVERAL, "It is undecided whether the player becomes weaker against greedy1: "),
        (SEVERAL, "Some training runs gain between these numbers of games, and others lose."),
        (
            {},
            "This is true here, too. The player after 100 games leads: as first player, the player after 200 games by "
            "+10.0 ",
        ),
        ({}, "as second player, the player after 200 games by +30.0 points (+29.0 to +31.0)"),
        ({"stages": ({(0, LATER): 0.1, (0, LATE): 0.2, (1, LATER): -0.3}, 1.0)}, "This is not true here."),
        (
            {"stages": (dict.fromkeys(EARLY_IS_BETTER, 0.1), 30.0)},
            "It is undecided whether this is true here.",
        ),
        (
            {},
            "stays within two percentage points of its final value from 24,000 to 26,000 games on, depending on the",
        ),
        (
            {"scores": {"mean": 0.7}},
            "differences from “drawn” are: “last” +0.0 points (-0.2 to +0.2), which can be chance; “mean” +60.0 ",
        ),
        ({"scores": {"mean": 0.7}}, "“mean” +60.0 points (+59.8 to +60.2), clearly more."),
        (
            {"scores": {"drawn": 0.7}},
            "differences from “drawn” are: “last” -60.0 points (-60.2 to -59.8), clearly less; “mean” -60.0",
        ),
        (
            {"scores": {"weights": 0.75}},
            "differences from “the standard player” are: “finished games valued by the weights” +65.0 points",
        ),
        ({"scores": {"wins": 0.75}}, "which can be chance; “no preference for early wins” +65.0 points"),
        (
            {},
            "with the features report+chain, none. In the mean score of all depths, the differences from “report” are",
        ),
        ({}, "Of the 80 games of a match 7 to 11 are distinct"),
        ({"scores": {"report3": 0.95}}, "with the features report, theta3; with the features report+chain, none"),
        ({"scores": {"report3": 0.6}}, "with the features report, theta3; with the features report+chain, none"),
        (
            {"scores": {"chain1": 0.95, "chain5": 0.97}},
            "with the features report, none; with the features report+chain, theta1, theta5",
        ),
        (
            {"scores": {"true": 0.6}},
            "if it also learns from random moves. The next figures are the shares of games that it wins as second "
            "player",
        ),
        (
            {"scores": {"true": 0.6}},
            "against self:every=10000, 10.0% (8.4% to 11.8%) without learning from random",
        ),
        (
            {"scores": {"true": 0.6}},
            "and 60.0% (57.3% to 62.7%) with it, a difference of +50.0 points (+49.",
        ),
        ({"scores": {"true": 0.05}}, "this learner does not become better as second player"),
        ({}, "Theta5 won 90% of the games in which it starved greedy5."),
        ({}, "nearest to R's with opponent &lt;side&gt; , and farthest with opponent lower ."),
        ({}, "opponent &lt;side&gt;: 10% (9% to 11%); opponent lower: 35% (34% to 36%)"),
        (
            {"far_from_printed": {"<side>": 0.4, "lower": 0.2}},
            "nearest to R's with opponent lower ,",
        ),
        ({}, f"the players of our training runs win {WINS} as first player and {WINS} as second player."),
        ({}, "So the features do not limit the learner."),
    ],
)
def test_words_follow_figures(changes: dict[str, Any], words: str) -> None:
    assert words in text_of(**changes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "others lose"),
        ({"change_between": (0.05, 0.0, 0.01, 0.0, 0.05)}, "others lose"),
        (swings(0.1, 0.11), "settle with"),
        (swings(0.1, 0.2, ("0.2", "0.1")), "settle with"),
        (
            {"scores": {"last": 0.93}},
            "do not limit the learner",
        ),  # up to 95.5 % over the seeds, and the search from 93 %
        ({"scores": {"true": 0.6}}, "does not become better as second player"),
        ({"treatment": {"won_starving": None}}, "in which it starved"),
        ({"experiments": Found().experiments | {TRACES: traces(STEADY)}}, "do not give the same scores"),
    ],
)
def test_words_are_not_said_without_their_figures(changes: dict[str, Any], words: str) -> None:
    assert words not in text_of(**changes)


def test_worse_becomes_a_word_of_the_page() -> None:
    said = text_of(experiments=Found().experiments | {FEATURES: swept({0.1: STEADY, 0.2: DOWN})})
    assert "Clearly worse than alpha 0.1: alpha 0.2 (-10.0 points as first player against greedy1" in said
    assert re.search(r"alpha 0\.2\s+50\.0% worse", said)
