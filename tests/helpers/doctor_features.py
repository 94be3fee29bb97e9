"""Feature sets as students write them, good ones and such as the doctor must notice; and opponents."""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.bits import popcount
from petteia.core.kernel import inline
from petteia.core.protocol import Rules, margin, moves, play, to_move
from petteia.features.feature_set import features
from petteia.games.british_square import FIRST, SECOND, Position, open_squares
from petteia.games.kalah import Position as Pits
from petteia.games.tic_tac_toe import LINES, Marks


class Lines(NamedTuple):
    """Of tic-tac-toe: lines in which only one side has marks, by their number, for each side to move; the centre."""

    def names(feature_set, rules: Rules) -> Any:
        sides = ("crosses_to_move", "noughts_to_move")
        return (*(f"{side}.{what}" for side in sides for what in ("ones", "twos", "other_twos", "one")), "centre")

    def size(feature_set, rules: Rules) -> int:
        return 9

    def features(feature_set, rules: Rules, state: Marks, index: Any, value: Any) -> int:
        first = 4 * state.side
        for i in range(4):
            index[i] = first + i
            value[i] = 0.0
        for line in LINES:
            crosses, noughts = popcount(state.crosses & line), popcount(state.noughts & line)
            if noughts == 0 and crosses == 1:
                value[0] += 0.25
            if crosses == 0 and noughts == 1:
                value[0] -= 0.25
            if noughts == 0 and crosses == 2:
                value[1] += 0.5
            if crosses == 0 and noughts == 2:
                value[2] += 0.5
        value[3] = 1.0
        index[4] = 8
        value[4] = 1.0 * (state.crosses >> 4 & 1) - 1.0 * (state.noughts >> 4 & 1)
        return 5


class Mobility(NamedTuple):
    """Of British Square: squares open to each side, stones, and who is to move, in parts of the board."""

    def names(feature_set, rules: Rules) -> Any:
        return ("open.first", "open.second", "stones", "second_to_move", "constant")

    def size(feature_set, rules: Rules) -> int:
        return 5

    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> int:
        squares = 1.0 * rules.size * rules.size
        for i in range(5):
            index[i] = i
        value[0] = popcount(open_squares(rules, state, FIRST)) / squares
        value[1] = popcount(open_squares(rules, state, SECOND)) / squares
        value[2] = (popcount(state.first) - popcount(state.second)) / rules.size
        value[3] = 1.0 * state.side
        value[4] = 1.0
        return 5


class MobilityTwice(NamedTuple):
    """The same, and two of them once more in another unit."""

    def names(feature_set, rules: Rules) -> Any:
        return ("open.first", "open.second", "stones", "second_to_move", "constant", "room", "stones_in_tens")

    def size(feature_set, rules: Rules) -> int:
        return 7

    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> int:
        count = features(Mobility(), rules, state, index, value)
        index[count] = count
        value[count] = value[0] * 2.0
        index[count + 1] = count + 1
        value[count + 1] = value[2] / 10.0
        return count + 2


class MobilityOnBoard(NamedTuple):
    """The same, and what the board is like."""

    def names(feature_set, rules: Rules) -> Any:
        return ("open.first", "open.second", "stones", "second_to_move", "constant", "size", "squares")

    def size(feature_set, rules: Rules) -> int:
        return 7

    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> int:
        count = features(Mobility(), rules, state, index, value)
        index[count] = count
        value[count] = 1.0 * rules.size
        index[count + 1] = count + 1
        value[count + 1] = 1.0 * rules.size * rules.size
        return count + 2


class Nothing(NamedTuple):
    """Two features that are always 0."""

    def names(feature_set, rules: Rules) -> Any:
        return ("one", "other")

    def size(feature_set, rules: Rules) -> int:
        return 2

    def features(feature_set, rules: Rules, state: Any, index: Any, value: Any) -> int:
        return 0


class StonesPlaced(NamedTuple):
    """Of British Square: how many stones there are, and who is to move: the same after all moves."""

    def names(feature_set, rules: Rules) -> Any:
        return ("stones", "second_to_move", "constant")

    def size(feature_set, rules: Rules) -> int:
        return 3

    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> int:
        for i in range(3):
            index[i] = i
        value[0] = (popcount(state.first) + popcount(state.second)) / rules.size
        value[1] = 1.0 * state.side
        value[2] = 1.0
        return 3


