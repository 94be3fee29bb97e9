"""The report on Hare and Hounds: claims follow their rules, and the page is complete and self-contained.

More than 400 lines stand here because all tests share the evidence that is made up at the top of the file.
"""

from __future__ import annotations

import csv
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import petteia
from petteia.analysis.curves import always_from, games_to_rest, staying_above, unrest
from petteia.analysis.truth import MET, REACHABLE
from petteia.core.errors import UsageError
from petteia.experiments import outputs
from petteia.experiments.experiment import experiment
from petteia.experiments.source import shipped
from petteia.records.game_record import read_record
from petteia.reports import report
from petteia.reports.engine import work
from petteia.reports.engine.claims import judge_all
from petteia.reports.engine.declaration import Page, Report, names_of
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.rules import Answer
from petteia.reports.engine.settings import Setting
from petteia.reports.engine.tables import KINDS
from petteia.reports.hare_and_hounds import REPORT, best_of, claims, figures, plan, staying
from petteia.reports.hare_and_hounds.claims import CLAIMS
from petteia.reports.hare_and_hounds.plan import EXPERIMENTS

# The rules by which claims are judged: made-up curves that must give each verdict.

SEEDS = 10
RULES = {each.name: each.judged_by for each in CLAIMS}


class Cell:
    """A combination of which only the curves are known; seeds scatter a little about each other."""

    numbers = itertools.count()

    def __init__(self, *scores: float, every: int = 300, evaluation_games: int = 500, seeds: int = SEEDS) -> None:
        noise = np.random.default_rng(next(self.numbers)).uniform(-1e-4, 1e-4, (seeds, len(scores)))
        self.scores = np.clip(np.array(scores) + noise, 0, 1)
        self.games = [every * (i + 1) for i in range(len(scores))]
        self.curves = [
            [SimpleNamespace(games=g, score=s, states=50) for g, s in zip(self.games, each, strict=True)]
            for each in self.scores
        ]
        self.trainings = [
            SimpleNamespace(configuration=SimpleNamespace(evaluation_games=lambda done: evaluation_games))
        ] * seeds


def flat(score: float, scatter: float = 0.0) -> Cell:
    """A curve at this score, with this standard deviation."""
    return Cell(*(score + scatter * (-1) ** i for i in range(100)))


def rising(at: int, end: float = 0.95) -> Cell:
    """A curve that jumps up at this point, one more or less with some seeds."""
    cell = Cell(*(end if i >= at else 0.3 for i in range(100)))
    for seed in range(0, SEEDS, 3):
        cell.scores[seed, at - 1] = min(end, 1.0)
        cell.curves[seed][at - 1].score = end
    return cell


def made_up(**cells: Any) -> Any:
    """Evidence with cells by their label: `a1_g9` for alpha 0.1, gamma 0.9 and `e5` for epsilon 0.5."""

    def cell(setting: Setting) -> Any:
        wanted = "_".join(f"{option[0]}{round(10 * value)}" for option, value in setting.values.items()) or "only"
        return cells.get(wanted, cells.get("rest"))

    return SimpleNamespace(cell=cell, seeds=SEEDS)


GOOD_RATES = {"a1_g9": flat(0.9), "a5_g9": flat(0.8), "a9_g9": flat(0.7), "a1_g5": flat(0.7), "a5_g5": flat(0.65)}


