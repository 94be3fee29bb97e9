"""Playing by learned weights: which of them are drawn, and what is refused in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kept_weights import AROUND_MARK, GAMES, MARK, RULES, some

import petteia
from petteia.arena.alternate import Conditions, alternate
from petteia.arena.compiled import Watched
from petteia.arena.contest import SEATS
from petteia.arena.match import match
from petteia.arena.openings import parse_openings
from petteia.cli import main
from petteia.core.errors import InvalidError, NotFoundError, UsageError
from petteia.core.protocol import initial, legal, play
from petteia.features.feature_set import names, size
from petteia.features.feature_sets import feature_set_for
from petteia.features.kalah_potentials import ReportFeatures
from petteia.features.linear import contributions, linear, weighted_sum
from petteia.games import game
from petteia.players import player, theta
from petteia.players.at_stages import players_at_stages
from petteia.players.player import UNLIMITED
from petteia.policies.mixed_policy import MixedPolicy
from petteia.policies.play_games import match_keys
from petteia.policies.policy import Lowest, begin, for_thread, tells_probabilities
from petteia.policies.search_policy import search_policy
from petteia.value_functions.linear_file import LearnedWeights, load_linear, save_linear
from petteia.value_functions.report_weights import report_weights

REPORT = "theta:agent=report"


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("agent") / "learned.safetensors"
    save_linear(path, RULES, some())
    return path


NAMES = list(names(ReportFeatures(), RULES))


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


def test_weights_after_so_many_games_are_those_that_were_kept(agent):
    learned = load_linear(agent, RULES)
    for place in (0, len(learned.history) // 2, -1):
        fixed = drawn_by(f"theta:agent={agent},games={learned.history_games[place]}")
        assert np.array_equal(fixed.weights, learned.history[place])
        assert len(fixed.history) == 0


def test_a_training_at_its_stages(agent):
    learned = load_linear(agent, RULES)
    texts = players_at_stages(agent)
    games = [int(text.rpartition("games=")[2]) for text in texts]
    assert games == sorted(set(games))
    assert games[-1] == GAMES
    kept = learned.history_games
    assert games == [
        max(kept[(kept > 0) & (kept <= GAMES / 2**k)]) for k in range(7, -1, -1) if GAMES / 2**k >= kept[kept > 0][0]
    ]
    assert all(len(drawn_by(text).history) == 0 for text in texts)


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
    starts, plies, _ = parse_openings("random:2", RULES)
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
    with pytest.raises(
        UsageError, match="player theta: agent is missing; give a run or a weights file, as in theta:agent="
    ):
        player("theta", RULES)
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents/kalah.safetensors").write_bytes(agent.read_bytes())
    assert player("theta:depth=2", RULES).notice is None
    assert player("theta", game("kalah")).notice == NOTICE.format("theta", "kalah:pits=3,seeds=2", "kalah")
    assert len(drawn_by("theta").history) == 2000
    with pytest.raises(UsageError, match="agent of the package accepts any rules; leave other_rules out"):
        player("theta:other_rules=yes", RULES)
    with pytest.raises(UsageError, match="player theta: agent is missing"):
        player("theta", game("hare-and-hounds"))


@pytest.mark.parametrize(
    ("text", "rules", "error", "message"),
    [
        ("agent=report", "hare-and-hounds", UsageError, "agent=report is for kalah, not for hare-and-hounds"),
        (
            "agent=report,weights=last",
            "kalah",
            UsageError,
            "one weight vector, which is used with any rules; leave weights out",
        ),
        ("agent=report,at=1000", "kalah", UsageError, "leave at out"),
        ("agent=report,games=1000", "kalah", UsageError, "leave games out"),
        ("agent=FILE,games=1000,weights=mean", str, UsageError, "games=1000 and weights=mean exclude each other"),
        (
            "agent=FILE,games=99999",
            str,
            UsageError,
            "games=99999: no weights were saved after this number of games; ",
        ),
        ("agent=report,other_rules=yes", "kalah", UsageError, "leave other_rules out"),
        ("agent=nowhere", "kalah", NotFoundError, "there is no run 'nowhere'"),
        ("agent=FILE", "kalah", InvalidError, "learned for kalah:pits=3,seeds=2, not for kalah"),
        ("agent=FILE,weights=best", str, UsageError, "weights=best: must be one of drawn, last, mean"),
        ("agent=FILE,weights=mean,at=2000", str, UsageError, "weights=mean and at=2000 exclude each other"),
        ("agent=FILE,other_rules=perhaps", str, UsageError, "other_rules=perhaps: must be one of no, yes"),
        ("agent=FILE,at=soon", str, UsageError, "at=soon: must be a whole number"),
        (
            *("agent=FILE,at=3000", str, UsageError),
            "at=3000: needs the weights after each game within 500 of it; they are saved for games 1,500 to",
        ),
        ("agent=FILE,at=9000", str, UsageError, "they are saved for games 1,500 to 2,500 and 4,000 to 6,000"),
        ("agent=FILE,at=0", str, UsageError, "they are saved for games 1,500 to 2,500 and 4,000 to 6,000"),
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
    with pytest.raises(UsageError, match="the agent has no history to draw from; choose last or mean"):
        player(f"theta:agent={tmp_path / 'file'},weights=drawn", RULES)
    assert np.array_equal(drawn_by(f"theta:agent={tmp_path / 'file'}").weights, learned.weights)
    with pytest.raises(UsageError, match="the run has not saved such weights"):
        player(f"theta:agent={tmp_path / 'file'},at=2000", RULES)