class MarksPlaced(NamedTuple):
    """Of tic-tac-toe: how many marks there are, and what their squares add up to by an odd rule."""

    def names(feature_set, rules: Rules) -> Any:
        return ("marks", "odd", "constant")

    def size(feature_set, rules: Rules) -> int:
        return 3

    def features(feature_set, rules: Rules, state: Marks, index: Any, value: Any) -> int:
        for i in range(3):
            index[i] = i
        value[0] = popcount(state.crosses | state.noughts) / 9.0
        value[1] = (state.crosses * 7 + state.noughts * 13) % 5 / 5.0
        value[2] = 1.0
        return 3


class Stores(NamedTuple):
    """Of Kalah: the stores and their difference in stones; and once more in dozens."""

    def names(feature_set, rules: Rules) -> Any:
        return ("south", "north", "ahead", "ahead_in_dozens", "constant")

    def size(feature_set, rules: Rules) -> int:
        return 5

    def features(feature_set, rules: Rules, state: Pits, index: Any, value: Any) -> int:
        for i in range(5):
            index[i] = i
        value[0] = state.south_store / 12.0
        value[1] = state.north_store / 12.0
        value[2] = 1.0 * (state.south_store - state.north_store)
        value[3] = value[2] / 12.0
        value[4] = 1.0
        return 5


class StoresAndBoard(NamedTuple):
    """Of Kalah: the difference of the stores, and two numbers of the board."""

    def names(feature_set, rules: Rules) -> Any:
        return ("ahead", "pits", "seeds")

    def size(feature_set, rules: Rules) -> int:
        return 3

    def features(feature_set, rules: Rules, state: Pits, index: Any, value: Any) -> int:
        for i in range(3):
            index[i] = i
        value[0] = (state.south_store - state.north_store) / 6.0
        value[1] = 1.0 * rules.pits
        value[2] = 1.0 * rules.seeds
        return 3


class MobilityAndSquares(NamedTuple):
    """Of British Square: the shares of open squares, and all stones as one number up to 65,535."""

    def names(feature_set, rules: Rules) -> Any:
        return ("open.first", "open.second", "pattern")

    def size(feature_set, rules: Rules) -> int:
        return 3

    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> int:
        squares = 1.0 * rules.size * rules.size
        for i in range(3):
            index[i] = i
        value[0] = popcount(open_squares(rules, state, FIRST)) / squares
        value[1] = popcount(open_squares(rules, state, SECOND)) / squares
        value[2] = 1.0 * ((state.first ^ state.second) & 0xFFFF)
        return 3


class StoresAndSeeds(NamedTuple):
    """Of Kalah: the lead in millions of seeds, and the seeds on the board."""

    def names(feature_set, rules: Rules) -> Any:
        return ("lead", "seeds")

    def size(feature_set, rules: Rules) -> int:
        return 2

    def features(feature_set, rules: Rules, state: Pits, index: Any, value: Any) -> int:
        seeds = 2.0 * rules.pits * rules.seeds
        index[0], index[1] = 0, 1
        value[0] = (state.south_store - state.north_store) / 1_000_000.0
        value[1] = seeds - state.south_store - state.north_store
        return 2


class OfMover(NamedTuple):
    """Of games whose margin can be asked of any position: by how much whoever is to move is ahead; and a constant."""

    def names(feature_set, rules: Rules) -> Any:
        return ("mover_ahead", "constant")

    def size(feature_set, rules: Rules) -> int:
        return 2

    def features(feature_set, rules: Rules, state: Any, index: Any, value: Any) -> int:
        index[0] = 0
        value[0] = 0.1 * margin(rules, state) * (1 - 2 * state.side)
        index[1] = 1
        value[1] = 1.0
        return 2


class OfFirst(NamedTuple):
    """The same of player 0, whoever is to move."""

    def names(feature_set, rules: Rules) -> Any:
        return ("first_ahead", "constant")

    def size(feature_set, rules: Rules) -> int:
        return 2

    def features(feature_set, rules: Rules, state: Any, index: Any, value: Any) -> int:
        index[0] = 0
        value[0] = 0.1 * margin(rules, state)
        index[1] = 1
        value[1] = 1.0
        return 2


