"""Sessions: games that go on ply by ply, are taken back, created again, recorded and restored; the dice stay the
same."""

from __future__ import annotations

import gc
import os
import pickle
import random
from collections.abc import Callable
from pathlib import Path

import own_players
import pytest
from golden_games import OF_ALL_KINDS
from small_agents import HARE, write_agent

import petteia
from petteia.core.bits import mix, wrapping_add
from petteia.core.decision import Outcome
from petteia.core.protocol import CHANCE, format_move, initial, is_over, legal, margin, play, to_move
from petteia.games import game
from petteia.policies.play_games import DIGEST, MARGIN, PLIES, match_keys, play_games
from petteia.policies.policy import Lowest, Uniform
from petteia.records.game_record import GameRecord

START = initial(game("kalah"))
RACE = "tiny_games:DiceRace:goal=20,faces=6"
PLAYERS = (("human", "human"), ("human", "random"), ("simple", "human"), ("random", "simple"))


def sit(text: str, seed: int, plies: int = 60) -> int:
    """A random game with undo and redo, held against a list of states; the number of things that were done."""
    rules, draw = game(text), random.Random(f"{text} {seed}")
    players = PLAYERS[seed % len(PLAYERS)]
    persons = [side for side in (0, 1) if players[side] == "human"]
    session = petteia.session(rules, players, seed=seed)
    line, undone, fallen = [initial(rules)], list[list[object]](), dict[object, object]()
    done = 0
    while done < plies:
        done += 1
        over = is_over(rules, line[-1])
        side = to_move(rules, line[-1])
        states = session.record().states()
        assert (states, session.position.state) == (line, line[-1])
        names = [format_move(rules, state, code) for state, code in zip(line, session.record().moves, strict=False)]
        assert list(session.moves) == names
        assert session.outcome == (Outcome(margin(rules, line[-1]), len(line) - 1) if over else None)
        expected = None if over else "chance" if side == CHANCE else players[side]
        assert (session.is_over, session.whose, session.needs_move) == (over, expected, expected == "human")
        chosen = draw.random()
        if chosen < 0.15 or over:
            places = [place for place in range(len(line) - 1) if to_move(rules, line[place]) in (persons or (0, 1))]
            if not places:
                with pytest.raises(petteia.UsageError, match=r"^undo: there is no move to take back$"):
                    session.undo()
                if over:
                    break
                continue
            undone.append(line[places[-1] + 1 :])
            del line[places[-1] + 1 :]
            assert session.undo().state == line[-1]
        elif chosen < 0.25 and undone:
            line += undone.pop()
            assert session.redo().state == line[-1]
        elif expected == "human":
            undone.clear()
            code = draw.choice(legal(rules, line[-1]))
            step = session.play(format_move(rules, line[-1], code))
            line.append(play(rules, line[-1], code))
            assert step == ("human", format_move(rules, line[-2], code), None, session.position)
        else:
            undone.clear()
            before = tuple(line)
            step = session.step()
            assert step is not None
            code = session.record().moves[-1]
            assert code in legal(rules, line[-1])
            line.append(play(rules, line[-1], code))
            assert (step.who, step.move) == (expected, format_move(rules, line[-2], code))
            if side == CHANCE:
                assert fallen.setdefault(before, code) == code
        if not undone:
            with pytest.raises(petteia.UsageError, match=r"^redo: there is no move to redo$"):
                session.redo()
    return done


@pytest.mark.parametrize("text", OF_ALL_KINDS)
def test_games_with_undo_and_redo_are_those_of_the_protocol(text: str) -> None:
    assert sum(sit(text, seed) for seed in range(12)) > 150


@pytest.mark.heavy
@pytest.mark.parametrize("text", OF_ALL_KINDS)
def test_many_games_with_undo_and_redo_are_those_of_the_protocol(text: str) -> None:
    for seed in range(12, 10_000):
        sit(text, seed)


