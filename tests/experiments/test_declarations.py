"""Experiments as data: what a file may say, and what is wrong with it in one line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from raised_errors import one_line
from small_experiments import FOLLOW, SMALL, refused, written

from petteia.core.errors import InvalidError, NotFoundError, UsageError
from petteia.experiments.declaration import stem
from petteia.experiments.experiment import experiment, list_experiments, plan, size_of
from petteia.experiments.source import SCALES, shipped

PARTS = {"title": 'title = "Small & quick"', "sweep": "alpha = [0.1, 0.5]", "training": "games = 400"}


def test_a_plan_has_every_combination_and_seed(tmp_path: Path) -> None:
    found = plan(written(tmp_path))
    assert (found.name, found.combinations, found.runs, list(found.seeds)) == ("small", 4, 8, [0, 1])
    assert [cell.label for cell in found.combinations_of_values()] == [
        "alpha=0.1, gamma=0.5",
        "alpha=0.1, gamma=1",
        "alpha=0.5, gamma=0.5",
        "alpha=0.5, gamma=1",
    ]
    assert {cell.options["games"] for cell in found.combinations_of_values()} == {400}
    assert size_of(found) == (8, 8 * 400, 8 * 4 * 20)


TREATMENTS = """
[treatments."as it was"]
[treatments.other]
learner = "sarsa"
games = 100
"""


def test_treatments_change_options_together(tmp_path: Path) -> None:
    text = SMALL.replace("alpha = [0.1, 0.5]", "epsilon = [0.1, 0.5]").replace('by = "alpha"', 'by = "treatment"')
    found = plan(written(tmp_path, text.replace("games = 200\n", "") + TREATMENTS))
    assert (found.swept, found.combinations) == (("treatment", "epsilon", "gamma"), 8)
    cells = [*found.combinations_of_values()]
    assert [cell.label for cell in cells[:2]] == [
        "treatment=as it was, epsilon=0.1, gamma=0.5",
        "treatment=as it was, epsilon=0.1, gamma=1",
    ]
    assert [(cell.options.get("learner"), cell.options["games"]) for cell in cells] == 4 * [(None, 400)] + 4 * [
        ("sarsa", 100)
    ]
    assert size_of(found).learning == 8 * 400 + 8 * 100
    assert len({*(stem for cell in cells for stem in cell.stems)}) == 8


def test_seeds_are_five_unless_said(tmp_path: Path) -> None:
    path = written(tmp_path, SMALL.replace("seeds = 2\n", ""))
    assert plan(path).declaration.seeds == 5
    assert list(plan(path, seeds=1).seeds) == [0]
    assert list(plan(written(tmp_path, SMALL.replace("seeds = 2", "seeds = 2\nseed = 7"))).seeds) == [7, 8]


def test_quick_changes_what_it_says(tmp_path: Path) -> None:
    found = plan(written(tmp_path), "quick")
    assert found.runs == 12
    assert {cell.options["games"] for cell in found.combinations_of_values()} == {200}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (PARTS["title"], "", "title: must be given"),
        (PARTS["title"], "title = 3", "title: input should be a valid string"),
        (PARTS["title"], "title = ", "the file is not valid TOML: .*line 2"),
        (PARTS["title"], 'title = "x"\ntitel = "y"', "titel: there is no such field; did you mean 'title'"),
        ("seeds = 2", "seeds = 0", "seeds: input should be greater than or equal to 1"),
        ("seeds = 2", "seeds = true", "seeds: input should be a valid integer"),
        ("seeds = 2", "seed = -1", "seed: .*greater than or equal to 0"),
        ('game = "hare-and-hounds"', "", "training.game: must be given"),
        ('"hare-and-hounds"', '"hare-and-hound"', "did you mean 'hare-and-hounds'"),
        (PARTS["training"], "gaems = 400", "training.gaems: there is no such field; did you mean 'games'"),
        (PARTS["training"], 'games = "many"', "training.games: input should be a valid integer"),
        (PARTS["training"], "games = 0", r"training \(alpha=0.1, gamma=0.5\): games 0: must be in 1"),
        (PARTS["training"], "seed = 3", "training.seed: this field belongs to another section"),
        (PARTS["training"], "position = 1979-05-27", "training.position: input should be a valid string"),
        (PARTS["training"], "alpha = 0.3", "sweep.alpha and training.alpha set the same option"),
        (PARTS["sweep"], "alpha = []", "sweep.alpha: must not be empty"),
        (PARTS["sweep"], "alpha = 0.1", "sweep.alpha: must be a list"),
        (PARTS["sweep"], "alpha = [[0.1]]", "sweep.alpha.0: must be a string, a number"),
        (PARTS["sweep"], "alpha = [0.5, 5e-1]", "sweep.alpha contains 0.5 twice"),
        (PARTS["sweep"], "alpha = [0.1, 2]", r"training \(alpha=2, gamma=0.5\): alpha '?2.*not in 0..1"),
        (PARTS["sweep"], "aplha = [0.1]", "sweep.aplha: there is no such field; did you mean 'alpha'"),
        (
            PARTS["sweep"],
            'alpha = [0.1]\nlearner = ["r"]',
            "learner=r, gamma=0.5.: there is no learner 'r'; choose from",
        ),
        ('by = "alpha"', 'by = "beta"', "figure.by: the experiment does not sweep option 'beta'; choose from alpha"),
        ('by = "alpha"', 'at = "beta"', "figure.at: there is no such field"),
        ("games = 200", "gmaes = 200", "quick.gmaes: there is no such field; did you mean 'games'"),
        ("games = 200", "alpha = 0.1", "quick.alpha and sweep.alpha set the same option"),
        ("seeds = 3", 'seeds = "x"', "seeds: input should be a valid integer"),
        ("[figure]", "[measure]\nreach = 2.0\n[figure]", "measure.reach: .*less than or equal to 1"),
        ("[figure]", "[measure]\nfollow = 3\n[figure]", "measure.follow: must be a list"),
        ("[figure]", FOLLOW.replace("move", "mov") + "[figure]", "measure.follow.0.mov: .*did you mean 'move'"),
        ("[figure]", FOLLOW.replace('move = "1-5"', "") + "[figure]", "measure.follow.0.move: must be given"),
        ("[figure]", FOLLOW + FOLLOW + "[figure]", "measure.follow contains the same name twice"),
        ("[figure]", FOLLOW.replace("1-5", "1-9") + "[figure]", "follow: move '1-9' is not legal"),
        ("[figure]", FOLLOW.replace("hounds 0", "hare 0") + "[figure]", "follow: .*1-5.*not legal"),
        ("[sweep]", 'side = "hare"\n' + FOLLOW + "[sweep]", "follow: .*side that learns is not to move"),
        ("[figure]", "[treatments.a]\nalpha = 0.2\n[figure]", "treatments.a.alpha and sweep.alpha set the same option"),
        (
            "[figure]",
            "[treatments.a]\ngames = 5\n[figure]",
            "quick.games and treatments.a.games set the same option; remove",
        ),
        (
            "[figure]",
            "[treatments.a]\nlearnr = 5\n[figure]",
            "treatments.a.learnr: there is no such field; did you mean",
        ),
        ("[figure]", '[treatments.a]\nlambda_ = "x"\n[figure]', "treatments.a.lambda_: input should be a valid number"),
        ("[figure]", "treatments = 3\n[figure]", "treatments"),
        (PARTS["training"], "games = 400\nreach = 0.5", "training.reach: this field belongs to another section"),
        ("[figure]", '[measure]\nregret = ["some"]\n[figure]', "measure.regret.0: .*'reachable' or 'all'"),
        ("[figure]", '[measure]\nagainst = ["perfcet"]\n[figure]', "measure.against: .*did you mean 'perfect'"),
    ],
)
def test_what_is_wrong_in_one_line(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in SMALL
    refused(SMALL.replace(old, new, 1), message, tmp_path)


def test_what_is_no_experiment(tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidError, match="not UTF-8"):
        plan(tmp_path / "bytes.toml")
    with pytest.raises(InvalidError, match="the file is not valid TOML"):
        plan(written(tmp_path, "a=" + "[" * 5000))
    with pytest.raises(NotFoundError, match="did you mean 'alpha-gamma'"):
        plan("alpha-gama")
    with pytest.raises(InvalidError, match=r"section \[quick\] is missing"):
        plan(written(tmp_path, SMALL.partition("[quick]")[0]), "quick")
    with pytest.raises(UsageError, match="scale 'all': must be paper or quick"):
        plan("alpha-gamma", "all")
    for settings, message in (({"seeds": 0}, "seeds 0"), ({"jobs": 0}, "jobs 0")):
        with pytest.raises(UsageError, match=message):
            experiment(written(tmp_path), folder=tmp_path, **settings)


@pytest.mark.slow
def test_those_that_come_with_the_package_are_sound() -> None:
    assert {"alpha-gamma", "epsilon", "simple-hare", "convergence"} <= set(shipped())
    for name in shipped():
        for scale in SCALES:
            assert not size_of(plan(name, scale)).is_large
    rows = {row.name: row for row in list_experiments()}
    assert rows["alpha-gamma"][2:] == (rows["alpha-gamma"].question, "alpha, gamma", 9, 20, 54_000_000, 90_000_000)
    thesis = [rows[name] for name in ("alpha-gamma", "epsilon", "simple-hare", "convergence")]
    assert sum(row.games for row in thesis) == 20 * 4_410_000


def test_names_of_files_are_readable_and_differ() -> None:
    assert stem({"alpha": 0.1, "learner": "double-q"}) == "alpha-0.1_learner-double-q"
    strange = [{"opponent": text} for text in ("q:agent=a/b", "q:agent=a b", "q:agent=a-b", "x" * 300)]
    names = {stem(values) for values in strange}
    assert len(names) == 4
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,69}", name) for name in names)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Small & quick", "bell \\u0007", "title: contains a control character"),
        ("seeds = 2", f"seeds = {'9' * 5000}", "a number has too many digits"),
        ("seeds = 2", f"seeds = {'9' * 50}", "seeds: the absolute value of the number is more than"),
        ("Small & quick", "a\0b", "the file is not valid TOML: Illegal character"),
    ],
)
def test_files_of_experiments_with_odd_values(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidError) as raised:
        experiment(written(tmp_path, SMALL.replace(old, new)), folder=tmp_path / "experiments")
    one_line(raised, message)


def test_the_size_of_an_experiment_is_told_without_its_opponents(monkeypatch: pytest.MonkeyPatch) -> None:
    def solved(*arguments: object) -> None:
        pytest.fail("the game was solved")

    monkeypatch.setattr("petteia.players.perfect.solved", solved)
    assert size_of(plan("suspects-second")).learning == 4_000_000
