"""Playing by learned weights: their files, which of them are drawn, and what is refused in one line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import petteia
from petteia.arena.alternate import Conditions, alternate
from petteia.arena.compiled import Watched
from petteia.arena.match import SEATS, UNLIMITED, match
from petteia.arena.openings import parse_openings
from petteia.cli import main
from petteia.core.errors import InvalidError, NotFoundError, UsageError
from petteia.core.protocol import initial, legal, play
from petteia.features.feature_set import names, size
from petteia.features.feature_sets import feature_set_for
from petteia.features.kalah_potentials import ReportFeatures
from petteia.features.linear import contributions, linear, weighted_sum
from petteia.games import game
from petteia.learned.linear_file import KIND, LearnedWeights, load_linear, save_linear
from petteia.learned.report_weights import report_weights
from petteia.players import player, theta
from petteia.policies.mixed_policy import MixedPolicy
from petteia.policies.play_games import match_keys
from petteia.policies.policy import Lowest, begin, for_thread, tells_probabilities
from petteia.policies.search_policy import search_policy
from petteia.records.weights import load_weights, save_weights

RULES = game("kalah:pits=3,seeds=2")
GAMES = 6000
MARK = 2000
AROUND_MARK = range(MARK - 500, MARK + 500)
REPORT = "theta:agent=report"


def some(games: int = GAMES) -> LearnedWeights:
    """Weights as a training keeps them: of each hundredth game, around a mark, and of the last 2000."""
    kept = np.array(sorted({*range(100, games + 1, 100), *AROUND_MARK, *range(games - 1999, games + 1)}))
    history = report_weights() + np.random.default_rng(1).normal(size=(len(kept), 40)) / 2
    return LearnedWeights("report", history[-1].copy(), history.mean(axis=0), history, kept, games)


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("agent") / "learned.safetensors"
    save_linear(path, RULES, some())
    return path


def test_a_file_holds_all_that_was_learned(tmp_path):
    plain, first, second = some(), tmp_path / "first", tmp_path / "second"
    scaled = plain._replace(turns="chain", centre=np.arange(40) / 9, scale=np.arange(1.0, 41.0))
    young = plain._replace(history=plain.history[:0], history_games=plain.history_games[:0], games=0)
    for learned in (plain, scaled, young):
        save_linear(first, RULES, learned)
        found = load_linear(first, RULES)
        for name, part in learned._asdict().items():
            assert (
                np.array_equal(getattr(found, name), part)
                if isinstance(part, np.ndarray)
                else part == getattr(found, name)
            )
        save_linear(second, RULES, found)
        assert first.read_bytes() == second.read_bytes()


def test_what_is_not_finite_is_not_saved(tmp_path):
    learned = some()
    learned.weights[3] = np.nan
    with pytest.raises(InvalidError, match="not finite"):
        save_linear(tmp_path / "file", RULES, learned)


def changed(path: Path, tensors: dict[str, Any], metadata: dict[str, Any], rules: str | None = None) -> Path:
    """The file with other parts, or without those that are None; sound as a file of weights."""
    found = load_weights(path, KIND)
    parts = {name: each for name, each in (found.tensors | tensors).items() if each is not None}
    said = {name: each for name, each in (found.metadata | metadata).items() if each is not None}
    other = path.with_name("changed.safetensors")
    save_weights(other, KIND, rules or found.game, parts, said)
    return other


LEARNED = some()
CUT = LEARNED.history[:-1]
SWAPPED = LEARNED.history_games.copy()
SWAPPED[[4, 5]] = SWAPPED[[5, 4]]
NAMES = list(names(ReportFeatures(), RULES))
WRONG: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "no weights": ({"weights": None}, {}, "is not a whole set of learned weights: it lacks weights"),
    "no number of games": ({}, {"games": None}, "it lacks features, games, kept or turns"),
    "a number of games that is none": ({}, {"games": "-3"}, "it lacks features, games, kept or turns"),
    "a number of games too long": ({}, {"games": "1" * 5000}, "it lacks features, games, kept or turns"),
    "unknown turns": ({}, {"turns": "round"}, "it lacks features, games, kept or turns"),
    "another part": ({"bias": np.zeros(1)}, {}, "holds 'bias'; learned weights are weights, mean, "),
    "no names": ({}, {"names": None}, "it does not name its features"),
    "too few names": ({}, {"names": '["a"]'}, "has weights of 1 features; report has 40 here"),
    "names in another order": (
        {},
        {"names": str([*NAMES[1::-1], *NAMES[2:]]).replace("'", '"')},
        f"feature 0 of report was '{NAMES[1]}' when it was learned, now is '{NAMES[0]}'",
    ),
    "unknown features": ({}, {"features": "reprot"}, "there is no feature set 'reprot'; did you mean 'report'?"),
    "other rules' behaviour": ({}, {"fingerprint": "0" * 16}, "the rules of kalah:pits=3,seeds=2 have changed"),
    "weights too short": ({"weights": np.zeros(39)}, {}, "weights is float64[39], must be float64[40]"),
    "weights that are integers": ({"mean": np.zeros(40, np.int64)}, {}, "mean is int64[40], must be float64[40]"),
    "a history cut short": (
        {"history": CUT},
        {},
        f"history is float64[{len(CUT)}, 40], must be float64[{len(CUT) + 1}, 40]: its history is cut short",
    ),
    "games of a history cut short": ({"history_games": LEARNED.history_games[:-1]}, {}, "its history is cut short"),
    "both cut short": (
        {"history": CUT, "history_games": LEARNED.history_games[:-1]},
        {},
        "its history is cut short",
    ),
    "a history out of order": ({"history_games": SWAPPED}, {}, "history_games must ascend, but 600 is followed by 500"),
    "a history beyond the end": ({}, {"games": "5999"}, "its history speaks of game 6,000; it has learned from 5,999"),
    "a history before the start": (
        {"history_games": LEARNED.history_games - 101},
        {},
        "its history speaks of game -1; it has learned from 6,000",
    ),
    "half a scaling": ({"centre": np.zeros(40)}, {}, "has only one of centre and scale"),
    "a scale of 0": ({"centre": np.zeros(40), "scale": np.zeros(40)}, {}, "scale holds numbers that are not more than"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_file_that_is_not_whole_is_refused_in_one_line(agent, wrong):
    tensors, metadata, message = WRONG[wrong]
    path = changed(agent, tensors, metadata)
    with pytest.raises(InvalidError, match=re.escape(message)) as raised:
        load_linear(path, RULES)
    assert str(raised.value).startswith(f"{path}: ")
    assert "\n" not in str(raised.value)


def test_weights_of_other_rules_are_refused_unless_they_are_asked_for(agent):
    with pytest.raises(InvalidError, match=r"was learned for kalah:pits=3,seeds=2, not for kalah$"):
        load_linear(agent, game("kalah"))
    with pytest.raises(InvalidError, match=r"was learned for kalah:pits=3,seeds=2, not for hare-and-hounds$"):
        load_linear(agent, game("hare-and-hounds"), other_rules=True)
    assert load_linear(agent, game("kalah"), other_rules=True).games == GAMES
    with pytest.raises(InvalidError, match="has weights of kind 'linear'; wanted is 'table'"):
        player(f"q:agent={agent}", RULES)


# Which weights.


def drawn_by(text: str, rules: Any = RULES) -> Any:
    return player(text, rules).policy(rules).evaluation


def test_the_latest_weights_are_drawn_from_unless_others_are_named(agent):
    learned = load_linear(agent, RULES)
    latest = drawn_by(f"theta:agent={agent}")
    assert np.array_equal(latest.history, learned.history[learned.history_games > GAMES - 2000])
    assert len(latest.history) == 2000
    assert np.array_equal(latest.history, drawn_by(f"theta:agent={agent},weights=drawn").history)
    for which, weights in (("last", learned.weights), ("mean", learned.mean)):
        fixed = drawn_by(f"theta:agent={agent},weights={which}")
        assert np.array_equal(fixed.weights, weights)
        assert len(fixed.history) == 0


@pytest.mark.parametrize(
    ("at", "window"),
    [(MARK, AROUND_MARK), (4700, range(4200, 5200)), (5501, range(5001, 6001)), (GAMES, range(5500, 6001))],
)
def test_weights_are_drawn_from_around_a_mark(agent, at, window):
    learned = load_linear(agent, RULES)
    found = np.isin(learned.history_games, window)
    assert found.sum() == len(window)
    assert np.array_equal(drawn_by(f"theta:agent={agent},at={at}").history, learned.history[found])


def test_every_game_draws_weights_by_its_seed(agent):
    small = some()._replace(history=some().history[-4:], history_games=some().history_games[-4:])
    save_linear(agent.with_name("small"), RULES, small)
    thinker = player(f"theta:agent={agent.with_name('small')}", RULES)
    seen = []
    for seed in range(400):
        thinker.new_game(RULES, seed)
        seen.append(np.flatnonzero((small.history == thinker.evaluation.weights).all(axis=1)).tolist())
    counts = [seen.count([place]) for place in range(4)]
    assert sum(counts) == 400
    assert min(counts) > 70
    thinker.new_game(RULES, 0)
    assert np.array_equal(thinker.evaluation.weights, small.history[seen[0][0]])
    adviser = thinker.adviser()
    for seed in range(20):
        adviser.new_game(RULES, seed)
    assert np.array_equal(thinker.evaluation.weights, small.history[seen[0][0]])


def test_weights_are_shared_between_threads_unless_they_are_drawn():
    """A learner changes the weights that its opponent in the same game plays by."""
    weights, history = report_weights(), some().history
    for evaluation, shared in (
        (linear(RULES, ReportFeatures(), weights), True),
        (linear(RULES, ReportFeatures(), weights, history[:1]), True),
        (linear(RULES, ReportFeatures(), weights, history), False),
    ):
        policy = search_policy(RULES, evaluation, depth=1, options=0)
        assert (for_thread(policy).evaluation.weights is weights) == shared
        assert tells_probabilities(policy) == shared
        random = [5]
        begin(policy, RULES, random)
        assert (random == [5]) == shared
        assert np.array_equal(policy.evaluation.weights, weights) == shared


@pytest.mark.parametrize(
    "made",
    [
        lambda policy: MixedPolicy(policy, Lowest(), 0.5),
        lambda policy: MixedPolicy(Lowest(), policy, 0.5),
        lambda policy: Watched(policy, np.zeros(1, np.int64)),
    ],
    ids=["first", "second", "watched"],
)
def test_a_policy_that_is_made_of_others_lets_them_draw(made):
    history = np.arange(1.0, 81.0).reshape(2, 40)
    policy = search_policy(RULES, linear(RULES, ReportFeatures(), np.zeros(40), history), depth=1, options=0)
    begin(made(policy), RULES, [1])
    assert policy.evaluation.weights.tolist() in history.tolist()
    assert not tells_probabilities(made(policy))


def test_scaled_features_stay_scaled(agent, tmp_path):
    learned = load_linear(agent, RULES)
    scaled = learned._replace(centre=np.linspace(-1.0, 1.0, 40), scale=np.linspace(0.5, 2.0, 40))
    save_linear(tmp_path / "scaled", RULES, scaled)
    plain, found = (drawn_by(f"theta:agent={path},weights=last") for path in (agent, tmp_path / "scaled"))
    values = np.zeros(40)
    for each in contributions(plain, RULES, initial(RULES)):
        values[NAMES.index(each.feature)] = each.value
    expected = learned.weights @ ((values - scaled.centre) / scaled.scale)
    assert weighted_sum(found, RULES, initial(RULES)) == pytest.approx(expected)


# Games.


def from_python(first: str, second: str, games: int, seed: int) -> tuple[Any, ...]:
    starts, plies = parse_openings("random:2", RULES)
    conditions = Conditions(RULES, starts, plies, SEATS["both"], 1000, UNLIMITED, match_keys(seed))
    return tuple(alternate(conditions, player(first, RULES), player(second, RULES), range(games)))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["{}", "{},table=1", "mixed:first=({}),second=random,share=0.6"])
def test_compiled_games_are_those_driven_from_python(agent, form):
    first, second = form.format(f"theta:agent={agent},depth=3"), f"theta:agent={agent},at={MARK}"
    compiled = match(RULES, first, second, games=24, seed=3)
    assert compiled.rows == from_python(first, second, 24, 3)
    assert compiled.rows == match(RULES, first, second, games=24, seed=3, jobs=2).rows
    assert compiled.rows != match(RULES, first, second, games=24, seed=4).rows


@pytest.mark.slow
def test_any_game_and_features_can_be_played_by(tmp_path):
    """Another game; the agent that comes with the package has other features of Kalah."""
    rules = game("hare-and-hounds")
    weights = np.linspace(-1.0, 1.0, size(feature_set_for(rules, "squares"), rules))
    learned = LearnedWeights("squares", weights, weights, weights[None], np.array([0]), 0)
    save_linear(tmp_path / "file", rules, learned)
    result = match(rules, f"theta:agent={tmp_path / 'file'},depth=2", "random", games=20)
    assert result.distinct > 10
    assert result.illegal == 0


@pytest.mark.slow
def test_what_a_table_holds_is_forgotten_with_the_weights(agent):
    forms = (f"theta:agent={agent},depth=4{table}" for table in ("", ",table=1"))
    without, by_table = (match(RULES, form, "random", games=200, seed=1).rows for form in forms)
    assert without == by_table


@pytest.mark.slow
def test_without_random_openings_drawn_weights_make_games_differ(agent):
    """Two deterministic players would play one game from each side."""
    games = {"games": 40, "openings": "none"}
    opponent = f"theta:agent={agent},weights=mean"
    assert match(RULES, f"theta:agent={agent}", opponent, **games).distinct > 10
    assert match(RULES, f"theta:agent={agent},weights=last,depth=2", opponent, **games).distinct <= 4


@pytest.mark.slow
def test_regret_over_positions_draws_weights_in_each(agent):
    drawn = petteia.regret(RULES, f"theta:agent={agent}", position="0,1,2,3/1,0,2,3 s", seed=1)
    fixed = petteia.regret(RULES, f"theta:agent={agent},weights=last", position="0,1,2,3/1,0,2,3 s", seed=1)
    assert drawn.low is not None
    assert fixed.low is None


# Saying why.


def test_it_says_why_by_the_weights_that_it_has_drawn(agent):
    history = load_linear(agent, RULES).history
    state = initial(RULES)
    told = set()
    for seed in range(3):
        analysis = petteia.best(RULES, player=f"theta:agent={agent}", seed=seed)
        after = play(RULES, state, int(analysis.move) - 1)
        assert sum(each.weight * each.after for each in analysis.features) == pytest.approx(analysis.value, abs=1e-5)
        weights = {each.feature: each.weight for each in analysis.features}
        (row,) = [row for row in history if all(dict(zip(NAMES, row, strict=True))[n] == w for n, w in weights.items())]
        evaluation = linear(RULES, ReportFeatures(), row)
        best = max(weighted_sum(evaluation, RULES, play(RULES, state, move)) for move in legal(RULES, state))
        assert weighted_sum(evaluation, RULES, after) == best
        shown = {each.feature for each in analysis.features}
        assert shown == {each.feature for s in (state, after) for each in contributions(evaluation, RULES, s)}
        told.add(analysis.value)
    assert len(told) == 3


# What people are told.

NOTICE = "player {}: its weights were learned for {}, not for {}"


@pytest.mark.slow
def test_weights_under_other_rules_are_noted(agent, capsys):
    told = NOTICE.format(REPORT, "kalah:leftovers=nobody", "kalah")
    assert match("kalah", REPORT, REPORT, games=2).notes == (told,)
    assert petteia.best("kalah", player=REPORT).notes == (told,)
    mixed = f"mixed:first=({REPORT}),second=random,share=0.5"
    assert match("kalah", mixed, "random", games=2).notes == (told,)
    assert match("kalah:leftovers=nobody", REPORT, "random", games=2).notes == ()
    assert main(["best", "kalah", "--player", REPORT]) == 0
    assert told in capsys.readouterr().err
    assert main(["play", "kalah", "--against", REPORT, "--by", "random"]) == 0
    assert told in capsys.readouterr().out.splitlines()
    text = f"theta:agent={agent},other_rules=yes"
    assert player(text, RULES).notice is None
    assert player(text, game("kalah")).notice == NOTICE.format(text, "kalah:pits=3,seeds=2", "kalah")


def test_without_an_agent_it_plays_by_the_one_of_the_package(agent, tmp_path, monkeypatch):
    monkeypatch.setattr(theta, "files", lambda package: tmp_path)
    with pytest.raises(UsageError, match="player theta: agent is missing: a run or a weights file, as in theta:agent="):
        player("theta", RULES)
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents/kalah.safetensors").write_bytes(agent.read_bytes())
    assert player("theta:depth=2", RULES).notice is None
    assert player("theta", game("kalah")).notice == NOTICE.format("theta", "kalah:pits=3,seeds=2", "kalah")
    assert len(drawn_by("theta").history) == 2000
    with pytest.raises(UsageError, match="agent that comes with petteia plays by any rules; leave other_rules out"):
        player("theta:other_rules=yes", RULES)
    with pytest.raises(UsageError, match="player theta: agent is missing"):
        player("theta", game("hare-and-hounds"))


@pytest.mark.parametrize(
    ("text", "rules", "error", "message"),
    [
        ("agent=report", "hare-and-hounds", UsageError, "agent=report is for kalah, not for hare-and-hounds"),
        ("agent=report,weights=last", "kalah", UsageError, "one vector of weights, for any rules; leave weights out"),
        ("agent=report,at=1000", "kalah", UsageError, "leave at out"),
        ("agent=report,other_rules=yes", "kalah", UsageError, "leave other_rules out"),
        ("agent=nowhere", "kalah", NotFoundError, "there is no run 'nowhere'"),
        ("agent=FILE", "kalah", InvalidError, "was learned for kalah:pits=3,seeds=2, not for kalah"),
        ("agent=FILE,weights=best", str, UsageError, "weights=best: must be one of drawn, last, mean"),
        ("agent=FILE,weights=mean,at=2000", str, UsageError, "weights=mean and at=2000 do not go together"),
        ("agent=FILE,other_rules=perhaps", str, UsageError, "other_rules=perhaps: must be one of no, yes"),
        ("agent=FILE,at=soon", str, UsageError, "at=soon: must be a whole number"),
        (
            *("agent=FILE,at=3000", str, UsageError),
            "at=3000: draws from the weights after each game within 500 of that; kept are those of games 1,500 to",
        ),
        ("agent=FILE,at=9000", str, UsageError, "kept are those of games 1,500 to 2,500 and 4,000 to 6,000"),
        ("agent=FILE,at=0", str, UsageError, "kept are those of games 1,500 to 2,500 and 4,000 to 6,000"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(agent, text, rules, error, message):
    with pytest.raises(error) as raised:
        player(f"theta:{text}".replace("FILE", str(agent)), RULES if rules is str else game(rules))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_there_must_be_something_to_draw_from(tmp_path):
    learned = some()
    save_linear(
        tmp_path / "file", RULES, learned._replace(history=learned.history[:0], history_games=learned.history_games[:0])
    )
    with pytest.raises(UsageError, match="the agent has no history to draw from; there are last and mean"):
        player(f"theta:agent={tmp_path / 'file'},weights=drawn", RULES)
    assert np.array_equal(drawn_by(f"theta:agent={tmp_path / 'file'}").weights, learned.weights)
    with pytest.raises(UsageError, match="it has kept those of no game after game"):
        player(f"theta:agent={tmp_path / 'file'},at=2000", RULES)