@pytest.mark.parametrize(
    ("name", "cells", "answer"),
    [
        ("only-one-stays", {"a1_g9": flat(0.95), "rest": flat(0.7)}, True),
        ("only-one-stays", {"a1_g9": flat(0.95), "a1_g5": flat(0.95), "rest": flat(0.7)}, False),
        ("only-one-stays", {"rest": flat(0.7)}, False),
        ("gamma-at-middle-rate", {"a5_g9": flat(0.85), "a5_g5": flat(0.72), "rest": flat(0.7)}, True),
        ("gamma-at-middle-rate", {"a5_g9": flat(0.85), "a5_g5": flat(0.8), "rest": flat(0.7)}, False),
        ("gamma-matters-less", {"a5_g9": flat(0.9), "a9_g9": flat(0.75), "rest": flat(0.7)}, True),
        ("gamma-matters-less", {"a5_g9": flat(0.75), "a9_g9": flat(0.9), "rest": flat(0.7)}, False),
        ("average-at-high-rate", {"rest": flat(0.7)}, True),
        ("average-at-high-rate", {"rest": flat(0.8)}, False),
        ("unstable-at-middle-rate", {"rest": flat(0.8, 0.06)}, True),
        ("unstable-at-middle-rate", {"a5_g9": flat(0.8, 0.02), "rest": flat(0.8, 0.06)}, False),
        ("middle-rate-by-spread", {"rest": flat(0.8, 0.06)}, True),
        ("middle-rate-by-spread", {"a5_g9": flat(0.8, 0.02), "rest": flat(0.8, 0.06)}, False),
        ("unstable-at-high-rate", {"rest": flat(0.7, 0.06)}, True),
        ("unstable-at-high-rate", {"a9_g1": flat(0.7), "rest": flat(0.7, 0.06)}, False),
        ("high-rate-by-spread", {"rest": flat(0.7, 0.06)}, True),
        ("high-rate-by-spread", {"a9_g5": flat(0.7, 0.01), "rest": flat(0.7, 0.06)}, False),
        ("stable-at-low-rate", {"rest": flat(0.7, 0.01)}, True),
        ("stable-at-low-rate", {"a1_g5": flat(0.7, 0.1), "rest": flat(0.7, 0.01)}, False),
        ("low-rate-by-spread", {"rest": flat(0.7, 0.01)}, True),
        ("low-rate-by-spread", {"a1_g5": flat(0.7, 0.1), "rest": flat(0.7, 0.01)}, False),
        ("settles-only-with-high-gamma", {"a1_g9": flat(0.9, 0.001), "rest": flat(0.7, 0.1)}, True),
        ("settles-only-with-high-gamma", {"rest": flat(0.7, 0.001)}, False),
        ("alike-at-first", {"rest": flat(0.7)}, None),
        ("alike-at-first", {"a1_g1": flat(0.71), "rest": flat(0.7)}, True),
        ("alike-at-first", {"a1_g9": flat(0.9), "rest": flat(0.7)}, False),
        ("meets-all", {"decisions": 50}, True),
        ("meets-all", {"decisions": 52}, False),
        ("enough-games", {"rest": flat(0.7), "decisions": 50}, True),
        ("enough-games", {"rest": flat(0.7), "decisions": 52}, False),
        ("calmer-by-spread", {"a1_g9": flat(0.9, 0.01), "rest": flat(0.7, 0.06)}, True),
        ("calmer-by-spread", {"a1_g9": flat(0.9, 0.06), "rest": flat(0.7, 0.01)}, False),
        ("all-reach", {"rest": flat(0.95)}, True),
        ("all-reach", {"e1": flat(0.8), "rest": flat(0.95)}, False),
        ("fastest", {"e5": rising(10), "rest": rising(20)}, True),
        ("fastest", {"e5": flat(0.95), "rest": rising(20)}, True),
        ("fastest", {"e5": rising(10), "e1": flat(0.95), "rest": rising(20)}, False),
        ("soonest-stable", {"e5": flat(0.95), "rest": rising(40)}, True),
        ("soonest-stable", {"e5": rising(30), "rest": flat(0.95)}, False),
        ("repeating-matters", {"e5": flat(0.95), "e0": flat(0.9), "e10": flat(0.9)}, True),
        ("repeating-matters", {"e5": flat(0.95), "e0": flat(0.8), "e10": flat(0.9)}, False),
        ("repeating-matters", {"e5": flat(0.9), "e0": flat(0.9), "e10": flat(0.95)}, False),
        ("soonest-stable-above", {"e5": flat(0.95), "rest": rising(40)}, True),
        ("soonest-stable-above", {"e5": rising(30), "rest": flat(0.95)}, False),
        ("simple-is-beaten", {"only": flat(1.1)}, True),
        ("simple-is-beaten", {"only": flat(0.95)}, False),
        ("simple-takes-so-long", {"only": rising(16, 1.1)}, True),
        ("simple-takes-so-long", {"only": rising(2, 1.1)}, False),
        ("learned-at-once", {"only": flat(1.1)}, True),
        ("learned-at-once", {"only": rising(16, 1.1)}, False),
        ("best-parameters", {"e5": flat(0.9), "rest": flat(0.7)}, True),
        ("best-parameters", {"e5": flat(0.9), "e9": flat(0.95), "rest": flat(0.7)}, False),
    ],
)
def test_claims_are_judged_by_their_rule(
    name: str, cells: dict[str, Any], answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    met = {MET: SimpleNamespace(positions=50)}
    truth = SimpleNamespace(
        decisions=cells.get("decisions"), probabilities_of=lambda side, text: None, measure=lambda side, shares: met
    )
    monkeypatch.setattr(figures, "truth", lambda: truth)
    assert RULES[name].judge(made_up(**cells)).answer is answer


def followed(ends: tuple[float, ...], moving: bool = False) -> Any:
    noise = np.random.default_rng(0).uniform(0, 1e-4, (SEEDS, 1, 3))
    path = np.linspace(0, 1, 80) if moving else np.ones(80)
    return made_up(only=SimpleNamespace(followed=np.array(ends) * path[None, :, None] - noise))


@pytest.mark.parametrize(
    ("ends", "answers"), [((1.0, 0.5, -0.5), (True, True, True)), ((0.5, -0.5, 0.5), (False, False, False))]
)
def test_values_are_judged_by_their_rule(ends: tuple[float, ...], answers: tuple[bool, ...]) -> None:
    names = ("winning-move", "good-move", "bad-move")
    assert tuple(RULES[name].judge(followed(ends)).answer for name in names) == answers
    assert RULES["values-settle"].judge(followed(ends)).answer is True
    assert RULES["values-settle"].judge(followed(ends, moving=True)).answer is False


@pytest.mark.parametrize(("share", "answer"), [(1.0, None), (0.8, False)])
def test_whether_it_is_optimal(share: float, answer: Answer) -> None:
    judged = SimpleNamespace(sets={REACHABLE: SimpleNamespace(perfect_share=share)})
    evidence = SimpleNamespace(trainings=lambda setting: range(SEEDS), recall=lambda function, arguments: judged)
    assert RULES["is-optimal"].judge(evidence).answer is answer


@pytest.mark.parametrize(
    ("share", "curve", "learns", "optimal"),
    [
        (0.8, rising(10), "yes", "no"),
        (0.8, rising(10, 0.1), "no", "no"),
        (0.9999, rising(10), "yes", "this is undecided"),
    ],
)
def test_the_answers_of_the_page_follow_its_verdicts(share: float, curve: Cell, learns: str, optimal: str) -> None:
    shares = np.full(SEEDS, share) - np.linspace(0.0, 1e-5, SEEDS)
    judged = [
        SimpleNamespace(sets={REACHABLE: SimpleNamespace(perfect_share=each, kept=0.5)}, scores={"perfect": 0.1})
        for each in shares
    ]
    evidence: Any = SimpleNamespace(
        seeds=SEEDS,
        all_trainings=[],
        cell=lambda setting: curve,
        trainings=lambda setting: range(SEEDS),
        recall=lambda function, arguments: judged[arguments[0]],
    )
    some = [each for each in CLAIMS if each.name in ("is-optimal", "best-parameters", "fastest")]
    judgements = judge_all(some, evidence, "paper")
    names = names_of([REPORT], evidence, judgements, Path(), "paper")
    stubs: dict[str, Any] = dict.fromkeys(
        ("start_board", "first_score", "took_one", "faultless", "better_by_one"), ""
    ) | {"recipe_count": SEEDS, "plan": plan, "verdict_changes": ["One claim", "Another"]}
    stubs["length"] = lambda setting: ""
    stubs["winners"] = dict.fromkeys(("fast", "stable", "calm", "good"), SimpleNamespace(name="one", figure="a few"))
    stubs |= {"random_hounds": SimpleNamespace(perfect_share=0.8, kept=0.3)}
    stubs |= {"limit": SimpleNamespace(kept=0.9), "solution": SimpleNamespace(plies=23)}
    text = Page(evidence, judgements).filled(REPORT.template.partition("## Terms")[0], names | stubs).replace("\n", " ")
    assert f"Against the hare of the training games, {learns}:" in text
    assert f"perfect against every hare?</strong> {optimal.capitalize()}: in reachable positions" in text
    words = {"agrees": "no other combination is", "differs": "another combination is"}
    assert f"On this page, {words[names['verdict']['best-parameters']]} significantly better by two or three" in text
    assert f"judges {len(some)} claims of the thesis" in text
    assert "different verdicts on these claims: “One claim”; “Another”" in text


@pytest.mark.parametrize(("best", "worst", "answer"), [(0.91, 0.5, True), (0.99, 0.5, False), (0.91, 0.905, None)])
def test_whether_the_parameters_suit_other_games(best: float, worst: float, answer: Answer) -> None:
    ours = {"alpha": 0.1, "gamma": 0.9, "epsilon": 0.5}
    cells = []
    others = ((ours | {"alpha": 0.5}, best), (ours | {"alpha": 0.9}, worst))
    for values, score in ((ours, 0.9), *others):
        cell: Any = flat(score)
        cell.combination = SimpleNamespace(values=values)
        cells.append(cell)

    def cell_of(setting: Setting) -> Any:
        return next(each for each in cells if each.combination.values == setting.values)

    found = {name: SimpleNamespace(cells=cells) for name in EXPERIMENTS}
    evidence = SimpleNamespace(experiments=found, cell=cell_of)
    assert RULES["suits-other-games"].judge(evidence).answer is answer


def test_the_best_combinations_and_those_that_are_not_certainly_worse() -> None:
    evidence = made_up(e1=rising(20), e5=rising(10), e9=rising(10), rest=flat(0.7, 0.05))
    share = SimpleNamespace(sets={REACHABLE: SimpleNamespace(perfect_share=0.8)})
    evidence.trainings, evidence.recall = lambda setting: range(SEEDS), lambda function, arguments: share
    best = best_of(evidence)
    assert list(best) == ["fast", "stable", "calm", "good"]
    assert best["fast"]["name"] == "alpha 0.1, gamma 0.9, epsilon 0.5"
    assert best["fast"]["rivals"] == ["alpha 0.1, gamma 0.9, epsilon 0.9"]
    assert not {each for each in best["stable"]["rivals"] if "epsilon 1" in each}
    assert len(best["good"]["rivals"]) == len(plan.SETTINGS) - 1
    none = made_up(rest=flat(0.7))
    none.trainings, none.recall = evidence.trainings, evidence.recall
    assert "fast" not in best_of(none), "no combination stays above 90 %"


def test_a_curve_that_is_high_only_at_its_end_does_not_stay_high() -> None:
    late = made_up(rest=rising(70))
    assert staying(late, plan.BEST) == f"0 of {SEEDS} training runs"
    early = staying(made_up(rest=rising(20)), plan.BEST)
    assert isinstance(early, Figure)
    assert early.words.endswith("stays above 90%")


@pytest.mark.parametrize(("gain", "answer"), [(0.2, True), (-0.2, False)])
def test_whether_long_plans_need_a_high_gamma(gain: float, answer: Answer) -> None:
    """Gamma 0.9 must give a higher score, and keep more of the wins far from the win than near it."""
    evidence = made_up(a1_g9=flat(0.9), rest=flat(0.7))
    evidence.trainings = lambda setting: [setting.values["gamma"] + seed / 1e4 for seed in range(SEEDS)]
    evidence.recall = lambda function, arguments: (0.5, 0.3 + gain * arguments[0] + (arguments[0] * 1e4 % 1) / 1e4)
    assert RULES["high-gamma-is-needed"].judge(evidence).answer is answer


def test_claims_whose_verdict_depends_on_the_measure() -> None:
    evidence = made_up(a9_g1=flat(0.5, 0.035), a9_g5=flat(0.5, 0.035), a9_g9=flat(0.5, 0.035), rest=flat(0.95))
    assert claims.verdict_changes(evidence) == ["With alpha 0.9, learning is unstable"]


def test_one_seed_tells_little() -> None:
    found = RULES["unstable-at-high-rate"].judge(made_up(rest=Cell(*[0.7] * 50, seeds=1)))
    assert found.answer is None
    assert "(one training run)" in found.text


def test_figures_of_curves() -> None:
    assert unrest(flat(0.5, np.sqrt(0.25 / 500))).mean() == pytest.approx(1, abs=0.01)
    assert always_from(Cell(1, 0, 1, 1.1), 0.99) == [900] * SEEDS
    assert always_from(flat(0.5), 0.99) == [None] * SEEDS
    assert games_to_rest(flat(0.5), 0.02) == [300 * 20] * SEEDS
    late = Cell(*[0.3] * 50, *[0.95] * 50)
    assert games_to_rest(late, 0.02) == [300 * 70] * SEEDS
    assert staying_above(late, 0.9) == [300 * 69] * SEEDS
    assert staying_above(flat(0.5), 0.9) == [300 * 100] * SEEDS


def test_claims_have_names_and_rules_of_their_own() -> None:
    assert len({each.name for each in CLAIMS}) == len({each.judged_by.words for each in CLAIMS}) == len(CLAIMS) == 35
    assert sum(each.is_original for each in CLAIMS) == 29


# The page.


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path, int], Report]]:
    """Makes the report in a folder, by so many jobs, its experiments with a few games each."""
    declarations = tmp_path_factory.mktemp("declarations")
    sizes = {"games": 400, "evaluate_every": 20, "evaluation_games": 20, "seeds": 2}
    for name in EXPERIMENTS:
        text = shipped()[name]
        for size, value in sizes.items():
            text = re.sub(rf"^{size} = .*$", f"{size} = {value}", text, flags=re.MULTILINE)
        text = re.sub(r"\b([24]0)000\b", r"\1", text)  # stages and steps that fit these games
        (declarations / f"{name}.toml").write_text(text)

    def small(name: str, **options: Any) -> Any:
        return experiment(declarations / f"{name}.toml", **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "experiment", small)
        patch.setattr(outputs, "figures", lambda result: {})  # the page has its own; those are tested with experiments
        yield lambda folder, jobs: report("hare-and-hounds", scale="quick", folder=folder, jobs=jobs)


