"""What the ends of games are worth to a search: draws by what they are told to be worth, ends by their evaluation."""

from __future__ import annotations

from typing import Any

import minimax
import pytest
from searched_games import Noise, states

import petteia
from petteia.core.errors import UsageError
from petteia.core.protocol import is_over, legal, play, to_move
from petteia.features.evaluation import LARGEST, Zero
from petteia.features.kalah_potentials import ReportFeatures
from petteia.features.linear import UNITS, linear, weighted_sum
from petteia.games import game
from petteia.players import player
from petteia.players.player import UNLIMITED
from petteia.policies.search_policy import look, search_policy
from petteia.search.alpha_beta import ETC, EXACT_DEPTH, ORDER, PVS, TIES
from petteia.search.ends import BY_MARGIN, BY_VALUE, DECIDED, EARLY, for_player_0
from petteia.search.memory import DONE
from petteia.value_functions.report_weights import report_weights

NOISE = Noise(size=3)
TIC_TAC_TOE = "petteia.games.tic_tac_toe:TicTacToe"
DEPTHS = {TIC_TAC_TOE: 4, "kalah:pits=2,seeds=2": 6, "kalah:pits=3,seeds=2,end=either,leftovers=nobody": 5}
HELPS = EXACT_DEPTH | ORDER | PVS | ETC | TIES


def hold(rules: Any, policy: Any, state: Any) -> None:
    """Hold what a policy finds, with all that its table has kept, against minimax."""
    look(policy, rules, state)
    root = policy.root
    drawn = for_player_0(rules, state, policy.draws)
    known = minimax.values(rules, NOISE, policy.options, state, policy.depth, drawn=drawn)
    assert root.counts[DONE] == len(known)
    for place in range(len(known)):
        value = for_player_0(rules, state, known[int(root.moves[place])])
        assert root.values[place] == value if root.exact[place] else root.values[place] >= value


@pytest.mark.slow
@pytest.mark.parametrize("ends", [0, EARLY | DECIDED, BY_MARGIN, BY_VALUE, BY_VALUE | DECIDED])
@pytest.mark.parametrize("name", DEPTHS)
def test_ends_are_worth_what_is_said(name, ends):
    """One table serves searches of both sides, to which a draw is worth different things."""
    rules, found = states(name, 25)
    for draws in (0, -4, 2):
        policy = search_policy(rules, NOISE, depth=DEPTHS[name], options=ends | HELPS, megabytes=1, draws=draws)
        for state in found:
            hold(rules, policy, state)
            for after in (play(rules, state, move) for move in legal(rules, state)):
                if not is_over(rules, after):
                    hold(rules, policy._replace(depth=policy.depth - 1), after)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["greedy:depth=9", "search:depth=9,exact=yes,table=1"])
def test_who_avoids_draws_values_them_so(text):
    """A drawn game of tic-tac-toe is worth to both sides what they are told."""
    rules = game(TIC_TAC_TOE)
    for draws in (0, -2, 3):
        thinker = player(f"{text},draws={draws}", rules)
        adviser = thinker.adviser()
        for each in (thinker, adviser):
            each.new_game(rules, 0)
            state = rules.initial()
            while not is_over(rules, state):
                decision = each.choose(state, UNLIMITED)
                assert decision.value == (draws if to_move(rules, state) == 0 else -draws)
                state = play(rules, state, decision.move)


def test_fractions_of_a_point_are_taken_where_values_have_them():
    assert player("theta:agent=report,draws=-0.25", game("kalah")).policy(None).draws == -(1 << 18)
    assert player("theta:agent=report,draws=-600", game("kalah")).policy(None).draws == -LARGEST
    assert player("greedy:draws=-3", game("kalah")).policy(None).draws == -3
    assert search_policy(game("kalah"), Zero(), depth=1, options=0).draws == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "greedy:draws=0.5",
            "player greedy:draws=0.5: draws=0.5: must be a whole number, because its evaluation is in whole numbers",
        ),
        ("greedy:draws=much", "player greedy:draws=much: draws=much: must be a number"),
        ("search:draws=inf", "player search:draws=inf: draws=inf: must be a number"),
        ("greedy:ends=value", "player greedy has no option 'ends'"),
        ("theta:agent=report,ends=open", "ends=open: must be one of special, value"),
        ("theta:agent=report,ends=value,draws=1", "draws has no effect with ends=value"),
        ("theta:agent=report,ends=value,early=no", "early has no effect with ends=value"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(text, message):
    with pytest.raises(UsageError) as raised:
        player(text, game("kalah"))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_ends_can_be_worth_what_the_weights_say():
    """South ends the game, far ahead: certain for one who knows ends, a matter of weights for one who does not."""
    rules = game("kalah:leftovers=nobody")
    position = "0,0,0,0,0,1,30/0,0,0,0,1,0,16 s"
    assert petteia.best(rules, player="theta:agent=report", position=position).value == 99_998
    analysis = petteia.best(rules, player="theta:agent=report,ends=value", position=position)
    evaluation = linear(rules, ReportFeatures(), report_weights())
    after = play(rules, rules.parse_state(position), 5)
    assert analysis.value == round(weighted_sum(evaluation, rules, after) * UNITS) / UNITS
