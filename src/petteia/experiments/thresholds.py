"""The program `make thresholds`, which measures by how much moves change the evaluation of a game.

Without arguments, `python -m petteia.experiments.thresholds` measures the changes of the evaluation in all games of the
package, and writes their quantiles to a file. With a game and an evaluation as arguments, such as `my_game:Nim
my_game:lead`, it prints the quantiles for this game.

The changes of the evaluation are measured in games of a partly random player. This player chooses each move at random
with probability 1/2, and otherwise by a search of one ply. So the games differ, and contain both good and bad moves.
Changes are not measured for chance outcomes, for moves that end the game, and for moves that lead to a chance node.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from petteia.core import random as randomness
from petteia.core.arrays import Ints
from petteia.core.kernel import kernel
from petteia.core.names import name_of
from petteia.core.protocol import CHANCE, Rules, State, has_chance, initial, is_over, margin, moves, play, to_move
from petteia.core.random import below, stream
from petteia.features.evaluation import LARGEST, Evaluation, evaluate
from petteia.features.evaluations import EVALUATIONS, evaluation_for
from petteia.games import game
from petteia.players.thresholds import PLACE, QUANTILES, THIRDS, Thresholds, measured
from petteia.policies.play_games import MAX_PLIES, play_chance
from petteia.policies.policy import Scratch, workspace

GAMES = 1000
NONE = -1
"""the number that means that no change was recorded"""


@kernel(purpose="thresholds")
def _play(
    rules: Rules,
    start: State,
    evaluation: Evaluation,
    key: int,
    changes: Ints,
    plies: Ints,
    random: Ints,
    work: Scratch,
) -> None:
    """Play one game for each row of the array `changes`, and record by how much each move changes the evaluation.

    The array is int64[games, plies]. Entries of moves that are not measured do not change.
    """
    for number in range(len(changes)):
        random[0] = stream(key, number)
        state, ply = start, 0
        while ply < changes.shape[1] and not is_over(rules, state):
            mover = to_move(rules, state)
            child = state
            is_choice = not has_chance(rules) or mover != CHANCE
            if is_choice:
                count = moves(rules, state, work.moves)
                chosen = below(random, count)
                if below(random, 2) == 0:
                    best = -LARGEST - 2
                    for i in range(count):
                        after = play(rules, state, int(work.moves[i]))
                        worth = evaluate(evaluation, rules, after)
                        if is_over(rules, after):
                            worth = (LARGEST + 1) * min(max(margin(rules, after), -1), 1)
                        worth *= 1 - 2 * mover
                        if worth > best:
                            best, chosen = worth, i
                child = play(rules, state, int(work.moves[chosen]))
            else:
                child = play_chance(rules, state, random, work)
            goes_on = not is_over(rules, child) and (not has_chance(rules) or to_move(rules, child) != CHANCE)
            if is_choice and goes_on:
                changes[number, ply] = abs(evaluate(evaluation, rules, child) - evaluate(evaluation, rules, state))
            state = child
            ply += 1
        plies[number] = ply


def measure(rules: Rules, evaluation: Evaluation, games: int = GAMES, seed: int = 0) -> dict[str, Thresholds]:
    """Measure by how much moves change the evaluation. Return quantiles of the changes for each third of the game.

    The keys of the dictionary are the names of the quantiles, such as `q75`. Each value contains the quantile in each
    third of the game, in the units of the evaluation.
    """
    changes, plies = np.full((games, MAX_PLIES), NONE), np.zeros(games, np.int64)
    (key,) = randomness.keys(seed, 1)
    _play(rules, initial(rules), evaluation, key, changes, plies, np.zeros(1, np.int64), workspace(rules))
    third = np.minimum(THIRDS * np.arange(MAX_PLIES) // np.maximum(plies[:, None], 1), THIRDS - 1)
    parts = [changes[(third == part) & (changes != NONE)] for part in range(THIRDS)]
    return {
        name: tuple(int(np.quantile(part, share)) if len(part) else 0 for part in parts)
        for name, share in QUANTILES.items()
    }


def _toml(game_name: str, evaluation: str, found: dict[str, Thresholds]) -> str:
    lines = [f"{name} = {list(thresholds)}" for name, thresholds in found.items()]
    return "\n".join([f"[{game_name}.{evaluation}]", *lines, ""])


def main(*given: str) -> None:
    """Print by how much moves change the evaluation of a game, as quantiles.

    `given` contains the name of a game and, optionally, the name of an evaluation. If `given` is empty, the changes of
    the evaluations are measured in all games of the package, and the quantiles are written to a file.
    """
    if given:
        rules = game(given[0])
        evaluation = evaluation_for(rules, given[1] if len(given) > 1 else None)
        print("\n".join(f"{name}: {', '.join(map(str, each))}" for name, each in measure(rules, evaluation).items()))
        return
    tables = [
        _toml(name_of(known.game), name, measure(known.game(), known.value))
        for name, known in EVALUATIONS.items()
        if known.game is not None
    ]
    head = "# Changes of evaluations by moves: made by `make thresholds`, see petteia/experiments/thresholds.py.\n"
    Path(str(PLACE)).write_text("\n".join([head, *tables]), encoding="utf-8")
    measured.cache_clear()


if __name__ == "__main__":
    main(*sys.argv[1:])
