"""The format of a TOML file that declares a tournament.

    title = "Who beats whom"
    question = "Does it help to look one ply further?"
    seed = 0                              # the seed of all matches

    [tournament]                          # options of `petteia.match`, the same for all matches
    game = "kalah"
    players = ["random", "heuristic", "greedy:depth=1", "greedy:depth=2"]
    games = 1000                          # per match
    pairing = "round-robin"               # all pairs of players; "gauntlet": the first player against all others
    seats = "fixed"                       # two matches per pair, each player as player 0; "both": one match
    diagonal = true                       # also matches of each player against itself
    score = "points"                      # rank players by their ratings; "margin": by their mean margin
    columns = ["score", "elo"]            # columns of the standings; `columns` lists them
    openings = "none"                     # the same in all matches
    time = 0.5                            # seconds per move; also nodes, depth and grace
    # clock = "5/10"                      # instead of time: the clock of each player, as `petteia match --clock`
    move_timeout = 60.0                   # of custom players: seconds per move; also start_timeout, player_memory (MB)

    [sweep]                               # the tournament is played under every combination of these limits:
    nodes = [1000, 10_000]                # values of time, nodes, depth and clock that are not in [tournament]

    [findings]                            # cells to mark; `observations` explains them
    edge = true
    intransitive = true
    depth = ["greedy:depth=1", "greedy:depth=2"]    # players in the order of their search depths

    [published]                           # a table for comparison: rows are first players, columns second players
    source = "a report"
    games = 100                           # per match
    wins = [[42, 0, 2, 0], [100, 100, 99, 100], [97, 11, 57, 6], [100, 80, 100, 71]]
    draws = [[4, 0, 1, 0], [0, 0, 0, 0], [1, 1, 5, 2], [0, 0, 0, 3]]

    [quick]                               # settings for `--scale quick`
    games = 50

Only `title`, `tournament` and its `game` and `players` are required. If a custom player fails to start, the tournament
is played without it, and the results report the player as broken. With a published table, a failed start is an error.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Iterator, Set
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from petteia.arena.openings import parse_openings
from petteia.core.clock import read_clock
from petteia.core.decision import ALLOWANCE, Allowance, Fault, Limit
from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, UsageError
from petteia.core.protocol import Rules
from petteia.core.protocol import seats as seat_names
from petteia.experiments.declaration import stem
from petteia.experiments.formats import toml_text
from petteia.experiments.options import LONGEST_GAME
from petteia.experiments.source import Scale, Section, Source, validate
from petteia.experiments.tournament.published import Published
from petteia.experiments.tournament.sweep import SWEEP, Condition, Seconds, Sweep
from petteia.foreign.trust import modules_named
from petteia.games import game as rules_of
from petteia.learn.learners import MAX_GAMES
from petteia.player_processes.process import Children
from petteia.players import Player, player
from petteia.players.player import UNLIMITED, check_limit
from petteia.policies.play_games import MAX_PLIES

TOURNAMENT = "tournament"
"""the section that marks an experiment as a tournament"""
MAX_PLAYERS = 100
MEGABYTE = 1_000_000

Players = Annotated[tuple[str, ...], Field(max_length=MAX_PLAYERS, strict=False)]
Score = Literal["points", "margin"]
"""the way to rank players: by points for wins and draws, or by the mean margin"""


class Tournament(Section):
    """The section `[tournament]` of a file: the players, their pairings, and the options of `petteia.match`."""

    game: str
    players: Annotated[tuple[str, ...], Field(min_length=1, max_length=MAX_PLAYERS, strict=False)]
    """the players in their text form"""
    games: Annotated[int, Field(ge=1, le=MAX_GAMES)] = 100
    """the number of games of each match"""
    pairing: Literal["round-robin", "gauntlet"] = "round-robin"
    seats: Literal["both", "fixed"] = "both"
    diagonal: bool = False
    score: Score = "points"
    columns: Players = ()
    """the names of the columns of the standings; empty: the default columns"""
    openings: str = "random:2"
    max_plies: Annotated[int, Field(ge=1, le=LONGEST_GAME)] = MAX_PLIES
    time: Seconds | None = None
    nodes: Annotated[int, Field(ge=1)] | None = None
    depth: Annotated[int, Field(ge=1)] | None = None
    clock: str | None = None
    grace: Annotated[float, Field(ge=0, allow_inf_nan=False)] = ALLOWANCE.grace
    move_timeout: Seconds = ALLOWANCE.move_timeout
    start_timeout: Seconds = ALLOWANCE.start_timeout
    player_memory: Annotated[int, Field(ge=1)] = ALLOWANCE.memory // MEGABYTE
    in_process: bool = False

    @property
    def limit(self) -> Limit:
        """The search limits of each move: its depth, nodes and time."""
        return Limit(self.depth, self.nodes, self.time)

    @property
    def first_limit(self) -> Limit:
        """The search limits of a player's first move, including the initial time on the clock if there is a clock."""
        clock = read_clock(self.clock, self.limit)
        return self.limit if clock is None else clock.started().limit(self.limit)

    @property
    def limits(self) -> dict[str, Any]:
        """The limits on which the results of matches depend, by the name of their field in the file."""
        return {
            "time": self.time,
            "nodes": self.nodes,
            "depth": self.depth,
            "clock": self.clock,
            "grace": self.grace if self.is_timed else None,
        }

    @property
    def is_timed(self) -> bool:
        """Whether there is a time limit for moves or a clock for games."""
        return self.time is not None or self.clock is not None

    @property
    def allowance(self) -> Allowance:
        """The limits of time and memory for custom players. They apply in addition to the limits of each move."""
        return Allowance(self.grace, self.move_timeout, self.start_timeout, self.player_memory * MEGABYTE)


