"""Feature sets beside the report's: against slow second versions, by name, in phases, standardised, and users' own."""

from __future__ import annotations

import json
import random

import numpy as np
import own_features
import pytest
from described_features import VARIANTS, rules_for, written
from hypothesis import given
from hypothesis import strategies as some
from kalah_oracle import Game
from tiny_games import DiceRace

import petteia
from petteia.checking.sample import draw_sample
from petteia.cli import main
from petteia.core.errors import NotFoundError, UsageError
from petteia.core.kernel import runs_plain
from petteia.core.protocol import draw_move, initial, is_over, parse_state, play
from petteia.core.random import stream
from petteia.features.chain_heuristic import longest_chain
from petteia.features.check import check_feature_set
from petteia.features.feature_set import InPhases, Joined, features, names, size
from petteia.features.feature_sets import FEATURE_SETS, feature_set_for
from petteia.features.kalah_chains import SOWINGS, ChainFeatures, chains_from
from petteia.features.kalah_potentials import ReportFeatures
from petteia.features.kalah_stones import Phases, Pits, Rows, Store
from petteia.features.standardised import Standardised, measure, spread_out, standardised
from petteia.games import game

RULES = game("kalah")
HARE = game("hare-and-hounds")
SQUARE = game("british-square")
AMAZONS = game("amazons:width=5,height=4")
LATER = [parse_state(RULES, text) for text in ("0,5,0,0,10,0,6/9,8,0,0,0,0,10 s", "1,0,0,0,0,2,20/0,0,3,0,0,0,22 n")]
compiled_only = pytest.mark.skipif(runs_plain(), reason="compares with compiled code")


def counted(oracle, place):
    """Store, rows, pits and phase, by name."""
    south, north = (place.hollows[oracle.store[side]] for side in "sn")
    rows = [[place.hollows[each] for each in oracle.own[side]] for side in "sn"]
    pits = {
        f"pits.{side}.{i}": n for side, row in zip(("south", "north"), rows, strict=True) for i, n in enumerate(row, 1)
    }
    found = {"store.difference": south - north, "rows.difference": sum(rows[0]) - sum(rows[1])} | pits
    phase = "ahead" if south >= north + 5 else "behind" if north >= south + 5 else "level"
    return {name: value / oracle.total for name, value in found.items()} | {"store.constant": 1.0, phase: 1.0}


def chains(oracle, place, tries):
    """The longest chain and the most stones of the side to move; `tries` holds the sowings that are left."""
    longest = maximum = 0
    store = oracle.store[place.side]
    for hollow in [] if oracle.is_over(place) else reversed(oracle.own[place.side]):
        if place.hollows[hollow] > 0 and tries[0] > 0:
            tries[0] -= 1
            after = oracle.after(place, hollow)
            stones = after.hollows[store] - place.hollows[store]
            if after.side == place.side:
                then = chains(oracle, after, tries)
                longest, stones = max(longest, 1 + then[0]), stones + then[1]
            maximum = max(maximum, stones)
    return longest, maximum


def chained(oracle, place):
    """What the chains bring, by name."""
    found = {}
    for side, called in (("s", "south"), ("n", "north")):
        longest, maximum = chains(oracle, place._replace(side=side), [SOWINGS * oracle.pits])
        found[f"chain.{called}.longest"] = longest / oracle.pits
        found[f"chain.{called}.obtainable"] = maximum / oracle.total if side == place.side else 0.0
    return found


def approximately(found):
    return {name: pytest.approx(value) for name, value in found.items() if value != 0.0}


@pytest.mark.lanes
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda each: ",".join(map(str, each.values())))
def test_stones_and_chains_are_what_their_description_says(variant):
    rules, oracle = rules_for(variant), Game(**variant)
    stones = feature_set_for(rules, "store+rows+pits+phases")
    for seed in range(15):
        place = oracle.draw(random.Random(seed))
        state = parse_state(rules, str(place))
        assert written(rules, state, stones) == approximately(counted(oracle, place)), str(place)
        assert written(rules, state, ChainFeatures()) == approximately(chained(oracle, place)), str(place)