def of_a_match(text: str, seed: int, *, compiled: bool) -> None:
    """A game of two programs is the first of a match with the same seed: its margin, length and moves."""
    rules = game(text)
    start = initial(rules)
    row = play_games(rules, start, Uniform(), Lowest(), games=1, keys=match_keys(seed), compiled=compiled)[0]
    session = petteia.session(rules, ("random", "simple"), seed=seed)
    session.advance()
    assert session.outcome is not None
    digest = 0
    for state, code in zip(session.record().states(), session.record().moves, strict=False):
        if to_move(rules, state) != CHANCE:
            digest = mix(wrapping_add(digest, code + 1))
    assert (session.outcome.margin, session.outcome.plies, digest) == (row[MARGIN], row[PLIES], row[DIGEST])


@pytest.mark.parametrize("text", OF_ALL_KINDS)
def test_games_of_programs_are_those_of_a_match(text: str) -> None:
    for seed in range(5):
        of_a_match(text, seed, compiled=False)


@pytest.mark.heavy
@pytest.mark.parametrize("text", OF_ALL_KINDS)
def test_games_of_programs_are_those_of_compiled_matches(text: str) -> None:
    for seed in range(10_000):
        of_a_match(text, seed, compiled=True)


@pytest.mark.parametrize("text", OF_ALL_KINDS[:-1])  # the last cannot read its positions
def test_a_restored_game_goes_on_as_it_would_have(text: str) -> None:
    for seed in range(2):
        draw = random.Random(seed)
        session = petteia.session(text, ("human", "simple"), seed=seed)
        for _ in range(30):
            if session.is_over:
                break
            again = petteia.restore(session.record().write(), ("human", "simple"), seed=seed)
            assert (again.position, again.moves) == (session.position, session.moves)
            if session.needs_move:
                session.play(draw.choice(session.position.moves))
            else:
                assert session.step() == again.step()


def test_a_new_move_leaves_nothing_to_make_again() -> None:
    session = petteia.session("kalah", ("human", "simple"))
    session.play("1")
    session.undo()
    with pytest.raises(petteia.InvalidError, match="'9' is not legal"):
        session.play("9")
    assert session.redo() == session.position == session.start.play("1")
    session.undo()
    session.play("1")
    with pytest.raises(petteia.UsageError, match="no move to redo"):
        session.redo()


def test_a_game_can_be_taken_back_from_its_end() -> None:
    session = petteia.session("tiny_games:Nim:heaps=1,size=2", ("human", "human"))
    session.play("1-2")
    assert session.outcome == Outcome(1, 1)
    session.undo()
    assert (session.outcome, session.moves) == (None, ())
    session.redo()
    assert session.outcome == Outcome(1, 1)
    session.undo()
    session.resign()
    assert session.outcome == Outcome(-1, 0, "resigned")
    with pytest.raises(petteia.UsageError, match="no move to redo"):
        session.redo()


def test_a_person_resigns_whoever_is_to_move() -> None:
    session = petteia.session("hare-and-hounds", ("human", "simple"))
    session.play("0-2")
    assert session.whose == "simple"
    session.resign()
    assert (session.outcome, session.to_move, session.whose) == (Outcome(-1, 1, "resigned"), None, None)


def test_players_are_told_what_happens() -> None:
    class Told(own_players.Lower):
        pass

    other = Told()
    session = petteia.session("tiny_games:Nim:heaps=1,size=2", ("human", other))
    session.play("1-1")
    session.undo()
    session.redo()
    session.step()
    assert (other.began, other.ended) == (3, 1)


@pytest.mark.slow
def test_hints_leave_the_game_as_it_is(tmp_path) -> None:
    agent = write_agent(tmp_path / "hounds.safetensors")
    session = petteia.session(HARE, ("human", "simple"), limit=petteia.Limit(depth=2))
    hint = session.hint()
    assert hint is not None
    assert (hint.who, hint.move, session.moves) == ("simple", "0-2", ())
    assert hint.position == session.position.play("0-2")
    learned = session.hint(f"q:agent={agent}")
    assert learned is not None
    assert learned.decision is not None
    assert len(learned.decision.values) == 7
    session.play("0-2")
    stand_in = session.hint(f"q:agent={agent}")  # which plays the hounds alone
    assert stand_in is not None
    assert (stand_in.who, session.whose) == ("search", "simple")


