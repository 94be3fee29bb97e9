"""The functions that make environments. The libraries are imported when one is made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from petteia.core.decision import ALLOWANCE, Allowance, Limit, check_amounts
from petteia.core.errors import PetteiaError, UsageError
from petteia.core.names import name_of, parse_seat
from petteia.core.protocol import Rules, State, seats
from petteia.environments.game_in_play import ILLEGAL, GameInPlay, Reward
from petteia.games import game as rules_of
from petteia.player_processes.process import Children
from petteia.players import Player, player
from petteia.players.player import UNLIMITED

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from petteia.environments.gymnasium import OpponentEnv


@contextmanager
def _needing_libraries() -> Iterator[None]:
    """Within it, an import that fails tells what to install."""
    try:
        yield
    except ImportError:
        raise PetteiaError("environments need libraries; install them with: pip install 'petteia[rl]'") from None


def env(
    game: str | Rules,
    *,
    position: str | State | None = None,
    reward: Reward = "result",
    max_plies: int = 1000,
    render_mode: Literal["ansi", "human"] | None = None,
) -> AECEnv[str, Any, int]:
    """Wrap a game as a PettingZoo AEC environment. An illegal action ends the game with a reward of -1.

    Args:
        game: the rules or their text
        position: where games start, a state or its text; default: the first of the game
        reward: what the end of a game is worth: `result` (1, 0, -1) or `margin` (the points won or lost by)
        max_plies: plies after which a game is stopped without a reward
        render_mode: `ansi` or `human`: the board in plain text, returned or printed

    Raises:
        UsageError: an unknown game or option; a game with over 4096 move codes that has no `steps`, or with neither
            `contents` nor `observe`
        NotFoundError: a module or class that is not there
        InvalidError: a malformed or impossible position, or one in which the game is over

    """
    with _needing_libraries():
        from pettingzoo.utils import wrappers

        from petteia.environments.pettingzoo import PettingZooEnv
    rules = rules_of(game)
    bare = PettingZooEnv(GameInPlay(rules, position, reward, max_plies), name_of(type(rules)), render_mode)
    return wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(bare, illegal_reward=ILLEGAL))


def openspiel_game(game: str | Rules, *, max_plies: int = 1000) -> Any:
    """Wrap a game as a Python `pyspiel.Game` of OpenSpiel, for algorithms that need no tensors.

    Actions are move codes; an observation is the position as text. Every call with the same rules gives the same game.

    Args:
        game: the rules or their text
        max_plies: plies, outcomes of chance included, after which a game is a draw

    Raises:
        UsageError: an unknown game or option, a number of plies below 1
        NotFoundError: a module or class that is not there

    """
    with _needing_libraries():
        from petteia.environments import openspiel
    rules = rules_of(game)
    check_amounts(max_plies=max_plies)
    return openspiel.openspiel_game(rules, max_plies)


def gym_env(
    game: str | Rules,
    opponent: str | Any = "random",
    *,
    side: int | str = "random",
    position: str | State | None = None,
    reward: Reward = "result",
    max_plies: int = 1000,
    limit: Limit = UNLIMITED,
    in_process: bool = False,
    allowance: Allowance = ALLOWANCE,
    render_mode: Literal["ansi"] | None = None,
) -> OpponentEnv:
    """Wrap a game against a player of petteia as a Gymnasium environment.

    Args:
        game: the rules or their text
        opponent: who plays the other side: text, a run or weights file, a training, an agent, or a player or
            policy made in Python
        side: the agent's: its name, 0 or 1, or `random`, drawn for each game
        position: where games start, a state or its text; default: the first of the game
        reward: what the end of a game is worth: `result` (1, 0, -1) or `margin` (the points won or lost by)
        max_plies: plies after which a game is truncated, without a reward
        limit: how much thought a move of the opponent may take
        in_process: keep an opponent of a user's module inside, instead of in a child process
        allowance: what such an opponent may take besides the limit
        render_mode: `ansi`: `render` returns the board in plain text

    Raises:
        UsageError: an unknown game, player or option; a side that the opponent leaves no room for; a game with over
            4096 move codes that has no `steps`, or with neither `contents` nor `observe`
        NotFoundError: a module, class, run or file that is not there
        InvalidError: a malformed or impossible position, or one in which the game is over; a file that does not fit

    """
    with _needing_libraries():
        from petteia.environments.gymnasium import OpponentEnv
    rules = rules_of(game)
    in_play = GameInPlay(rules, position, reward, max_plies)
    children = Children(allowance, in_process=in_process)
    try:
        rival = player(opponent, rules, children)
        return OpponentEnv(in_play, rival, _sides(rules, side, rival), limit, children, render_mode)
    except BaseException:
        children.close()
        raise


def _sides(rules: Rules, side: int | str, rival: Player) -> tuple[int, ...]:
    """The seats that the agent can have: those asked for that leave the opponent one which it plays."""
    asked = (0, 1) if side == "random" else (parse_seat(rules, side),)
    possible = tuple(seat for seat in asked if 1 - seat in rival.seats)
    if not possible:
        names = seats(rules)
        raise UsageError(
            f"player {rival.name} does not play {names[1 - asked[0]]}; choose side={names[1 - asked[0]]!r}"
        )
    return possible
