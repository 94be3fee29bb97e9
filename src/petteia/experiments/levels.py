"""The program `make levels`, which creates the levels of play of each game and measures their strength.

The levels of a game are players of increasing strength. The lowest level makes random moves. Each of the next levels
makes a larger share of its moves as a strong player does, and all other moves at random. The highest levels are the
strong player itself, and stronger players if the game has any.

In some games, the share of strong moves is chosen by scores. A level then scores about `Recipe.aim` against the level
below, for example three quarters of the points. In some solved games, the opening decides the winner, so scores do not
show playing strength. In these games, the share of strong moves is chosen by regret: the points of the margin that a
move loses compared with the best move. The mean regret of a level is then about two thirds of the mean regret of the
level below.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from petteia.arena.match import match
from petteia.arena.regret import regret
from petteia.core.protocol import initial, is_over, play
from petteia.games import game as rules_of
from petteia.players import levels as ladders
from petteia.players import player
from petteia.players.player import UNLIMITED

NAMES = ("Beginner", "Novice", "Learner", "Casual", "Club", "Skilled", "Strong", "Expert", "Master", "Champion")
WEAKEST = "random"
MINIMUM = 0.6
"""the score that a level must reach against the level below"""
FEWER = 0.65
"""the ratio of the regret of a level to the regret of the level below, if levels are chosen by regret"""
STEPS = 100
"""the number of possible shares of moves"""
SEARCHED, MEASURED = 400, 200
"""the number of games for choosing the share of a level, and the number for measuring a level"""
GAMES_OF_REGRET = 400


class Recipe(NamedTuple):
    """The settings with which the levels of play of one game are created."""

    strong: str
    """the player that makes a share of the moves"""
    stronger: tuple[str, ...] = ()
    """the players of the levels above the strong player"""
    aim: float | None = 0.75
    """the score that a level shall have against the level below; None if shares are chosen by regret, in a game that
    can be solved"""
    over: Literal["reachable", "games"] = "games"
    """the positions in which regret is measured: all reachable positions, or the positions of games against random
    play"""
    rules: tuple[tuple[str, int], ...] = ()
    """the options of the rules that are required for these players"""

    def mixed(self, share: int) -> str:
        """Return a player that makes `share` per cent strong moves and otherwise random moves, as a string."""
        return f"mixed:first=({self.strong}),second={WEAKEST},share={share / STEPS:g}"


RECIPES = {
    "kalah": Recipe(
        "theta:depth=3", ("theta:depth=5", "search:nodes=30000", "search:nodes=300000"), rules=(("pits", 6),)
    ),
    "hare-and-hounds": Recipe("perfect", aim=None, over="reachable"),
    "british-square": Recipe(
        "search:nodes=3000,won=no,evaluation=open-squares",
        tuple(f"search:nodes={nodes},won=no,evaluation=open-squares" for nodes in (30_000, 300_000)),
        aim=None,
    ),
    "amazons": Recipe(
        "theta:depth=1", tuple(f"search:nodes={nodes},evaluation=mix" for nodes in (10_000, 100_000)), aim=0.82
    ),
}


class LevelRow(NamedTuple):
    """The measured score, regret and speed of a level of play."""

    game: str
    """the name of the game"""
    level: int
    """the number of the level, from 1 for the weakest one"""
    name: str
    """the name of the level"""
    player: str
    """the text form of the player"""
    score: float | None
    """the share of the points against the level below, from random openings in both seats; None for the first level"""
    regret: float | None
    """the mean regret of a move over both seats; None if the game is not solved"""
    slowest: float
    """the duration of the slowest move of the level in a game against itself, in seconds"""


def players_of(game: str, recipe: Recipe) -> list[str]:
    """Return the players of a game's levels as strings, from the weakest to the strongest."""
    shares = _shares_by_regret(game, recipe) if recipe.aim is None else _shares_by_score(game, recipe, recipe.aim)
    return [WEAKEST, *(recipe.mixed(share) for share in shares), recipe.strong, *recipe.stronger]


def _shares_by_score(game: str, recipe: Recipe, aim: float) -> Iterator[int]:
    """Yield the percentage of strong moves of each level, chosen so that it scores `aim` against the level below.

    No further level is added when the strong player scores at most `aim` + 0.05 against the highest level so far.
    """
    below, share = WEAKEST, 0
    while _score(game, recipe.strong, below, SEARCHED) > aim + 0.05:
        low, high = share, STEPS
        while high - low > 1:
            middle = (low + high) // 2
            if _score(game, recipe.mixed(middle), below, SEARCHED) < aim:
                low = middle
            else:
                high = middle
        below, share = recipe.mixed(high), high
        yield share