class ObservationOptions(Section):
    """The section `[findings]` of a file: the kinds of surprising results that are marked in the crosstable."""

    edge: bool = False
    """whether to find pairs of players in which the first player wins, whichever of the two is the first player"""
    intransitive: bool = False
    """whether to find cells in a cycle of three players, each of which beats the next player"""
    depth: Players = ()
    """the players in the order of their search depths; a cell is found if the deeper of two
    neighbours in this order scores less"""

    @property
    def kinds(self) -> list[str]:
        """The chosen kinds of findings (surprising results), such as `edge`."""
        return [name for name, value in self if value]

    def only(self, kind: str) -> ObservationOptions:
        """Return options that search only for findings of the kind `kind`, such as `edge`."""
        return ObservationOptions(**{kind: getattr(self, kind)})


class Quick(Section):
    """The section `[quick]` of a file: the number of games per match in a quick run of the tournament."""

    games: Annotated[int, Field(ge=1, le=MAX_GAMES)]


class TournamentDeclaration(Section):
    """The content of a file that declares a tournament."""

    title: Annotated[str, Field(min_length=1)]
    question: str = ""
    seed: Annotated[int, Field(ge=0, lt=2**62)] = 0
    tournament: Tournament
    sweep: Sweep = Sweep()
    findings: ObservationOptions = ObservationOptions()
    published: Published | None = None
    quick: Quick | None = None


class Pair(NamedTuple):
    """The two players of a match."""

    row: str
    """the player of the row, who is named first"""
    column: str
    """the player of the column, who is named second"""
    seed: int
    """the seed of the match, which differs between matches"""


