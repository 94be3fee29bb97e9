"""A `Stop` ends long calls early, from other threads, and leaves everything sound."""

from __future__ import annotations

import ctypes
import gc
import os
import random
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path

import pytest
from flat_options import train
from folders import python_path

import petteia
from petteia.core.decision import Limit
from petteia.core.errors import Stopped
from petteia.core.protocol import initial, legal
from petteia.core.stop import calling, check_stop, is_stopped, obeying
from petteia.games import game as rules_of
from petteia.players import player as read_player
from petteia.policies.play_games import match_keys, play_games
from petteia.policies.policy import Uniform

KALAH = rules_of("kalah:pits=4,seeds=3")
LONG = "theta:depth=30"
DEEP = "greedy:depth=40"
NEVER_ENDS = "own_players:Endless"


@contextmanager
def stopped_after(seconds):
    """A stop that another thread sets; and when it was set, in seconds of `time.perf_counter`."""
    stop, when = petteia.Stop(), []

    def set_it():
        time.sleep(seconds)
        when.append(time.perf_counter())
        stop.set()

    thread = threading.Thread(target=set_it)
    thread.start()
    try:
        yield stop, when
    finally:
        thread.join()


def stopped(call, seconds):
    """What `call(stop)` returns, or the `Stopped` that it raises, and the seconds from the stop to that."""
    with stopped_after(seconds) as (stop, when):
        try:
            result = call(stop)
        except Stopped as error:
            result = error
        returned = time.perf_counter()
    return result, max(returned - when[0], 0.0)


def test_a_stop_calls_what_waits_for_it_and_nothing_after_that():
    stop, called = petteia.Stop(), []
    with stop.calls(lambda: called.append("early")):
        pass
    with stop.calls(lambda: called.append("within")):
        assert not stop.is_set
        stop.set()
        assert called == ["within"]
    with stop.calls(lambda: called.append("at once")):
        assert called == ["within", "at once"]
    stop.set()
    assert called == ["within", "at once"]
    assert stop.is_set


def test_work_obeys_all_stops_around_it_in_its_own_thread():
    outer, inner, called, seen = petteia.Stop(), petteia.Stop(), [], []
    with obeying(outer), obeying(None), obeying(inner), calling(lambda: called.append(1)):
        other = threading.Thread(target=lambda: seen.append(is_stopped()))
        outer.set()
        assert is_stopped()
        other.start()
        other.join()
        with pytest.raises(Stopped):
            check_stop()
    assert called == [1]
    assert seen == [False]
    assert not is_stopped()


@pytest.mark.parametrize(
    "player",
    [
        "search:time=60",
        DEEP,
        pytest.param(LONG, marks=pytest.mark.slow),
        pytest.param(f"mixed:first=({LONG}),second=random,share=0.5", marks=pytest.mark.slow),
    ],
)
def test_players_that_search_play_a_legal_move_when_they_are_stopped(player):
    with petteia.session("kalah", (player, player), limit=Limit()) as session:
        for _ in range(3):
            moves = session.position.moves
            step, _ = stopped(session.step, 0.02)
            assert step.move in moves


def test_a_limit_given_to_a_player_is_ended_as_well():
    chosen = read_player(DEEP, KALAH)
    for limit in (Limit(depth=60), Limit(seconds=60.0)):
        chosen.new_game(KALAH, 0)
        with stopped_after(0.02) as (stop, _), obeying(stop):
            begun = time.monotonic()
            assert chosen.choose(initial(KALAH), limit).move in legal(KALAH, initial(KALAH))
            assert time.monotonic() - begun < 30


@pytest.mark.parametrize("player", ["search:depth=7", "search:depth=7,ties=random", "greedy:depth=6", "theta:depth=5"])
def test_after_a_stop_a_player_sees_the_same_nodes_as_a_fresh_one(player):
    fresh, used = (read_player(player, KALAH) for _ in range(2))
    start = initial(KALAH)
    for seconds in (0.0, 0.001, 0.003):
        used.new_game(KALAH, 5)
        with stopped_after(seconds) as (stop, _), obeying(stop):
            used.choose(start, Limit(depth=20))
            used.choose(start, Limit())
        assert used.choose(start, Limit()).move in legal(KALAH, start)
        fresh.new_game(KALAH, 6)
        used.new_game(KALAH, 6)
        one, other = fresh.choose(start, Limit()), used.choose(start, Limit())
        assert (one.move, one.value, one.nodes) == (other.move, other.value, other.nodes)


