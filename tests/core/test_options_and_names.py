"""What users type: the text form of games and players, and options in their ranges."""

from __future__ import annotations

import contextlib
from typing import Annotated, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petteia.core.errors import NotFoundError, PetteiaError, UsageError
from petteia.core.names import format_game
from petteia.core.options import Range, Words, check_rules, format_options, options, parse_rules
from petteia.core.text import Call, parse_call
from petteia.foreign.loading import check_game_class, load_class
from petteia.games import game


class Rules(NamedTuple):
    size: Annotated[int, Range(2, 7)] = 5
    end: Annotated[int, Words("both", "first", "any")] = 0
    free: int = 1

    def validate(rules):
        if rules.size == 7 and rules.free == 0:
            raise ValueError("size=7 needs free above 0")


@pytest.mark.parametrize(
    ("text", "name", "settings"),
    [
        ("kalah", "kalah", {}),
        ("kalah:seeds=6,capture=empty", "kalah", {"seeds": "6", "capture": "empty"}),
        ("my_module:Nim", "my_module:Nim", {}),
        ("my_module:Nim:heaps=4", "my_module:Nim", {"heaps": "4"}),
        ("house.cellar:Nim:heaps=4,end=misere", "house.cellar:Nim", {"heaps": "4", "end": "misere"}),
        ("theta:agent=a,b: c", "theta", {"agent": "a,b: c"}),
        ("theta:agent=C:/x=y,z", "theta", {"agent": "C:/x=y,z"}),
        (
            "mixed:first=(theta:depth=5,agent=F),second=random,share=0.7",
            "mixed",
            {"first": "theta:depth=5,agent=F", "second": "random", "share": "0.7"},
        ),
        ("mixed:first=(mixed:first=(q:agent=A,b=1),second=x),second=y", "mixed", None),
        ("q:agent=", "q", {"agent": ""}),
    ],
)
def test_a_call_is_taken_apart(text, name, settings):
    call = parse_call(text, "player")
    assert call.name == name
    assert call.is_foreign == (":" in name)
    if settings is None:
        settings = {"first": "mixed:first=(q:agent=A,b=1),second=x", "second": "y"}
    assert call.options == settings


words = st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True)
values = st.text(st.characters(codec="ascii", exclude_characters="()=,\n"), max_size=12)


@given(words, st.dictionaries(words, values, min_size=1, max_size=4))
def test_a_call_that_is_put_together_is_taken_apart_again(name, settings):
    text = f"{name}:" + ",".join(f"{option}={value}" for option, value in settings.items())
    assert parse_call(text, "game") == Call(name, settings)


@given(st.text(max_size=30))
def test_any_text_is_taken_apart_or_refused(text):
    with contextlib.suppress(UsageError):
        assert text.startswith(parse_call(text, "game").name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must look like NAME"),
        ("4x", "must look like NAME"),
        (" kalah", "must look like NAME"),
        ("kalah:", "nothing follows the colon"),
        ("kalah:seeds,pits=4", "'seeds' is not of the form option=value"),
        ("kalah:=4", "'=4' is not of the form option=value"),
        ("kalah:4,seeds=4", "'4' is not of the form option=value"),
        ("kalah:seeds=4,seeds=5", "option 'seeds' is given twice"),
        ("mixed:first=(random", "parentheses do not match"),
        ("mixed:first=random)", "parentheses do not match"),
    ],
)
def test_a_malformed_call_is_refused(text, message):
    with pytest.raises(UsageError, match=message.replace("(", r"\(")) as caught:
        parse_call(text, "game")
    assert str(caught.value).startswith(f"game {text!r}: ")


@given(st.builds(Rules, st.integers(2, 7), st.integers(0, 2), st.integers(1, (1 << 63) - 1)))
def test_options_are_written_and_read_again(rules):
    text = format_options(rules)
    settings = dict(part.split("=") for part in text.split(",") if part)
    assert parse_rules(Rules, settings, "game") == rules
    check_rules(rules)


