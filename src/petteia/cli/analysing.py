"""Commands that analyse positions: best, differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from petteia.cli.output import INTERRUPTED, points, print_json, print_table, progress, say, show
from petteia.cli.parameters import (
    PLAYER_HELP,
    Depth,
    Game,
    InProcess,
    Json,
    MoveTimeout,
    Nodes,
    PlayerMemory,
    Position,
    Seed,
    StartTimeout,
    Time,
    allowance,
    complete_player,
    takes_trust,
)

if TYPE_CHECKING:
    from petteia.arena.analysis import AnalysedLine, Analysis
    from petteia.arena.differences import Difference
    from petteia.arena.reasons import Explained, Reason


@takes_trust
def best(
    game: Game,
    position: Position = None,
    player: Annotated[
        str,
        typer.Option(
            metavar="PLAYER",
            help=f"Player whose move and values are shown, {PLAYER_HELP}.",
            autocompletion=complete_player,
        ),
    ] = "search",
    depth: Depth = None,
    time: Time = None,
    nodes: Nodes = None,
    lines: Annotated[int, typer.Option(metavar="N", help="Number of best moves to show.")] = 1,
    in_process: InProcess = False,
    move_timeout: MoveTimeout = 60.0,
    start_timeout: StartTimeout = 60.0,
    player_memory: PlayerMemory = 4000,
    seed: Seed = 0,
    as_json: Json = False,
) -> int:
    """Show the best move, its value and the expected line.

    Ctrl-C stops the search and shows the best move so far. In a position where chance moves, the best move after each
    outcome is shown. Without a time, node or depth limit, a search thinks for three seconds per move.
    """
    import petteia
    from petteia.arena.reasons import Reason

    analysis = petteia.best(
        game,
        position=position,
        player=player,
        depth=depth,
        nodes=nodes,
        seconds=time,
        lines=lines,
        seed=seed,
        in_process=in_process,
        allowance=allowance(move_timeout, start_timeout, player_memory),
        progress=_tell,
    )
    say(*analysis.notes)
    if as_json:
        document = analysis._asdict()
        for name in ("lines", "outcomes"):
            document[name] = [row._asdict() for row in document[name]]
        document["features"] = [each._asdict() | _worth(each) for each in analysis.features]
        if analysis.features:
            document["total"] = _worth(Reason("total", analysis.features))
        print_json("best", seed=seed, nodes_per_second=analysis.nodes_per_second, **document)
    else:
        _show(analysis)
    return INTERRUPTED if analysis.was_interrupted else 0


def _tell(analysis: Analysis) -> None:
    line = analysis.lines[0]
    say(
        f"depth {analysis.depth}, {_known(analysis, line.value)}, {analysis.nodes:,} nodes, "
        f"{analysis.seconds:.2f} s: {' '.join(line.line)}"
    )


def _value(value: float | None) -> str:
    return "no value" if value is None else points(value)


def _known(analysis: Analysis, value: float | None) -> str:
    """Return a value as text, or `unknown` for a value of 0 that carries no information (see `Analysis.is_blind`)."""
    return "unknown" if value == 0 and analysis.is_blind else _value(value)


def _show(analysis: Analysis) -> None:
    from petteia.core.protocol import has_chance, seats
    from petteia.games import game

    rules = game(analysis.game)
    names, worth = seats(rules), "expected value" if has_chance(rules) else "value"

    def meaning(line: AnalysedLine) -> str:
        if line.value is None:
            return f"no {worth}"
        text = f"{worth} {_known(analysis, line.value)}"
        if not line.is_won:
            return text if line.value == 0 and analysis.is_blind else f"{text} for {names[0]}"
        winner, plies = names[0 if line.value > 0 else 1], line.plies_to_end
        if has_chance(rules):
            return f"{winner} is certain to win, {text} for {names[0]}"
        if plies is None:
            return f"{winner} is certain to win"
        return f"{winner} wins in {plies} {'ply' if plies == 1 else 'plies'}"

    show(f"{analysis.game}, {analysis.position}")
    if analysis.outcomes:
        _show_outcomes(analysis, names[0])
        return
    first = analysis.lines[0]
    show(f"best move {analysis.move}: {meaning(first)}")
    if len(first.line) > 1:
        show(f"line: {' '.join(first.line)}")
    if analysis.nodes:
        show(
            f"depth {analysis.depth}{', final' if analysis.is_final else ''}: {analysis.nodes:,} nodes in "
            f"{analysis.seconds:.2f} s, {analysis.nodes_per_second:,.0f} a second"
        )
    if len(analysis.lines) > 1:
        show("")
        rows = [(each.move, meaning(each), " ".join(each.line)) for each in analysis.lines]
        print_table(("move", "value", "line"), rows)
    elif analysis.values:
        show("")
        print_table(("move", "value"), [(move, _known(analysis, value)) for move, value in analysis.values.items()])
    _explain_unknown(analysis, [line.value for line in analysis.lines])
    if analysis.features:
        _explain(analysis, names[0])


def _show_outcomes(analysis: Analysis, name: str) -> None:
    """Print the best move after each outcome of a chance node.

    The values are from the perspective of the player `name`.
    """
    value = "none" if analysis.value is None else f"{_known(analysis, analysis.value)} for {name}"
    is_unknown = any(each.move is not None and _known(analysis, each.value) == "unknown" for each in analysis.outcomes)
    show(f"chance node: expected value {value}{', where unknown values count as 0' if is_unknown else ''}")
    show("")
    head = ("outcome", "probability", "position", "best move", f"value for {name}")
    rows = [
        (
            each.outcome,
            f"{each.probability:.6g}",
            each.position,
            each.move or "",
            _value(each.value) if each.move is None else _known(analysis, each.value),
        )
        for each in analysis.outcomes
    ]
    print_table(head, rows)
    _explain_unknown(analysis, [each.value for each in analysis.outcomes if each.move is not None])


def _explain_unknown(analysis: Analysis, values: list[float | None]) -> None:
    if analysis.is_blind and 0 in values:
        show("")
        show("Unknown: the search did not reach the end of the game, and it has no evaluation.")


def _explain(analysis: Analysis, name: str) -> None:
    """Print a table of the features that explain the best move. `name` is the player whose values are shown."""
    from petteia.arena.reasons import Reason

    rows = [
        (
            reason.feature,
            ", ".join(f"{part.weight:+.4f}" for part in reason.parts),
            f"{reason.before:.4g}",
            f"{reason.after:.4g}",
            *_signed(reason),
        )
        for reason in analysis.reasons
    ]
    head = (f"feature (value for {name})", "weight", "before", "after", "weight x before", "weight x after", "change")
    show("")
    print_table(head, [*rows, ("total", "", "", "", *_signed(Reason("total", analysis.features)))])
    if analysis.depth > 1:
        show("")
        show(
            f"The table shows the effect of move {analysis.move} alone. The value above is that of the end of the line."
        )


def _worth(each: Explained | Reason) -> dict[str, float]:
    """Return a dictionary for JSON: a feature's contribution to the value before and after a move, and the gain."""
    return {"worth_before": each.worth_before, "worth_after": each.worth_after, "gain": each.gain}


