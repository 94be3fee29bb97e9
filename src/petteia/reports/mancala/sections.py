"""The sections of the page, in order: from the evidence to HTML, and every word with a figure in it computed."""

from __future__ import annotations

from collections import Counter

from petteia.core.protocol import initial
from petteia.experiments.linear_settings import MARKS, LinearSettings
from petteia.render import board_svg
from petteia.reports import page
from petteia.reports.engine.frames import frames
from petteia.reports.mancala import learning_sections as learning
from petteia.reports.mancala import playing_sections as playing
from petteia.reports.mancala.claims import deviations
from petteia.reports.mancala.evidence import BASELINES, FEW, GAME, SEATS, Evidence
from petteia.reports.mancala.judges import win_shares
from petteia.reports.mancala.shown import AGENT, Shown
from petteia.reports.mancala.words import counted, extent, so_many
from petteia.reports.verdicts import AGREES, DIFFERS, UNTOLD


def sections(evidence: Evidence, shown: Shown, more: list[str]) -> list[str]:
    """All of the page, in order; `more` are sections that stand before the last."""
    parts = (
        *(opening, in_short, a_game, playing.players, learning.reading, learning.weights, learning.seat),
        *(playing.depth, playing.repeated, playing.stages, playing.traces, playing.chains),
    )
    return [*(html for part in parts for html in part(evidence, shown)), *more, *closing(evidence, shown)]


def opening(evidence: Evidence, shown: Shown) -> list[str]:
    """The board and the question."""
    rules, games = evidence.rules, evidence.agent.configuration.games
    return [
        page.paragraph(
            "A value of forty weights learns Kalah (Mancala) from games against itself, and is deepened by search. Two "
            "students did this in a university workshop; half a million games took their machine twelve hours. Their "
            f"report, R below, is done again here: every table and every figure, from {games:,} games in each training."
        ),
        page.figure(board_svg(rules, initial(rules)), "The start: four stones a pit. South, R's lower side, begins."),
    ]


def in_short(evidence: Evidence, shown: Shown) -> list[str]:
    """What there is to remember."""
    counts = Counter(finding.verdict for _, finding in shown.found)
    cells = Counter(each.verdict for name, table in shown.tables.items() for each in table if each.verdict)
    shares = [win_shares(evidence, evidence.trainings(), None, seat) for seat in SEATS]
    ranges = [extent(each, ".0%") for each in shares]
    return [
        page.short(
            [
                f"Of {len(shown.found)} statements of R, {so_many(counts[AGREES], 'agree')} with what is found here, "
                f"{so_many(counts[DIFFERS], 'differ')}, and of {counts[UNTOLD]} it cannot be told. Of "
                f"{cells.total()} printed cells of its tables, {so_many(cells[AGREES], 'agree')}, "
                f"{so_many(cells[DIFFERS], 'differ')}.",
                f"{learning.which_reading(evidence)} Learning by own plies, theta1 of "
                f"{counted(evidence.seeds, 'seed')} wins {ranges[0]} as first and {ranges[1]} as second, where R has "
                "91 and 89 %.",
                playing.in_short(evidence, shown),
            ]
        )
    ]


def a_game(evidence: Evidence, shown: Shown) -> list[str]:
    """A game move by move."""
    return [
        page.heading("A game, move by move"),
        page.paragraph("Theta5, the lower side, against greedy5. Use the buttons, or the arrow keys."),
        page.small(page.game(frames(shown.game))),
    ]


def closing(evidence: Evidence, shown: Shown) -> list[str]:
    """How it was done, and how to go on."""
    files = [f"{name}.toml: {found.plan.declaration.title}" for name, found in evidence.found.items()]
    files.append(f"{BASELINES}.toml: {evidence.baselines.plan.declaration.title}")
    sizes = evidence.sizes
    agent = f"theta:agent={shown.folder / AGENT}"
    return [
        page.heading("How it was done"),
        page.paragraph(
            "A value linear in 40 features: what each side could do if it were to move, once for each side to move, "
            "the difference of the stores, the player and a constant. After a move it is moved towards the best value "
            "that the learner can reach by its next one, or towards +1, 0 or &minus;1 at the end. Alpha begins at "
            "0.001 and is halved four times, epsilon at 0.1 and five times; nothing is learned from random moves."
        ),
        page.paragraph(
            "Over seeds, intervals are Student's; of matches, Wilson's, as if all games were independent, which they "
            f"are only as far as they are different: a match with at most {FEW} different games tells nothing, its "
            "interval being all that there is. A verdict on a statement is computed from the interval: what all "
            "of it says is so, what none of it says is not, and else it cannot be told. A printed cell differs if it "
            "is so improbable, given ours, that a table that agrees everywhere has no such cell 19 times in 20; it "
            "cannot be told if it is improbable only for a cell looked at alone."
        ),
        page.paragraph(
            f"Games of a match: {evidence.baselines.plan.declaration.tournament.games} between players that do not "
            f"learn, {sizes.tables} with theta, {sizes.progress} for progress, {sizes.stages} for stages, "
            f"{sizes.openings} from random openings, {sizes.others} for all else. The trainings, and the matches "
            "between those that do not learn, are experiments:"
        ),
        page.bullets(files),
        page.paragraph("All figures lie beside this page:"),
        page.bullets([f"{name}.csv: {words}" for name, words in shown.data.items()]),
        page.heading("Where this differs from R"),
        page.bullets([*_scale_note(evidence), *deviations(evidence)]),
        page.heading("How to go on"),
        page.commands(
            [
                f"petteia play {GAME} --as north --against {agent},depth=5",
                f"petteia best {GAME} --player {agent}",
                f"petteia match {GAME} {agent},depth=3 greedy:depth=3",
                f"petteia differ {GAME} {agent} theta:agent=report --positions 20",
                f"petteia train {GAME} --features report+pits --games 100000",
                "petteia experiment mancala-readings",
            ]
        ),
    ]


def _scale_note(evidence: Evidence) -> list[str]:
    if evidence.scale == "paper":
        return []
    is_ = evidence.agent.configuration
    assert isinstance(is_, LinearSettings)  # trained for its features
    theirs = ", ".join(f"{mark:,}" for mark in MARKS)
    return [
        f"This is the quick form: {counted(evidence.seeds, 'seed')}, trainings of {is_.games:,} games with alpha "
        f"{is_.alpha} and epsilon {is_.epsilon}, and short matches. Where R's stages end after {theirs} games and in "
        f"the end, these do after {', '.join(evidence.mark_words())}. The whole: petteia report mancala"
    ]
