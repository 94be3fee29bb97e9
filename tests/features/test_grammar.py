"""How feature sets are put together in text: what it says, the one form that stands in files, and what is refused."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from described_features import written
from flat_options import train
from hypothesis import assume, given
from hypothesis import strategies as some

import petteia
from petteia.checking.sample import draw_sample
from petteia.core.errors import UsageError
from petteia.features.feature_set import InPhases, Joined, names
from petteia.features.feature_sets import feature_set_for
from petteia.features.grammar import MAX_DEPTH, MAXIMUM, Name, Split, Sum, canonical, parse, write
from petteia.features.kalah_stones import Phases, Pits, Rows, Store
from petteia.games import game
from petteia.value_functions.linear_file import load_linear

RULES = game("kalah")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(rows+pits)*phases", InPhases(Joined(Rows(), Pits()), Phases())),
        ("(rows+pits)*phases+store", Joined(InPhases(Joined(Rows(), Pits()), Phases()), Store())),
        ("store+(rows+pits)", Joined(Joined(Store(), Rows()), Pits())),
        (" ( (rows) ) * ( phases ) ", InPhases(Rows(), Phases())),
    ],
)
def test_parentheses_put_sets_together(text, expected):
    assert feature_set_for(RULES, text) == expected


def test_phases_of_a_sum_are_those_of_its_terms():
    """Feature by feature, against the terms split one by one."""
    whole, apart = (feature_set_for(RULES, text) for text in ("(rows+pits)*phases", "rows*phases+pits*phases"))
    assert sorted(names(whole, RULES)) == sorted(names(apart, RULES))
    assert names(whole, RULES)[:3] == ("level.rows.difference", "level.pits.south.1", "level.pits.south.2")
    met = set()
    for visit in draw_sample(RULES, 20).visits:
        found = written(RULES, visit.state, whole)
        assert found == written(RULES, visit.state, apart)
        met |= {name.partition(".")[0] for name in found}
    assert met == {"level", "ahead", "behind"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("report", "report"),
        ("((report))", "report"),
        ("report + pits", "report+pits"),
        ("(report+pits)+(rows)", "report+pits+rows"),
        ("(report*phases)+pits", "report*phases+pits"),
        ("((report)*phases)*(my:Own)", "report*phases*my:Own"),
        ("((report)+pits)*phases", "(report+pits)*phases"),
        ("((report+pits)*phases+rows)*my:Own", "((report+pits)*phases+rows)*my:Own"),
    ],
)
def test_what_says_the_same_is_written_the_same(text, expected):
    assert canonical(text) == expected


class Written(NamedTuple):
    """What is to be said, in text with spaces and parentheses too many."""

    found: Name | Sum | Split
    text: str


def one_name(number: int, spaces: str) -> Written:
    return Written(Name(f"set{number}"), f"{spaces}set{number}{spaces}")


def joined(parts: list[Written]) -> Written:
    terms = [term for part in parts for term in (part.found.terms if isinstance(part.found, Sum) else [part.found])]
    shown = [f"({part.text})" if isinstance(part.found, Sum) else part.text for part in parts]
    return Written(Sum(tuple(terms)), "+".join(shown))


def split(part: Written, number: int) -> Written:
    shown = f"({part.text})" if isinstance(part.found, Sum) else part.text
    return Written(Split(part.found, f"split{number}"), f"{shown}*split{number}")


def in_parentheses(part: Written) -> Written:
    return Written(part.found, f"({part.text})")


NAMES = some.builds(one_name, some.integers(0, 10**9), some.sampled_from(["", " "]))
EXPRESSIONS = some.recursive(
    NAMES,
    lambda inner: (
        some.lists(inner, min_size=2, max_size=3).map(joined)
        | some.builds(split, inner, some.integers(0, 10**9))
        | inner.map(in_parentheses)
    ),
    max_leaves=8,
)


@given(EXPRESSIONS)
def test_what_is_read_is_what_was_written(said):
    called = re.findall(r"(?:set|split)\d+", said.text)
    assume(len(set(called)) == len(called))
    found = parse(said.text)
    assert found == said.found
    assert parse(write(found)) == found
    assert canonical(write(found)) == write(found)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(report+pits", "features '(report+pits': parentheses do not match"),
        ("report+pits)", "parentheses do not match"),
        ("()", "a name is missing; the text must look like NAME, NAME+NAME, NAME*phases or (NAME+NAME)*phases"),
        ("(report+)*phases", "a name is missing"),
        ("report*", "a name is missing"),
        ("report(pits)", "+ or * is missing before '('"),
        ("(report)pits", "+ or * is missing before 'pits'"),
        ("report*(phases+pits)", "'phases+pits' follows *; only a single name may follow"),
        ("report*(phases*phases)", "'phases*phases' follows *; only a single name may follow"),
        ("(report+pits)*rows", "'rows' after * does not define the method `phase`; after *, use one of phases"),
        ("(report+(pits+report))", "'report' appears twice"),
        ("(report+pits)*phases+report*phases", "'report*phases' appears twice"),
        ("(rows+pits)*phases+(pits+rows)*phases", "'pits*phases' appears twice"),
        (
            "(" * (MAX_DEPTH + 1) + "report" + ")" * (MAX_DEPTH + 1),
            "nested too deeply; use a depth of at most 20",
        ),
        ("report" + "*phases" * MAXIMUM, "there are too many names; use at most 100 names"),
        ("(" * 10_000, "parentheses are nested too deeply"),
    ],
)
def test_what_says_nothing_is_refused_in_one_line(text, message):
    with pytest.raises(UsageError) as raised:
        feature_set_for(RULES, text)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.slow
def test_files_hold_the_one_form(tmp_path):
    settings = {"games": 20, "evaluate_every": 20, "evaluation_games": 2, "runs": tmp_path}
    one, other = (
        train("kalah:pits=2", features=text, **settings) for text in ("((store) + rows)*phases", "(store+rows)*phases")
    )
    assert one.configuration == other.configuration
    assert one.configuration.learner.features == petteia.weights(one.run.path).features == "(store+rows)*phases"
    learned = load_linear(one.run.weights, one.rules)
    assert learned.weights.any()
    assert one.run.weights.read_bytes() == other.run.weights.read_bytes()
