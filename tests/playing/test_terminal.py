"""A game at the terminal, from the first prompt to the record."""

from __future__ import annotations

import io
import re

import own_players
import pytest
from small_agents import HARE, write_agent

from petteia.arena.match import match
from petteia.cli import main
from petteia.core.decision import Limit, Outcome
from petteia.core.errors import UsageError
from petteia.core.moves import typed_move
from petteia.core.protocol import CHANCE, format_move, initial, legal, parse_state, to_move
from petteia.games import game as rules_of
from petteia.players import player
from petteia.players.human import HumanPlayer
from petteia.playing.terminal import COMMANDS, play_at_terminal
from petteia.policies.play_games import match_keys
from petteia.policies.policy import Uniform
from petteia.records.game_record import read_record
from petteia.render.moves import list_moves

START = initial(HARE)
RACE = rules_of("tiny_games:DiceRace:goal=20,faces=6")


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    return write_agent(tmp_path_factory.mktemp("agents") / "hounds.safetensors")


def test_moves_are_typed_by_number_or_notation():
    codes = legal(HARE, START)
    for number, code in enumerate(codes, 1):
        assert typed_move(HARE, START, str(number)) == typed_move(HARE, START, format_move(HARE, START, code)) == code
    for text in ("0", "8", "1-0", "", "01", "²"):
        with pytest.raises(ValueError, match="move"):
            typed_move(HARE, START, text)
    assert list_moves(HARE, START, 30).splitlines()[0] == "   1: 0-2   2: 1-2   3: 1-4"


def test_numbers_are_not_offered_where_moves_are_numbers(monkeypatch):
    skeleton = rules_of("petteia.templates.game:Skeleton")
    state = parse_state(skeleton, "2 first")
    assert list_moves(skeleton, state) == "   1   2"
    assert typed_move(skeleton, state, "2") == 2


def test_a_person_is_asked_until_the_move_is_legal():
    typed, shown = iter(["9-9", " 2 "]), []
    person = HumanPlayer(lambda prompt: next(typed), shown.append)
    person.new_game(HARE, 0)
    assert person.choose(START, Limit()).move == legal(HARE, START)[1]
    assert any("'9-9' is not legal" in line for line in shown)


def sit(lines, first="human", second="simple", rules=HARE, **arguments):
    """A session in which these lines are typed; returns it and all that was shown, prompts included."""
    shown, typed = [], iter(lines)

    def read(prompt):
        shown.append(prompt)
        try:
            line = next(typed)
        except StopIteration:
            raise EOFError from None
        if isinstance(line, BaseException):
            raise line
        return line

    session = play_at_terminal(rules, first, second, read=read, write=shown.append, **arguments)
    return session, "\n".join(shown)


def test_a_game_with_everything_that_can_be_typed():
    script = ["help", "1-4", "nonsense", "undoo", "undo", "99", "", "3-6", "board", "moves", "hint", "record", "resign"]
    session, shown = sit(script, hint="simple")
    for command in COMMANDS:
        assert f"  {command:<8}" in shown
    assert "such as 0-2, or its number" in shown
    assert "'nonsense' is not legal" in shown
    assert "did you mean `undo`?" in shown
    assert "there is no move number 99; the moves are numbered 1 to 7" in shown
    assert "simple would play 0-2" in shown
    assert shown.count("hare (simple): 10-7") == 2
    assert shown.count("[Result") == 2
    assert "Won by hare after 2 plies (hounds resigned)." in shown
    assert not session.interrupted
    record = session.record
    assert [format_move(HARE, s, m) for s, m in zip(record.states(), record.moves, strict=False)] == ["3-6", "10-7"]
    assert record.outcome == Outcome(-1, 2, "resigned")
    assert read_record(record.write()) == record
    assert record.write() in shown


def test_undo_takes_back_to_ones_own_last_turn():
    assert sit(["undo", "quit"])[0].record.moves == ()
    assert "you have made no move" in sit(["undo", "quit"])[1]
    assert len(sit(["1", "1", "undo", "quit"])[0].record.moves) == 2
    assert sit(["1", "1", "undo", "undo", "quit"])[0].record.moves == ()
    assert len(sit(["1", "1", "undo", "quit"], "human", "human")[0].record.moves) == 1
    opened = sit(["1", "undo", "quit"], "simple", "human")[0].record
    assert len(opened.moves) == 1


def test_undo_lets_other_players_begin_afresh():
    class Afresh(own_players.Lower):
        pass

    other = Afresh()
    shown, typed = [], iter(["1", "undo", "1", "quit"])
    play_at_terminal(HARE, "human", other, read=lambda prompt: next(typed), write=shown.append)
    assert (other.began, other.ended) == (2, 0)


