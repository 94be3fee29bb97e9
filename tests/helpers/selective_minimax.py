"""A second, slow version of selective search with quiescence: plain minimax in Python, which sorts lists."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from petteia.core.protocol import Rules, State, is_over, legal, margin, play, steps, to_move
from petteia.features.evaluation import evaluate
from petteia.features.rankings import rank
from petteia.search.ends import WON


class Selective(NamedTuple):
    """What is searched."""

    rules: Rules
    evaluation: Any
    keep: float = 1.0
    only_root: bool = False
    heavy: int = 0
    ranking: Any = None
    stages: tuple[int, ...] = (0,)
    """the steps that each stage knows; 0: the whole move"""
    threshold: int | None = None
    """None: no quiescence"""
    levels: int = 1
    repaired: bool = False
    """whether the chosen move is verified, instead of a horizon that searches on"""

    def selected(self, state: State, ply: int) -> list[int]:
        """The moves that are searched."""
        found = legal(self.rules, state)
        if self.keep == 1.0 or (self.only_root and ply > 0) or (self.heavy and len(found) >= self.heavy):
            return found
        for known in self.stages:
            by_beginning: dict[Any, dict[Any, list[int]]] = {}
            for move in found:
                written = self._steps(state, move)
                group = written[:known] if known else move
                parent = written[: known - 1] if len(self.stages) > 1 else None
                by_beginning.setdefault(parent, {}).setdefault(group, []).append(move)
            found = []
            for groups in by_beginning.values():
                wanted = max(1, math.ceil(round(self.keep * len(groups), 6)))
                best = sorted(groups.values(), key=lambda group: -self._rank(state, group, known))[:wanted]
                found += [move for group in best for move in group]
        return found

    def _rank(self, state: State, group: list[int], known: int) -> int:
        return max(rank(self.ranking, self.rules, state, move, known) for move in group)

    def _steps(self, state: State, move: int) -> tuple[int, ...]:
        if self.stages == (0,):
            return ()
        out = [0] * 8
        return tuple(out[: steps(self.rules, state, move, out)])

    def value(self, before: State, state: State, depth: int, ply: int) -> int:
        """The value for player 0 of a state, `depth` plies ahead."""
        if is_over(self.rules, state):
            return self._end(state, ply)
        if depth == 0:
            return self._beyond(before, state, ply)
        values = [
            self.value(state, play(self.rules, state, move), depth - 1, ply + 1) for move in self.selected(state, ply)
        ]
        return (max if to_move(self.rules, state) == 0 else min)(values)

    def _end(self, state: State, ply: int) -> int:
        won = margin(self.rules, state)
        return 0 if won == 0 else (WON - ply if won > 0 else ply - WON)

    def _beyond(self, before: State, state: State, ply: int) -> int:
        value = evaluate(self.evaluation, self.rules, state)
        if (
            self.threshold is None
            or self.repaired
            or abs(value - evaluate(self.evaluation, self.rules, before)) <= self.threshold
        ):
            return value
        return self._replies(state, value, ply, self.levels)

    def _replies(self, state: State, value: int, ply: int, levels: int) -> int:
        values = []
        for move in self.selected(state, ply):
            child = play(self.rules, state, move)
            if is_over(self.rules, child):
                values.append(self._end(child, ply + 1))
                continue
            found = evaluate(self.evaluation, self.rules, child)
            if levels > 1 and abs(found - value) > self.threshold:
                found = self._replies(child, found, ply + 1, levels - 1)
            values.append(found)
        return (max if to_move(self.rules, state) == 0 else min)(values)

    def values(self, state: State, depth: int) -> dict[int, int]:
        """The value of each move that is searched."""
        return {
            move: self.value(state, play(self.rules, state, move), depth - 1, 1) for move in self.selected(state, 0)
        }

    def verified(self, state: State, depth: int) -> set[tuple[int, int]]:
        """The moves that may be chosen once the best is quiet or verified, with their values.

        Which of equal moves is looked at first is left open: hence there may be several.
        """
        values = self.values(state, depth)
        sign = 1 - 2 * to_move(self.rules, state)
        done = set[int]()
        while True:
            tied = self.best(state, values)
            worth = values[tied[0]]
            doubtful = [move for move in tied if move not in done and not self.is_quiet(state, move)]
            values |= {move: self.deeper(state, move, depth, worth) for move in doubtful}
            done |= set(doubtful)
            if found := {(move, values[move]) for move in tied if sign * values[move] >= sign * worth}:
                return found

    def best(self, state: State, values: dict[int, int]) -> list[int]:
        """The moves of the best value."""
        best = (max if to_move(self.rules, state) == 0 else min)(values.values())
        return [move for move, value in values.items() if value == best]

    def is_quiet(self, state: State, move: int) -> bool:
        """Whether a move is quiet."""
        child = play(self.rules, state, move)
        before, after = (evaluate(self.evaluation, self.rules, each) for each in (state, child))
        return is_over(self.rules, child) or abs(after - before) <= (self.threshold or 0)

    def deeper(self, state: State, move: int, depth: int, value: int) -> int:
        """The value of a move that is searched deeper, ply by ply, until it settles."""
        for deeper in range(depth + 1, depth + self.levels + 1):
            before, value = value, self.value(state, play(self.rules, state, move), deeper - 1, 1)
            if abs(value - before) <= (self.threshold or 0):
                break
        return value
