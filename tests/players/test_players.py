"""Players by their text form, and the learned table that plays and goes on learning."""

from __future__ import annotations

import typing

import numpy as np
import own_players
import pytest
from small_agents import HARE, write_agent

from petteia.arena.match import match
from petteia.core.decision import Limit
from petteia.core.errors import InvalidError, NotFoundError, UsageError
from petteia.core.options import Domain
from petteia.core.protocol import initial, key, legal, limits, play
from petteia.learn.tabular import learn_games
from petteia.player_processes.process import Children
from petteia.players import PLAYERS, player
from petteia.playing.terminal import play_at_terminal
from petteia.policies.play_games import match_keys
from petteia.policies.policy import Lowest, Uniform
from petteia.records.fingerprint import fingerprint
from petteia.records.weights import load_weights
from petteia.value_functions.table import empty_table, filled_table, find, rows

START = initial(HARE)


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    return write_agent(tmp_path_factory.mktemp("agents") / "hounds.safetensors")


# The text form.


def test_every_kind_says_what_it_does():
    searching = {"greedy", "theta", "search"}
    assert set(PLAYERS) == searching | {"random", "simple", "heuristic", "q", "perfect", "mixed", "level", "human"}
    for kind in PLAYERS.values():
        assert kind.help
        assert "\n" not in kind.help
        assert all(kind.options.values())
        hints = typing.get_type_hints(kind.takes, include_extras=True)
        assert all(any(isinstance(note, Domain) for note in hints[name].__metadata__) for name in kind.takes._fields)
        assert kind.takes() == tuple(kind.takes._field_defaults.values())


def test_names_are_the_text_given(agent):
    for text in ("random", "simple", "human", f"q:agent={agent}", "own_players:Lower:name=Ada, of (London)"):
        assert player(text, HARE).name == text


def test_what_is_made_in_python_is_taken():
    made = player("random", HARE)
    assert player(made, HARE) is made
    assert player(Lowest(), HARE).policy(HARE) == Lowest()
    assert player(own_players.Lower(), HARE).name == "Lower"
    assert player(own_players.Highest(), HARE).policy(HARE) == own_players.Highest()


def test_options_reach_a_player_of_ones_own():
    assert player("own_players:Lower:name=Ada", HARE, Children(in_process=True))._own._inner.name == "Ada"
    assert player("own_players:Highest:bonus=0.25", HARE).policy(HARE) == own_players.Highest(0.25)
    assert player("own_players:Hound", HARE).seats == (0,)


BAD = [
    ("randm", UsageError, "there is no player 'randm'; did you mean 'random'?"),
    (
        "strong",
        UsageError,
        "choose from random, simple, heuristic, q, greedy, theta, search, perfect, mixed, level, human, or",
    ),
    ("", UsageError, "must look like"),
    ("random:", UsageError, "nothing follows the colon"),
    ("random:depth=3", UsageError, "player random has no option 'depth'; it has no options"),
    ("q", UsageError, "agent is missing"),
    ("q:agnt=x", UsageError, "did you mean 'agent'?"),
    ("q:agent=nowhere", NotFoundError, "nowhere"),
    ("q:agent=AGENT,alpha=2", UsageError, "alpha=2: must be a number in 0..1"),
    ("q:agent=AGENT,epsilon=nan", UsageError, "epsilon=nan"),
    ("q:agent=AGENT,gamma=much", UsageError, "gamma=much"),
    ("q:agent=AGENT,save=new", UsageError, "option save requires a player that learns"),
    ("q:agent=AGENT,alpha=0.1,save=AGENT", UsageError, "exists already; choose another name"),
    ("q:agent=AGENT,alpha=0.1,save=no/new", UsageError, "there is no folder no"),
    ("q:runs", UsageError, "'runs' is not of the form option=value; did you mean q:agent=runs?"),
    ("q:runs/hare", UsageError, "did you mean q:agent=runs/hare?"),
    ("search:7", UsageError, "did you mean search:depth=7?"),
    ("theta:7", UsageError, "did you mean theta:depth=7?"),
    ("perfect:4000", UsageError, "did you mean perfect:memory=4000?"),
    ("mixed:first=q:runs,second=random,share=1", UsageError, "player 'q:runs': 'runs' is not of the form option=value"),
    ("simple:3", UsageError, "'3' is not of the form option=value"),
    ("own_players", UsageError, "there is no player 'own_players'; did you mean own_players:"),
    ("own_players.py", UsageError, "player 'own_players.py': did you mean own_players:"),
    ("own_players:Lowr", NotFoundError, "has no class 'Lowr'; did you mean 'Lower'?"),
    ("no_such_module:Bot", NotFoundError, "no module 'no_such_module'"),
    ("own_players:Bot", NotFoundError, "has no class 'Bot'"),
    ("own_players:NoPlayer", UsageError, "NoPlayer does not define the method new_game(self, rules, seed)"),
    ("own_players:Lower:depth=3", UsageError, "'depth'"),
    ("own_players:Highest:depth=3", UsageError, "has no option 'depth'; its options are bonus"),
    ("own_players:Highest:bonus=much", UsageError, "bonus=much: must be a finite number"),
    ("own_players:RaisingPolicy:zero=0.5", UsageError, "zero=0.5: must be a whole number"),
]