def test_best_returns_the_last_full_depth():
    found = []
    analysis, _ = stopped(lambda stop: petteia.best("kalah", seconds=60, stop=stop, progress=found.append), 0.2)
    assert analysis.was_interrupted
    assert analysis.depth == max((each.depth for each in found), default=0)
    if found:
        full = petteia.best("kalah", depth=analysis.depth)
        assert full.value == found[-1].value
        # A move of the depth that was stopped may already be known to be better.
        assert (analysis.move, analysis.value) == (full.move, full.value) or analysis.move != full.move
    assert petteia.position("kalah").best(depth=3, stop=petteia.Stop()).depth == 3
    already = petteia.Stop()
    already.set()
    assert petteia.best("kalah", seconds=60, stop=already).move in petteia.position("kalah").moves


def test_best_after_chance_ends_with_the_outcomes_so_far():
    def call(stop):
        return petteia.best("tiny_games:DiceRace:goal=20,faces=6", player="search:time=60", stop=stop)

    analysis, _ = stopped(call, 0.1)
    assert analysis.was_interrupted or analysis.is_final


def test_prove_returns_the_bounds_so_far():
    proof, _ = stopped(lambda stop: petteia.prove("british-square:size=6", openings=True, stop=stop), 0.3)
    assert proof.was_interrupted
    assert proof.value is None
    low, high = proof.low or -36, proof.high or 36
    assert low <= high


def test_solve_raises_and_writes_nothing(tmp_path):
    table = tmp_path / "table"
    result, _ = stopped(lambda stop: petteia.solve("kalah:pits=5,seeds=3", table=table, check=True, stop=stop), 0.2)
    assert isinstance(result, Stopped)
    assert str(result) == "stopped before there was a result"
    assert not table.exists()
    assert petteia.solve("hare-and-hounds", stop=petteia.Stop()).value == 1


def test_stopping_the_making_of_a_player_that_solves():
    result, _ = stopped(lambda stop: petteia.best("kalah:pits=5,seeds=3", player="perfect", stop=stop), 0.2)
    assert isinstance(result, Stopped)


