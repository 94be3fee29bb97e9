"""Agents, and all that a player can be given as."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import own_players
import pytest
from flat_options import train
from small_agents import HARE, write_agent

import petteia
from petteia.core.decision import Decision
from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, UsageError
from petteia.core.protocol import legal
from petteia.experiments.configuration import configure
from petteia.experiments.training import begin
from petteia.players import player
from petteia.players.player import UNLIMITED, Player
from petteia.policies.policy import Lowest
from petteia.search.searcher import Thought, Variation

GAME = "hare-and-hounds"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def training(runs):
    """A table learned for one side."""
    settings = {"learner": "q", "opponent": "random", "side": "hounds", "games": 50, "evaluate_every": 50}
    return train(GAME, **settings, evaluation_games=10, seed=1, runs=runs, name="hounds")


def forms(training):
    """All that stands for what the training has learned."""
    path = training.run.path
    return [training, path, str(path), str(path / "weights.safetensors"), training.agent(), petteia.load(path)]


def test_a_player_can_be_given_as_anything_that_holds_one(training, monkeypatch):
    monkeypatch.setenv("PETTEIA_RUNS", str(training.run.path.parent))
    text = f"q:agent={training.run.path}"
    expected = player(text, HARE)
    expected.new_game(HARE, 0)
    state = petteia.position(GAME).state
    decision = expected.choose(state, UNLIMITED)
    for given in [*forms(training), "hounds"]:
        made = player(given, HARE)
        assert made.name in (text, f"{text}/weights.safetensors", "q:agent=hounds")
        assert made.text == made.name
        assert made.seats == (0,)
        made.new_game(HARE, 0)
        assert made.choose(state, UNLIMITED) == decision


def test_a_text_of_a_player_comes_before_a_file_of_that_name(training, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "random").write_text("no weights")
    assert player("random", HARE).name == "random"
    write_agent(tmp_path / "learned(1), 2.safetensors")
    assert player("learned(1), 2.safetensors", HARE).name == "q:agent=(learned(1), 2.safetensors)"


def test_a_match_takes_a_training(training):
    result = petteia.match(GAME, training, "random", games=4)
    assert (result.first, result.games) == (f"q:agent={training.run.path}", 4)
    assert result.notes[0].endswith("only plays hounds, in all games")
    assert petteia.match(GAME, training.agent(), "random", games=4).rows == result.rows
    assert petteia.match(GAME, "random", training, games=4).second == result.first


@pytest.mark.slow
def test_processes_make_trainings_and_agents_anew(training):
    for given in forms(training):
        one, two = (petteia.match(GAME, given, "own_players:Lower", games=4, jobs=jobs) for jobs in (1, 2))
        assert one.rows == two.rows


def test_processes_take_no_agent_of_an_object(training):
    agent = petteia.agent(own_players.Lower(), GAME)
    for given in (agent, own_players.Lower()):
        with pytest.raises(UsageError, match="jobs=2: player Lower must be given as text"):
            petteia.match(GAME, training, given, games=4, jobs=2)


def test_everything_that_plays_takes_an_agent(training):
    agent = training.agent()
    assert petteia.best(GAME, player=agent).player == agent.name
    assert petteia.differ(GAME, agent, training, positions=2).rows == ()
    with petteia.session(GAME, (training, "simple")) as session:
        assert session.players == (agent.name, "simple")
        assert session.step().move in session.start.moves
    assert petteia.position(GAME).evaluate(agent) == petteia.best(GAME, player=training).value


@pytest.mark.slow
def test_regret_takes_an_agent(training):
    agent = training.agent()
    assert (
        petteia.regret(GAME, agent, over="games", against=petteia.agent("simple", GAME), games=1).player == agent.name
    )


def test_an_agent_says_its_move(training):
    agent = training.agent()
    assert (agent.name, agent.game, agent.seats) == (f"q:agent={training.run.path}", GAME, ("hounds",))
    assert repr(agent) == f"<Agent {agent.name} of {GAME}>"
    position = petteia.position(GAME)
    said = set()
    for given in (position, position.text, position.state, petteia.position(petteia.game(GAME))):
        agent.reset()
        said.add(agent.choose(given))
    assert len(said) == 1
    assert said < set(position.moves)


def test_an_agent_begins_again_with_a_seed():
    agent, position = petteia.agent("random", "kalah"), petteia.position("kalah")
    first = [agent.choose(position) for _ in range(20)]
    assert [agent.choose(position) for _ in range(20)] != first
    agent.reset()
    assert [agent.choose(position) for _ in range(20)] == first
    agent.reset(7)
    assert [agent.choose(position) for _ in range(20)] != first


def test_an_agent_can_have_one_side_of_two():
    agent = petteia.agent("simple", "kalah")
    assert agent.seats == ("south", "north")
    assert type(agent)(player("simple", petteia.game("kalah")), petteia.game("kalah"), "north").seats == ("north",)


class Cheat(Player):
    """Makes moves that nobody can."""

    name = "cheat"

    def new_game(self, rules, seed):
        pass

    def choose(self, state, limit):
        return Decision(99)


def test_any_player_can_tell_several_lines():
    start = petteia.position(GAME)
    codes = legal(HARE, start.state)
    replies = legal(HARE, start.after(codes[0]).state)

    class Teller(Cheat):
        def analyse(self, state, limit, *, lines=1, progress=None):
            won = Variation((codes[0], replies[0]), 5.0, is_won=True, plies_to_end=2)
            return Thought(4, (won, Variation((codes[1],), 1.0))[:lines], 7, 0.5, True, False, {})

    found = petteia.best(GAME, player=Teller(), lines=2)
    assert (found.move, found.value, found.depth, found.nodes, found.is_final) == (start.moves[0], 5.0, 4, 7, True)
    first, second = found.lines
    assert (first.is_won, first.plies_to_end, len(first.line)) == (True, 2, 2)
    assert (second.move, second.is_won) == (start.moves[1], False)


def test_what_is_told_must_be_legal():
    with pytest.raises(PetteiaError, match="player cheat: move code 99 is not legal"):
        petteia.best(GAME, player=Cheat())
    with pytest.raises(UsageError, match="lines=2: only players that search"):
        petteia.best(GAME, player=Cheat(), lines=2)


OVER = petteia.position("kalah", "0,0,0,0,0,0,26/0,0,0,0,0,0,22 s")
BAD = {
    "another game": (
        lambda t: t.agent().choose(petteia.position("kalah")),
        InvalidError,
        "belongs to kalah, not to",
    ),
    "other rules": (
        lambda t: t.agent().choose(petteia.position(f"{GAME}:stall=0")),
        InvalidError,
        f"position: belongs to {GAME}:stall=0, not to {GAME}",
    ),
    "the other side": (
        lambda t: t.agent().choose(petteia.position(GAME).play("3-6")),
        UsageError,
        "position: hare is to move, but .* only plays hounds",
    ),
    "no position": (lambda t: t.agent().choose("nonsense"), InvalidError, "'nonsense'"),
    "the end": (lambda t: petteia.agent("simple", "kalah").choose(OVER), InvalidError, "the game is over"),
    "a side not learned": (lambda t: t.agent("hare"), UsageError, "side='hare': .* only plays hounds; choose"),
    "no side": (lambda t: t.agent(7), UsageError, "side 7: must be hounds"),
    "a seed": (lambda t: t.agent().reset(-1), UsageError, "seed=-1: must be"),
    "a game of its own": (
        lambda t: petteia.match("kalah", t, "random"),
        InvalidError,
        "learned for hare-and-hounds",
    ),
    "an agent elsewhere": (lambda t: petteia.match("kalah", t.agent(), "random"), UsageError, "does not play kalah"),
    "no player": (lambda t: petteia.agent("gredy", GAME), UsageError, "did you mean 'greedy'"),
    "a number": (lambda t: petteia.agent(3, GAME), UsageError, "player 3: must be"),
    "nothing": (lambda t: petteia.agent(None, GAME), UsageError, "player None: must be"),
    "a learner": (
        lambda t: petteia.agent(f"q:agent={t.run.path},epsilon=0.1", GAME),
        UsageError,
        "learns from whole games; let it play",
    ),
    "a cheat": (lambda t: petteia.agent(Cheat(), GAME).choose(petteia.position(GAME)), PetteiaError, "code 99 is not"),
    "no run": (lambda t: petteia.load("none/such"), NotFoundError, "there is no run 'none/such'"),
    "no path": (lambda t: petteia.load(3), UsageError, "where=3: must be the path"),
    "another folder": (lambda t: petteia.load(Path(__file__).parent), NotFoundError, "there is no run"),
    "another file": (lambda t: petteia.load(__file__), InvalidError, "not a weights file of petteia"),
}


@pytest.mark.parametrize(("act", "error", "words"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_told_in_a_line(act, error, words, training):
    with pytest.raises(error, match=words) as raised:
        act(training)
    assert "\n" not in str(raised.value)


def test_a_training_that_has_saved_nothing_has_no_agent(tmp_path):
    rules, settings = configure(GAME, learner="q", opponent="random", games=10)
    new = begin(rules, settings, 0, tmp_path, "new")
    for act in (new.agent, lambda: petteia.load(new.run.path), lambda: petteia.match(GAME, new, "random")):
        with pytest.raises(
            NotFoundError, match=re.escape(f"{new.run.path}: the run has saved no weights yet; continue")
        ):
            act()


def test_weights_are_read_once(training):
    """Also those of a run, which is looked through before its weights are used."""
    opened = []
    folder = str(training.run.path)
    sys.addaudithook(lambda event, given: opened.append(str(given[0])) if event == "open" else None)
    player(f"q:agent={folder}", HARE)
    found = [Path(path).name for path in opened if path.startswith(folder)]
    opened.clear()
    assert sorted(found) == ["points.jsonl", "results.json", "run.json", "weights.safetensors"]


def test_policies_of_the_package_are_taken_as_they_are():
    assert petteia.agent(Lowest(), GAME).name == "Lowest"