@pytest.fixture(scope="module")
def made(make: Callable[[Path, int], Report], tmp_path_factory: pytest.TempPathFactory) -> Report:
    return make(tmp_path_factory.mktemp("reports"), 2)


@pytest.mark.slow
def test_page_of_hare_and_hounds(made: Report) -> None:
    folder = made.page.parent
    text = made.page.read_text()
    assert folder.name == "hare-and-hounds-quick"
    assert json.loads((folder / "summary.json").read_text()) == made.summary
    elsewhere = re.findall(r'(?:src|href)="(?!#)[^"]*"|url\((?!#)[^)]*\)|@import', text)
    assert not elsewhere, "the page must need nothing else"
    rows = made.summary["claims"]
    assert [each["name"] for each in rows] == [each.name for each in CLAIMS]
    counts = Counter(each["verdict"] for each in rows)
    for verdict, kind in KINDS.items():
        assert text.count(f'<span class="verdict {kind}">{verdict}</span>') == counts[verdict]
    judged = [each["name"] for each in rows if each["verdict"] != "not judged at this scale"]
    assert not {each.name for each in CLAIMS if each.needs_paper} & {*judged}
    with (folder / "claims.csv").open() as file:
        assert [row["verdict"] for row in csv.DictReader(file)] == [each["verdict"] for each in rows]
    assert text.index("This is the quick version") < text.index("<figure>"), "it says its scale first"
    assert "{{" not in text
    assert "\ue000" not in text
    records = [read_record((folder / f"game-{name}.txt").read_text()) for name in ("random", "perfect", "best")]
    assert len(records[2].moves) == made.summary["solution"]["plies"] == 23
    for chart in folder.glob("*.svg"):
        assert chart.read_text() in text
    assert text.count("<figure>") == sum(len(each.moves) + 1 for each in records) + len([*folder.glob("*.svg")]) + 2 + 3
    with (folder / "judgement.csv").open() as file:
        rows = [*csv.DictReader(file)]
    assert len(rows) == 2 * (9 + 4 + 1 + 1 + 5 + 2)
    assert all(0 <= float(row["sets_reachable_perfect_share"]) <= 1 for row in rows)
    assert petteia.regret("hare-and-hounds", f"q:agent={folder / 'hounds.safetensors'}").seat == "hounds"