def test_sowings_are_bounded():
    """Each sowing of a full row ends in the store, so there are more chains than are followed."""
    rules, oracle = game("kalah:pits=7,seeds=8"), Game(7, 8)
    state = parse_state(rules, "7,6,5,4,3,2,1,0/12,12,12,12,12,12,12,0 s")
    assert chains_from(rules, state, 100_000).left < 100_000 - SOWINGS * 7
    found = chains_from(rules, state, SOWINGS * 7)
    assert found.left == 0
    left = [SOWINGS * 7]
    assert found[:2] == chains(oracle, oracle.start._replace(hollows=(7, 6, 5, 4, 3, 2, 1, 0, *[12] * 7, 0)), left)
    assert left == [0]


def test_the_longest_chain_is_that_of_the_heuristic():
    met = set()
    for visit in draw_sample(RULES, 20).visits:
        longest = longest_chain(RULES, visit.state)
        assert chains_from(RULES, visit.state, 100_000).longest == longest
        met.add(longest)
    assert met > {0, 1, 2, 3}


@pytest.mark.lanes
def test_squares_are_where_the_pieces_stand():
    feature_set = feature_set_for(HARE, "squares")
    met = set()
    for visit in draw_sample(HARE, 30).visits:
        pieces, side, _ = HARE.format_state(visit.state).split()
        hounds, hare = pieces.split("/")
        expected = {f"squares.{side}_to_move.hound.{square}" for square in hounds.split(",")}
        expected |= {f"squares.{side}_to_move.hare.{hare}", "squares.constant"}
        assert written(HARE, visit.state, feature_set) == dict.fromkeys(expected, 1.0)
        met |= expected
    assert len(met) > 35
    assert size(feature_set, HARE) == len(names(feature_set, HARE)) == 45


@pytest.mark.slow
@pytest.mark.lanes
@pytest.mark.parametrize("text", [*FEATURE_SETS, "report*phases+pits", "own_features:Stores*own_features:Mover"])
def test_every_set_keeps_its_promises(text):
    cls = FEATURE_SETS[text].game if text in FEATURE_SETS else object
    rules = next(each for each in (RULES, HARE, SQUARE, AMAZONS) if isinstance(each, cls))
    results = list(check_feature_set(rules, feature_set_for(rules, text), games=20))
    assert [each for each in results if not each.passed] == []
    assert ("compiled features" in [each.name for each in results]) is not runs_plain()


@pytest.mark.slow
def test_sums_and_phases_by_name():
    text = "report*phases+pits"
    feature_set = feature_set_for(RULES, text)
    assert feature_set == Joined(InPhases(ReportFeatures(), Phases()), Pits())
    assert feature_set_for(RULES, feature_set) == feature_set
    assert feature_set_for(RULES, "store+rows+pits") == Joined(Joined(Store(), Rows()), Pits())
    called = names(feature_set, RULES)
    assert len(called) == size(feature_set, RULES) == 3 * 40 + 12
    assert called[80] == "behind.south_to_move.south.can_get_another_move"
    assert called[-1] == "pits.north.6"


def test_only_the_features_of_the_phase_are_not_zero():
    oracle, met = Game(), set()
    for seed in range(60):
        place = oracle.draw(random.Random(seed))
        state = parse_state(RULES, str(place))
        phase = ({*counted(oracle, place)} & {"level", "ahead", "behind"}).pop()
        within = written(RULES, state, feature_set_for(RULES, "report*phases+rows"))
        expected = {f"{phase}.{name}": value for name, value in written(RULES, state, ReportFeatures()).items()}
        assert within == expected | written(RULES, state, Rows())
        met.add(phase)
    assert met == {"level", "ahead", "behind"}