def test_hints_come_from_the_opponent_unless_another_is_named(agent):
    assert "simple would play" in sit(["hint", "quit"])[1]
    shown = sit(["hint", "quit"], "human", "simple", hint=player(f"q:agent={agent}", HARE))[1]
    assert "values for hounds:" in shown
    assert shown.count("  +0.0") + shown.count("  -0.0") == len(legal(HARE, START))
    assert "own_players:Lower would play 0-2" in sit(["hint", "quit"], "human", "own_players:Lower")[1]


@pytest.mark.parametrize("others", [{"second": "agent"}, {"second": "human"}, {"second": "simple", "hint": "agent"}])
def test_a_search_gives_the_hints_that_others_cannot(agent, others):
    """The agent plays the hounds alone, and the hare asks."""
    named = {kind: f"q:agent={agent}" if name == "agent" else name for kind, name in others.items()}
    hint = player(named["hint"], HARE) if "hint" in named else None
    script = ["1", "hint", "hint", "quit"] if others["second"] == "human" else ["hint", "hint", "quit"]
    players = ("human", "human") if others["second"] == "human" else (named["second"], "human")
    shown = sit(script, *players, hint=hint, limit=Limit(depth=3))[1]
    assert shown.count("search would play 10-") == 2
    assert "seconds per move" not in shown


def test_a_search_that_nothing_limits_says_how_long_it_thinks(monkeypatch):
    monkeypatch.setattr("petteia.players.search.SECONDS", 0.02)
    shown = sit(["hint", "hint", "quit"], "human", "human")[1]
    assert shown.count("search would play") == 2
    assert shown.count("it uses 0.02 seconds per move") == 1


@pytest.mark.parametrize(("limit", "amount"), [("--depth", "2"), ("--nodes", "9"), ("--time", "0.01")])
def test_the_command_limits_how_long_moves_take(limit, amount, capsys):
    watched = ("play", "hare-and-hounds", "--by", "search:table=1", "--against", "search:table=1", "--seed", "1")
    assert main([*watched, limit, amount]) == 0
    out, err = capsys.readouterr()
    assert "Won by " in out
    assert "seconds per move" not in out + err
    assert main([*watched, limit, "0"]) == 2
    assert re.fullmatch(r"petteia: (depth|nodes|seconds)=0(\.0)?: must be more than 0\n", capsys.readouterr().err)


@pytest.mark.slow
def test_hints_in_a_game_with_chance_are_of_what_is_expected(monkeypatch):
    monkeypatch.setattr("petteia.players.search.SECONDS", 0.02)
    assert "search would play" in sit(["hint", "quit"], "human", "human", rules=RACE, seed=3)[1]


@pytest.mark.parametrize("end", [EOFError(), KeyboardInterrupt()])
def test_the_record_so_far_is_kept(end):
    session, shown = sit(["1", end])
    assert session.interrupted
    assert len(session.record.moves) == 2
    assert session.record.outcome is None
    assert "interrupted" in shown
    assert session.record.write() in shown


def test_a_learning_opponent_is_saved_when_people_leave(tmp_path):
    path = write_agent(tmp_path / "hounds.safetensors")
    text = f"q:agent={path},alpha=0.5"
    shown = sit(["1", "1", "1"], text, "human")[1]
    assert "saved" not in shown  # it has learned from no whole game
    lines = ["1", "undo"] * 3 + ["1"] * 60
    session, shown = sit(lines, text, "human")
    assert session.record.outcome is not None
    assert "has learned from 1 game; the table is saved as" in shown


def test_the_command_goes_on_with_a_saved_game(tmp_path, capsys, monkeypatch):
    def played(lines, *options, game="hare-and-hounds"):
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        code = main(["play", game, "--against", "simple", *map(str, options)])
        return code, capsys.readouterr().err

    first, second, over = (tmp_path / f"{name}.txt" for name in ("first", "second", "over"))
    assert played("3-6\nquit\n", "--save", first)[0] == 0
    assert played("2-5\n", "--resume", first, "--save", second)[0] == 130
    assert "\n1. 3-6 2. 10-7 *\n" in first.read_text(encoding="utf-8")
    assert "\n1. 3-6 2. 10-7 *\n" in second.read_text(encoding="utf-8")  # 2-5 is not legal, and then the input ends
    second.unlink()
    assert played("undo\n0-2\nresign\n", "--resume", first, "--save", over)[0] == 0
    assert "\n1. 0-2 2. 10-7 -1\n" in over.read_text(encoding="utf-8")
    assert played("", "--resume", over) == (
        4,
        "petteia: record: the game is finished after 2 plies; give an unfinished game\n",
    )
    wrong = "petteia: resume: the record is from a game of hare-and-hounds, not of kalah\n"
    assert played("", "--resume", first, game="kalah") == (4, wrong)
    assert played("", "--resume", second) == (3, f"petteia: {second}: there is no such file or folder\n")
    assert played("", "--resume", first, "--position", "0,1,3/10 hounds 0")[0] == 2


