"""Commands that play games: play, match."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from petteia.cli.output import INTERRUPTED, ask, print_json, progress, say, show
from petteia.cli.parameters import (
    MEGABYTE,
    OPENINGS_HELP,
    PLAYER_HELP,
    Clock,
    Cluster,
    Depth,
    Game,
    Grace,
    InProcess,
    Jobs,
    Json,
    Memory,
    MoveTimeout,
    Nodes,
    PlayerMemory,
    Position,
    Runs,
    Seed,
    StartTimeout,
    Time,
    allowance,
    check_new,
    complete_player,
    takes_trust,
)

if TYPE_CHECKING:
    from petteia.arena.match_result import MatchResult
    from petteia.arena.sprt import Sprt


@takes_trust
def play(
    game: Game,
    seat: Annotated[str, typer.Option("--as", metavar="SEAT", help="Side that you play: its name, 0 or 1.")] = "0",
    against: Annotated[
        str,
        typer.Option(
            metavar="PLAYER", help=f"Your opponent: human, or a player {PLAYER_HELP}.", autocompletion=complete_player
        ),
    ] = "random",
    by: Annotated[
        str,
        typer.Option(
            metavar="PLAYER",
            help="Player that moves for your side: human, or a program. With a program, you only watch the game.",
            autocompletion=complete_player,
        ),
    ] = "human",
    hint: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="Player that gives hints. If it cannot give hints, a search gives them.  [default: the opponent]",
            autocompletion=complete_player,
        ),
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Run in which a learning player, such as q:alpha=0.1, saves its table after each game. If the run "
            "exists, the player starts with its table.",
        ),
    ] = None,
    runs: Runs = None,
    time: Time = None,
    nodes: Nodes = None,
    depth: Depth = None,
    clock: Clock = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="New file for the record of the game.")] = None,
    position: Position = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File with the record of an unfinished game to continue."),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Random seed.  [default: a new one each time]")] = None,
    in_process: InProcess = False,
    move_timeout: MoveTimeout = 60.0,
    start_timeout: StartTimeout = 60.0,
    player_memory: PlayerMemory = 4000,
) -> int:
    """Play a game in the terminal, with hints and undo."""
    import petteia
    from petteia.core.names import parse_seat
    from petteia.records.files import write_file

    check_new(save)
    players = (against, by) if parse_seat(petteia.game(game), seat) == 1 else (by, against)
    chosen = secrets.randbits(63) if seed is None else seed
    played = petteia.play_at_terminal(
        game,
        *players,
        position=position,
        resume=None if resume is None else petteia.record(resume),
        read=ask,
        write=show,
        hint=hint,
        keep=keep,
        runs=runs,
        limit=petteia.Limit(depth, nodes, time),
        clock=clock,
        seed=chosen,
        in_process=in_process,
        allowance=allowance(move_timeout, start_timeout, player_memory),
    )
    if save is not None:
        write_file(save, played.record.write())
        say(f"wrote {save}")
    return INTERRUPTED if played.interrupted else 0


@takes_trust
def match(
    game: Game,
    first: Annotated[
        str,
        typer.Argument(
            metavar="P", show_default=False, help=f"First player, {PLAYER_HELP}.", autocompletion=complete_player
        ),
    ],
    second: Annotated[
        str,
        typer.Argument(
            metavar="Q",
            show_default=False,
            help="Opponent of P, in one of the same forms.",
            autocompletion=complete_player,
        ),
    ],
    games: Annotated[
        int, typer.Option(metavar="N", help="Number of games; rounded up to an even number with --seats both.")
    ] = 100,
    openings: Annotated[
        str,
        typer.Option(metavar="OPENINGS", help=OPENINGS_HELP),
    ] = "random:2",
    seats: Annotated[
        Literal["both", "fixed"] | None,
        typer.Option(
            help="both: each opening is played twice, with sides exchanged and the same dice. fixed: P is player 0 in "
            "all games.  [default: both; a player that supports only one side plays it in all games]"
        ),
    ] = None,
    score: Annotated[
        Literal["points", "margin"],
        typer.Option(help="points: report the score of P. margin: also report the mean margin of the games."),
    ] = "points",
    max_plies: Annotated[
        int, typer.Option(metavar="N", help="Maximum number of plies of a game; a longer game is a draw.")
    ] = 1000,
    time: Time = None,
    nodes: Nodes = None,
    depth: Depth = None,
    clock: Clock = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1",
            help="Stop when a sequential probability ratio test has decided whether P is stronger by ELO0 or by ELO1 "
            "points, or after --games games. With ELO0,ELO1,normalized the points are normalized Elo.",
        ),
    ] = None,
    grace: Grace = 0.05,
    in_process: InProcess = False,
    move_timeout: MoveTimeout = 60.0,
    start_timeout: StartTimeout = 60.0,
    player_memory: PlayerMemory = 4000,
    memory: Memory = 2000,
    seed: Seed = 0,
    openings_seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="Random seed of the openings.  [default: the value of --seed]"),
    ] = None,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    position: Position = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="New file for the records of all games.")] = None,
    as_json: Json = False,
) -> None:
    """Play many games between two players and report the score."""
    import petteia
    from petteia.arena.margins import shown_margin
    from petteia.arena.ratings import shown_elo
    from petteia.arena.sprt import read_sprt
    from petteia.core.decision import FAULTS
    from petteia.records.files import write_file
    from petteia.records.game_record import write_records

    check_new(save)
    test = read_sprt(sprt)
    with progress("playing", games) as on_progress:
        result = petteia.match(
            game,
            first,
            second,
            games=games,
            openings=openings,
            seats=seats,
            max_plies=max_plies,
            limit=petteia.Limit(depth, nodes, time),
            clock=clock,
            sprt=test,
            in_process=in_process,
            allowance=allowance(move_timeout, start_timeout, player_memory, grace),
            memory=memory * MEGABYTE,
            seed=seed,
            openings_seed=openings_seed,
            jobs=jobs,
            cluster=cluster,
            position=position,
            rows=as_json,
            moves=save is not None,
            advance=lambda count: on_progress(advance=count),
        )
    if save is not None:
        write_file(save, write_records(result.records()))
    say(*result.notes)
    if as_json:
        document = result._asdict()
        document |= {name: [row._asdict() for row in document[name]] for name in ("faults", "rows")}
        print_json("match", seed=seed, **document)
        return
    show(f"{result.first} against {result.second} at {result.game}: {result.games:,} games")
    show(f"{result.wins:,} won, {result.draws:,} drawn, {result.losses:,} lost by {result.first}")
    show(f"score {result.score:.1%} (95 % interval {result.low:.1%} to {result.high:.1%})")
    show(
        f"Elo {shown_elo(result.elo)} (95 % interval {shown_elo(result.elo_low)} to {shown_elo(result.elo_high)}); "
        f"likelihood of superiority {result.superiority:.1%}"
    )
    if result.normalized is not None:
        low, high = (shown_elo(each) for each in (result.normalized_low, result.normalized_high))
        show(f"normalized Elo {shown_elo(result.normalized)} (95 % interval {low} to {high})")
    if score == "margin":
        low, high = (shown_margin(each) for each in (result.margin_low, result.margin_high))
        show(f"margin {shown_margin(result.margin)} per game (95 % interval {low} to {high})")
    if test is not None:
        _show_test(test, result)
    if result.unpaired_low is not None:
        common = "dice" if openings == "none" else "opening and dice"
        interval = f"{result.unpaired_low:.1%} to {result.unpaired_high:.1%}"
        show(f"both games of a pair had the same {common}; for independent games, the interval would be {interval}")
    for count, how in zip((result.illegal, result.timeouts, result.crashed), FAULTS.values(), strict=True):
        if count:
            show(f"{count} lost {how}")
    if result.stopped:
        show(f"{result.stopped} of the draws reached the limit of {max_plies} plies")


def _show_test(test: Sprt, result: MatchResult) -> None:
    """Print the result of a sequential test, and how often each score of a game (or of a pair of games) occurred."""
    unit = "pairs of games" if len(result.units) == 5 else "games"
    points = ", ".join(f"{half / 2:g}" for half in range(len(result.units)))
    show(f"{unit} with {points} points: {', '.join(f'{count:,}' for count in result.units)}")
    verdict = {None: "undecided", "elo0": "H0 is accepted", "elo1": "H1 is accepted"}[result.verdict]
    scale = "Elo" if test.scale == "logistic" else "normalized Elo"
    low, high = test.bounds
    ratio = f"log-likelihood ratio {result.ratio:.2f}, bounds {low:.2f} and {high:.2f}"
    show(f"sequential test of H0, {test.elo0:g} {scale}, against H1, {test.elo1:g}: {verdict} ({ratio})")


COMMANDS = {"play": play, "match": match}