@pytest.mark.parametrize(("text", "error", "message"), BAD, ids=[each[0] or "empty" for each in BAD])
def test_wrong_players_are_refused_in_one_line(agent, text, error, message):
    with pytest.raises(error) as raised:
        player(text.replace("AGENT", str(agent)), HARE)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


KEYS, VALUES = np.arange(3), np.zeros((3, limits(HARE).moves))
LACKING = "it must contain valid fields side and games, and the arrays keys and values"
FOREIGN_AGENTS = [
    ({"game": "hare-and-hounds:stall=0"}, "learned for hare-and-hounds:stall=0, not for hare-and-hounds"),
    ({"fingerprint": "0" * 16}, "the rules of hare-and-hounds have changed"),
    ({"side": "2"}, LACKING),
    ({"games": "many"}, LACKING),
    ({"tensors": {"keys": KEYS}}, LACKING),
    (
        {"tensors": {"keys": KEYS, "values": VALUES[:, 1:]}},
        "values has the type and shape float64[3, 8] instead of float64[3, 9]",
    ),
    (
        {"tensors": {"keys": KEYS, "values": VALUES[1:]}},
        "values has the type and shape float64[2, 9] instead of float64[3, 9]",
    ),
    (
        {"tensors": {"keys": KEYS.astype(float), "values": VALUES}},
        "keys has the type and shape float64[3] instead of int64[3]",
    ),
    ({"tensors": {"keys": KEYS, "values": VALUES.astype(np.float32)}}, "float32"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("wrong", "message"), FOREIGN_AGENTS, ids=[each[1] for each in FOREIGN_AGENTS])
def test_agents_of_another_kind_are_refused(tmp_path, wrong, message):
    path = write_agent(tmp_path / "other.safetensors", **wrong)
    with pytest.raises(InvalidError) as raised:
        player(f"q:agent={path}", HARE)
    assert str(path) in str(raised.value)
    assert message in str(raised.value)


# The learned table.


def test_q_plays_the_largest_value_and_tells_all(agent):
    q = player(f"q:agent={agent}", HARE)
    weights = load_weights(agent, "table").tensors
    q.new_game(HARE, 1)
    place = np.flatnonzero(weights["keys"] == key(HARE, START))
    assert len(place) == 1
    expected = dict(zip(legal(HARE, START), weights["values"][place[0]].tolist(), strict=False))
    decision = q.choose(START, Limit())
    assert decision.values == expected
    assert decision.value == decision.values[decision.move] == max(expected.values())
    assert q.seats == (0,)


def test_values_are_player_0s(tmp_path):
    state = play(HARE, START, legal(HARE, START)[0])
    tensors = {"keys": np.array([key(HARE, state)]), "values": np.full((1, limits(HARE).moves), 0.5)}
    q = player(f"q:agent={write_agent(tmp_path / 'hare.safetensors', side='1', tensors=tensors)}", HARE)
    q.new_game(HARE, 1)
    assert set(q.choose(state, Limit()).values.values()) == {-0.5}
    assert q.choose(play(HARE, state, legal(HARE, state)[0]), Limit()).values == {}


def test_q_meets_others_compiled_and_saves_nothing(agent):
    before = sorted(agent.parent.iterdir())
    result = match(HARE, f"q:agent={agent}", "random", games=20, seats="fixed")
    assert result.notes == ()
    assert sorted(agent.parent.iterdir()) == before


def test_q_learned_for_one_side_is_refused_on_the_other(agent):
    with pytest.raises(
        UsageError, match='only plays hounds: give it as the first player with seats="fixed", or leave seats out'
    ):
        match(HARE, "random", f"q:agent={agent}", seats="fixed")


def test_q_learned_for_one_side_plays_that_side_unless_seats_are_given(agent, tmp_path):
    """Whoever is named first; the games are the same, with other random numbers."""
    hounds = f"q:agent={agent}"
    told = f"player {hounds} only plays hounds, in all games"
    fixed = match(HARE, hounds, "random", games=21, seats="fixed")
    first, second = match(HARE, hounds, "random", games=21), match(HARE, "random", hounds, games=21)
    assert first == fixed._replace(notes=(told,))
    assert second.notes == (told,)
    assert (second.games, {row.seat_of_first for row in second.rows}) == (21, {1})
    hare = f"q:agent={write_agent(tmp_path / 'hare.safetensors', side='1')}"
    for one, two, seat in ((hounds, hare, 0), (hare, hounds, 1), (hare, "random", 1)):
        assert {row.seat_of_first for row in match(HARE, one, two, games=2).rows} == {seat}
    with pytest.raises(UsageError, match=rf"^players {hare} and {hare} both play hare only; replace one of them$"):
        match(HARE, hare, hare)


def test_q_goes_on_learning_by_the_rule(tmp_path):
    """One game, followed by hand: each value moves by alpha towards gamma times the best next one, or the reward."""
    path = write_agent(tmp_path / "hounds.safetensors")
    known = load_weights(path, "table").tensors
    table = {int(k): row.copy() for k, row in zip(known["keys"], known["values"], strict=True)}
    start = "6,8,9/10 hounds 0"
    steps, rules, q = [], HARE, player(f"q:agent={path},alpha=0.5,gamma=0.5", HARE)

    class Watching(own_players.Lower):
        def choose(self, state, limit):
            return super().choose(state, limit)

    session = play_at_terminal(rules, q, Watching(), position=start, write=steps.append)
    record = session.record
    visits = [(s, m) for s, m in zip(record.states(), record.moves, strict=False) if s.side == 0]
    reward = 1.0 if record.outcome.margin > 0 else -1.0
    for number, (state, move) in enumerate(visits):
        values = table.setdefault(key(rules, state), np.zeros(9))
        if number + 1 < len(visits):
            later = visits[number + 1][0]
            target = 0.5 * table.setdefault(key(rules, later), np.zeros(9))[: len(legal(rules, later))].max()
        else:
            target = reward
        place = legal(rules, state).index(move)
        values[place] += 0.5 * (target - values[place])
    saved = path.with_name("hounds-played.safetensors")
    learned = load_weights(saved, "table")
    assert learned.metadata == {"side": "0", "fingerprint": fingerprint(rules), "games": "6"}
    found = filled_table(learned.tensors["keys"], learned.tensors["values"])
    for name, values in table.items():
        assert found.values[find(found, name)] == pytest.approx(values)
    assert "has learned from 1 game; the table is saved as" in steps[-1]
    assert visits


def test_q_learns_in_matches_into_a_new_file_each_time(tmp_path):
    path = write_agent(tmp_path / "hounds.safetensors")
    before = path.read_bytes()
    text = f"q:agent={path},epsilon=0.1"
    for name in ("hounds-played", "hounds-played-2"):
        result = match(HARE, text, "random", games=30, seats="fixed")
        assert result.notes == (
            f"{text} has learned from 30 games; the table is saved as {tmp_path / name}.safetensors",
        )
        assert player(f"q:agent={tmp_path / name}.safetensors", HARE).seats == (0,)
    assert path.read_bytes() == before
    one, two = (load_weights(tmp_path / f"hounds-played{end}.safetensors", "table") for end in ("", "-2"))
    assert one.tensors["values"].tobytes() == two.tensors["values"].tobytes()
    assert not np.array_equal(one.tensors["values"], load_weights(path, "table").tensors["values"])


def test_q_leaves_the_folder_of_a_run_as_it_is(tmp_path):
    path = tmp_path / "hounds-0001" / "weights.safetensors"
    path.parent.mkdir()
    write_agent(path)
    (path.parent / "run.json").write_text("{}")
    match(HARE, f"q:agent={path},alpha=0.1", "random", games=2, seats="fixed")
    assert sorted(each.name for each in path.parent.iterdir()) == ["run.json", "weights.safetensors"]
    assert (tmp_path / "hounds-0001-played.safetensors").exists()


def test_q_saves_where_it_is_told(tmp_path):
    path, new = write_agent(tmp_path / "hounds.safetensors"), tmp_path / "new.safetensors"
    match(HARE, f"q:agent={path},alpha=0.1,save={new}", "random", games=2, seats="fixed")
    assert load_weights(new, "table").metadata["games"] == "7"


@pytest.mark.parametrize(("opponent", "policy"), [("simple", Lowest()), ("random", Uniform())])
def test_q_learns_what_the_learner_learns(tmp_path, opponent, policy):
    """The same games, the same table, byte for byte, as from the compiled learner with the same random numbers."""
    empty = {"keys": np.array([key(HARE, START)]), "values": np.zeros((1, limits(HARE).moves))}
    path, new = write_agent(tmp_path / "empty.safetensors", tensors=empty), tmp_path / "learned.safetensors"
    text = f"q:agent={path},epsilon=0.5,alpha=0.1,gamma=0.9,save={new}"
    match(HARE, text, opponent, games=300, seats="fixed", openings="none", seed=6)
    rates = {"alphas": np.full(300, 0.1), "explorations": np.full(300, 0.5), "gammas": np.full(300, 0.9)}
    table = learn_games(HARE, START, 0, empty_table(HARE), policy, **rates, keys=match_keys(6))
    keys, values = rows(table)
    learned = load_weights(new, "table").tensors
    assert learned["keys"].tobytes() == keys.tobytes()
    assert learned["values"].tobytes() == values.tobytes()
    assert np.any(values)


def test_an_interrupted_match_saves_what_was_learned(tmp_path):
    path = write_agent(tmp_path / "hounds.safetensors")
    told = []

    def advance(games):
        told.append(games)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        match(HARE, f"q:agent={path},alpha=0.1", "random", games=30, seats="fixed", advance=advance)
    assert load_weights(tmp_path / "hounds-played.safetensors", "table").metadata["games"] == str(5 + sum(told))


def test_a_table_that_learns_cannot_be_shared_out(agent):
    with pytest.raises(UsageError, match="depend on each other; use jobs=1"):
        match(HARE, f"q:agent={agent},alpha=0.1", "random", games=30, seats="fixed", jobs=2)
