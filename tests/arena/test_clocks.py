"""Clocks: their text forms, what they leave to a player, and games that are lost on time."""

from __future__ import annotations

import time

import pytest

import petteia
from petteia.core.clock import read_clock
from petteia.core.decision import Decision, Limit
from petteia.core.protocol import Rules, State, initial, legal
from petteia.players import player
from petteia.players.player import Player
from petteia.players.search import SearchPlayer
from petteia.players.time_share import GAMES, Share, share

KALAH = petteia.game("kalah:pits=3,seeds=2")


class Slow(Player):
    """Takes its time over its first moves, and notes what it is told about its clock."""

    name = "slow"

    def __init__(self, *waits: float) -> None:
        self.waits, self.told, self.moves = waits, list[Limit](), 0

    def new_game(self, rules: Rules, seed: int) -> None:
        self.rules, self.moves = rules, 0

    def choose(self, state: State, limit: Limit) -> Decision:
        self.told.append(limit)
        time.sleep(self.waits[self.moves] if self.moves < len(self.waits) else 0.0)
        self.moves += 1
        return Decision(legal(self.rules, state)[0])


@pytest.mark.parametrize(
    ("text", "clock"),
    [("5/10", petteia.Clock(10.0, 5)), ("150", petteia.Clock(150.0)), ("60+1", petteia.Clock(60.0, None, 1.0))],
)
def test_the_three_forms_of_a_clock(text: str, clock: petteia.Clock) -> None:
    assert read_clock(text) == clock
    assert str(clock) == text


@pytest.mark.parametrize(
    "text", ["0", "x", "", "/10", "5/", "0/10", "-5", "1.5/10", "nan", "inf", "60+-1", "60+", "1e99"]
)
def test_what_is_no_clock_is_refused(text: str) -> None:
    with pytest.raises(petteia.UsageError, match="clock="):
        read_clock(text)


@pytest.mark.parametrize(
    ("text", "wrong"), [("5/0", "the seconds must be more than 0"), ("0/10", "the number of moves must be 1 or more")]
)
def test_a_clock_of_no_time_or_no_moves_says_what_would_be_right(text: str, wrong: str) -> None:
    with pytest.raises(petteia.UsageError) as error:
        read_clock(text)
    assert str(error.value) == f"clock={text!r}: {wrong}"


def test_a_clock_does_not_go_with_a_time_limit_of_each_move() -> None:
    with pytest.raises(petteia.UsageError, match="give only one of them"):
        petteia.match(KALAH, "search", "random", clock="10", limit=Limit(seconds=1.0))


def test_time_for_some_moves_comes_again_after_them() -> None:
    left = petteia.Clock(10.0, 2).started()
    assert left.limit(Limit(depth=3)) == Limit(3, None, None, 10.0, 2)
    left = left.after(4.0)
    assert left.limit(Limit()) == Limit(remaining=6.0, moves_left=1)
    assert left.after(5.0).limit(Limit()) == Limit(remaining=11.0, moves_left=2)


def test_an_increment_is_added_after_each_move() -> None:
    left = petteia.Clock(10.0, None, 2.0).started().after(3.0)
    assert left.limit(Limit()) == Limit(remaining=9.0, increment=2.0)


def test_a_search_divides_what_is_left_evenly_among_its_moves() -> None:
    state = initial(KALAH)
    five = Limit(remaining=10.0, moves_left=5)
    assert share(KALAH, state, five) == Share(pytest.approx(1.95), 5)
    assert share(KALAH, state, Limit(remaining=0.1, moves_left=1)).seconds == pytest.approx(0.09)
    assert share(KALAH, state, Limit(remaining=4.0, moves_left=2, increment=1.0)).seconds == pytest.approx(2.45)
    assert share(KALAH, state, five, margin=0.2).seconds == pytest.approx(1.8)
    assert share(KALAH, state, five, margin=5.0).seconds == pytest.approx(1.8)
    assert share(KALAH, state, five, margin=0.0).seconds == pytest.approx(2.0)


