"""Trainings that are broken on purpose, each in one way, and sound ones: what the doctor is tried on."""

from __future__ import annotations

from typing import Any, NamedTuple

HARE, KALAH, KALAH_SMALL, KALAH_TINY = "hare-and-hounds", "kalah", "kalah:pits=4,seeds=3", "kalah:pits=3,seeds=2"
SQUARE, SQUARE_4, SQUARE_3 = "british-square", "british-square:size=4", "british-square:size=3"
NO_WIN_4 = "british-square:size=4,end=first_blocked,centre_ban=no"
NO_WIN_3 = "british-square:size=3,end=first_blocked,centre_ban=no"
NIM, RACE = "tiny_games:Nim", "tiny_games:DiceRace"
TIC = "petteia.games.tic_tac_toe:TicTacToe"
LINES, MOBILITY = "doctor_features:Lines", "doctor_features:Mobility"
WEAK = "doctor_features:GivesAway"


class Recipe(NamedTuple):
    """A training run."""

    game: str
    options: dict[str, Any]

    @property
    def label(self) -> str:
        options = ",".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.game.rpartition('.')[2]} {options}"


def recipe(game: str, games: int, **options: Any) -> Recipe:
    return Recipe(game, {"games": games, "evaluate_every": max(games // 40, 1), "evaluation_games": 200, **options})


REPORT = {"features": "report"}
FAULTY: dict[str, list[Recipe]] = {
    "diverging-weights": [
        recipe(KALAH_SMALL, 2_000, **REPORT, alpha=1),
        recipe(HARE, 2_000, features="squares", alpha=1),
        recipe(KALAH, 2_000, **REPORT, learner="sarsa", lambda_=0.9, alpha=0.3),
    ],
    "frozen-values": [
        recipe(HARE, 10_000, alpha=1e-7),
        recipe(KALAH_SMALL, 2_000, **REPORT, alpha=1e-8),
        recipe(SQUARE_4, 2_000, features=MOBILITY, epsilon=1),
        recipe(TIC, 10_000, alpha=1e-7),
    ],
    "large-steps": [
        recipe(KALAH_SMALL, 2_000, **REPORT, alpha=0.15),
        recipe(HARE, 2_000, features="squares", alpha=0.2),
        recipe(TIC, 10_000, alpha=1),
        recipe(SQUARE, 2_000, features=MOBILITY, alpha=0.4),
    ],
    "small-steps": [
        recipe(KALAH_SMALL, 2_000, **REPORT, alpha=2e-6),
        recipe(HARE, 10_000, alpha=1e-5),
        recipe(SQUARE, 2_000, features=MOBILITY, alpha=2e-5),
        recipe(SQUARE_3, 10_000, alpha=2e-5),
    ],
    "constant-features": [
        recipe(SQUARE, 2_000, features="doctor_features:MobilityOnBoard"),
        recipe(KALAH_SMALL, 2_000, features="doctor_features:StoresAndBoard"),
    ],
    "collinear-features": [
        recipe(SQUARE_4, 2_000, features="doctor_features:MobilityTwice"),
        recipe(KALAH_SMALL, 2_000, features="doctor_features:Stores"),
    ],
    "unequal-features": [
        recipe(SQUARE, 3_000, features="doctor_features:MobilityAndSquares"),
        recipe(KALAH, 3_000, features="doctor_features:StoresAndSeeds"),
    ],
    "unordered-moves": [
        recipe(SQUARE_4, 2_000, features="doctor_features:StonesPlaced"),
        recipe(TIC, 2_000, features="doctor_features:MarksPlaced"),
        recipe(SQUARE, 2_000, features="doctor_features:StonesPlaced"),
    ],
    "little-exploration": [
        recipe(HARE, 10_000, epsilon=0, opponent="simple", initial=-1),
        recipe(KALAH_SMALL, 2_000, **REPORT, epsilon=0),
        recipe(TIC, 10_000, epsilon=0, side="both", initial=-1),
        recipe(TIC, 10_000, epsilon=0, opponent="simple"),
        recipe(HARE, 2_000, features="squares", epsilon=0),
    ],
    "no-gain": [
        recipe(HARE, 100_000, epsilon=0, initial=-1),
        recipe(KALAH, 10_000, opponent="greedy", epsilon=0.1),
        recipe(TIC, 10_000, epsilon=0, opponent="simple", initial=-1),
    ],
    "one-opponent": [
        recipe(HARE, 30_000, opponent="simple"),
        recipe(HARE, 30_000, learner="monte-carlo", opponent="simple"),
        recipe(KALAH, 10_000, opponent="simple"),
        recipe(SQUARE_3, 30_000, opponent="simple", epsilon=0.1),
    ],
    "other-start": [
        recipe(HARE, 30_000, position="1,8,9/10 hounds 0"),
        recipe(SQUARE_4, 30_000, position="..../..x./.o../x... o"),
        recipe(KALAH_SMALL, 30_000, position="2,0,1,2,3/1,3,8,1,3 n"),
    ],
    "early-steps": [
        recipe(HARE, 100_000, alpha="0.1,1e-6@600"),
        recipe(TIC, 20_000, alpha="0.3,0.001@1000", side="both"),
        recipe(RACE, 10_000, alpha="0.2,0.002@500"),
        recipe(KALAH, 5_000, **REPORT, alpha="0.0015,1e-6@300"),
    ],
    "mover-features": [
        recipe(KALAH, 3_000, features="doctor_features:OfMover"),
        recipe(SQUARE_4, 3_000, features="doctor_features:OfMover"),
        recipe(RACE, 3_000, features="doctor_features:OfMover"),
    ],
    "weak-opponent": [
        recipe(HARE, 10_000, side="hare"),
        recipe(HARE, 2_000, features="squares", side="hare", opponent="random"),
        recipe(SQUARE, 2_000, features=MOBILITY, side="first", opponent=WEAK),
    ],
    "strong-opponent": [
        recipe(HARE, 10_000, side="hare", opponent="perfect"),
        recipe(HARE, 2_000, features="squares", side="hare", opponent="perfect"),
    ],
    "no-winner": [
        recipe(NO_WIN_4, 10_000, side="second"),
        recipe(NO_WIN_3, 10_000, side="second"),
        recipe(NO_WIN_4, 2_000, features=MOBILITY, side="second", opponent="random"),
    ],
    "reward-scale": [
        recipe(KALAH_SMALL, 2_000, **REPORT, win_reward=0.02, weights=1),
        recipe(KALAH, 2_000, features="store+rows", win_reward=0.02, weights=1),
        recipe(SQUARE, 2_000, features=MOBILITY, win_reward=100, weights=0.1),
    ],
    "initial-weights": [
        recipe(KALAH_SMALL, 1_000, **REPORT, weights=5, alpha="0.00002"),
        recipe(SQUARE, 1_000, features=MOBILITY, weights=-5, alpha="0.00001"),
        recipe(HARE, 1_000, features="squares", weights=8, alpha="0.00002"),
    ],
    "small-evaluation": [
        recipe(HARE, 10_000, evaluation_games=10),
        recipe(KALAH_SMALL, 2_000, **REPORT, evaluation_games=20),
        recipe(TIC, 10_000, evaluation_games=8, side="both"),
    ],
    "blind-evaluation": [
        recipe(HARE, 10_000, side="hare", opponent="simple", evaluate_against="perfect"),
        recipe(HARE, 2_000, features="squares", side="hare", evaluate_against="perfect"),
        recipe(SQUARE, 2_000, features=MOBILITY, evaluate_against=WEAK),
    ],
    "games-cut-off": [
        recipe(KALAH, 2_000, **REPORT, max_plies=20),
        recipe(HARE, 10_000, max_plies=12),
        recipe(SQUARE_4, 10_000, max_plies=8, fold=True),
    ],
    "few-games": [
        recipe(KALAH_SMALL, 2_000),
        recipe(HARE, 800, evaluation_games=1_000),
        recipe(SQUARE_4, 2_000, side="both"),
    ],
    "small-gamma": [
        recipe(HARE, 10_000, gamma=0.3),
        recipe(KALAH_SMALL, 2_000, **REPORT, gamma=0.5),
        recipe(SQUARE, 2_000, features=MOBILITY, gamma=0.5),
    ],
    "lacking-features": [
        recipe(KALAH_SMALL, 5_000, features="doctor_features:StoreOfSouth"),
        recipe(KALAH, 3_000, features="doctor_features:LeadCutOff"),
        recipe(SQUARE_4, 5_000, features="doctor_features:OpenToFirst"),
        recipe(RACE, 5_000, features="doctor_features:LeadCutOff"),
    ],
    "weak-side": [
        recipe(TIC, 5_000, features="doctor_features:LinesCutOff"),
        recipe(TIC, 5_000, features="doctor_features:LinesCutOff", learner="q", epsilon=0.3),
    ],
    "initial-values": [
        recipe(TIC, 5_000, initial=2, alpha=0.01),
        recipe(HARE, 10_000, initial=5),
        recipe(SQUARE_3, 10_000, initial=3, alpha=0.02),
        recipe(KALAH_TINY, 10_000, initial=3),
    ],
    "weak-result": [
        recipe(HARE, 3_000, features="squares"),
        recipe(HARE, 10_000, features="squares", learner="sarsa", lambda_=0.8),
    ],
    "draw-reward": [
        recipe(TIC, 5_000, features=LINES, opponent="random", side=1, draw_reward=1),
        recipe(SQUARE_4, 5_000, features=MOBILITY, opponent="random", side="second", draw_reward=2),
    ],
    "loses-to-greedy": [
        recipe(KALAH, 2_000, **REPORT, opponent="random"),
        recipe("kalah:pits=5,seeds=3", 4_000, **REPORT, opponent="random"),
    ],
}
"""By the fault that they have."""

HEALTHY: list[Recipe] = [
    recipe(HARE, 30_000),
    recipe(HARE, 100_000, epsilon="0.5..0.05"),
    recipe(HARE, 30_000, side="both"),
    recipe(HARE, 30_000, learner="double-q", alpha="visits^0.7"),
    recipe(TIC, 30_000),
    recipe(TIC, 50_000, side="both", learner="sarsa"),
    recipe(SQUARE_3, 30_000, side="both", fold=True),
    recipe(SQUARE_3, 20_000, learner="expected-sarsa", gamma=0.99),
    recipe(SQUARE_4, 200_000, side="both", fold=True),
    recipe(KALAH_TINY, 50_000, side="both"),
    recipe(KALAH, 2_000, **REPORT),
    recipe(KALAH, 5_000, features="store+rows"),
    recipe(KALAH, 10_000, features="report+pits"),
    recipe(KALAH_SMALL, 5_000, **REPORT),
    recipe(KALAH_SMALL, 20_000, **REPORT, learner="q", alpha=0.001, epsilon=0.1, side="random", knows_ends=False),
    recipe(KALAH_SMALL, 5_000, **REPORT, learner="td", lambda_=0.7),
    recipe(KALAH_SMALL, 5_000, **REPORT, opponent="greedy", side="random"),
    recipe(KALAH_SMALL, 5_000, **REPORT, standardise=True),
    recipe(SQUARE, 3_000, features=MOBILITY),
    recipe(SQUARE_4, 10_000, features=MOBILITY, learner="sarsa"),
    recipe(TIC, 5_000, features=LINES),
    Recipe(HARE, {"games": 50_000}),
    Recipe(HARE, {"games": 30_000, "temperature": "1..0.05"}),
    Recipe(KALAH, {"games": 3_000, **REPORT}),
    Recipe(NO_WIN_4, {"games": 30_000, "fold": True}),
    recipe("british-square:size=4,end=any_blocked", 50_000, fold=True, gamma=1, alpha="visits"),
    recipe(KALAH_SMALL, 20_000, features="store*phases+rows"),
    recipe(KALAH, 3_000, **REPORT, opponent="greedy for 1000, then self", side="random"),
    recipe(SQUARE_4, 5_000, features=MOBILITY, opponent="random", side="first"),
    recipe(HARE, 30_000, opponent="mixed:first=(simple),second=random,share=0.5"),
    recipe(TIC, 40_000, opponent="greedy"),
    recipe(NIM, 20_000, side="both"),
    recipe(RACE, 20_000, opponent="greedy", evaluate_against="random"),
    recipe(RACE, 20_000, side="both"),
]
"""Without any fault."""

UNSEEN_FAULTY: dict[str, list[Recipe]] = {
    "diverging-weights": [recipe(KALAH_TINY, 2_000, **REPORT, alpha=1)],
    "frozen-values": [recipe(SQUARE_3, 10_000, alpha=1e-8, side="both")],
    "large-steps": [recipe(KALAH_TINY, 20_000, alpha=1, side="both")],
    "small-steps": [recipe(TIC, 2_000, features=LINES, alpha=1e-5)],
    "constant-features": [recipe(SQUARE_3, 3_000, features="doctor_features:MobilityOnBoard", learner="q")],
    "collinear-features": [recipe(KALAH, 2_000, features="doctor_features:Stores", learner="sarsa")],
    "unequal-features": [recipe(KALAH_SMALL, 3_000, features="doctor_features:StoresAndSeeds", learner="sarsa")],
    "unordered-moves": [recipe(SQUARE_3, 3_000, features="doctor_features:StonesPlaced", learner="td")],
    "little-exploration": [recipe(KALAH_SMALL, 5_000, epsilon=0, opponent="simple")],
    "no-gain": [recipe(KALAH, 10_000, opponent="simple", epsilon=1, initial=-1, alpha="0.1,0@50")],
    "one-opponent": [recipe(TIC, 40_000, opponent="perfect")],
    "other-start": [recipe(TIC, 20_000, position="x../.oo/..x x")],
    "early-steps": [recipe(KALAH_TINY, 20_000, alpha="0.1,0.0005@1500", side="both")],
    "mover-features": [recipe("british-square:size=6", 2_000, features="doctor_features:OfMover", learner="td")],
    "weak-opponent": [recipe("british-square:size=6", 1_000, features=MOBILITY, side="first", opponent=WEAK)],
    "strong-opponent": [recipe(HARE, 20_000, learner="sarsa", epsilon=0.3, side="hare", opponent="perfect")],
    "no-winner": [recipe("british-square:end=first_blocked,centre_ban=no", 2_000, features=MOBILITY, side="second")],
    "reward-scale": [recipe(TIC, 2_000, features=LINES, win_reward=0.01, weights=1)],
    "initial-weights": [recipe(KALAH, 2_000, features="store+rows", weights=30, alpha=1e-5)],
    "small-evaluation": [recipe(SQUARE_4, 20_000, evaluation_games=5)],
    "blind-evaluation": [recipe(SQUARE_4, 2_000, features=MOBILITY, side="first", evaluate_against=WEAK)],
    "games-cut-off": [recipe(SQUARE, 2_000, features=MOBILITY, max_plies=9)],
    "few-games": [recipe(KALAH, 1_500, opponent="greedy")],
    "small-gamma": [recipe(HARE, 2_000, features="squares", gamma=0.4)],
    "lacking-features": [recipe("kalah:pits=5,seeds=3", 3_000, features="doctor_features:LeadCutOff", learner="td")],
    "weak-side": [recipe(TIC, 8_000, features="doctor_features:LinesCutOff", learner="td", lambda_=0.5)],
    "initial-values": [recipe(SQUARE_4, 5_000, initial=4, learner="sarsa")],
    "weak-result": [recipe(HARE, 5_000, features="squares", side="hounds", opponent="random")],
    "draw-reward": [recipe(SQUARE_3, 3_000, features=MOBILITY, opponent="random", side="first", draw_reward=1)],
    "loses-to-greedy": [
        recipe(KALAH, 5_000, **REPORT, learner="sarsa", lambda_=0.5),
        recipe(KALAH_SMALL, 5_000, **REPORT, opponent="random", side="random"),
    ],
}
"""Trainings by which no bound was chosen, by the fault that they have: written down before the first was run."""
UNSEEN_HEALTHY: list[Recipe] = [
    recipe(HARE, 60_000, side="both", learner="sarsa"),
    recipe(TIC, 40_000, learner="expected-sarsa", alpha="visits^0.8"),
    recipe(SQUARE_3, 30_000, side="both", learner="double-q"),
    recipe(KALAH_TINY, 30_000, side="north"),
    recipe(KALAH_SMALL, 5_000, features="chain+store"),
    recipe(SQUARE, 5_000, features=MOBILITY, learner="td"),
    recipe("kalah:pits=5,seeds=4", 4_000, **REPORT),
    recipe("british-square:size=6", 3_000, features=MOBILITY),
    recipe(TIC, 5_000, features=LINES, opponent="random", side=0),
    recipe(KALAH, 5_000, **REPORT, standardise=True),
    recipe(SQUARE_4, 5_000, features=MOBILITY, opponent="random", side="second"),
    recipe(HARE, 40_000, side="both", learner="expected-sarsa"),
    recipe(KALAH, 5_000, **REPORT, learner="q"),
    recipe(KALAH_TINY, 40_000, learner="monte-carlo", alpha="visits", gamma=1),
]
"""The same without any fault."""