def contents(training):
    return {name: (training.run.path / name).read_bytes() for name in ("points.jsonl", training.run.weights.name)}


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"opponent": "random", "games": 6000},
        {"opponent": "greedy:depth=3", "games": 300},
    ],
    ids=["random", "searching"],
)
def test_a_stopped_training_is_resumed_to_the_same_bytes(tmp_path, options):
    options |= {"evaluate_every": options["games"] // 3, "evaluation_games": 50, "side": "south"}
    whole = train(KALAH, runs=tmp_path, name="whole", seed=3, **options)
    draws = random.Random(7)
    training, _ = stopped(lambda stop: train(KALAH, runs=tmp_path, name="cut", seed=3, stop=stop, **options), 0.05)
    for _ in range(3):
        assert training.is_finished or training.games < training.configuration.games
        training, _ = stopped(lambda stop: petteia.resume("cut", runs=tmp_path, stop=stop), draws.uniform(0, 0.3))
    training = petteia.resume("cut", runs=tmp_path)
    assert training.is_finished
    assert contents(training) == contents(whole)


def test_games_that_a_stop_has_cut_short_are_not_counted():
    searching = read_player(DEEP, KALAH).policy(KALAH)
    for jobs in (1, 2):

        def call(stop, jobs=jobs):
            with obeying(stop):
                return play_games(KALAH, initial(KALAH), searching, Uniform(), games=64, keys=match_keys(1), jobs=jobs)

        result, _ = stopped(call, 0.1)
        assert isinstance(result, Stopped)


@pytest.mark.slow
def test_the_process_of_a_player_is_ended_and_the_session_goes_on():
    with petteia.session("hare-and-hounds", (NEVER_ENDS, "random"), seed=1) as session:
        for _ in range(2):
            before = session.position
            step, _ = stopped(session.step, 0.1)
            assert step is None
            assert session.position == before
            assert not session.is_over
    with petteia.session("hare-and-hounds", ("own_players:Lower", "own_players:Lower"), seed=1) as session:
        expected = [session.step().move for _ in range(6)]
    with petteia.session("hare-and-hounds", ("own_players:Slow", "own_players:Lower"), seed=1) as session:
        for move in expected:
            step, _ = stopped(session.step, random.Random(move).uniform(0.0, 0.2))
            while step is None:
                step = session.step()
            assert step.move == move
    result, _ = stopped(lambda stop: petteia.best("hare-and-hounds", player=NEVER_ENDS, stop=stop), 1.0)
    assert isinstance(result, Stopped)


def alone_and_together(tasks, threads, *, together_first=False):
    """What each task returns in one thread after the other, and in many threads at once."""
    alone = [] if together_first else [task() for task in tasks]
    together = [None] * len(tasks)
    waiting, lock = list(enumerate(tasks)), threading.Lock()
    barrier = threading.Barrier(threads)

    def work():
        barrier.wait()
        while True:
            with lock:
                if not waiting:
                    return
                number, task = waiting.pop()
            together[number] = task()

    workers = [threading.Thread(target=work) for _ in range(threads)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    return alone or [task() for task in tasks], together


def search_of(game, number):
    rules = rules_of(game)
    position = petteia.position(rules)
    draws = random.Random(number)
    for _ in range(number % 5):
        position = position.play(draws.choice(position.moves))

    def task():
        analysis = petteia.best(rules, position=position.state, depth=6 + number % 2)
        return analysis.move, analysis.value, analysis.nodes, analysis.lines

    return task


def test_searches_in_many_threads_share_nothing():
    tasks = [search_of("kalah:pits=4,seeds=3" if number % 2 else "kalah", number) for number in range(16)]
    alone, together = alone_and_together(tasks, 8)
    assert together == alone


@pytest.mark.heavy
def test_threads_may_compile_the_same_and_different_games_at_their_first_use(tmp_path):
    games = ["hare-and-hounds", "british-square:size=4"] * 2
    code = (
        "import petteia, test_stop\n"
        f"tasks = [test_stop.search_of(game, 0) for game in {games}]\n"
        f"alone, together = test_stop.alone_and_together(tasks, {len(games)}, together_first=True)\n"
        "assert alone == together, (alone, together)\n"
    )
    variables = {**os.environ, "PETTEIA_CACHE": str(tmp_path), "PYTHONPATH": python_path(Path(__file__).parent)}
    subprocess.run([sys.executable, "-c", code], env=variables, check=True)


class Calls:
    """Long calls, each with a check of what it returns when it is stopped."""

    def __init__(self, folder):
        self.folder = folder
        self.sessions = {}

    def session(self, player, stop):
        session = self.sessions.get(player)
        if session is None or session.is_over:
            session = self.sessions[player] = petteia.session("kalah", (player, player))
        moves, step = session.position.moves, session.step(stop)
        assert step is None or step.move in moves

    def choose_search(self, stop):
        self.session("search:time=60", stop)

    def choose_theta(self, stop):
        self.session("theta:depth=16", stop)

    def best(self, stop):
        analysis = petteia.best("kalah", seconds=60, stop=stop)
        assert analysis.was_interrupted
        assert analysis.move in petteia.position("kalah").moves
        assert analysis.depth == 0 or analysis.value is not None

    def prove(self, stop):
        proof = petteia.prove("british-square:size=6", stop=stop)
        assert proof.was_interrupted
        assert None in (proof.low, proof.high) or proof.low < proof.high

    def solve_kalah(self, stop):
        assert petteia.solve("kalah:pits=4,seeds=3", stop=stop).value is not None

    def solve_hare(self, stop):
        assert petteia.solve("hare-and-hounds:stall=100", stop=stop).value is not None

    def train(self, stop):
        training = train("kalah", features="report", games=10**6, runs=self.folder, stop=stop)
        assert not training.is_finished
        training.check()
        training.run.check()

        shutil.rmtree(training.run.path)


def resident():
    """Bytes in use, without what the allocator keeps for later."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.heavy
def test_a_thousand_stops(tmp_path, capsys):
    calls, draws, latencies = Calls(tmp_path), random.Random(1), defaultdict(list)
    names = [name for name in vars(Calls) if not name.startswith("_") and name != "session"]
    threads = memory = 0
    for number in range(1000):
        name = names[number % len(names)]
        result, seconds = stopped(getattr(calls, name), draws.expovariate(1 / 0.3))
        assert result is None or (isinstance(result, Stopped) and name.startswith("solve"))
        if number >= 2 * len(names):  # what is compiled or read first does not count
            latencies[name].append(seconds)
        if number == 300:
            threads, memory = threading.active_count(), resident()
    with capsys.disabled():
        for name, each in latencies.items():
            median, maximum = statistics.median(each) * 1e3, max(each) * 1e3
            print(f"\n{name}: {len(each)} stops, median {median:.1f} ms, maximum {maximum:.1f} ms", end="")
    assert threading.active_count() <= threads
    assert resident() < memory + 30e6
