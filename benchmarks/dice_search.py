"""What chance costs a search, and what Star1 and Star2 save: `python benchmarks/dice_search.py`.

Pig is searched, and a game of the same tree in which players choose the faces of the die: how many nodes a second? Then
nodes at a depth of five plies in games of dice, beside those of plain expectiminimax, which looks at all.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).with_name("own_games")))

from pig import ChosenPig, Lead, Pig, Turn

from petteia.core.decision import Limit
from petteia.core.protocol import CHANCE, initial, is_over, legal, play, to_move
from petteia.search.alpha_beta import ORDER, PVS
from petteia.search.chance import STAR1, STAR2
from petteia.search.ends import BY_MARGIN
from petteia.search.searcher import Searcher, Thought

POSITIONS, SEED = 40, 1
DEPTH, STAR_DEPTH = 13, 5
WAYS = {"alpha-beta alone": 0, "Star1": STAR1, "Star1 and Star2": STAR1 | STAR2}


def positions(rules: Any) -> list[Turn]:
    """Positions of random games in which a player moves and nothing is in the air."""
    draw, found = random.Random(SEED), []
    while len(found) < POSITIONS:
        state, met = initial(rules), []
        while not is_over(rules, state):
            if to_move(rules, state) != CHANCE and not state.rolling:
                met.append(state)
            state = play(rules, state, draw.choice(legal(rules, state)))
        found.append(draw.choice(met))
    return found


def visited(searcher: Searcher, states: list[Turn], depth: int) -> tuple[int, float]:
    """Nodes of the last depth, and seconds of all."""
    nodes, seconds = 0, 0.0
    for state in states:
        searcher.clear()
        found: list[Thought] = []
        thought = searcher.search(state, Limit(depth=depth), progress=found.append)
        nodes += found[-1].nodes - found[-2].nodes
        seconds += thought.seconds
    return nodes, seconds


def plain(rules: Any, state: Turn, depth: int) -> int:
    """Nodes of the tree."""
    if depth == 0 or is_over(rules, state):
        return 1
    return 1 + sum(plain(rules, play(rules, state, move), depth - 1) for move in legal(rules, state))


def main() -> None:
    states = positions(Pig(goal=50))
    print(f"{POSITIONS} positions, {DEPTH} plies, no table, no order: nodes a second")
    for rules, words in ((Pig(goal=50), "Pig"), (ChosenPig(goal=50), "faces chosen")):
        searcher = Searcher(rules, Lead(), options=BY_MARGIN, megabytes=0)
        visited(searcher, states[:2], DEPTH)
        rates = []
        for _ in range(3):
            nodes = 0
            seconds = 0.0
            for state in states:
                thought = searcher.search(state, Limit(depth=DEPTH))
                nodes, seconds = nodes + thought.nodes, seconds + thought.seconds
            rates.append(nodes / seconds)
        print(f"  {words:16}{sorted(rates)[1]:14,.0f}")
    print(f"{STAR_DEPTH} plies, with a table: nodes, and their share of the plain form's")
    for goal in (20, 50, 100):
        rules = Pig(goal=goal)
        states = positions(rules)
        whole = sum(plain(rules, state, STAR_DEPTH) - 1 for state in states)
        for words, star in WAYS.items():
            searcher = Searcher(rules, Lead(), options=BY_MARGIN | ORDER | PVS | star, megabytes=4)
            nodes, _ = visited(searcher, states, STAR_DEPTH)
            print(f"  Pig to {goal:3}  {words:18}{nodes:10,}{nodes / whole:10.1%}")


if __name__ == "__main__":
    main()
