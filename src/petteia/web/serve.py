"""The web server: its host and port, the link that it reports, and the game that it opens at the start."""

from __future__ import annotations

import ipaddress
import re
import secrets
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

from petteia.core.clock import Clock, read_clock
from petteia.core.errors import PetteiaError, UsageError
from petteia.core.folders import states
from petteia.core.names import GAME_NAMES, format_game, name_of
from petteia.core.text import IDENTIFIER
from petteia.foreign.trust import allowed as modules_allowed
from petteia.games import game as rules_of
from petteia.web.allowed import Allowed
from petteia.web.game import PERSON, Wish
from petteia.web.guard import Door

LOOPBACK = "127.0.0.1"
PLAYERS = (PERSON, "search:time=1")
MISSING = "the web page needs additional packages; install them with: pip install 'petteia[web]'"


def serve(
    game: str | None = None,
    players: Sequence[str] | None = None,
    *,
    clock: str | Clock | None = None,
    host: str = LOOPBACK,
    port: int = 8017,
    names: Sequence[str] = (),
    state: str | Path | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Serve the page until the process is interrupted.

    Args:
        game: the game that is opened at the start; if it is a custom game, it can also be chosen on the page
        players: the two players of this game as text, `human` for a person; default: `PLAYERS`
        clock: the clock of this game, such as `150`, `60+1` or `5/10`; default: no clock
        host: the address of the server; if it is not the loopback address, other machines can connect, with a link that
            contains a token
        port: the port of the server; 0 chooses a free port
        names: the host names that the server accepts besides addresses, for a server behind a proxy
        state: the folder of saved games; default: `petteia/games` in `$XDG_STATE_HOME` or else in `~/.local/state`
        say: a function that is called with the link

    Raises:
        PetteiaError: packages are missing, or the port is in use
        UsageError: an unknown game, player or clock; a number of players other than two; players or a clock without a
            game
        NotFoundError: a module or class does not exist

    """
    try:
        import uvicorn

        from petteia.web.app import make_app
    except ModuleNotFoundError:
        raise PetteiaError(MISSING) from None
    if game is None and (players or clock):
        raise UsageError(
            f"{'players' if players else 'clock'}: this argument is allowed only with a game; give the game, too"
        )
    rules, time = None if game is None else rules_of(game), read_clock(clock)
    players = players or PLAYERS
    if len(players) != 2:
        raise UsageError(f"players {','.join(players)!r}: give two players, such as human,random")
    own = () if rules is None or type(rules) in GAME_NAMES else (format_game(rules),)
    modules = modules_allowed() | ({name_of(type(rules)).partition(":")[0]} if own and rules is not None else set())
    allowed = Allowed(frozenset(modules), own)
    token = "" if _is_loopback(host) and not names else secrets.token_urlsafe(18)
    with _listening(host, port) as listener:
        port = listener.getsockname()[1]
        door = Door(port, frozenset(name.lower() for name in (*names, host)), token)
        app = make_app(allowed, Path(state) if state is not None else states() / "games", door)
        place = "/"
        if rules is not None:
            first, second = players
            place = f"/games/{app.games.begin(Wish(rules, (first, second), clock=time)).name}"
        shown = f"[{host}]" if ":" in host else host
        say(f"http://{shown}:{port}{place}{f'?token={token}' if token else ''}")
        config = uvicorn.Config(
            app, log_level="warning", server_header=False, timeout_graceful_shutdown=1, proxy_headers=False
        )
        uvicorn.Server(config).run(sockets=[listener])


def read_players(text: str) -> list[str]:
    """Split a string with several players, separated by commas, into a list.

    Commas also separate the options of a player. A part that begins with the name of an option and `=`, such as
    `depth=4`, belongs to the player before it.
    """
    players = list[str]()
    for part in text.split(","):
        if players and re.match(rf"{IDENTIFIER}=", part):
            players[-1] += f",{part}"
        else:
            players.append(part)
    return players


def _listening(host: str, port: int) -> socket.socket:
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
        # Connections inherit this. Without it, the body of an answer waits 40 ms until its headers are acknowledged.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except OSError as error:
        raise PetteiaError(
            f"--host {host} --port {port}: {error.strerror or error}; choose another host or port"
        ) from None


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
