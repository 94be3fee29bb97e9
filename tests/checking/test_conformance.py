"""Every game under many rules through the checks of conformance, the golden files, and the lanes of the compiler."""

from __future__ import annotations

import contextlib
import functools
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import golden_games
import pytest
from tiny_games import DiceRace, Nim, total

from petteia.checking import comparison, conformance
from petteia.checking.comparison import compare_compiled, same_perft
from petteia.checking.conformance import CHECKS, run_checks
from petteia.checking.first_use import try_out
from petteia.checking.near_misses import near_misses
from petteia.checking.notes import Notes
from petteia.checking.sample import ConformanceError, Sample, draw_sample, explain, pick_evenly
from petteia.core.errors import UsageError
from petteia.core.names import name_of
from petteia.core.perft import perft
from petteia.core.protocol import Limits, format_state, parse_move, parse_state
from petteia.games import GAMES, game
from petteia.games.british_square import BritishSquare

RULES = golden_games.all_rules()


@functools.cache
def sample(name: str) -> Sample:
    return draw_sample(RULES[name], games=10, seed=1)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", RULES)
def test_plain(name, check):
    notes = Notes(RULES[name])
    check(sample(name), notes)
    assert list(notes.failures) == []


@pytest.mark.parametrize("name", RULES)
def test_compiled(name, monkeypatch):
    """Of a tenth of the games and nodes that `petteia check` looks at."""
    monkeypatch.setattr(comparison, "LIMIT_GAMES", 1_000)
    monkeypatch.setattr(comparison, "PLAIN_NODES", 2_000)
    results = list(compare_compiled(RULES[name], games=10))
    assert [result.message for result in results if not result.passed] == []
    assert [result.name for result in results] == COMPARISONS


COMPARISONS = ["limits in compiled games", "compiled games", "compiled perft", "keys in compiled games"]


def test_the_checks_are_run_by_name():
    results = list(run_checks(Nim(), games=5, seed=3))
    assert [result.name for result in results] == [check.__name__.replace("_", " ") for check in CHECKS]
    assert all(result.passed and not result.message for result in results)


# Golden files.


@pytest.mark.parametrize("cls", golden_games.CLASSES, ids=name_of)
def test_golden_files_are_there(cls):
    for kind in ("perft", "playthrough"):
        path = golden_games.golden_file(cls, kind)
        command = f"python tests/helpers/golden_games.py {kind} {name_of(cls)}"
        assert path.exists(), f"write {path} with `{command}`, and check it by hand"


def test_golden_files_belong_to_games():
    known = {golden_games.golden_file(cls, kind) for cls in golden_games.CLASSES for kind in ("perft", "playthrough")}
    assert set(golden_games.GOLDEN.iterdir()) == known
    assert set(GAMES) < set(golden_games.CLASSES)


@pytest.mark.parametrize("cls", golden_games.CLASSES, ids=name_of)
def test_golden_perft(cls):
    found = list(golden_games.read_perft(golden_games.golden_file(cls, "perft")))
    assert {name for name, _, _ in found} == {name for name, rules in RULES.items() if type(rules) is cls}
    for name, position, counts in found:
        rules = game(name)
        state = parse_state(rules, position)
        assert [perft(rules, state, depth) for depth in range(1, len(counts) + 1)] == counts, name


@pytest.mark.parametrize("cls", golden_games.CLASSES, ids=name_of)
def test_golden_playthrough(cls):
    text = golden_games.golden_file(cls, "playthrough").read_text(encoding="utf-8")
    moves = [line.removeprefix("   > ") for line in text.splitlines() if line.startswith("   > ")]
    rules = game(text.splitlines()[0].removeprefix("game: "))
    assert type(rules) is cls
    assert len(moves) > 3
    assert golden_games.playthrough(rules, moves) == text
    assert "over, margin" in text