class StoreOfSouth(NamedTuple):
    """Of Kalah: the store of South, twice read by mistake, and nothing of North."""

    def names(feature_set, rules: Rules) -> Any:
        return ("mine", "theirs", "constant")

    def size(feature_set, rules: Rules) -> int:
        return 3

    def features(feature_set, rules: Rules, state: Pits, index: Any, value: Any) -> int:
        for i in range(3):
            index[i] = i
        value[0] = state.south_store / 12.0
        value[1] = 0.5 - state.south_store * state.south_store / 144.0
        value[2] = 1.0
        return 3


class LeadCutOff(NamedTuple):
    """Of games whose margin can be asked of any position: the lead of player 0, cut off at 0, and its square."""

    def names(feature_set, rules: Rules) -> Any:
        return ("lead", "square", "constant")

    def size(feature_set, rules: Rules) -> int:
        return 3

    def features(feature_set, rules: Rules, state: Any, index: Any, value: Any) -> int:
        for i in range(3):
            index[i] = i
        value[0] = 0.1 * max(margin(rules, state), 0)
        value[1] = value[0] * value[0]
        value[2] = 1.0
        return 3


class LinesOfCrosses(NamedTuple):
    """Of tic-tac-toe: lines in which only crosses have marks, by their number; nothing of noughts but the centre."""

    def names(feature_set, rules: Rules) -> Any:
        return ("ones", "twos", "centre", "constant")

    def size(feature_set, rules: Rules) -> int:
        return 4

    def features(feature_set, rules: Rules, state: Marks, index: Any, value: Any) -> int:
        for i in range(4):
            index[i] = i
            value[i] = 0.0
        for line in LINES:
            count = popcount(state.crosses & line)
            if popcount(state.noughts & line) == 0 and count > 0:
                value[count - 1] += 0.25 * count
        value[2] = 1.0 * (state.crosses >> 4 & 1) - 1.0 * (state.noughts >> 4 & 1)
        value[3] = 1.0
        return 4


class OpenToFirst(NamedTuple):
    """Of British Square: the squares open to the first player, and those with stones; nothing of the second player."""

    def names(feature_set, rules: Rules) -> Any:
        return ("open.first", "stones", "constant")

    def size(feature_set, rules: Rules) -> int:
        return 3

    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> int:
        squares = 1.0 * rules.size * rules.size
        for i in range(3):
            index[i] = i
        value[0] = popcount(open_squares(rules, state, FIRST)) / squares
        value[1] = popcount(state.first) / squares
        value[2] = 1.0
        return 3


class LinesCutOff(NamedTuple):
    """Of tic-tac-toe: by how many lines crosses are ahead, cut off at 0, for each number of marks; and the centre."""

    def names(feature_set, rules: Rules) -> Any:
        return ("ones", "twos", "centre", "noughts_to_move", "constant")

    def size(feature_set, rules: Rules) -> int:
        return 5

    def features(feature_set, rules: Rules, state: Marks, index: Any, value: Any) -> int:
        for i in range(5):
            index[i] = i
            value[i] = 0.0
        for line in LINES:
            crosses, noughts = popcount(state.crosses & line), popcount(state.noughts & line)
            if noughts == 0 and crosses > 0:
                value[crosses - 1] += 0.25 * crosses
            if crosses == 0 and noughts > 0:
                value[noughts - 1] -= 0.25 * noughts
        value[0] = max(value[0], 0.0)
        value[1] = max(value[1], 0.0)
        value[2] = 1.0 * (state.crosses >> 4 & 1)
        value[3] = 1.0 * state.side
        value[4] = 1.0
        return 5


@inline
def worst_move(rules: Rules, state: Any, work: Any) -> int:
    """The place, in `work.moves`, of the move that leads to the worst margin for whoever is to move."""
    count = moves(rules, state, work.moves)
    sign = 1 - 2 * to_move(rules, state)
    worst = 0
    minimum = 1 << 30
    for i in range(count):
        value = sign * margin(rules, play(rules, state, int(work.moves[i])))
        if value < minimum:
            minimum = value
            worst = i
    return worst


class GivesAway(NamedTuple):
    """Plays what leads to the worst margin for itself, where the margin can be asked of any position."""

    def choose(policy, rules: Rules, state: Any, random: Any, work: Any) -> int:
        return int(work.moves[worst_move(rules, state, work)])

    def probabilities(policy, rules: Rules, state: Any, share: float, out: Any, work: Any) -> int:
        out[worst_move(rules, state, work)] += share
        return moves(rules, state, work.moves)
