"""What a training run says of itself: its scores, its chart, its line."""

from __future__ import annotations

import pytest
from flat_options import train

from petteia.core.errors import NotFoundError, UsageError
from petteia.experiments.configuration import configure
from petteia.experiments.training import begin

GAME = "hare-and-hounds"


@pytest.fixture(scope="module")
def training(tmp_path_factory):
    settings = {"learner": "q", "opponent": "random", "side": "both", "games": 50, "evaluate_every": 25}
    return train(GAME, **settings, evaluation_games=10, seed=1, runs=tmp_path_factory.mktemp("r"), name="n")


@pytest.fixture
def new(tmp_path):
    rules, settings = configure(GAME, learner="q", opponent="random", games=10)
    return begin(rules, settings, 0, tmp_path, "new")


def test_the_last_score_of_each_side(training):
    hounds, hare = training.score
    assert (hounds.seat, hare.seat, hounds.opponent, hare.games) == ("hounds", "hare", "random", 10)
    for score, point in zip(training.score, training.last_points, strict=True):
        assert score[2:5] == (point.score, point.low, point.high)
        assert 0.0 <= score.low <= score.score <= score.high <= 1.0


def test_a_training_is_a_line(training, new):
    hounds, hare = training.score
    assert repr(training) == (
        f"<Training of {GAME} by q, 50 of 50 games, hounds {hounds.score:.3f} against random, "
        f"hare {hare.score:.3f} against random, in {training.run.path}>"
    )
    assert repr(new) == f"<Training of {GAME} by q, 0 of 10 games, in {new.run.path}>"
    assert new.score == ()


def test_a_damaged_training_is_a_line_too(new):
    new.run.journal.path.write_text("nothing\n")
    assert repr(new) == f"<Training of {GAME} by q, damaged, in {new.run.path}>"


def test_the_chart_has_a_curve_for_each_side(training, tmp_path):
    chart = training.plot()
    assert chart._repr_svg_().startswith("<svg")
    assert "q in hare-and-hounds" in chart.svg
    assert repr(chart).startswith("<Chart")
    chart.save(tmp_path / "curve.svg")
    chart.save(tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "curve.svg").read_text() == chart.svg
    with pytest.raises(UsageError, match=r"must end with \.svg or \.png"):
        chart.save(tmp_path / "curve.pdf")


def test_without_points_there_is_no_chart(new):
    with pytest.raises(NotFoundError, match="the run has no points yet; continue it with: petteia resume"):
        new.plot()