def test_a_search_is_told_how_much_of_its_share_it_leaves() -> None:
    limit = Limit(remaining=4.0, moves_left=2)  # a tenth of the share are 0.2 seconds
    seconds = []
    for text in ("search:margin=0", "search", "search:margin=1", "search:manager=even"):
        made = player(text, KALAH)
        assert isinstance(made, SearchPlayer)
        seconds.append(made.patience(initial(KALAH), limit)([]))
    assert seconds == pytest.approx([2.0, 1.95, 1.8, 1.95])
    for wrong in ("-1", "61", "much"):
        with pytest.raises(petteia.UsageError, match=r"margin=.*must be a number of seconds in 0\.\.60"):
            player(f"search:margin={wrong}", KALAH)


def test_without_a_number_of_moves_random_games_tell_how_many_follow() -> None:
    """Near the end of a game there is more time for each move than at its beginning."""
    late_state = petteia.position(KALAH, position="0,0,1,5/0,1,0,5 s").state
    begin, late = (share(KALAH, state, Limit(remaining=10.0)) for state in (initial(KALAH), late_state))
    assert 10.0 / 40 < begin.seconds < 10.0 / 3
    assert late.seconds > 2 * begin.seconds
    assert late.moves < begin.moves
    assert GAMES > 1


def test_a_player_whose_time_is_up_loses() -> None:
    slow = Slow(0.05, 0.3)
    result = petteia.match(KALAH, slow, "random", games=2, clock="0.2", openings="none")
    assert (result.losses, result.timeouts) == (2, 2)
    assert result.rows[0].fault == "player slow: its time is up"
    assert slow.told[0].remaining == 0.2
    assert slow.told[1].remaining is not None
    assert slow.told[1].remaining < 0.16


def test_time_that_comes_again_keeps_a_player_in_the_game() -> None:
    result = petteia.match(KALAH, Slow(0.1, 0.1, 0.1, 0.1), "random", games=2, clock="1/0.15", openings="none")
    assert result.timeouts == 0


def test_the_grace_may_be_used_only_once() -> None:
    """A player that takes longer than there was time has less than nothing left."""
    result = petteia.match(KALAH, Slow(0.13, 0.04), "random", games=2, clock="0.1", openings="none")
    assert result.timeouts == 2


@pytest.mark.parametrize(
    ("player", "clock"),
    [
        ("search:evaluation=margin", "0.4"),
        ("greedy:depth=30", "4/0.2"),
        ("search:manager=adaptive", "4/0.2"),
        ("mixed:first=search,second=random,share=0.5", "0.2+0.02"),
    ],
)
def test_players_that_search_keep_to_their_clocks(player: str, clock: str) -> None:
    result = petteia.match(KALAH, player, "random", games=4, clock=clock)
    assert result.timeouts == 0


def test_a_session_measures_programs_and_is_told_of_persons() -> None:
    with petteia.session(KALAH, ("human", Slow(0.02)), clock="1") as session:
        assert session.remaining == (1.0, 1.0)
        session.play(session.position.moves[0], seconds=0.25)
        assert session.remaining[0] == 0.75
        session.advance()
        assert session.remaining[1] <= 0.98
        session.undo()
        assert session.remaining == (1.0, 1.0)
        step = session.play(session.position.moves[0], seconds=1.1)
        assert step.move is None
        assert session.outcome is not None
        assert (session.outcome.reason, session.outcome.winner) == ("timeout", 1)


def test_a_person_at_the_terminal_has_a_clock() -> None:
    prompts = list[str]()

    def read(prompt: str) -> str:
        prompts.append(prompt)
        time.sleep(0.15)
        return "1"

    played = petteia.play_at_terminal(KALAH, "human", "random", clock="0.05", read=read, write=lambda text: None)
    assert "(0.1 s left)" in prompts[0] or "(0.0 s left)" in prompts[0]
    assert played.record.outcome is not None
    assert played.record.outcome.reason == "timeout"


def test_a_tournament_is_played_by_clocks() -> None:
    sleeper = "own_players:Sleeper"
    table = petteia.tournament(KALAH, [sleeper, "random"], games=2, clock="0.1", in_process=True)
    assert [cell.timeouts for cell in table.cells] == [2]


@pytest.mark.heavy
def test_of_5000_moves_none_is_late() -> None:
    """Needs a core without other work, for eight minutes. A pair that is played again would tell that there is none."""
    found = petteia.match("kalah", "search", "search", games=180, limit=Limit(seconds=0.1))
    assert found.games * found.plies >= 5000
    assert found.timeouts == 0
    assert not [note for note in found.notes if "overloaded" in note]
