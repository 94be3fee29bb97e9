"""The report on selective search and quiescence search in the Game of the Amazons.

The report reproduces a student exercise, which compares four computer players of the game. The report plays more games
than the exercise, so that the scores have narrower confidence intervals. The modules of the report are:

- `published`: the results of all games that the exercise prints
- `plan`: the players, the limits of their moves, and their matches
- `positions`: measurements in positions, such as the depth of a search
- `seen`: statistics of these measurements, with their tables and charts
- `orderings`: a comparison of move orderings with equal processor time
- `boards`: drawings of the board
- `rabbits`: measurements in the variant with rabbits
- `claims`: the conditions under which the report agrees with the claims of the exercise, which are in `claims.toml`
- `tables`: tables and charts of the matches

`page.md` is the template of the page. This module contains the declaration of the report.
"""

from __future__ import annotations

from typing import Any

from petteia.core.protocol import initial
from petteia.features.amazons_mobility import Mobility
from petteia.features.amazons_rankings import AmazonsQueenDistance
from petteia.games.amazons import Amazons
from petteia.players.search import SearchPlayer
from petteia.render import board_svg
from petteia.reports.amazons import boards, orderings, plan, positions, rabbits, seen, tables
from petteia.reports.amazons.claims import CLAIMS
from petteia.reports.engine.declaration import Declaration
from petteia.reports.engine.evidence import Evidence
from petteia.search.quiescence import UntilQuiet
from petteia.search.selection import BestGroups


def names(evidence: Evidence) -> dict[str, Any]:
    """Return the variables that only this report's page template uses."""
    return {
        "orderings": orderings,
        "plan": plan,
        "positions": evidence.size(positions.GAMES),
        "shown": rabbits.SHOWN,
        "efforts": [(each.words, evidence.size(each.games)) for each in plan.efforts(evidence)],
        "selective_shares": [(each.words, plan.best_share(evidence, each)) for each in plan.efforts(evidence)],
        "below_heavy": seen.below_heavy(evidence),
        "start_board": board_svg(evidence.rules, initial(evidence.rules)),
        "taken_back": boards.drawn(evidence, boards.taken_back_in(evidence)),
        "games_of": lambda asked: evidence.size(asked(evidence).games),
    }


REPORT = Declaration(
    package=__name__,
    game=plan.GAME,
    depends=(
        *(Amazons, SearchPlayer, Mobility, AmazonsQueenDistance, BestGroups, UntilQuiet),
        *(positions.played, positions.seen_in, positions.thought_in, orderings.time_of, boards.taken_back_in),
        *(rabbits.on_small_board, rabbits.on_large_board, rabbits.of_games),
    ),
    claims=CLAIMS,
    tables=(*tables.TABLES, rabbits.rabbits),
    charts={**tables.CHARTS, "tree": rabbits.tree},
    names=names,
    scales=("quick", "paper", "all"),
)
