"""A check that the method `random_move` draws every legal move with the same probability."""

from __future__ import annotations

from petteia.checking.notes import Notes
from petteia.checking.sample import ConformanceError, Sample, Visit, pick_evenly, where
from petteia.core.protocol import Rules, provides, random_move
from petteia.core.random import stream

FEW = 20  # number of visits
DRAWS, MAX_DRAWN = 60, 40  # random moves per legal move, and the maximum number of legal moves


def random_moves(sample: Sample, notes: Notes) -> None:
    """Check that `random_move`, if defined, draws all legal moves equally often.

    In several positions, moves are drawn many times, and a chi-squared test compares the frequencies of the moves. The
    check fails only if the frequencies differ strongly.
    """
    if not provides(sample.rules, "random_move"):
        return
    visits = sorted((visit for visit in sample.visits if visit.side in (0, 1)), key=lambda visit: len(visit.moves))
    few = [visit for visit in visits if len(visit.moves) <= MAX_DRAWN] or visits[:1]
    for number, visit in enumerate(pick_evenly(few, FEW)):
        with notes:
            _check_draws(sample.rules, visit, [stream(0, number)])


def _check_draws(rules: Rules, visit: Visit, random: list[int]) -> None:
    drawn = dict.fromkeys(visit.moves, 0)
    for _ in range(DRAWS * len(drawn)):
        move = random_move(rules, visit.state, random)
        if type(move) is not int or move not in drawn:
            place = where(rules, visit.state, move)
            raise ConformanceError(f"{place}: random_move drew {move!r}, which moves does not list")
        drawn[move] += 1
    distance = sum((times - DRAWS) ** 2 / DRAWS for times in drawn.values())
    if distance > len(drawn) + 8 * len(drawn) ** 0.5 + 20:
        worst = max(drawn, key=lambda move: abs(drawn[move] - DRAWS))
        fact = f"random_move drew it {drawn[worst]} times in {DRAWS * len(drawn)}; must be about {DRAWS}"
        raise ConformanceError(f"{where(rules, visit.state, worst)}: {fact}, as all moves are equally likely")