@pytest.mark.parametrize(
    ("rules", "text", "error", "message"),
    [
        (RULES, "reprot", UsageError, "there is no feature set 'reprot'; did you mean 'report'?"),
        (
            RULES,
            "everything",
            UsageError,
            "choose from report, potentials, store, rows, pits, chain, phases, squares, ",
        ),
        (
            HARE,
            "squares+report",
            UsageError,
            "features report: this feature set works only for kalah, not for hare-and-hounds",
        ),
        (
            RULES,
            "report*squares",
            UsageError,
            "features squares: this feature set works only for hare-and-hounds, not for kalah",
        ),
        (
            HARE,
            ReportFeatures(),
            UsageError,
            "features ReportFeatures: this feature set works only for kalah, not for hare-and-hounds",
        ),
        (RULES, "report+pits+report", UsageError, "features 'report+pits+report': 'report' appears twice"),
        (
            RULES,
            "report*pits",
            UsageError,
            "the feature set 'pits' after * does not define the method `phase`; after *, use one of phases",
        ),
        (
            RULES,
            "report+",
            UsageError,
            "features 'report+': a name is missing; the text must look like NAME, NAME+NAME",
        ),
        (RULES, "", UsageError, "a name is missing"),
        (RULES, "pits*phases+rows+pits*phases", UsageError, "'pits*phases' appears twice"),
        (RULES, "own_features:Stores+own_features:Stores", UsageError, "'own_features:Stores' appears twice"),
        (RULES, "pits*phases*phases", UsageError, "'pits*phases*phases' uses the same phases twice"),
        (RULES, "(rows*phases+pits)*phases", UsageError, "'rows*phases*phases' uses the same phases twice"),
        (RULES, "nowhere:Stores", NotFoundError, "there is no module 'nowhere'"),
        (RULES, "own_features:Nix", NotFoundError, "module 'own_features' has no class 'Nix'"),
        (RULES, "own_features:NoTuple", UsageError, "NoTuple must be a class derived from NamedTuple"),
        (RULES, "own_features:NoSize", UsageError, "NoSize does not define the method size(feature_set, rules)"),
        (RULES, "own_features:NoDefault", UsageError, "every field of NoDefault needs a default"),
        (
            RULES,
            "own_features:OtherParameters",
            UsageError,
            "the method `features` has the parameters (self, rules, state, index",
        ),
        (
            RULES,
            "own_features:Stores+own_features:Twice",
            UsageError,
            "the method `names` returned 'stores.south' twice; all names must differ",
        ),
        (RULES, "report+own_features:Divides", UsageError, "raised ZeroDivisionError"),
        (RULES, own_features.Draws(), UsageError, "features uses random; features must have no side effects"),
        (RULES, 7, UsageError, "features int: int must be a class derived from NamedTuple"),
    ],
)
def test_what_is_no_feature_set_is_refused_in_one_line(rules, text, error, message):
    with pytest.raises(error) as raised:
        feature_set_for(rules, text)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


MISTAKES = [
    ("WrongPhase", "phases", "the method `phase` returned 1, so feature 1 must be 1, and all other features must be 0"),
    ("SameNames", "names", "the method `names` returned 'store' twice; all names must differ"),
    (
        "TooFewNames",
        "names",
        "the method `names` returned a tuple of 1 items; must be a tuple of 2 strings, because `size` returned 2",
    ),
    ("NoNames", "names", "the method `names` returned the name ''; each name must be one line of text"),
    ("TooLarge", "features", "the method `features` wrote the feature number 2; must be in 0..1"),
    ("Beyond", "features", "the method `features` returned 1, but wrote more than 1 entries"),
    ("NumberBeyond", "features", "the method `features` returned 1, but wrote more than 1 entries"),
    ("TooMany", "features", "the method `features` returned 3; must be at most 2, because `size` returned 2"),
    (
        "Twice",
        "features",
        "the method `features` wrote the feature stores.north twice; each feature may be written once",
    ),
    ("NotFinite", "features", "the feature stores.south is inf; must be finite"),
    ("NotCounted", "features", "the method `features` returned 0.0, of type float; must be an int"),
    ("Divides", "features", "features (own_features.py, line"),
    ("Draws", "effects", "features uses random; features must have no side effects"),
    (
        "Remembers",
        "constancy",
        "a second call of the method `features` returned different features; both calls must return the same features",
    ),
]
COMPILED_MISTAKES = [
    ("NotInline", "features compiles", "cannot compile a call of doubled; write @inline"),
    (
        "Lists",
        "features compiles",
        "cannot compile a list or set; keep constants in tuples, and write numbers and values",
    ),
    ("Texts", "features compiles", "cannot compile text; it belongs in the method `names`, which is never compiled"),
    ("FloatSize", "features compiles", "features returns float when compiled; it must return a whole number"),
    ("Overflows", "compiled features", "in compiled code and"),
]


@pytest.mark.parametrize(
    ("name", "check", "message"),
    [*MISTAKES, *(pytest.param(*each, marks=compiled_only) for each in COMPILED_MISTAKES)],
)
def test_a_mistake_is_found_and_said_in_one_line(name, check, message):
    results = list(petteia.check("kalah", features=f"own_features:{name}", games=3))
    assert [each.passed for each in results] == [True] * (len(results) - 1) + [False]
    assert results[-1].name == check
    assert message in results[-1].message
    assert "\n" not in results[-1].message


