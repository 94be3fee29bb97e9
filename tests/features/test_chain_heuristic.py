"""The heuristic for Kalah against a slow one of another hand: lists, one stone at a time."""

from __future__ import annotations

import random

import pytest

import petteia
from petteia.arena.alternate import Conditions, alternate
from petteia.arena.contest import SEATS
from petteia.core.errors import UsageError
from petteia.core.protocol import initial, is_over, play
from petteia.features import heuristic_of
from petteia.features.chain_heuristic import ChainHeuristic, longest_chain
from petteia.games.kalah import EMPTY, Kalah, Position
from petteia.players import player
from petteia.policies.play_games import MAX_PLIES, match_keys

pytestmark = pytest.mark.lanes

RULES = [
    "kalah",
    "kalah:capture=nonempty,end=mover,leftovers=nobody",
    "kalah:capture=empty,end=either",
    "kalah:capture=without_capturer,end=either,leftovers=nobody",
    "kalah:pits=4,seeds=3",
    "kalah:pits=1,seeds=20,end=either",
    "kalah:pits=7,seeds=18,capture=empty",
]


class Slow:
    """South is to move: its pits, its store, North's pits in sowing order. North's store takes no part."""

    def __init__(self, south: list[int], store: int, north: list[int], rules: Kalah) -> None:
        self.south, self.store, self.north, self.rules = list(south), store, list(north), rules

    def is_over(self) -> bool:
        return not any(self.south) or (self.rules.end == 1 and not any(self.north))

    def after(self, pit: int) -> tuple[Slow, bool]:
        """The position after a sowing, and whether its last stone came to the store."""
        next_ = Slow(self.south, self.store, self.north, self.rules)
        size = self.rules.pits
        hand, next_.south[pit] = next_.south[pit], 0
        place = pit
        while hand:
            place = (place + 1) % (2 * size + 1)
            hand -= 1
            if place < size:
                next_.south[place] += 1
            elif place == size:
                next_.store += 1
            else:
                next_.north[place - size - 1] += 1
        if place < size and next_.south[place] == 1:
            opposite = size - 1 - place
            if next_.north[opposite] or self.rules.capture == 1:
                next_.store += next_.north[opposite]
                next_.north[opposite] = 0
                if self.rules.capture != 2:
                    next_.store += 1
                    next_.south[place] = 0
        return next_, place == size

    def chains(self) -> dict[int, int]:
        """For each move that gives an extra turn: how many there are in the longest chain it begins."""
        found = {}
        for pit in [] if self.is_over() else range(self.rules.pits):
            if self.south[pit]:
                after, again = self.after(pit)
                if again:
                    found[pit] = 1 + max(after.chains().values(), default=0)
        return found

    def move(self) -> int:
        chains = self.chains()
        if chains:
            return next(pit for pit in chains if chains[pit] == max(chains.values()))
        gains = {pit: self.after(pit)[0].store - self.store for pit in range(self.rules.pits) if self.south[pit]}
        if max(gains.values()) > 0:
            return [pit for pit in gains if gains[pit] == max(gains.values())][-1]
        return max(gains)


