"""Fingerprints of rules: short digests of the behaviour of the rules.

Learned values are valid only for the rules with which they were learned. Even the order of legal moves matters, because
a table of values identifies a move by its index in this order. After the code of a game has been edited, the
fingerprint shows whether the rules still behave in the same way. A hash of the source would change with every comment.
"""

from __future__ import annotations

import hashlib

from petteia.core.protocol import CHANCE, Rules, chances, initial, is_over, key, limits, margin, moves, play, to_move
from petteia.core.random import below, stream
from petteia.provenance.live import cached_by_code

FINGERPRINT_GAMES, PLIES, LISTED = 64, 200, 100_000
RUN_KEY = 2024


@cached_by_code(maxsize=100)
def fingerprint(rules: Rules) -> str:
    """Return a digest of the behaviour of `rules` in 64 fixed random games of at most 200 plies each, as 16 hex digits.

    The digest covers the limits of the game, the keys of states, the players to move, the ordered lists of moves, the
    probabilities of chance outcomes and the final margins. To limit the computing time, no further moves are played
    once 100,000 moves have been listed in total. The games are played in plain Python.
    """
    sizes = limits(rules)
    digest = hashlib.sha256(repr(tuple(map(int, sizes))).encode())
    out, probabilities = [0] * sizes.moves, [0.0] * sizes.moves
    listed = 0
    for index in range(FINGERPRINT_GAMES):
        random = [stream(RUN_KEY, index)]
        state = initial(rules)
        for _ in range(PLIES):
            over = is_over(rules, state)
            digest.update(repr((int(key(rules, state)), int(margin(rules, state)) if over else None)).encode())
            if over or listed >= LISTED:
                break
            mover = int(to_move(rules, state))
            if mover == CHANCE:
                count = chances(rules, state, out, probabilities)
                digest.update(repr([*map(float, probabilities[:count])]).encode())
            else:
                count = moves(rules, state, out)
            listed += count
            digest.update(repr((mover, [*map(int, out[:count])])).encode())
            state = play(rules, state, int(out[below(random, count)]))
    return digest.hexdigest()[:16]