def _shares_by_regret(game: str, recipe: Recipe) -> Iterator[int]:
    """Yield the percentage of strong moves of each level, chosen by the mean regret of the level.

    The mean regret of each level is the mean regret of the level below, multiplied by the constant `FEWER`.

    No level is added if its mean regret would be close to the mean regret of the strong player.
    """
    weakest, strong = (_regret(game, recipe, text) for text in (WEAKEST, recipe.strong))
    wanted = FEWER * weakest
    while wanted * FEWER > strong and (share := round(STEPS * (weakest - wanted) / (weakest - strong))) < STEPS - 4:
        yield share
        wanted *= FEWER


def _score(game: str, one: str, other: str, games: int, seed: int = 0) -> float:
    return match(game, one, other, games=games, seed=seed, rows=False).score


def _regret(game: str, recipe: Recipe, text: str) -> float:
    """Return the mean regret per move of the player described by `text`, averaged over both seats."""
    found = [regret(game, text, over=recipe.over, games=GAMES_OF_REGRET, seat=seat).mean for seat in (0, 1)]
    return sum(found) / len(found)


def _slowest(game: str, text: str) -> float:
    """Return how many seconds the slowest move of a player takes in a game against itself.

    The player plays two games. The moves of the first game are not measured, because their times include compilation.
    """
    rules = rules_of(game)
    slowest = 0.0
    for number in range(2):
        slowest = 0.0
        made, state = player(text, rules), initial(rules)
        made.new_game(rules, number)
        while not is_over(rules, state):
            begin = time.perf_counter()
            move = made.choose(state, UNLIMITED).move
            slowest = max(slowest, time.perf_counter() - begin)
            state = play(rules, state, move)
    return slowest


def measured(game: str, recipe: Recipe) -> Iterator[LevelRow]:
    """Yield the measured score, regret and speed of each level of play that the package contains for a game."""
    rows = ladders.levels(rules_of(game))
    for below, level in zip((None, *rows), rows, strict=False):
        yield LevelRow(
            game,
            level.number,
            level.name,
            level.player,
            None if below is None else _score(game, level.player, below.player, MEASURED, seed=1),
            _regret(game, recipe, level.player) if recipe.aim is None else None,
            _slowest(game, level.player),
        )


def names_of(count: int) -> list[str]:
    """Return names for `count` levels of play, 2..10: evenly spaced entries of the list NAMES, including both ends."""
    return [NAMES[round(number * (len(NAMES) - 1) / (count - 1))] for number in range(count)]


def _toml(made: Mapping[str, ladders.Ladder]) -> str:
    """Return the content of the TOML file with the levels of all games."""
    lines = ["# The levels of each game, weakest first: made by `make levels`, see petteia/experiments/levels.py."]
    for game, ladder in made.items():
        rules = ", ".join(f"{option} = {value}" for option, value in ladder.rules.items())
        lines += ["", f"[{game}]", f"rules = {{ {rules} }}" if rules else "rules = {}", "levels = ["]
        lines += [f"    {{ name = {json.dumps(name)}, player = {json.dumps(text)} }}," for name, text in ladder.levels]
        lines.append("]")
    return "\n".join(lines) + "\n"


def _shown(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def main(*games: str) -> None:
    """Create the levels of play of the given games, or of all games. Save them, and print their measured scores."""
    made = dict(ladders.ladders())
    for game in games or RECIPES:
        texts = players_of(game, RECIPES[game])
        levels = tuple(zip(names_of(len(texts)), texts, strict=True))
        made[game] = ladders.Ladder(dict(RECIPES[game].rules), levels)
    Path(str(ladders.PLACE)).write_text(_toml(made), encoding="utf-8")
    ladders.ladders.cache_clear()
    print("| game | level | name | player | score against the level below | mean regret | slowest move, s |")
    print("|---|---|---|---|---|---|---|")
    for game in games or RECIPES:
        for row in measured(game, RECIPES[game]):
            figures = (_shown(row.score, ".1%"), _shown(row.regret, ".3f"), _shown(row.slowest, ".3f"))
            print(f"| {game} | {row.level} | {row.name} | `{row.player}` | {' | '.join(figures)} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
