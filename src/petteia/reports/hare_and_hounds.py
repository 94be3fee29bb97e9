"""Hounds that were taught nothing learn to catch the hare.

The main job of a Swedish bachelor's thesis: tabular Q-learning of the hounds against the random hare, with the
parameters that it found best (alpha 0.1, gamma 0.9, epsilon 0.5), 300,000 learning games, and 500 games without
learning after every 300, a point of the curve each.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from petteia.arena.match import MatchResult, match
from petteia.arena.session import play_session
from petteia.core.protocol import format_move, format_state, initial, play, seats, to_move
from petteia.experiments.training import Point, Training, train
from petteia.games import game
from petteia.players import player
from petteia.records.files import make_folder, write_file
from petteia.records.game_record import GameRecord
from petteia.render import board_svg
from petteia.render.charts import Curve, line_chart
from petteia.reports import page
from petteia.reports.report import Progress, Report

GAME = "hare-and-hounds"
OPPONENT = "random"
ALPHA, GAMMA, EPSILON = 0.1, 0.9, 0.5
GAMES, EVERY, EVALUATION = 300_000, 300, 500
MATCH_GAMES = 10_000
TENTH = GAMES // EVERY // 10  # of the points: a row of the table each
TITLE = "Hounds that were taught nothing learn to catch the hare"


def make(folder: Path, runs: str | Path | None, seed: int, progress: Progress | None) -> Report:
    """Learn, measure, and write the page and its data into `folder`; arguments as in `petteia.reports.report`."""

    def tell(done: int, wanted: int, point: Point | None) -> None:
        if progress:
            progress(done, wanted, "" if point is None else f"score {point.score:.1%}")

    make_folder(folder)  # before the work, so that a folder that cannot be made costs none
    training = train(
        GAME,
        opponent=OPPONENT,
        games=GAMES,
        alpha=ALPHA,
        gamma=GAMMA,
        epsilon=EPSILON,
        evaluate_every=EVERY,
        evaluation_games=EVALUATION,
        seed=seed,
        runs=runs,
        progress=tell,
    )
    agent = f"q:agent={training.run.path}"
    result = match(GAME, agent, OPPONENT, games=MATCH_GAMES, openings="none", seats="fixed", seed=seed)
    record = _game(agent, seed)
    summary = _summary(training, result, record)
    points = training.points
    chart = _chart(points)
    write_file(folder / "curve.svg", chart)
    write_file(folder / "points.csv", _csv(points))
    write_file(folder / "game.txt", record.write())
    write_file(folder / "summary.json", json.dumps(summary, indent=2) + "\n")
    write_file(folder / "index.html", page.page(TITLE, _parts(training, points, chart, result, record)))
    return Report(folder / "index.html", summary)


def _game(agent: str, seed: int) -> GameRecord:
    """The first game that the trained hounds play after the training."""
    rules = game(GAME)
    players = (player(agent, rules), player(OPPONENT, rules))
    return play_session(rules, players, write=lambda text: None, seed=seed).record


def _summary(training: Training, result: MatchResult, record: GameRecord) -> dict[str, Any]:
    return {
        "schema": 1,
        "run": training.run.name,
        "learning_games": training.configuration.games,
        "states_met": training.points[-1].states,
        "match": {key: getattr(result, key) for key in ("games", "wins", "draws", "losses", "score", "low", "high")},
        "plies_of_the_game": len(record.moves),
    }


def _chart(points: list[Point]) -> str:
    curve = Curve(
        "score with 95 % interval",
        [point.games for point in points],
        [point.score for point in points],
        [point.low for point in points],
        [point.high for point in points],
    )
    title = f"Q-learning hounds against the random hare ({EVALUATION} games a point)"
    return line_chart([curve], title, "learning games", "score of the hounds", y_range=(0.0, 1.0))


def _csv(points: list[Point]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Point._fields)
    writer.writerows(points)
    return text.getvalue()


def _parts(training: Training, points: list[Point], chart: str, result: MatchResult, record: GameRecord) -> list[str]:
    rules, first, last = record.rules, points[0], points[-1]
    name = training.run.path
    return [
        page.paragraph(
            "Three hounds try to trap a hare; they may never go back. At the start of this page nobody has told them "
            "anything but the rules. They play against a hare that moves at random, and after every game they know "
            "only whether they have won."
        ),
        page.figure(
            board_svg(rules, initial(rules)), "The start: the hounds move right or vertically, the hare any way."
        ),
        page.heading("What they learned"),
        page.figure(
            chart,
            f"After {first.games:,} games they win {first.score:.0%}, after {last.games:,} {last.score:.1%}. "
            f"Each of the {len(points):,} points is {EVALUATION} games without learning, with its 95 % interval.",
        ),
        page.paragraph(
            f"When learning had ended, the hounds met the random hare in {result.games:,} further games and won "
            f"<strong>{result.wins / result.games:.2%}</strong> of them "
            f"(95&nbsp;% interval {result.low:.2%} to {result.high:.2%})."
        ),
        page.table(
            ("learning games", "won", "lost", "score", "95 % interval", "states met"),
            [_row(each) for each in points[TENTH - 1 :: TENTH]],
        ),
        page.heading("A game, move by move"),
        page.paragraph("The first game after the training. Use the buttons, or the arrow keys."),
        page.game(_frames(record)),
        page.heading("How it was done"),
        page.paragraph(
            "Tabular Q-learning: a value for every state in which the hounds were to move and each of their moves, 0 "
            "at first. A value is moved towards the best value of the next state in which they are to move, after the "
            f"hare's reply, times {GAMMA}; or towards +1 for a game won and &minus;1 for a game lost. The share it is "
            f"moved by is alpha = {ALPHA}; while they learn, a move is random with probability epsilon = {EPSILON}. "
            "These are the parameters that a bachelor's thesis found best."
        ),
        page.heading("How to go on"),
        page.commands(
            [
                f"petteia play {GAME} --as hare --against q:agent={name}",
                f"petteia match {GAME} q:agent={name} simple --seats fixed",
                f"petteia train {GAME} --side hare --opponent q:agent={name}",
                f"petteia train {GAME} --opponent simple --epsilon 0.5..0.05 --games 50000",
                "petteia runs",
                "petteia new-game my_game",
            ]
        ),
    ]


def _row(point: Point) -> tuple[str, ...]:
    interval = f"{point.low:.1%} to {point.high:.1%}"
    return (f"{point.games:,}", str(point.wins), str(point.losses), f"{point.score:.1%}", interval, f"{point.states:,}")


def _frames(record: GameRecord) -> list[tuple[str, str]]:
    rules, state = record.rules, record.start
    frames = [(board_svg(rules, state), "The start.")]
    for number, move in enumerate(record.moves, 1):
        who, text = seats(rules)[to_move(rules, state)], format_move(rules, state, move)
        state = play(rules, state, move)
        frames.append((board_svg(rules, state, move), f"{number}. {who}: {text} ({format_state(rules, state)})"))
    board, caption = frames[-1]
    outcome = record.outcome
    if outcome is not None and outcome.winner is not None:
        frames[-1] = (board, f"{caption}: won by the {seats(rules)[outcome.winner]}")
    return frames