class TournamentPlan(NamedTuple):
    """The validated declaration of a tournament, for a full run (`paper`) or for a shorter run (`quick`)."""

    name: str
    """the name of the tournament"""
    source: str
    """the place of the declaration: a file, or the name of an experiment of the package"""
    text: str
    """the text of the file"""
    scale: Scale
    """the scale: paper or quick"""
    declaration: TournamentDeclaration
    """the declaration with the settings of this scale, and without broken players"""
    broken: tuple[str, ...] = ()
    """one line for each custom player that failed to start, with the reason; these players play no games"""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return rules_of(self.declaration.tournament.game)

    @property
    def players(self) -> tuple[str, ...]:
        """The players, in the order of the crosstable's rows and columns."""
        return self.declaration.tournament.players

    @property
    def pairs(self) -> Iterator[Pair]:
        """All matches, row by row. The seed of a match depends only on its two players and the tournament's seed."""
        played = self.declaration.tournament
        for i, row in enumerate(self.players):
            for j, column in enumerate(self.players):
                met = played.diagonal if i == j else i < j or played.seats == "fixed"
                if met and (played.pairing == "round-robin" or 0 in (i, j)):
                    yield Pair(row, column, _seed_of(self.declaration.seed, row, column))

    def takes_limit(self, players: Iterable[str], children: Children) -> set[str]:
        """Return the players that obey the search limits of a move; an empty set if there are no limits."""
        if self.declaration.tournament.limit == UNLIMITED:
            return set()
        return {text for text in players if player(text, self.rules, children).takes_limit}

    @property
    def swept(self) -> tuple[str, ...]:
        """The names of the options that vary between matches."""
        return ("first", "second")

    @property
    def combinations(self) -> int:
        """The number of matches."""
        return sum(1 for _ in self.pairs)

    @property
    def seeds(self) -> range:
        """The seed of the tournament, as a range with one element."""
        return range(self.declaration.seed, self.declaration.seed + 1)

    @property
    def games(self) -> int:
        """The total number of games in all matches, under all combinations of limits."""
        return self.combinations * self.declaration.tournament.games * len(self.conditions)

    @property
    def conditions(self) -> list[Condition]:
        """The combinations of swept limits. Without a sweep, there is one empty combination."""
        return self.declaration.sweep.conditions

    def under(self, condition: Condition) -> TournamentPlan:
        """Return the plan of the tournament under one combination of the swept limits."""
        content = tomllib.loads(self.text)
        content[TOURNAMENT] |= condition
        del content[SWEEP]
        played = self.declaration.tournament.model_copy(update=condition)
        declared = self.declaration.model_copy(update={TOURNAMENT: played, SWEEP: Sweep()})
        name = f"{self.name}-{stem(condition)}"
        return self._replace(name=name, text=toml_text(content), declaration=declared)


def _seed_of(seed: int, row: str, column: str) -> int:
    """Return the seed of a match, 0..2^62-1, derived from the names of its players and the tournament's `seed`."""
    words = json.dumps([seed, row, column]).encode()
    return int.from_bytes(hashlib.sha256(words).digest()[:8], "big") >> 2


def plan_tournament(source: Source, scale: Scale, seeds: int | None) -> TournamentPlan:
    """Return the plan of the tournament that `source` declares. For arguments and errors see `experiment.plan`."""
    declared = validate(TournamentDeclaration, source.content, source.where, ())
    broken = _check(declared, source.where)
    declared = _without(declared, set(broken))
    if scale == "quick":
        if declared.quick is None:
            raise InvalidError(
                f"{source.where}: the section [quick] is missing; scale quick needs the number of games in this section"
            )
        played = declared.tournament.model_copy(update={"games": declared.quick.games})
        declared = declared.model_copy(update={"tournament": played})
    if seeds is not None:
        raise UsageError(f"seeds {seeds}: a tournament has only one seed; set the number of games instead")
    return TournamentPlan(source.name, source.where, source.text, scale, declared, tuple(broken.values()))


def _without(declared: TournamentDeclaration, broken: Set[str]) -> TournamentDeclaration:
    """Return the declaration without the players in `broken`."""
    players = tuple(text for text in declared.tournament.players if text not in broken)
    depth = tuple(text for text in declared.findings.depth if text not in broken)
    return declared.model_copy(
        update={
            "tournament": declared.tournament.model_copy(update={"players": players}),
            "findings": declared.findings.model_copy(update={"depth": depth if len(depth) > 1 else ()}),
        }
    )


