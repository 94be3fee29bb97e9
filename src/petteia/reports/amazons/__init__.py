"""Report A: selective search, and quiescence search, in the Game of the Amazons.

The question, the procedure and the games come from an exercise on selective alpha-beta search. The report plays more
games, so that scores have useful confidence intervals. Its modules are:

- `published`: the games of the original
- `plan`: the limits and the players of the matches
- `positions` and `seen`: measurements in positions, and figures computed from the measurements
- `orderings`: the rankings of moves, compared with equal processor time
- `boards`: pictures
- `rabbits`: the variant with rabbits
- `claims`: the rules that judge the claims in `claims.toml`
- `tables`: tables and charts of the matches

`page.md` contains the text. This module contains the declaration of the report.
"""

from __future__ import annotations

from typing import Any

from petteia.core.protocol import initial
from petteia.features.amazons_mobility import Mobility
from petteia.features.amazons_rankings import AmazonsQueenDistance
from petteia.games.amazons import Amazons
from petteia.players.search import SearchPlayer
from petteia.render import board_svg
from petteia.reports.amazons import boards, orderings, plan, rabbits, seen, tables
from petteia.reports.amazons.claims import CLAIMS
from petteia.reports.amazons.positions import GAMES, played, seen_in, thought_in
from petteia.reports.engine.declaration import Declaration
from petteia.reports.engine.evidence import Evidence
from petteia.search.quiescence import UntilQuiet
from petteia.search.selection import BestGroups


def names(evidence: Evidence) -> dict[str, Any]:
    """Return the variables that only this report's page template uses."""
    return {
        "orderings": orderings,
        "plan": plan,
        "positions": evidence.size(GAMES),
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
        *(played, seen_in, thought_in, orderings.time_of, boards.taken_back_in),
        *(rabbits.on_small_board, rabbits.on_large_board, rabbits.of_games),
    ),
    claims=CLAIMS,
    tables=(*tables.TABLES, rabbits.rabbits),
    charts={**tables.CHARTS, "tree": rabbits.tree},
    names=names,
    scales=("quick", "paper", "all"),
)
