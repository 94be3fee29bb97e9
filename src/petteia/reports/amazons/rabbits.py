"""Measurements of the Amazons variant with rabbits, and a drawing of its moves as a tree.

In this variant of the Game of the Amazons, a player can release a rabbit after shooting an arrow. The rabbit moves the
opponent's most recent arrow to a random adjacent free square. Questions 3 and 4 of the student exercise are about this
variant.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from petteia.arena.match import match
from petteia.core.decision import Limit
from petteia.core.packing import unpack
from petteia.core.protocol import CHANCE, Rules, State, format_move, initial, is_over, legal, parse_state, play, to_move
from petteia.core.random import keys
from petteia.features.amazons_mobility import Mobility
from petteia.features.evaluation import unit
from petteia.games.amazons import Amazons
from petteia.render.tree import Node, tree_svg
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.kept import kept
from petteia.reports.engine.settings import Size
from petteia.reports.engine.tables import Row, table
from petteia.search.searcher import Searcher
from petteia.solver.oracle import Oracle

PLAIN, ONE_EACH, SMALL = Amazons(), Amazons(rabbits=1), Amazons(3, 4, 1)
SHOWN = "1bw/x2/xxx/x2 w 1,1 c2"
"""a position with few legal moves in which a rabbit can be released"""
FEW = "1b1/3/3/1w1 w 1,1 -"
"""a position on the small board with one amazon each, from which all positions are solved"""
DRAWN, POSITIONS, NODES, GAMES = Size(20_000, 2000), Size(1000, 200), 10_000, Size(1000, 200)
"""the numbers of positions of the small and large board, of nodes of a search, and of games of equal players"""


def tree(evidence: Evidence) -> str:
    """Draw the legal moves of a small position as a tree with four steps: amazon, target, arrow, and rabbit."""
    oracle, state = Oracle(SMALL, position=SHOWN), parse_state(SMALL, SHOWN)
    moves = []
    for move in legal(SMALL, state):
        text = format_move(SMALL, state, move)
        origin, target, arrow = text.rstrip("!").replace("x", "-").split("-")
        labels = [f"amazon {origin}", f"to {target}", f"arrow {arrow}", "rabbit" if text.endswith("!") else "no rabbit"]
        moves.append((labels, _node(oracle, play(SMALL, state, move))))
    return tree_svg(Node(0, "", _grouped(moves)), f"Game tree of the position {SHOWN}")


def _grouped(moves: list[tuple[list[str], Node]]) -> tuple[tuple[str, Node], ...]:
    """Build the branches of a tree of moves. Moves with the same first label share a branch.

    Each of the `moves` is a pair: the labels of its steps, and the node of the position after the move.
    """
    if len(moves[0][0]) == 1:
        return tuple((parts[0], after) for parts, after in moves)
    return tuple(
        (part, Node("part", "", _grouped([(parts[1:], after) for parts, after in group])))
        for part, group in itertools.groupby(moves, key=lambda each: each[0][0])
    )


def _node(oracle: Oracle, state: State) -> Node:
    """Return a tree node that shows the value of a position. A chance node also has a branch for each outcome."""
    words = f"{oracle.value(state):+.2f}"
    if is_over(SMALL, state):
        return Node("end", words)
    if to_move(SMALL, state) != CHANCE:
        return Node(1, words)
    squares = legal(SMALL, state)
    after = ((format_move(SMALL, state, each), _node(oracle, play(SMALL, state, each))) for each in squares)
    return Node("chance", words, tuple((f"{name}, 1 of {len(squares)}", node) for name, node in after))


class Change(NamedTuple):
    """The mean value of positions, or mean length of games in plies, without rabbits and with one rabbit per player."""

    number: int
    """the number of positions, or of games of each variant"""
    plain: float
    """the mean without rabbits"""
    one_each: float
    """the mean with one rabbit each"""
    apart: float | None
    """the mean absolute difference of the two values of a position; None for games, which differ in both variants"""


@kept
def on_small_board(evidence: Evidence, count: int) -> Change:
    """Compare the expected margins of random positions on a small board, with and without rabbits.

    Only positions in which a legal move releases a rabbit are used.
    """
    searcher = Searcher(Amazons(SMALL.width, SMALL.height), Mobility())
    known, limit = Oracle(SMALL, position=FEW).table, Limit(depth=SMALL.width * SMALL.height)

    def pairs() -> Iterator[tuple[float, float, int]]:
        for row in np.random.default_rng(0).permutation(len(known.keys)):
            state = unpack(initial(SMALL), known.states[row])
            if is_over(SMALL, state) or to_move(SMALL, state) == CHANCE:
                continue
            if any(_releases(SMALL, state, move) for move in legal(SMALL, state)):
                plain = searcher.search(state._replace(rabbits=0), limit).variations[0].value
                yield float(np.sign(plain or 0.0)), float(known.values[row]), 1 - 2 * state.side

    return _change(pairs(), count)


@kept
def on_large_board(evidence: Evidence, count: int) -> Change:
    """Compare the search values of positions from random games on the large board, with and without rabbits.

    All searches have the same node limit. A search value is a difference in queen moves: those of the player to move
    minus those of the opponent. Positions in which a search proves a win or a loss are left out.
    """
    searchers = Searcher(PLAIN, Mobility()), Searcher(ONE_EACH, Mobility())

    def lead(searcher: Searcher, state: State) -> float | None:
        searcher.clear()
        value = searcher.search(state, Limit(nodes=NODES)).variations[0].value
        return None if value is None or abs(value) >= 1.0 else value * unit(Mobility())

    def pairs() -> Iterator[tuple[float, float, int]]:
        for state in _random_positions():
            plain, one_each = lead(searchers[0], state._replace(rabbits=0)), lead(searchers[1], state)
            if plain is not None and one_each is not None:
                yield plain, one_each, 1 - 2 * state.side

    return _change(pairs(), count)


def _releases(rules: Rules, state: State, move: int) -> bool:
    """Return whether a move releases a rabbit."""
    return format_move(rules, state, move).endswith("!")


def _random_positions() -> Iterator[State]:
    """Play random games in which no rabbit is released, and yield a random non-terminal position of each game."""
    (key,) = keys(0, 1)
    for number in itertools.count():
        draw, state, seen = np.random.default_rng((key, number)), initial(ONE_EACH), []
        while not is_over(ONE_EACH, state):
            moves = [move for move in legal(ONE_EACH, state) if not _releases(ONE_EACH, state, move)]
            state = play(ONE_EACH, state, moves[draw.integers(len(moves))])
            if not is_over(ONE_EACH, state):
                seen.append(state)
        yield seen[draw.integers(len(seen))]


def _change(pairs: Iterator[tuple[float, float, int]], count: int) -> Change:
    plain, one_each, sides = np.array([*itertools.islice(pairs, count)]).T
    apart = float(np.abs(one_each - plain).mean())
    return Change(len(plain), float((plain * sides).mean()), float((one_each * sides).mean()), apart)


@kept
def of_games(evidence: Evidence, player: str, count: int) -> Change:
    """Play games of a player against itself, and compare their mean length with and without rabbits."""
    plain, one_each = (
        float(np.mean([row.plies for row in match(rules, player, player, games=count, seed=0).rows]))
        for rules in (PLAIN, ONE_EACH)
    )
    return Change(count, plain, one_each, None)


@table("measurement", "positions or games", "without rabbits", "with one rabbit each", "mean absolute difference")
def rabbits(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each measurement, with its mean without rabbits and its mean with one rabbit per player."""
    small, large = on_small_board(evidence, evidence.size(DRAWN)), on_large_board(evidence, evidence.size(POSITIONS))
    lengths = ((each, of_games(evidence, each, evidence.size(GAMES))) for each in ("random", "greedy:depth=1"))
    for words, change, form in (
        ("game-theoretic value for the side to move, 3x4 squares", small, "+.3f"),
        (f"search value for the side to move in queen moves, 10x10 squares, {NODES:,} nodes per search", large, "+.2f"),
        *((f"plies per game of “{player}” against itself", length, ".1f") for player, length in lengths),
    ):
        apart = "" if change.apart is None else f"{change.apart:.3f}"
        yield [words, f"{change.number:,}", f"{change.plain:{form}}", f"{change.one_each:{form}}", apart]
