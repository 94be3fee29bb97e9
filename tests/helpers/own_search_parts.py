"""Parts of a search as users write them, good and bad: horizons, selections, an order, and rankings."""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.pointer import value_at
from petteia.core.protocol import Buffer, Rules, State, moves, play, to_move
from petteia.search.ends import guessed_worth, is_settled, worth_of_end
from petteia.search.memory import NODES
from petteia.search.parts import Search


class OnePlyOn(NamedTuple):
    """A horizon that looks at all moves once more."""

    def search_beyond(horizon, search: Search, before: State, state: State, ply: int, alpha: int, beta: int) -> int:
        rules, evaluation, _, options, memory = value_at(search)
        sign = 1 - 2 * to_move(rules, state)
        best = -(1 << 60)
        for i in range(moves(rules, state, memory.moves[ply])):
            child = play(rules, state, int(memory.moves[ply, i]))
            memory.counters[NODES] += 1
            if is_settled(rules, options, child):
                value = worth_of_end(evaluation, rules, options, memory, child, ply + 1)
            else:
                value = guessed_worth(evaluation, rules, child)
            best = max(best, sign * value)
        return sign * best

    def plies_beyond(horizon) -> int:
        return 1

    def leaves_out(horizon) -> bool:
        return False


class FirstMoves(NamedTuple):
    """A selection of the first so many moves."""

    most: int = 2

    def select(selection, search: Search, state: State, ply: int, moves: Buffer, count: int) -> int:
        return min(selection.most, count)

    def leaves_out(selection) -> bool:
        return True


class Backwards(NamedTuple):
    """An order in which the last move comes first."""

    def score(order, search: Search, state: State, ply: int, count: int) -> None:
        _, _, _, _, memory = value_at(search)
        for i in range(count):
            memory.scores[ply, i] = i


# Selections with something wrong.


class KeepsInSecret(FirstMoves):
    """Leaves moves out and does not say so."""

    def leaves_out(selection) -> bool:
        return False


class KeepsMore(FirstMoves):
    def select(selection, search: Search, state: State, ply: int, moves: Buffer, count: int) -> int:
        return count + 1


class KeepsTwice(FirstMoves):
    def select(selection, search: Search, state: State, ply: int, moves: Buffer, count: int) -> int:
        moves[count - 1] = moves[0]
        return count


class KeepsByName(FirstMoves):
    def select(selection, search: Search, state: State, ply: int, moves: Buffer, count: int) -> int:
        return len("a" * count)


class KeepsQuietly(NamedTuple):
    """Does not say whether moves are left out."""

    def select(selection, search: Search, state: State, ply: int, moves: Buffer, count: int) -> int:
        return count


# Horizons with something wrong.


class Halving(OnePlyOn):
    def search_beyond(horizon, search: Search, before: State, state: State, ply: int, alpha: int, beta: int) -> Any:
        return 0.5


class Failing(OnePlyOn):
    def search_beyond(horizon, search: Search, before: State, state: State, ply: int, alpha: int, beta: int) -> int:
        return 1 // (ply - 1)


class Endless(OnePlyOn):
    def plies_beyond(horizon) -> int:
        return 17


class WithoutValueAt(OnePlyOn):
    """Takes the pointer for what it points to, as plain Python allows."""

    def search_beyond(horizon, search: Search, before: State, state: State, ply: int, alpha: int, beta: int) -> int:
        return int(search.memory.counters[NODES])


# Rankings with something wrong.


class RanksByHalves(NamedTuple):
    def rank(ranking, rules: Rules, state: State, move: int, steps: int) -> Any:
        return 0.5


class RanksMovesAlone(NamedTuple):
    def rank(ranking, move: int) -> int:
        return move


class RanksByChoice(NamedTuple):
    first: int

    def rank(ranking, rules: Rules, state: State, move: int, steps: int) -> int:
        return ranking.first