def test_only_options_that_differ_are_written():
    assert format_options(Rules()) == ""
    assert format_options(Rules(end=2, size=3)) == "size=3,end=any"
    assert {name: str(domain) for name, domain in options(Rules).items()} == {
        "size": "2..7",
        "end": "both / first / any",
        "free": "0..9223372036854775807",
    }


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sise": "3"}, "game has no option 'sise'; its options are size, end, free"),
        ({"size": "1"}, r"game: size=1: must be in 2\.\.7"),
        ({"size": "8"}, r"game: size=8: must be in 2\.\.7"),
        ({"size": "-3"}, r"game: size=-3: must be a whole number in 2\.\.7"),
        ({"size": "3.0"}, "must be a whole number"),
        ({"size": "03"}, "must be a whole number"),
        ({"size": " 3"}, "must be a whole number"),
        ({"size": "٣"}, "must be a whole number"),
        ({"size": ""}, "must be a whole number"),
        ({"free": "9" * 30}, "must be a whole number"),
        ({"end": "0"}, "game: end=0: must be one of both, first, any"),
        ({"end": "Both"}, "must be one of both, first, any"),
        ({"size": "7", "free": "0"}, "game: size=7 needs free above 0"),
    ],
)
def test_a_wrong_option_is_refused(settings, message):
    with pytest.raises(UsageError, match=message):
        parse_rules(Rules, settings, "game")


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (Rules(size=8), r"Rules: size=8: must be in 2\.\.7"),
        (Rules(size=True), "Rules: size=True: must be an int, not bool"),
        (Rules(size=3.0), "must be an int, not float"),
        (Rules(end=3), r"Rules: end=3: must be in 0\.\.2 \(both, first, any\)"),
        (Rules(free=1 << 63), r"Rules: free=9223372036854775808: must be in 0\.\."),
        (Rules(free=-1), "Rules: free=-1: must be in"),
        (Rules(size=7, free=0), "Rules: size=7 needs free above 0"),
    ],
)
def test_rules_made_in_python_are_checked(rules, message):
    with pytest.raises(UsageError, match=message):
        check_rules(rules)


def test_an_option_without_a_default_must_be_given():
    class Bare(NamedTuple):
        size: int

    with pytest.raises(UsageError, match="option size has no default and must be given"):
        parse_rules(Bare, {}, "game")
    with pytest.raises(UsageError, match="has no option 'x'; it has no options"):
        parse_rules(NamedTuple("Empty", []), {"x": "1"}, "game")


@pytest.mark.parametrize("text", ["hare-and-hounds", "hare-and-hounds:first=hare,hare=7,stall=0,escape=end"])
def test_games_are_named_as_they_are_read(text):
    assert format_game(game(text)) == text
    assert game(game(text)) == game(text)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("hare-and-hound", UsageError, "there is no game 'hare-and-hound'; did you mean 'hare-and-hounds'?"),
        ("chess", UsageError, "there is no game 'chess'; choose from "),
        (
            "no_such_module:Nim",
            NotFoundError,
            "there is no module 'no_such_module' in the working directory or on Python's path",
        ),
        ("tiny_games:Nimm", NotFoundError, "module 'tiny_games' has no class 'Nimm'"),
        ("tiny_games:total", NotFoundError, "module 'tiny_games' has no class 'total'"),
        ("tiny_games.nothing:Nim", NotFoundError, "there is no module 'tiny_games.nothing'"),
        ("json:JSONEncoder", UsageError, "'json' is a module of Python itself"),
        ("own_players:Drawing", UsageError, "must be a class derived from NamedTuple"),
        ("hare-and-hounds:hare=3", UsageError, "hare=3: a hound starts on this square"),
        ("hare-and-hounds:stall=101", UsageError, "stall=101: must be in 0..100"),
    ],
)
def test_a_game_that_is_not_there_is_refused(text, error, message):
    with pytest.raises(error) as caught:
        game(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_errors_have_the_exit_codes_of_the_command_line():
    codes = {cls.__name__: cls.exit_code for cls in PetteiaError.__subclasses__() if cls.__module__.endswith("errors")}
    assert codes == {"UsageError": 2, "NotFoundError": 3, "InvalidError": 4, "Stopped": 1}
    assert PetteiaError.exit_code == 1


def test_verbs_that_go_together_must_come_together():
    rules = type(game("hare-and-hounds"))

    with pytest.raises(UsageError, match="Half defines the method `images` but not the method `image`; define both"):
        check_game_class(type("Half", (NamedTuple("Bare", []),), verbs_of(rules, without="image")), "own")
    assert load_class("tiny_games:Nim", "game").__name__ == "Nim"


def verbs_of(cls: type, without: str) -> dict[str, object]:
    return {name: value for name, value in vars(cls).items() if callable(value) and name not in (without, "__new__")}