def test_a_stop_that_is_set_before_leaves_the_game_as_it_is() -> None:
    stop = petteia.Stop()
    session = petteia.session("kalah", ("simple", "simple"))
    assert len(session.advance(stop)) > 10
    session = petteia.session("kalah", ("simple", "simple"))
    stop.set()
    assert stop.is_set
    assert (session.step(stop), session.hint(stop=stop), session.advance(stop), session.moves) == (None, None, (), ())
    assert session.step() is not None


def test_a_program_that_fails_has_lost() -> None:
    session = petteia.session("hare-and-hounds", ("simple", "own_players:Cheat"), in_process=True)
    steps = session.advance()
    assert [step.move for step in steps] == ["0-2", None]
    assert session.outcome is not None
    assert (session.outcome.reason, session.outcome.margin) == ("illegal", 1)
    assert session.undo() == session.start


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def child_of(session: petteia.Session) -> int:
    return session._players[1]._child._process.pid  # type: ignore[attr-defined,no-any-return]  # a ChildPlayer


@pytest.mark.skipif(os.name != "posix", reason="there are no child processes")
@pytest.mark.parametrize("end", ["close", "with", "forget", "fail"])
def test_children_end_with_their_session(end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    session = petteia.session("hare-and-hounds", ("human", "own_players:Lower"))
    process = child_of(session)
    assert is_there(process)
    if end == "close":
        session.close()
    elif end == "with":
        with session:
            session.play("0-2")
    elif end == "forget":
        del session
        gc.collect()
    else:
        session.close()
        started = list[int]()
        begin = petteia.Session.__init__

        def failing(self: petteia.Session, *arguments: object, **options: object) -> None:
            begin(self, *arguments, **options)  # type: ignore[arg-type]  # handed on
            started.append(child_of(self))
            raise RuntimeError

        monkeypatch.setattr(petteia.Session, "__init__", failing)
        with pytest.raises(RuntimeError):
            petteia.session("hare-and-hounds", ("human", "own_players:Lower"))
        process = started[0]
    assert not is_there(process)


def test_what_is_learned_is_saved_when_a_session_is_closed(tmp_path) -> None:
    agent = write_agent(tmp_path / "hounds.safetensors")
    with petteia.session(HARE, (f"q:agent={agent},alpha=0.5", "random"), seed=1) as session:
        session.advance()
        (remark,) = session.close()
    assert "has learned from 1 game; the table is saved as" in remark
    assert session.close() == ()
    for call in (session.undo, session.redo, session.resign, session.hint, session.step, lambda: session.play("0-2")):
        with pytest.raises(petteia.UsageError, match=r"^[a-z]+: the session is closed$"):
            call()


def test_a_session_is_not_pickled() -> None:
    with pytest.raises(TypeError, match=r"^a Session cannot be pickled; save session.record\(\) and continue"):
        pickle.dumps(petteia.session("kalah", ("human", "human")))


def recorded(text: str, *moves: str, players: tuple[str, str] = ("human", "human")) -> str:
    session = petteia.session(text, players)
    for move in moves:
        session.play(move)
    return session.record().write()


NIM = "tiny_games:Nim:heaps=1,size=2"
USAGE: list[tuple[Callable[[], object], str]] = [
    (
        lambda: petteia.session("kalah", ("human",)),
        r"players=\('human',\): must be a list of two players, who play south and north in kalah",
    ),
    (lambda: petteia.session("kalah", "human"), "players='human': must be a list of two players, .*"),
    (lambda: petteia.session("kalah", ("human", "deep-blue")), "there is no player 'deep-blue'; .*"),
    (lambda: petteia.session("kalah", max_plies=0), "max_plies=0: must be more than 0"),
    (lambda: petteia.session("kalah", seed=-1), r"seed=-1: must be .*"),
    (
        lambda: petteia.session("kalah", ("human", "simple")).step(),
        r"step: it is a human player's turn; call play\(move\).*",
    ),
    (
        lambda: petteia.session("kalah", ("simple", "human")).play("1"),
        r"play: it is not a human player's turn, but the turn of simple; call step\(\)",
    ),
    (
        lambda: petteia.session(RACE).hint(),
        r"hint: no player is to move, because the position is a chance node; call step\(\) first",
    ),
    (lambda: petteia.session(RACE, ("human", "human")).resign(), "resign: it is not a human player's turn"),
    (lambda: petteia.session("kalah", ("simple", "simple")).undo(), "undo: there is no move to take back"),
    (lambda: petteia.restore(7, ("human", "human")), "record=7: must be a game record, or the text of a game record"),  # type: ignore[arg-type]  # what is tested
]
INVALID: list[tuple[Callable[[], object], str]] = [
    (
        lambda: petteia.session("kalah", position=petteia.position("british-square")),
        "position: belongs to british-square, not to kalah",
    ),
    (lambda: petteia.session(NIM, position=petteia.position(NIM).play("1-2")), ".*: the game is over there; .*"),
    (lambda: petteia.session("kalah", ("human", "human")).play("x"), "move 'x' is not legal in .*"),
    (lambda: petteia.restore(recorded(NIM, "1-2"), ("human", "human")), "record: the game is finished after 1 .*"),
    (
        lambda: petteia.restore(recorded(NIM, "1-1").replace("1-1", "1-3"), ("human", "human")),
        "game record, line .*: ply 1: move '1-3' is not legal in .*",
    ),
    (lambda: petteia.restore("no record", ("human", "human")), "game record, line 1: .*"),
    (
        lambda: petteia.restore(GameRecord(game("kalah"), ("a", "b"), START, (9,), None), ("human", "human")),
        "record: ply 1: the move code 9 is not legal in .*",
    ),
]


@pytest.mark.parametrize(
    ("error", "call", "message"),
    [
        *((petteia.UsageError, *each) for each in USAGE),
        *((petteia.InvalidError, *each) for each in INVALID),
    ],
)
def test_bad_input_is_one_line(error: type[Exception], call: Callable[[], object], message: str) -> None:
    with pytest.raises(error, match=f"^{message}$"):
        call()


def test_the_end_of_a_game_takes_no_more_moves() -> None:
    session = petteia.session(NIM, ("human", "simple"))
    session.play("1-2")
    for call in (lambda: session.play("1-1"), session.step, session.hint, session.resign):
        with pytest.raises(petteia.UsageError, match=r"^[a-z]+: the game is over$"):
            call()


def test_the_limit_of_plies_holds_for_restored_games_too() -> None:
    session = petteia.restore(recorded("kalah", "1", "1"), ("human", "simple"), max_plies=3)
    session.play("2") if session.needs_move else session.step()
    assert session.outcome == Outcome(0, 3, "max-plies")


@pytest.mark.heavy
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is not told here")
def test_a_thousand_sessions_at_once_stay_small() -> None:
    """A thousand sessions take some megabytes, and what they took is there for the next thousand."""

    def resident() -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def a_thousand(seed: int) -> list[petteia.Session]:
        draw = random.Random(seed)
        sessions = [petteia.session("kalah", ("human", "greedy"), seed=each) for each in range(1000)]
        for _ in range(10):
            for session in sessions:
                session.advance()
                if not session.is_over:
                    session.play(draw.choice(session.position.moves))
        return sessions

    petteia.session("kalah", ("human", "greedy")).play("1")
    before = resident()
    taken = []
    for seed in range(4):
        sessions = a_thousand(seed)
        taken.append(resident())
        del sessions
        gc.collect()
    assert taken[0] - before < 100
    assert taken[-1] - taken[0] < 5
