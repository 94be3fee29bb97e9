"""The charts, boards and games of the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from petteia.core.protocol import initial, parse_move, parse_state, play
from petteia.playing.begin import session
from petteia.records.game_record import GameRecord
from petteia.render import board_svg
from petteia.render.charts import Curve, line_chart
from petteia.reports.engine.charts import GAMES_AXIS, band, learning_curves
from petteia.reports.hare_and_hounds import plan
from petteia.reports.hare_and_hounds.evidence import Evidence
from petteia.reports.hare_and_hounds.plan import AGAINST_SIMPLE, BEST, BOTH, FOLLOWED, LEARNERS, PERFECT, TRIED, VALUES

HOUNDS, PERFECT_HOUNDS, BOTH_SIDES = "hounds.safetensors", "perfect-hounds.safetensors", "both-sides.safetensors"
"""Tables that lie beside the page, to play against."""


def charts(evidence: Evidence) -> dict[str, str]:
    """All charts, by name."""
    tried, learners, both = (evidence.experiments[name].cells for name in (plan.RANDOM_MOVES, LEARNERS, BOTH))
    drawn = {
        "curve": learning_curves([evidence.cell(BEST)], ["hounds"], "Q-learning hounds against the random hare"),
        "epsilon": learning_curves(
            tried, [f"epsilon {each.combination.values['epsilon']:g}" for each in tried], "Random moves while learning"
        ),
        "simple": learning_curves(
            [evidence.cell(AGAINST_SIMPLE)], ["hounds"], "Q-learning hounds against the simple hare"
        ),
        "values": followed_chart(evidence),
        "learners": learning_curves(
            learners, [str(each.combination.values["learner"]) for each in learners], "Other learners"
        ),
        "both": learning_curves(both, ("hounds", "hare"), "Hounds and hare learn from each other"),
        "perfect": learning_curves(
            [evidence.cell(PERFECT)], ["hounds"], "Learning from a good hare, measured against the perfect one"
        ),
    }
    for alpha in TRIED:
        cells = [evidence.cell(plan.rates(alpha, gamma)) for gamma in TRIED]
        drawn[f"alpha-{alpha:g}"] = learning_curves(cells, [f"gamma {gamma:g}" for gamma in TRIED], f"Alpha {alpha:g}")
    return drawn


def followed_chart(evidence: Evidence) -> str:
    """The three values that are followed, and what they must become."""
    cell, curves = evidence.cell(FOLLOWED), []
    for number, (name, _, _, exact) in enumerate(followed_moves(evidence)):
        curves.append(band(name, cell.games, cell.followed[:, :, number], family=name))
        ends = [float(cell.games[0]), float(cell.games[-1])]
        curves.append(Curve(f"exact: {exact:.3f}", ends, [exact, exact], family=name))
    return line_chart(curves, "Three learned values, and the exact ones", GAMES_AXIS, "value")


def followed_moves(evidence: Evidence) -> Iterator[tuple[str, str, str, float]]:
    """The moves that are followed: name, position, move, and exact value."""
    is_ = evidence.cell(FOLLOWED).trainings[0].configuration
    for each in evidence.experiments[VALUES].plan.declaration.measure.follow:
        exact = evidence.truth.value_of(0, is_.opponent, float(is_.learner.gamma), each.position, each.move)
        yield each.name, each.position, each.move, exact


def followed_boards(evidence: Evidence) -> list[tuple[str, str]]:
    """The moves that are followed, as arrows, and a caption each."""
    rules, drawn = evidence.rules, []
    for name, position, text, exact in followed_moves(evidence):
        state = parse_state(rules, position)
        move = parse_move(rules, state, text)
        drawn.append(
            (board_svg(rules, play(rules, state, move), move), f"{text} {name}; exact value {exact:.3f} ({position})")
        )
    return drawn


def start_board(evidence: Evidence) -> str:
    """The board at the start."""
    return board_svg(evidence.rules, initial(evidence.rules))


def games(evidence: Evidence, folder: Path) -> dict[str, GameRecord]:
    """A game of the trained hounds against the random and the perfect hare, and one of perfect play."""
    pairs = {
        "random": (f"q:agent={folder / HOUNDS}", "random"),
        "perfect": (f"q:agent={folder / HOUNDS}", "perfect"),
        "best": ("perfect", "perfect"),
    }
    return {name: _game(evidence, *pair) for name, pair in pairs.items()}


def _game(evidence: Evidence, hounds: str, hare: str) -> GameRecord:
    with session(evidence.rules, (hounds, hare)) as played:
        played.advance()
    return played.record()