def test_players_alone_can_be_watched():
    session, shown = sit([], "simple", "simple")
    assert session.record.outcome.reason == "over"
    assert "hounds (simple): 0-2" in shown
    assert "Type a move" not in shown
    assert f"Won by hare after {len(session.record.moves)} plies." in shown


def test_a_session_plays_the_games_of_a_match():
    """The opening aside, seed and players decide everything."""
    keys = match_keys(4)
    assert keys.first != keys.second
    result = match(HARE, Uniform(), Uniform(), games=1, openings="none", seats="fixed", seed=4)
    record = sit([], "random", "random", seed=4)[0].record
    assert (record.outcome.margin, record.outcome.plies) == (result.rows[0].margin, result.rows[0].plies)


@pytest.mark.parametrize("seed", range(5))
def test_a_session_with_dice_plays_the_first_game_of_a_match(seed):
    result = match(RACE, Uniform(), Uniform(), games=2, openings="none", seed=seed)
    record = sit([], "random", "random", rules=RACE, seed=seed)[0].record
    assert (record.outcome.margin, record.outcome.plies) == (result.rows[0].margin, result.rows[0].plies)


def faces_told(shown):
    """The faces of the dice that were told as they fell."""
    return [int(face) for face in re.findall(r"^chance: (\d)$", shown, re.MULTILINE)]


def faces_kept(record):
    """Those that stand in a record."""
    moves = zip(record.states(), record.moves, strict=False)
    return [move for state, move in moves if to_move(record.rules, state) == CHANCE]


@pytest.mark.parametrize("second", ["random", "human"])
def test_dice_are_told_as_they_fall_and_recorded(second):
    session, shown = sit(["run"] * 40, rules=RACE, second=second, seed=3)
    assert "Won by" in shown
    assert len(faces_told(shown)) > 5
    assert faces_told(shown) == faces_kept(session.record)
    assert read_record(session.record.write()) == session.record


UNDOING = [
    (["run", "run", "quit"], ["run", "undo", "run", "run", "undo", "undo", "run", "run", "quit"]),
    (["step", "run", "run", "quit"], ["step", "step", "run", "undo", "undo", "run", "run", "quit"]),
    (["step", "step", "run", "quit"], ["run", "undo", "step", "run", "undo", "step", "run", "quit"]),
]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("second", ["own_players:Highest", "human"])
@pytest.mark.parametrize(("straight", "winding"), UNDOING)
def test_undo_does_not_cast_again(straight, winding, second, seed):
    straight, winding = (sit(lines, rules=RACE, second=second, seed=seed)[0].record for lines in (straight, winding))
    assert winding == straight
    assert read_record(winding.write()) == winding


def test_no_other_move_fetches_better_dice():
    for seed in range(10):
        first, after_run, *rest = faces_told(sit(["run", "undo", "step", "quit"], "human", "human", RACE, seed=seed)[1])
        assert rest == [after_run]
        assert sit(["undo", "undo", "quit"], "human", "human", RACE, seed=seed)[0].record.moves == (first,)


def test_undo_goes_to_a_decision_and_never_to_dice():
    script = ["step", "run", "undo", "undo", "undo", "quit"]
    for seed in range(10):
        session, shown = sit(script, second="own_players:Highest", rules=RACE, seed=seed)
        assert shown.count("you have made no move to take back") == 1
        assert len(session.record.moves) == 1
        assert to_move(RACE, session.record.states()[-1]) == 0


def test_many_moves_are_only_counted(monkeypatch):
    monkeypatch.setattr("petteia.playing.terminal.MAX_LISTED", 3)
    shown = sit(["moves", "quit"])[1]
    assert "7 legal moves; to list them, type `moves`" in shown
    assert shown.count("1: 0-2") == 1


def test_games_without_end_are_stopped():
    endless = rules_of("hare-and-hounds:stall=0")
    session, shown = sit([], "random", "random", rules=endless, max_plies=1)
    assert session.record.outcome == Outcome(0, 1, "max-plies")
    assert "A draw after 1 ply (the limit of plies)." in shown


def test_a_cheat_loses_and_so_does_who_fails():
    session, shown = sit([], "simple", "own_players:Cheat")
    assert session.record.outcome[:3] == Outcome(1, 1, "illegal")[:3]
    assert "move code 0 is not legal" in session.record.outcome.fault
    assert "Won by hounds after 1 ply (hare made an illegal move)." in shown
    session, shown = sit([], "simple", "own_players:Raiser")
    assert "Won by hounds after 1 ply (hare failed)." in shown
    assert re.search(r'\[Result "\+1 won by hounds \(crashed\)"\]\n\[Fault ".*: ZeroDivisionError', shown)
    assert read_record(session.record.write()) == session.record


def test_a_seat_that_a_player_cannot_take_is_refused(agent):
    with pytest.raises(UsageError, match="does not play hare"):
        sit([], "human", f"q:agent={agent}")