def test_the_command_checks_a_feature_set_of_a_game(capsys):
    assert main(["check", "own_features:Stores", "--game", "kalah", "--games", "2"]) == 0
    assert "own_features:Stores passes all" in capsys.readouterr().out
    assert main(["check", "own_features:Twice", "--game", "kalah", "--games", "2", "--json"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "stores.north twice" in captured.err
    assert main(["check", "store", "--game", "kalah", "--games", "2", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["game"], document["features"]) == ("kalah", "store")
    assert all(each["passed"] for each in document["checks"])
    assert main(["check", "report", "--game", "hare-and-hounds"]) == 2
    assert "works only for kalah" in capsys.readouterr().err


@given(some.permutations(range(6)), some.integers(0, 6))
def test_features_are_brought_to_their_places(order, count):
    index, value = np.array([*order[:count], *[77] * (6 - count)]), np.array([10.0 + each for each in order])
    spread_out(index, value, count, 6)
    assert index.tolist() == [0, 1, 2, 3, 4, 5]
    assert value.tolist() == [10.0 + each if each in order[:count] else 0.0 for each in range(6)]


def positions(rules, games, key, starts):
    """The positions that random games meet before their ends."""
    for number in range(games):
        random, state = [stream(key, number)], starts[number % len(starts)]
        while not is_over(rules, state):
            yield state
            state = play(rules, state, draw_move(rules, state, random, [0] * 99))


@pytest.mark.lanes
@pytest.mark.parametrize("starts", [None, LATER[:1], LATER], ids=["first", "one", "two"])
def test_standardised_features_have_mean_0_and_deviation_1(starts):
    feature_set = feature_set_for(RULES, "store+pits")
    met, called = list(positions(RULES, 30, 5, starts or [initial(RULES)])), names(feature_set, RULES)
    plain = [written(RULES, state, feature_set) for state in met]
    table = np.array([[each.get(name, 0.0) for name in called] for each in plain])
    measured = measure(RULES, feature_set, games=30, key=5, starts=starts)
    varies = table.std(axis=0) > 0
    assert [name for name, moves in zip(called, varies, strict=True) if not moves] == ["store.constant"]
    assert measured.mean == pytest.approx(np.where(varies, table.mean(axis=0), 0.0))
    assert measured.deviation == pytest.approx(np.where(varies, table.std(axis=0), 1.0))
    found = standardised(RULES, feature_set, games=30, key=5, starts=starts)
    again = np.array([dense(found, state) for state in met])
    assert again == pytest.approx((table - measured.mean) / measured.deviation)
    assert again[:, called.index("store.constant")].tolist() == [1.0] * len(met)


def dense(feature_set, state):
    """The values of a set that leaves nothing out."""
    count = size(feature_set, RULES)
    index, value = np.zeros(count, np.int64), np.zeros(count)
    assert features(feature_set, RULES, state, index, value) == count
    assert index.tolist() == list(range(count))
    return value


def test_the_same_key_measures_the_same():
    first, second, other = (measure(RULES, Store(), games=5, key=key) for key in (1, 1, 2))
    assert first.mean.tolist() == second.mean.tolist() != other.mean.tolist()
    with pytest.raises(UsageError, match="games=0: must be 1 or more"):
        measure(RULES, Store(), games=0)
    with pytest.raises(UsageError, match="the game is over in every start"):
        measure(RULES, Store(), starts=[parse_state(RULES, "0,0,0,0,0,0,24/0,0,0,0,0,0,24 s")])


@pytest.mark.slow
def test_standardised_features_keep_their_promises():
    feature_set = standardised(RULES, feature_set_for(RULES, "store+rows*phases"), games=10)
    assert isinstance(feature_set, Standardised)
    assert all(each.passed for each in check_feature_set(RULES, feature_set, games=5))
    assert feature_set.centre.shape == feature_set.scale.shape == (5,)


def test_chance_is_drawn_as_its_probabilities_say():
    never, one, two, three = measure(DiceRace(), own_features.Faces(), games=2000).mean
    assert 0.0 < never < 1.0
    assert one == pytest.approx(two, rel=0.1)
    assert one + two == pytest.approx(three, rel=0.1)
