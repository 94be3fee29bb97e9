"""Statistics of games of Kalah: starving and stuffing the opponent, chains of turns, lengths of games, and features.

A game ends when the side to move has no stones in its pits. This side is *starved* if the winner was still undecided
before the last move. A move *stuffs* the opponent if it fills all empty pits of the opponent, so that the opponent
cannot capture. A chain of turns consists of several plies of one player in a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import groupby, pairwise
from typing import Any

from petteia.analysis.behaviour import WatchedGame, behaviour
from petteia.analysis.collinearity import sample_features, side_of
from petteia.arena.statistics import Interval
from petteia.core.arrays import Floats
from petteia.core.bits import popcount
from petteia.core.protocol import decided, initial, play, seats, to_move
from petteia.experiments.training import Training
from petteia.features.feature_sets import feature_set_for
from petteia.features.kalah_potentials import POTENTIALS
from petteia.features.linear import linear, weighted_sum
from petteia.games.kalah import Kalah, Position, occupied, pit_of
from petteia.players.search import GreedyPlayer, greedy_player
from petteia.players.search_options import GreedyOptions
from petteia.reports.engine.estimates import NUMBER, SHARE, Unit
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, Values, change, of_each
from petteia.reports.engine.kept import kept
from petteia.reports.engine.tables import Row, table
from petteia.reports.mancala.figures import weight_names
from petteia.reports.mancala.plan import GREEDY, OWN, SEATS
from petteia.reports.mancala.weight_measures import COLUMNS, REST, TITLES

LONG = 8
"""The number of plies of a long chain."""
SEED = 1
TREATED, WATCHED = 300, 2000
"""Numbers of games: for starving and stuffing, and for chains of turns."""
Shares = dict[str, float | None]
"""Shares by name. A share is None if there was no case."""


def treatment_of(
    rules: Kalah, subject: str, opponent: str, games: int, seed: int, value: Callable[[Position], float] | None = None
) -> Shares:
    """Measure how often two players starve each other (no stones to move) or stuff each other (no empty pits).

    A player is *starved* if it has no stones to move while the winner is still undecided. A player is *stuffed* if a
    move of the other player fills all its empty pits, so that it cannot capture. The players play `games` games. Each
    random opening is played twice, with exchanged sides.

    Returns:
        A dictionary with these values:

        - `won`, `drawn`: the shares of games that `subject` wins and draws
        - `starved`: the share of games in which `opponent` is starved
        - `was_starved`: the share of games in which `subject` is starved
        - `stuffed`: the share of moves that stuff `opponent`, among the moves that `subject` makes while `opponent` has
          an empty pit
        - `was_stuffed`: the share of moves that stuff `subject`, among the moves that `opponent` makes while `subject`
          has an empty pit
        - `stuffing`: the share of moves that stuff `opponent`, among all legal moves of `subject` while `opponent` has
          an empty pit
        - `drawn_value`: the mean of the function `value` over the positions of drawn games; None if no game is drawn,
          or if there is no `value`

    """
    could, did, offered, stuffing = [0, 0], [0, 0], 0, 0
    values: list[float] = []

    def count(rules: Kalah, game: WatchedGame) -> bool:
        nonlocal offered, stuffing
        for state, after in pairwise(game.states):
            if has_hole(rules, state, 1 - state.side):
                other = int(state.side != game.seat)
                could[other] += 1
                did[other] += not has_hole(rules, after, 1 - state.side)
                if not other:
                    own = state.south if state.side == 0 else state.north
                    moves = [pit for pit in range(rules.pits) if pit_of(own, pit)]
                    offered += len(moves)
                    stuffing += sum(not has_hole(rules, play(rules, state, move), 1 - state.side) for move in moves)
        if game.margin == 0 and value is not None:
            values.extend(map(value, game.states[:-1]))
        return game.margin == 0

    traits: dict[str, Any] = {
        "won": lambda rules, game: game.margin > 0,
        "drawn": count,
        "starved": lambda rules, game: starves(rules, game, 1 - game.seat),
        "was_starved": lambda rules, game: starves(rules, game, game.seat),
    }
    rows = {row.trait: row for row in behaviour(rules, subject, opponent, traits, games=games, seed=seed)}
    return {
        **{name: row.share for name, row in rows.items()},
        "stuffed": did[0] / max(could[0], 1),
        "was_stuffed": did[1] / max(could[1], 1),
        "stuffing": stuffing / max(offered, 1),
        "drawn_value": sum(values) / len(values) if values else None,
    }


def starves(rules: Kalah, game: WatchedGame, side: int) -> bool:
    """Return whether the game ended because `side` had no stones to move, while the winner was still undecided."""
    return to_move(rules, game.states[-1]) == side and not decided(rules, game.states[-2])


def has_hole(rules: Kalah, state: Position, side: int) -> bool:
    """Return whether a pit of `side` is empty."""
    return popcount(occupied(state.south if side == 0 else state.north)) < rules.pits


def course(rules: Kalah, subject: str, opponent: str, games: int, seed: int) -> dict[str, float]:
    """Measure how often `subject` makes at least eight plies (`LONG`) in a row, in games against `opponent`.

    Returns:
        A dictionary with these values:

        - `games`: the number of games
        - `long_chains`: the share of games in which `subject` makes at least eight plies (`LONG`) in a row
        - `low`, `high`: the bounds of the confidence interval of `long_chains`
        - `longest`: the largest number of plies that `subject` makes in a row in any game

    """
    chains: list[int] = []

    def has_long_chain(rules: Kalah, game: WatchedGame) -> bool:
        chains.append(longest_chain(rules, game))
        return chains[-1] >= LONG

    traits: dict[str, Any] = {"long": has_long_chain}
    (row,) = behaviour(rules, subject, opponent, traits, games=games, seed=seed, opening=1)
    shares = {"long_chains": row.share, "low": row.low, "high": row.high}
    return {"games": games, **shares, "longest": max(chains)}


def longest_chain(rules: Kalah, game: WatchedGame) -> int:
    """Return the largest number of plies that the player in the seat `game.seat` makes in a row in a game."""
    movers = [to_move(rules, state) for state in game.states[:-1]]
    return max((len([*plies]) for side, plies in groupby(movers) if side == game.seat), default=0)


# Starving, stuffing, and chains of turns in games of the learned player and of the heuristic.


@kept
def treatment(evidence: Evidence, training: Training, games: int) -> Shares:
    """Measure how often theta5 and greedy5 starve each other (no stones to move) or stuff each other (no empty pits).

    Theta5 is the learned player, and greedy5 does not learn. Both search five plies. A player is *starved* if it has no
    stones to move while the winner is still undecided. A player is *stuffed* if a move of the other player fills all
    its empty pits, so that it cannot capture. The result contains the values that `treatment_of` returns.
    """
    rules, learned = evidence.rules, evidence.learned(training)
    value = partial(weighted_sum, linear(rules, feature_set_for(rules, "report"), learned.weights), rules)
    return treatment_of(rules, f"theta:agent=({training.run.path}),depth=5", GREEDY["greedy5"], games, SEED, value)


@kept
def treatment_by_chance(evidence: Evidence, games: int) -> Shares:
    """Measure how often the random player and greedy5 leave each other without stones to move or without empty pits.

    The result contains the values that `treatment_of` returns.
    """
    return treatment_of(evidence.rules, "random", GREEDY["greedy5"], games, SEED)


@kept
def watched(evidence: Evidence, games: int) -> dict[str, float]:
    """Measure how often the heuristic player makes at least eight plies in a row in games against the random player."""
    return course(evidence.rules, "heuristic", "random", games, SEED)


def drawn_value(evidence: Evidence) -> Values:
    """Return, for each training run with drawn games, the mean learned value of the positions in these games.

    The games are those of the learned player theta5 against greedy5.
    """
    values = [treatment(evidence, each, TREATED)["drawn_value"] for each in evidence.trainings(OWN)]
    return [each for each in values if each is not None]


def long_chains(evidence: Evidence) -> Interval:
    """Return the share of games in which the heuristic player makes at least eight plies (`LONG`) in a row.

    The opponent is the random player.
    """
    found = watched(evidence, WATCHED)
    return Interval(found["long_chains"], found["low"], found["high"])


def treated(trait: str, words: str, players: str = "theta5 against greedy5") -> Figure:
    """Return one of the values that `treatment` measures, such as the share of games won, as a `Figure`.

    `trait` is the name of the value. The `Figure` contains the value for each training run. `words` describes the
    value, and `players` describes the match.
    """

    def share(evidence: Evidence, training: Training) -> float:
        return treatment(evidence, training, TREATED)[trait] or 0.0

    return of_each(words, SHARE, OWN, share, subject=players)


TREATMENTS = {
    "won": treated("won", "the share of games won"),
    "drawn": treated("drawn", "the share of games drawn"),
    "starved": treated("starved", "the share of games in which theta5 starves greedy5", ""),
    "was_starved": treated("was_starved", "the share of games in which greedy5 starves theta5", ""),
    "stuffed": treated("stuffed", "the share of theta5's moves that fill all empty pits of greedy5", ""),
    "was_stuffed": treated("was_stuffed", "the share of greedy5's moves that fill all empty pits of theta5", ""),
    "stuffing": treated("stuffing", "the share of theta5's legal moves that fill all empty pits of greedy5", ""),
}
"""The shares that `treatment` measures in games of theta5 against greedy5, with a value for each training run."""
STUFFS_MORE = change(TREATMENTS["stuffed"], TREATMENTS["stuffing"])
DRAWN_VALUE = Figure("", NUMBER, drawn_value)
LONG_CHAINS = Figure(
    f"the share of games in which the heuristic makes at least {LONG} plies in a row",
    SHARE,
    long_chains,
    "against “random”",
)

# Games of the learned player against itself.

FIRST, END = "first", "last"
LENGTHS_OF = 20
"""The number of games per training whose length is measured."""
PLIES = Unit(".1f", minimum=0.0)
"""The unit of mean numbers of plies. They are compared by their differences, so the arithmetic mean is shown."""
MOMENTS_OF, RANDOM_MOVES = 300, 0.1
"""The number of games whose features are measured, and their share of random moves."""


def by_weights(evidence: Evidence, weights: Floats) -> GreedyPlayer:
    """Return theta1, a player that searches one ply and evaluates positions with the given weights."""
    feature_set = feature_set_for(evidence.rules, "report")
    return greedy_player(linear(evidence.rules, feature_set, weights), GreedyOptions(), evidence.rules, "theta")


@kept
def lengths_of_games(evidence: Evidence, training: Training, when: str) -> tuple[float, float]:
    """Return two mean numbers of plies in self-play: until the winner is decided, and until the game ends.

    `when` is `first` for the initial weights of the training run, and `last` for the final weights. The games are
    played to the end, although training games stop as soon as the winner is decided.
    """
    learned = evidence.learned(training)
    weights = learned.history[0] if when == FIRST else learned.weights
    one, other = (by_weights(evidence, weights) for _ in SEATS)
    lengths: list[tuple[int, int]] = []

    def seen(rules: Kalah, game: WatchedGame) -> bool:
        lengths.append((sum(not decided(rules, state) for state in game.states[:-1]), len(game.moves)))
        return True

    behaviour(evidence.rules, one, other, {"seen": seen}, games=LENGTHS_OF, opening=0, seed=training.run.seed)
    until_decided, whole = (sum(each) / len(lengths) for each in zip(*lengths, strict=True))
    return until_decided, whole


def share_after_decision(evidence: Evidence, training: Training) -> float:
    """Return the share of plies that are played after the winner is decided, in self-play with the final weights."""
    until_decided, whole = lengths_of_games(evidence, training, END)
    return 1.0 - until_decided / whole


def plies_until_decided(when: str, weights: str) -> Figure:
    """Return the mean number of plies until the winner is decided, in games of the learned player against itself.

    `when` is `first` for the initial weights of the training runs, and `last` for the final weights. `weights`
    describes these weights in a word.
    """
    words, subject = "the mean number of plies until a side has more than half of all stones", f"{weights} weights"
    return of_each(words, PLIES, OWN, lambda evidence, each: lengths_of_games(evidence, each, when)[0], subject=subject)


FIRST_PLIES, LAST_PLIES = plies_until_decided(FIRST, "initial"), plies_until_decided(END, "final")
SHORTER = replace(change(FIRST_PLIES, LAST_PLIES), subject="self-play with initial weights minus with final weights")
AFTER_DECISION = of_each(
    "the share of plies that are played after a side has more than half of all stones",
    SHARE,
    OWN,
    share_after_decision,
    subject="in self-play with final weights",
)


@kept
def moments_of(evidence: Evidence, training: Training) -> list[tuple[float, float]]:
    """Return the mean and standard deviation of each feature over positions from self-play of the learned player.

    A feature may apply only when one particular side is to move. The statistics of such a feature are computed from the
    positions in which this side is to move.
    """
    rules, who = evidence.rules, by_weights(evidence, evidence.learned(training).weights)
    options = {"games": MOMENTS_OF, "random_moves": RANDOM_MOVES, "start": initial(rules), "seed": 1}
    seen = sample_features(rules, feature_set_for(rules, "report"), who, **options)
    sides = [side_of(name, seats(rules)) for name in weight_names(evidence)]
    rows = [seen.table[:, i] if side is None else seen.table[seen.movers == side, i] for i, side in enumerate(sides)]
    return [(float(each.mean()), float(each.std())) for each in rows]


@table(*TITLES)
def moments(evidence: Evidence) -> Iterator[Row]:
    """Yield table rows with the mean and standard deviation of each feature in self-play of the learned player.

    The learned player has the weights of the first training run. After the name of the feature, a row has a column for
    each combination of the side that the feature describes and the side to move.
    """
    known = moments_of(evidence, evidence.trainings(OWN)[0])
    texts = [f"{mean:.3f} ({deviation:.3f})" for mean, deviation in known]
    for i, name in enumerate(POTENTIALS):
        yield [name, *(texts[start + i] for _, start in COLUMNS.values())]
    for number, name in REST.items():
        yield [name, texts[number], "", "", ""]