@pytest.mark.slow
def test_the_same_page_by_any_number_of_jobs_and_when_it_is_made_again(
    make: Callable[[Path, int], Report], made: Report, tmp_path: Path
) -> None:
    folder = made.page.parent.parent
    by_two = made.page.read_text()
    by_one = make(tmp_path, 1).page.read_text()
    assert timeless(by_two.replace(str(folder), "")) == timeless(by_one.replace(str(tmp_path), ""))
    assert by_two == make(folder, 1).page.read_text()


def timeless(text: str) -> str:
    """A page without what says how long it took."""
    return re.sub(r"[0-9.]+ (?:seconds|minutes|hours)", "", text)


@pytest.mark.slow
def test_what_was_judged_is_kept(made: Report, make: Callable[[Path, int], Report]) -> None:
    journal = next(made.page.parent.rglob("judgement.jsonl"))
    before = journal.read_text()
    make(made.page.parent.parent, 1)
    assert journal.read_text() == before
    assert len(before.splitlines()) == 2 * (9 + 4 + 1 + 1 + 5 + 2)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("chess", {}, "no report 'chess'; choose from amazons, british-square"),
        (
            "hare-and-hounds",
            {"scale": "huge"},
            "scale 'huge': the report hare-and-hounds does not have this scale; choose from quick, paper",
        ),
        (
            "hare-and-hounds",
            {"scale": "all"},
            "scale 'all': the report hare-and-hounds does not have this scale; choose from quick, paper",
        ),
    ],
)
def test_refused(name: str, options: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        report(name, **options)


@pytest.mark.slow
def test_the_other_game_keeps_its_promises() -> None:
    assert all(each.passed for each in petteia.check("petteia.games.tic_tac_toe:TicTacToe"))
