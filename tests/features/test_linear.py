"""Features of Kalah against a slow second version of them, values that are linear in features, and their player."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from described_features import VARIANTS, rules_for, written
from kalah_oracle import Game, Position

import petteia
from petteia.cli import main
from petteia.core.errors import UsageError
from petteia.core.kernel import kernel
from petteia.core.protocol import parse_state, play, swapped
from petteia.features.evaluation import evaluate, unit
from petteia.features.feature_set import Joined, features, names, size
from petteia.features.kalah_potentials import POTENTIALS, Potentials, ReportFeatures
from petteia.features.linear import contributions, linear
from petteia.games import game
from petteia.players import player
from petteia.value_functions.report_weights import report_weights

RULES = game("kalah:leftovers=nobody")
REPORT = ReportFeatures()


def sown(oracle, place, hollow, side):
    """The hollows into which the stones fall, one by one."""
    other = "sn"["ns".index(side)]
    found, at = [], hollow
    while len(found) < place.hollows[hollow]:
        at = (at + 1) % len(place.hollows)
        if at != oracle.store[other]:
            found.append(at)
    return found


def potential(oracle, place, side):
    """What `side` could do if it were to move, by the words of the description."""
    mine, theirs = oracle.own[side], oracle.own["sn"["ns".index(side)]]
    store = oracle.store[side]
    place = place._replace(side=side)
    tried = []
    for hollow in oracle.moves(place).values():
        after, path = oracle.after(place, hollow), sown(oracle, place, hollow, side)
        taken = after.hollows[store] - place.hollows[store] - path.count(store)
        tried.append((path[-1] == store, store in path, taken, all(after.hollows[each] for each in theirs), after))
    facing = [place.hollows[theirs[-1 - i]] for i, each in enumerate(mine) if place.hollows[each] == 0]
    taken = [each[2] for each in tried if each[2] > 0]
    return {
        "can_get_another_move": float(any(each[0] for each in tried)),
        "is_passing_store": float(any(each[1] for each in tried)),
        "opposite_empty": max(facing, default=0) / oracle.total,
        "captures": len(taken) / oracle.pits,
        "can_fill_all_empties": float(any(each[3] for each in tried)),
        "max_capture_amount": max(taken, default=0) / oracle.total,
        "play_options": len(tried) / oracle.pits,
        "last_pit_empty": float(place.hollows[mine[-1]] == 0),
        "can_win_in_1_turn": float(any(wins(oracle, each[4], side) for each in tried)),
    }


def wins(oracle, after, side):
    """Whether `after` is won by `side`: nobody can come up with its store any more, or the game is over."""
    if 2 * after.hollows[oracle.store[side]] > oracle.total:
        return True
    return oracle.is_over(after) and oracle.margin(after) * {"s": 1, "n": -1}[side] > 0


def described(oracle, place):
    """All features that are not zero, by name."""
    mover = {"s": "south", "n": "north"}[place.side]
    found = {"player": float(mover == "north"), "constant": 1.0}
    for side, called in (("s", "south"), ("n", "north")):
        for name, value in potential(oracle, place, side).items():
            found[f"{mover}_to_move.{called}.{name}"] = value
    ahead = place.hollows[oracle.store["s"]] - place.hollows[oracle.store["n"]]
    found[f"{mover}_to_move.store_difference"] = ahead / oracle.total
    return {name: pytest.approx(value) for name, value in found.items() if value != 0.0}


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda each: ",".join(map(str, each.values())))
def test_the_features_are_what_their_description_says(variant):
    rules, oracle = rules_for(variant), Game(**variant)
    for seed in range(15):
        place = oracle.draw(random.Random(seed))
        found = written(rules, parse_state(rules, str(place)), REPORT)
        assert found == described(oracle, place), str(place)
        assert all(-1.0 <= each <= 1.0 for each in found.values())


@pytest.mark.parametrize("side", ["south", "north"])
def test_the_block_of_potentials_is_that_of_the_side_to_move(side):
    rules, oracle = rules_for(VARIANTS[0]), Game(**VARIANTS[0])
    for seed in range(15):
        place = oracle.draw(random.Random(seed))._replace(side=side[0])
        state = parse_state(rules, str(place))
        block = {name.removeprefix(f"{side}_to_move."): each for name, each in written(rules, state, REPORT).items()}
        block.pop("player", None)
        assert written(rules, state, Potentials()) == block, str(place)


@pytest.mark.parametrize(
    ("hollows", "expected"),
    [
        ((0, 0, 0, 0, 0, 8, 21, 0, 0, 0, 0, 0, 1, 18), {"can_win_in_1_turn"}),  # by the stone sown on the way round
        ((1, 0, 0, 0, 0, 20, 13, 0, 0, 0, 0, 1, 0, 13), {"can_win_in_1_turn"}),  # by a capture that ends the game
        ((0, 0, 0, 0, 1, 0, 20, 1, 1, 1, 1, 1, 1, 21), {"captures"}),  # so no move leaves all pits of North full
        ((0, 0, 0, 0, 0, 12, 0, 36, 0, 0, 0, 0, 0, 0), {"is_passing_store"}),  # the longest way that is no lap
        ((0, 0, 0, 0, 0, 13, 0, 35, 0, 0, 0, 0, 0, 0), {"captures"}),  # a lap that ends where it began
    ],
)
def test_features_at_the_edges_of_their_description(hollows, expected):
    oracle, place = Game(), Position(hollows, "s")
    found = written(RULES, parse_state(RULES, str(place)), REPORT)
    assert found == described(oracle, place)
    assert {name for name in expected if f"south_to_move.south.{name}" in found} == expected


@pytest.mark.heavy
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda each: ",".join(map(str, each.values())))
def test_the_features_are_what_their_description_says_everywhere(variant):
    rules, oracle = rules_for(variant), Game(**variant)
    for seed in range(100, 1300):
        place = oracle.draw(random.Random(seed))
        assert written(rules, parse_state(rules, str(place)), REPORT) == described(oracle, place), str(place)


def test_every_feature_is_met():
    oracle, met = Game(), set()
    for seed in range(200):
        met |= set(written(RULES, parse_state(RULES, str(oracle.draw(random.Random(seed)))), REPORT))
    assert met == set(names(REPORT, RULES))
    assert len(met) == 40


def test_exchanging_the_players_exchanges_the_blocks():
    words = {"south": "north", "north": "south"}
    for seed in range(50):
        state = parse_state(RULES, str(Game().draw(random.Random(seed))))
        other = written(RULES, swapped(RULES, state), REPORT)
        for name, value in written(RULES, state, REPORT).items():
            parts = name.split(".")
            if len(parts) == 3:
                mover = words[parts[0].removesuffix("_to_move")]
                assert other[f"{mover}_to_move.{words[parts[1]]}.{parts[2]}"] == value


@kernel
def evaluated(evaluation, rules, state):
    return evaluate(evaluation, rules, state)


def test_compiled_values_are_the_plain_ones():
    weights = np.random.default_rng(1).normal(size=40)
    evaluation = linear(RULES, REPORT, weights)
    for seed in range(300):
        state = parse_state(RULES, str(Game().draw(random.Random(seed))))
        value = evaluated(evaluation, RULES, state)
        assert value == evaluate(evaluation, RULES, state)
        told = contributions(evaluation, RULES, state)
        assert value / unit(evaluation) == pytest.approx(sum(each.contribution for each in told), abs=1e-6)


def test_two_sets_are_joined():
    both = Joined(REPORT, REPORT)
    assert size(both, RULES) == 80
    state = parse_state(RULES, str(Game().draw(random.Random(5))))
    index, value = np.zeros(80, np.int64), np.zeros(80)
    count = features(both, RULES, state, index, value)
    half = count // 2
    assert index[:half].tolist() == [each - 40 for each in index[half:count]]
    assert value[:half].tolist() == value[half:count].tolist()


def test_the_published_weights_have_the_properties_that_the_report_names():
    weights = dict(zip(names(REPORT, RULES), report_weights(), strict=True))
    assert len(POTENTIALS) == 9
    assert weights["south_to_move.store_difference"] == max(weights.values()) == 4.7509
    assert weights["south_to_move.south.max_capture_amount"] == 0.7498
    assert weights["north_to_move.north.captures"] == -0.6467
    assert weights["south_to_move.north.can_get_another_move"] == -0.1395
    assert (weights["player"], weights["constant"]) == (-0.1255, -0.0792)


@pytest.mark.slow
def test_the_report_wins_as_it_says():
    """It has 91 wins and 3 draws of 100 games as first, 89.5 and 1.5 as second."""
    first = petteia.match(RULES, "theta:agent=report", "greedy", games=1000, openings="none", seats="fixed")
    assert 0.87 < first.wins / first.games < 0.94
    second = petteia.match(RULES, "greedy", "theta:agent=report", games=1000, openings="none", seats="fixed")
    assert 0.82 < second.losses / second.games < 0.92


def test_it_says_why():
    analysis = petteia.best("kalah", player="theta:agent=report")
    assert analysis.features
    rules = game("kalah")
    move = int(analysis.move) - 1
    after = play(rules, rules.initial(), move)
    evaluation = linear(rules, REPORT, report_weights())
    assert sum(each.weight * each.after for each in analysis.features) == pytest.approx(
        evaluate(evaluation, rules, after) / unit(evaluation), abs=1e-5
    )
    assert analysis.value == pytest.approx(sum(each.weight * each.after for each in analysis.features), abs=1e-5)


def test_it_says_why_on_the_command_line(capsys):
    assert main(["best", "kalah", "--player", "theta:agent=report", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    first = document["features"][0]
    assert {"feature", "weight", "before", "after", "worth_before", "worth_after", "gain"} == set(first)
    assert document["total"]["worth_after"] == pytest.approx(document["value"], abs=1e-5)
    assert main(["best", "kalah", "--player", "theta:agent=report"]) == 0
    assert "\nsouth.play_options " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "rules", "message"),
    [
        ("theta:agent=report", "hare-and-hounds", "for kalah, not for hare-and-hounds"),
        ("theta:agent=report,depth=0", "kalah", "depth=0: must be in 1..250"),
        ("theta:agent=report,evaluation=store", "kalah", "has no option 'evaluation'"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(text, rules, message):
    with pytest.raises(UsageError) as raised:
        player(text, game(rules))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