# Lanes: the same numbers from plain Python and with bounds checked, each in a process of its own.


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_lane(setting):
    lane = Path(golden_games.__file__)
    done = subprocess.run(
        [sys.executable, str(lane)], env=os.environ | {setting: "1"}, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == list(golden_games.measure(golden_games.FEW_NODES))


# The checks find what is wrong. Each mutant is a game with one mistake.


def mutants() -> dict[str, tuple[type, str]]:
    """Name -> class with a mistake, and a part of the line that must tell."""
    memory: list[int] = []

    def forgetful_play(rules, state, move):
        memory.append(move)
        after = Nim.play(rules, state, move)
        return after if len(memory) < 60 else after._replace(side=0)

    def leaky_moves(rules, state, out):
        count = Nim.moves(rules, state, out)
        out[count - 1] = out[0]
        return count

    def none_listed(rules, state, out):
        return 0 if state.stones == 3 else Nim.moves(rules, state, out)

    def crash(rules, state, move):
        after = Nim.play(rules, state, move)
        return after._replace(side=after.side * after.stones // after.stones)

    def lenient(rules, text):
        return Nim.parse_state(rules, text.strip())

    def raising(rules, text):
        return Nim.parse_state(rules, text) if text.isascii() else {}[text]

    def any_race_move(rules, state, text):
        return ("step", "run").index(text.lower()) if state.die else int(text)

    def uneven(rules, state, chance):
        return min(Nim.random_move(rules, state, chance), Nim.random_move(rules, state, chance))

    def half(rules, state, moves, probabilities):
        count = DiceRace.chances(rules, state, moves, probabilities)
        probabilities[0] = 0.5
        return count

    def never(rules, state):
        return False

    def text_state(rules, state, move):
        return Nim.play(rules, state, move)._replace(side=True)

    def smaller(cls, **changes):
        return lambda rules: cls.limits(rules)._replace(**changes)

    def nim(**methods):
        return type("Mutant", (Nim,), methods)

    def race(**methods):
        return type("Mutant", (DiceRace,), methods)

    return {
        "random games: field": (
            nim(play=text_state),
            "after play state field side is True, of type bool; must be an int",
        ),
        "random games: twice": (nim(moves=leaky_moves), "all codes must be different"),
        "random games: none": (
            nim(moves=none_listed, is_over=lambda rules, state: state.stones == 0),
            "returned 0; must",
        ),
        "random games: most": (
            nim(limits=smaller(Nim, moves=5)),
            "must be at least 1, as is_over is False, and at most",
        ),
        "random games: codes": (nim(limits=smaller(Nim, codes=4)), "must be in 0..3, as limits(rules) says"),
        "random games: plies": (
            nim(limits=smaller(Nim, plies=2)),
            "the game is not over after the 2 plies of limits(rules)",
        ),
        "random games: raises": (nim(play=crash), "crash (test_conformance.py, line"),
        "random games: endless": (race(is_over=never, limits=smaller(DiceRace, plies=0)), "random games ended within"),
        "random games: chances": (race(chances=half), "the probabilities add up to 1.25; must be 1"),
        "random games: float": (nim(to_move=lambda rules, state: state.side / 1), "to_move returned"),
        "constancy": (nim(play=forgetful_play), "when first played, and is"),
        "margins": (nim(margin=lambda rules, state: 1.0), "margin returned 1.0, of type float; must be an int"),
        "decisions: early": (nim(decided=lambda rules, state: True), "must have the sign of"),
        "decisions: late": (nim(decided=never), "decided returned False; must be True, as the game is over"),
        "keys: same": (
            nim(key=lambda rules, state: state.stones),
            "the keys must differ, because injective(rules) is True",
        ),
        "keys: large": (nim(key=lambda rules, state: state.stones + (1 << 63)), "must be in 0..2^63-1"),
        "counts": (nim(count=lambda rules, state: 2), "`count` returned 2, but `moves` lists"),
        "move sets": (nim(move_set=lambda rules, state: 2), "`move_set` contains the moves [1], but `moves` lists"),
        "random moves: odds": (nim(random_move=uneven), "must be about 60, as all moves are equally likely"),
        "random moves: legal": (nim(random_move=lambda rules, state, chance: 5 << 4), "which moves does not list"),
        "symmetries: move": (nim(image_move=lambda rules, move, i: move), "the image of the position after the move"),
        "symmetries: side": (
            nim(image=lambda rules, state, i: state._replace(side=state.side ^ i & 1)),
            "to_move gives",
        ),
        "symmetries: identity": (nim(image=lambda rules, state, i: Nim.image(rules, state, i + 1)), "image"),
        "exchanges: twice": (nim(swapped=lambda rules, state: state._replace(side=0)), "swapped"),
        "numbering: twice": (
            nim(position=lambda rules, i: Nim.position(rules, i // 2 * 2)),
            "all positions must be distinct",
        ),
        "numbering: lacks": (
            nim(positions=lambda rules: 20),
            "not among the 20 numbered positions; every state must have a number",
        ),
        "texts of states: spaces": (nim(parse_state=lenient), "must be a ValueError"),
        "texts of states: raises": (nim(parse_state=raising), "raised KeyError("),
        "texts of states: format": (nim(format_state=lambda rules, state: "?"), "parse_state"),
        "texts of moves": (race(parse_move=any_race_move), "which is not legal, as"),
        "texts of moves: same": (race(format_move=lambda rules, state, move: "go"), "parse_move of 'go' is"),
        "option ends": (nim(is_over=lambda rules, state: state.stones == 3 or Nim.is_over(rules, state)), "validate"),
        "names of seats": (nim(seats=lambda rules: ("first", "first")), "must be two different words"),
    }


class Unlike(Nim):
    """Compiled otherwise than in plain Python, as a product of two large numbers wraps around; a mistake by `heaps`."""

    def key(rules, state):
        return 1 + state.stones % 2 * LARGE * LARGE % 1_000_003 if rules.heaps == 1 else state.stones * 2 + state.side

    def count(rules, state):
        return state.stones % 2 * LARGE * LARGE % 1_000_003 if rules.heaps == 2 else total(rules, state.stones)

    def limits(rules):
        plies = rules.heaps * rules.size - (1 if rules.size == 2 else 0)
        moves = rules.heaps * rules.size - (1 if rules.size == 5 else 0)
        return Limits(moves, (rules.heaps << 4) - (13 if rules.size == 6 else 0), plies)


LARGE = 3 << 60
MUTANTS = mutants()


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mistake_is_found(name, monkeypatch):
    cls, message = MUTANTS[name]
    check = name.partition(":")[0]
    first, *others = CHECKS
    checks = (first, *(each for each in others if each.__name__.replace("_", " ") == check))
    monkeypatch.setattr(conformance, "CHECKS", checks)
    failed = [result for result in run_checks(cls(), games=30) if not result.passed]
    found = {result.name: result.message for result in failed}
    assert message in found[check]
    assert found[check].startswith("Mutant")
    assert "\n" not in found[check]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (Unlike(heaps=1), "Unlike:heaps=1, position '3 first': key is 1 in compiled code and"),
        (Unlike(heaps=2), "Unlike:heaps=2, position '3,3 first': count is"),
        (Unlike(size=2), "Unlike:size=2: a game is not over after 5 plies, the maximum of limits(rules)"),
        (Unlike(size=5), "Unlike:size=5: a state has 15 moves; must be at most limits(rules).moves = 14"),
        (Unlike(size=6), "Unlike:size=6: a move has code 38; must be in 0..34"),
    ],
    ids=str,
)
def test_a_difference_of_compiled_code_is_found(rules, message):
    failed = [result.message for result in compare_compiled(rules, games=5) if not result.passed]
    assert failed[0].startswith(message)


def test_a_difference_of_perft_is_found():
    with pytest.raises(ConformanceError, match="perft 1 is 0 in compiled code and 6 in plain Python"):
        same_perft(Unlike(heaps=2))


def test_near_misses_are_near():
    found = near_misses("3-6")
    assert {
        "",
        "3-",
        "33-6",
        "-36",
        "4-6",
        " 3-6",
        "3-6\n",
        "3_-6",
        "٣-6",
        "3-⁶",
        "03-6",
        "3-9223372036854775808",
    } <= set(found)
    assert len(found) == len(set(found))
    assert "3-6" not in found


def test_spread_keeps_the_ends():
    assert pick_evenly(range(10), 4) == [0, 3, 6, 9]
    assert pick_evenly("ab", 5) == ["a", "b"]


def test_an_error_without_a_position_is_explained():
    assert explain(Nim(), ConformanceError("as it is")) == "as it is"
    try:
        int("x")
    except ValueError as error:
        line = explain(Nim(), error)
    assert re.fullmatch(r"Nim: test_an_error_.* \(test_conformance.py, line \d+\) raised ValueError: invalid .*", line)


@pytest.mark.heavy
@pytest.mark.parametrize("cls", golden_games.CLASSES, ids=name_of)
def test_a_million_texts(cls):
    """Whatever a parser is given, it answers with a ValueError or with what is written exactly so."""
    draw = random.Random(0)
    visits = draw_sample(cls(), games=200).visits
    texts = [format_state(cls(), visit.state) for visit in visits]
    letters = sorted(set("".join(texts)) | set("0123456789 ,-/\n٣x"))
    for _ in range(1_000_000):
        text = list(draw.choice(texts))
        for _ in range(draw.randrange(1, 4)):
            place = draw.randrange(len(text) + 1)
            text[place : place + draw.randrange(2)] = draw.choice(letters) * draw.randrange(2)
        mutated = "".join(text)
        with contextlib.suppress(ValueError):
            assert format_state(cls(), parse_state(cls(), mutated)) == mutated
        visit = draw.choice(visits)
        with contextlib.suppress(ValueError):
            assert parse_move(cls(), visit.state, mutated[: draw.randrange(8)]) in visit.moves


# A first look, before a command begins.


class Dealt(DiceRace):
    """The key forgets the die."""

    def key(rules, state):
        return super().key(state._replace(die=0))


class Unfolded(BritishSquare):
    """Moves keep their squares in mirrored states."""

    def image_move(rules, move, i):
        return move


@pytest.mark.parametrize(
    ("cls", "message"),
    [(Dealt, "the keys must differ, because injective(rules) is True"), (Unfolded, "image 1")],
)
def test_keys_and_images_are_looked_at_before_a_command_begins(cls, message):
    with pytest.raises(UsageError) as raised:
        try_out(cls(), "own:Game")
    assert message in str(raised.value)
    assert str(raised.value).endswith("; for a full check run: petteia check own:Game")