def _check(declared: TournamentDeclaration, where: str) -> dict[str, str]:
    """Raise an InvalidError if fields of the declaration contradict each other or the rules of the game.

    Returns a dictionary of the custom players that failed to start. Each value is a line that names the reason.
    """
    played, findings = declared.tournament, declared.findings
    broken: dict[str, str] = {}
    field = "tournament.game"
    try:
        rules = rules_of(played.game)
        with Children(played.allowance, in_process=played.in_process) as children:
            players = []
            for number, text in enumerate(played.players):
                field = f"tournament.players.{number}"
                try:
                    players.append(_player(text, rules, children))
                except (NotFoundError, UsageError, Fault) as error:
                    if not modules_named(text) or _needs(declared, number, len(broken)):
                        raise
                    broken[text] = f"a player that cannot start is left out: {error}"
            for condition in declared.sweep.conditions:
                field = SWEEP if condition else TOURNAMENT
                limited = played.model_copy(update=condition)
                check_limit(limited.limit, *players)
                read_clock(limited.clock, limited.limit)
            wrong = declared.sweep.wrong(dict(played))
        field = "tournament.openings"
        parse_openings(played.openings, rules)
    except PetteiaError as error:
        raise InvalidError(f"{where}: {field}: {error}") from None
    wrong |= {
        "tournament.players": _twice(played.players),
        "findings.depth": _twice(findings.depth),
        **{f"{section}.games": _uneven(played, games) for section, games in _games(declared).items()},
    }
    if findings.edge and played.seats == "both":
        wrong["findings.edge"] = 'needs seats = "fixed", so that the first player is known'
    if played.pairing == "gauntlet":
        wrong |= {
            f"findings.{name}": 'needs pairing = "round-robin"'
            for name, wanted in findings.model_dump().items()
            if wanted
        }
        if not played.players[1:]:
            wrong["tournament.players"] = "must have two players or more"
    if len(findings.depth) == 1:
        wrong["findings.depth"] = "must have two players or more"
    for name in findings.depth:
        if name not in played.players:
            wrong["findings.depth"] = f"{name!r} is not one of the players in the section [tournament]"
    if declared.published is not None:
        if (played.pairing, played.seats, played.diagonal) != ("round-robin", "fixed", True):
            wrong["published"] = 'needs pairing = "round-robin", seats = "fixed" and diagonal = true'
        wrong |= declared.published.wrong(len(played.players))
    for field, what in wrong.items():
        if what:
            raise InvalidError(f"{where}: {field}: {what}")
    return broken


def _needs(declared: TournamentDeclaration, number: int, broken: int) -> bool:
    """Return whether the tournament needs player `number`, if `broken` other players have been left out already.

    A tournament needs two players, a gauntlet its first player, and a comparison with a published table all players.
    """
    played = declared.tournament
    is_met_by_all = played.pairing == "gauntlet" and number == 0
    return declared.published is not None or is_met_by_all or len(played.players) - broken <= 2


def _player(text: str, rules: Rules, children: Children) -> Player:
    """Create the player that `text` describes.

    Raises an error if `text` describes no player, or a player that cannot take both seats.
    """
    made = player(text, rules, children)
    missing = {0, 1} - set(made.seats)
    if missing:
        raise UsageError(f"player {text} does not play {seat_names(rules)[min(missing)]}; it must play both sides")
    return made


def _twice(names: tuple[str, ...]) -> str:
    """Return an error message if a name is repeated, and an empty string otherwise."""
    return next((f"contains {name!r} twice; remove one of them" for name in names if names.count(name) > 1), "")


def _games(declared: TournamentDeclaration) -> dict[str, int]:
    """Return the number of games per match, by the section of the file that sets it: `tournament` or `quick`."""
    quick = {} if declared.quick is None else {"quick": declared.quick.games}
    return {TOURNAMENT: declared.tournament.games, **quick}


def _uneven(played: Tournament, games: int) -> str:
    is_uneven = played.seats == "both" and games % 2
    return 'must be even, because seats = "both" plays each opening from both sides' if is_uneven else ""