def drawn(rules: Kalah, draw: random.Random) -> tuple[Position, Slow]:
    """A random position that is not over, for either player, with few or many stones in the pits."""
    size, total = rules.pits, 2 * rules.pits * rules.seeds
    while True:
        rows = [[0] * size, [0] * size]
        weights = [draw.choice([0, 1, 1, 5]) + 0.01 for _ in range(2 * size)]
        in_pits = draw.randint(1, draw.choice([size, 4 * size, total]))
        for place in draw.choices(range(2 * size), weights, k=min(in_pits, total)):
            rows[place % 2][place // 2] += 1
        if draw.random() < 0.5:  # stones that come to the store exactly
            rows[0] = [draw.choice([0, size - pit, size - pit + 1]) for pit in range(size)]
        left = total - sum(map(sum, rows))
        if left < 0:
            continue
        store = draw.randint(0, left)
        slow = Slow(rows[0], store, rows[1], rules)
        if not slow.is_over():
            break
    own, other = (sum(count << 8 * pit for pit, count in enumerate(row)) for row in rows)
    if draw.random() < 0.5:
        return Position(own, other, store, left - store, 0), slow
    return Position(other, own, left - store, store, 1), slow


@pytest.mark.parametrize("text", RULES)
def test_the_same_moves_as_the_slow_one(text: str) -> None:
    rules = petteia.game(text)
    draw = random.Random(text)
    kinds = {"chain": 0, "gain": 0, "nothing": 0}
    for _ in range(1000):
        state, slow = drawn(rules, draw)
        move = ChainHeuristic().choose(rules, state, [0], None)
        assert move == slow.move(), (state, slow.south, slow.north)
        chains = slow.chains()
        assert longest_chain(rules, state) == max(chains.values(), default=0)
        kinds["chain" if chains else "gain" if slow.after(move)[0].store > slow.store else "nothing"] += 1
    assert kinds["chain"] > 0
    if rules.pits > 1:
        assert kinds["gain"] > 0
        assert (kinds["nothing"] > 0) == (rules.capture != EMPTY)  # the nearest pit then captures or comes to the store


def move_in(position: str, text: str = "kalah") -> int:
    """The number of the pit, 1..pits, that the heuristic selects."""
    rules = petteia.game(text)
    return int(ChainHeuristic().choose(rules, rules.parse_state(position), [0], None)) + 1


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("4,4,4,4,4,4,0/4,4,4,4,4,4,0 s", 3),  # the one extra turn
        ("4,4,4,4,4,4,0/4,4,4,4,4,4,0 n", 3),
        ("0,0,0,0,2,1,20/5,4,4,4,4,4,0 s", 6),  # 6, 5, 6: three turns; 5 first: one
        ("6,0,0,3,0,0,20/3,4,4,4,4,0,0 s", 4),  # 4 and then 1 are two turns, 1 spoils 4
        ("6,0,4,0,0,0,20/3,3,4,4,4,0,0 s", 3),
        ("0,5,0,1,0,0,20/4,4,4,4,4,1,1 s", 2),  # of equals, the first
        ("1,0,1,0,0,0,20/0,0,5,0,5,0,16 s", 3),  # captures of five and a stone: the last
        ("1,0,1,0,0,0,20/0,0,5,0,6,0,15 s", 1),  # the larger capture
        ("1,1,1,0,0,0,20/0,0,0,0,9,9,7 s", 3),  # nothing to gain: the nearest with a stone
        ("0,0,0,0,0,1,20/0,0,0,9,9,9,0 s", 6),
    ],
)
def test_moves_told_by_hand(position: str, move: int) -> None:
    assert move_in(position) == move


def test_a_last_stone_that_ends_the_game_counts_as_an_extra_turn() -> None:
    # The last pit alone: no turn follows, for nothing is left.
    rules = Kalah()
    state = rules.parse_state("0,0,0,0,0,1,20/9,9,9,0,0,0,0 s")
    assert is_over(rules, play(rules, state, 5))
    assert longest_chain(rules, state) == 1
    # Twelve stones could be captured; an empty row of the other's ends the game, and still counts as a turn.
    assert move_in("1,0,0,0,0,1,20/0,0,0,0,12,0,14 s", "kalah:end=either") == 6


def test_the_player_meets_others_compiled_and_plain() -> None:
    compiled = petteia.match("kalah", "heuristic", "random", games=40, seats="fixed", openings="none")
    assert compiled.score > 0.9
    rules = Kalah()
    conditions = Conditions(rules, (initial(rules),), 0, SEATS["fixed"], MAX_PLIES, petteia.Limit(), match_keys(0))
    plain = alternate(conditions, player("heuristic", rules), player("random", rules), range(40))
    assert [row.digest for row in plain] == [row.digest for row in compiled.rows]


def test_what_it_tells_of_its_moves() -> None:
    rules = Kalah()
    policy = player("heuristic", rules).policy(rules)
    state = play(rules, initial(rules), 2)
    out, work = [0.0] * 6, type("Lists", (), {"moves": [0] * 6})
    assert policy.probabilities(rules, state, 0.5, out, work) == 5  # pit 3 is empty
    assert [*out] == [0, 0, 0, 0, 0.5, 0]
    assert policy.choose(rules, state, [0], None) == 5


def test_games_without_one() -> None:
    with pytest.raises(UsageError, match="there is no heuristic for hare-and-hounds; heuristics exist only for kalah"):
        player("heuristic", petteia.game("hare-and-hounds"))
    with pytest.raises(UsageError, match="player heuristic has no option 'depth'; it has no options"):
        player("heuristic:depth=3", Kalah())

    class Mine(Kalah):
        """A user's variant."""

    assert heuristic_of(Mine()) == ChainHeuristic()