def _signed(reason: Reason) -> list[str]:
    return [f"{round(worth, 4) + 0.0:+.4f}" for worth in _worth(reason).values()]


@takes_trust
def differ(
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
            help="Second player, in one of the same forms.",
            autocompletion=complete_player,
        ),
    ],
    positions: Annotated[int, typer.Option(metavar="N", help="Number of random positions to examine.")] = 100,
    depth: Depth = None,
    time: Time = None,
    nodes: Nodes = None,
    position: Position = None,
    in_process: InProcess = False,
    move_timeout: MoveTimeout = 60.0,
    start_timeout: StartTimeout = 60.0,
    player_memory: PlayerMemory = 4000,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Find positions in which two players move differently.

    The positions are drawn at random.
    """
    import petteia

    with progress("positions", positions) as on_progress:

        def count(done: int, difference: Difference | None) -> None:
            on_progress(completed=done)

        result = petteia.differ(
            game,
            first,
            second,
            positions=positions,
            position=position,
            limit=petteia.Limit(depth, nodes, time),
            seed=seed,
            in_process=in_process,
            allowance=allowance(move_timeout, start_timeout, player_memory),
            progress=count,
        )
    say(*result.notes)
    if as_json:
        document = result._asdict()
        document["rows"] = [row._asdict() for row in result.rows]
        print_json("differ", seed=seed, **document)
        return
    show(
        f"{result.first} and {result.second} at {result.game} choose differently in {len(result.rows):,} of "
        f"{result.positions:,} random positions"
    )
    if not result.rows:
        return
    show("")
    has_values = any(value is not None for row in result.rows for value in (row.first_value, row.second_value))
    head = ("position", result.first, result.second) + (("its value", "its value") if has_values else ())
    print_table(
        head,
        [
            (row.position, row.first_move, row.second_move)
            + ((_value(row.first_value), _value(row.second_value)) if has_values else ())
            for row in result.rows
        ],
    )


COMMANDS = {"best": best, "differ": differ}
