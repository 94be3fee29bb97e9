"""Functions that create environments. They import Gymnasium, PettingZoo and OpenSpiel only when they are called."""

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
    """Return a context manager that replaces an ImportError by a one-line error on how to install the libraries."""
    try:
        yield
    except ImportError:
        raise PetteiaError(
            "environments need gymnasium, pettingzoo or open-spiel; install them with: pip install 'petteia[rl]'"
        ) from None


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
        game: the rules or their text form
        position: the start position, as a state or text; default: the initial position
        reward: the reward at the end of a game: `result` (1, 0, -1) or `margin` (the points of the margin)
        max_plies: the number of plies, including chance outcomes, after which a game is stopped without a reward
        render_mode: `ansi` returns the board as plain text, and `human` prints it

    Raises:
        UsageError: the game or an option is unknown. Also raised if the game has more than 4096 move codes and does not
            define `steps`, or if it defines neither `contents` nor `observe`
        NotFoundError: a module or class is missing
        InvalidError: the position is malformed or impossible, or the game is over in this position

    Examples:
        >>> env = petteia.env("kalah")
        >>> env.reset(seed=0)
        >>> env.agent_selection
        'player_0'

    """
    with _needing_libraries():
        from pettingzoo.utils import wrappers

        from petteia.environments.pettingzoo import PettingZooEnv
    rules = rules_of(game)
    bare = PettingZooEnv(GameInPlay(rules, position, reward, max_plies), name_of(type(rules)), render_mode)
    return wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(bare, illegal_reward=ILLEGAL))


def openspiel_game(game: str | Rules, *, max_plies: int = 1000) -> Any:
    """Wrap a game as an OpenSpiel game written in Python (`pyspiel.Game`), for algorithms that need no tensors.

    Actions are move codes, and an observation is the position as text. Calls with the same rules return the same game.

    Args:
        game: the rules or their text form
        max_plies: the number of plies, including chance outcomes, after which a game ends as a draw

    Raises:
        UsageError: the game or an option is unknown, or `max_plies` is below 1
        NotFoundError: a module or class is missing

    Examples:
        >>> game = petteia.openspiel_game("kalah")
        >>> game.new_initial_state().legal_actions()
        [0, 1, 2, 3, 4, 5]

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
    """Return a Gymnasium environment in which the agent plays a game against a player of petteia.

    Args:
        game: the rules or their text form
        opponent: the opponent: its text form, a run or weights file, a training run, an agent, a player, or a policy
        side: the side of the agent: its name, 0 or 1, or `random`, which draws a side for each game
        position: the start position, as a state or text; default: the initial position
        reward: the reward at the end of a game: `result` (1, 0, -1) or `margin` (the points of the margin)
        max_plies: the number of plies, including chance outcomes, after which a game is truncated without a reward
        limit: the limit of each move of the opponent
        in_process: run a custom opponent in this process instead of in a child process
        allowance: further limits of time and memory for a custom opponent, besides `limit`
        render_mode: with `ansi`, `render` returns the board as plain text

    Raises:
        UsageError: the game, player or option is unknown, or the opponent cannot play the side opposite to `side`. Also
            raised if the game has more than 4096 move codes and does not define `steps`, or if it defines neither
            `contents` nor `observe`
        NotFoundError: a module, class, run or file is missing
        InvalidError: the position is malformed or impossible, or the game is over in this position. Also raised if a
            file is damaged or belongs to another game

    Examples:
        >>> env = petteia.gym_env("kalah", opponent="greedy", side="south")
        >>> observation, info = env.reset(seed=0)
        >>> info["action_mask"]
        array([1, 1, 1, 1, 1, 1], dtype=int8)

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
    """Return each seat that `side` requests for the agent, provided that the opponent can play the other seat."""
    asked = (0, 1) if side == "random" else (parse_seat(rules, side),)
    possible = tuple(seat for seat in asked if 1 - seat in rival.seats)
    if not possible:
        names = seats(rules)
        raise UsageError(
            f"opponent {rival.name} only plays {names[asked[0]]}, so the agent must play the other side; choose "
            f"side={names[1 - asked[0]]!r}"
        )
    return possible
