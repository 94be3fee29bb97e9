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
        if self.threshold is None or abs(value - evaluate(self.evaluation, self.rules, before)) <= self.threshold:
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
