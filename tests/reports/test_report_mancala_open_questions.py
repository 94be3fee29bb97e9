"""The open questions of report M: the page and its files follow the figures, which are made up here."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from made_up_mancala import DOWN, STEADY, Found, made_up, page_of, regret, swept, text_of, traces

from petteia.experiments.formats import csv_text
from petteia.reports.mancala import boards
from petteia.reports.mancala.open_questions import BEYOND
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
    assert len(re.findall("(?:is|are) clearly better than", html)) == len(QUESTIONS)
    assert html.count("ccumulating and replacing traces do not give the same scores") == 2, (
        "in the answer and in the claim"
    )
    # ten experiments of a variant, one of six in four cells each, one of three in four cells each
    assert re.search(r"about 4 of the 76 comparisons\s+with\s+a\s+first\s+variant\s+would", html)
    assert "80.0% (73.5% to 85.5%)" in text_of()
    assert "feature 10" in html
    assert "feature 11" not in html, "no more than ten are listed"


def test_rows_of_files() -> None:
    whole: Any = Found()
    found = {name: of(whole) for name, of in BEYOND.rows.items()}
    numbers = {"questions": 10 * 2 * 4 + 7 * 4 + 4 * 4, "settling": 12, "search": 2, "regret": 1}
    assert {name: len(rows) for name, rows in found.items()} == numbers
    assert {row["verdict"] for row in found["questions"]} == {"", "better"}
    last = {row["experiment"]: row for row in found["questions"]}["mancala-features"]
    assert (last["variant"], last["gain_mean"]) == ("alpha 0.2", pytest.approx(0.2))
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
        "opponent &lt;side&gt; 9%",
        "With one seed, no difference can be judged.",
        "It is undecided whether the range depends on alpha.",
        "It is undecided whether theta1 becomes weaker in our training runs",
        "points (one training run), which may be due to chance",
    ):
        assert words in said, words
    assert "would show a clear difference" not in said
    assert "are not limited by the forty features" not in said
    written = {name: of(Found(**changes)) for name, of in BEYOND.rows.items()}
    csv = csv_text(written["questions"])
    assert not re.search(r"\b(inf|nan)\b", csv)
    assert "mancala-features,alpha 0.1,greedy1,first,0.59,,,0.0,,," in csv
    assert "Infinity" not in json.dumps(written)


def swings(minimum: float, maximum: float, alphas: tuple[str, str] = ("0.1", "0.2")) -> dict[str, Any]:
    """Trainings with two step sizes, that with the first one swings least."""
    experiment = swept(dict.fromkeys(alphas, STEADY))
    found = dict(zip(alphas, (minimum, maximum), strict=True))
    return {"experiments": Found().experiments | {STEPS: experiment}, "mean_swing": found}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "the range is 4.0 times as large with alpha 0.01 as with alpha 0.01 decaying to 0.0001."),
        (swings(0.1, 0.2), "the range is 2.0 times as large with alpha 0.2 as"),
        (swings(0.1, 0.2), "The smaller alpha is in the last quarter of the games, the smaller the range is."),
        (swings(0.1, 0.2, ("0.2", "0.1")), "a smaller alpha does not always give a smaller range"),
        (swings(0.1, 0.11), "It is undecided whether the range depends on alpha."),
        ({}, "between the range of a weight and the frequency of its feature is -0.50."),
        ({}, "between the range of a weight and the variance inflation factor of its feature is +0.50."),
        (
            {"scores": {"ends=value": 0.75}},
            "compared with “standard theta” “theta without exact scores of finished games” +65.0 points",
        ),
        (
            {"scores": {"early=no": 0.75}},
            "which may be due to chance “theta without preference for early wins” +65.0 points",
        ),
        ({}, "weights in the variant “opponent &lt;side&gt;”, and farthest in the variant “opponent lower”."),
        ({}, "opponent &lt;side&gt; 10% 10% (9% to 11%) training runs: 9% to 11% opponent lower 35% 35% (34% to 36%)"),
        (
            {"far_from_printed": {"<side>": 0.4, "lower": 0.2}},
            "nearest to the original weights in the variant “opponent lower”,",
        ),
        ({}, "In our training runs, theta1 becomes weaker from 100 to 400 games of training."),
        (
            {},
            "wins, in per cent: games of training won as first player won as second player 100,000 91 84",
        ),
        (
            {"change_between": (0.05, 0.06, 0.05, 0.05, 0.06)},
            "In our training runs, theta1 does not become weaker from",
        ),
        ({"change_between": (0.05, 0.06, -0.05, 0.05, 0.05)}, "It is undecided whether theta1 becomes weaker in our"),
        (
            {"scores": {"weights=mean": 0.7}},
            "compared with “random recent weights” “weights after the last game” +0.0 points (-3.5 to +3.5), "
            "which may be due to chance “mean weights of the second half” +60.0 points",
        ),
        (
            {"scores": {"report+chain": 0.7, "report": 0.5}},
            "the chain features change theta's mean score over all search depths by +20.0 points",
        ),
        ({}, "minus their share among theta5's legal moves is +5.0 points"),
        ({}, "Theta5 fills all empty pits of greedy5 more often than random legal moves would."),
        (
            {"treatment": {"stuffing": 0.5}},
            "Theta5 fills all empty pits of greedy5 less often than random legal moves would.",
        ),
        (
            {},
            "weights from the direct search 97.0% (95.0% to 99.0%) 95.0% (93.0% to 97.0%) last weights of our",
        ),
        ({}, "So the results of the learner are not limited by the forty features."),
        ({}, "South's margin is +3 stones. Regret is measured in a sample of 20,000 positions."),
        ({}, "Regret is measured in 400 positions near the end of random games"),
    ],
)
def test_words_follow_figures(changes: dict[str, Any], words: str) -> None:
    assert words in text_of(**changes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (swings(0.1, 0.11), "the smaller the range is"),
        (swings(0.1, 0.2, ("0.2", "0.1")), "the smaller the range is"),
        ({"scores": {"weights=last": 0.95}}, "are not limited by the forty features"),
        ({"experiments": Found().experiments | {TRACES: traces(STEADY)}}, "do not give the same scores"),
    ],
)
def test_words_are_not_said_without_their_figures(changes: dict[str, Any], words: str) -> None:
    assert words not in text_of(**changes)


def test_worse_becomes_a_word_of_the_page() -> None:
    said = text_of(experiments=Found().experiments | {FEATURES: swept({0.1: STEADY, 0.2: DOWN})})
    assert "The variant “alpha 0.2” is clearly worse than “alpha 0.1” in at least one column of the table." in said
    assert re.search(r"alpha 0\.2\s+50\.0% worse", said)
