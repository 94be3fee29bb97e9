"""Run folders: everything that one training (or other long work) was given and has found, enough to resume it.

A run is a folder with

- `run.json` (`records.description`): what it is: schema number, version of the package, kind of work, game, resolved
  configuration, seeds, digests of the code that the work reaches, fingerprint of the rules. Written once;
- `points.jsonl`: the journal of what was measured;
- `weights.safetensors`: what was learned so far;
- `results.json`: written when the run has finished;
- `times.json`: dates and durations. All other files are the same bytes whenever the same work is done again.

Hidden files are nobody's result: the lock, the seal, and what a killed process was just writing.

They belong together by checksums. The run's identity is the SHA-256 of `run.json`; the rows of the journal follow from
it, one from the other; weights say of which run they are, and which row was the last; results hold the checksums of the
last row and of the weights. So damage to any of them is noticed, and nothing of another run is taken for this one's.
"""

from __future__ import annotations

import difflib
import functools
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from petteia.core.errors import InvalidError, NotFoundError
from petteia.core.names import format_game
from petteia.core.protocol import Rules
from petteia.core.work_time import work_time
from petteia.foreign.trust import modules_named
from petteia.provenance.live import Parts, difference, provenance
from petteia.provenance.reach import by_module, dependencies
from petteia.records import bounds
from petteia.records.description import (
    DESCRIPTION,
    SCHEMA,
    Description,
    Model,
    read_description,
    validated,
    write_description,
)
from petteia.records.drafts import new_draft, remove_draft, remove_drafts
from petteia.records.files import READ, WRITE, file_errors, read_file
from petteia.records.fingerprint import fingerprint
from petteia.records.journal import Journal
from petteia.records.lock import locked
from petteia.records.rows import Row, read_row, write_row
from petteia.records.run_names import check_name, publish, stem
from petteia.records.seal import seal, vouch
from petteia.records.times import TIMES, Times, new_times, read_times, write_times
from petteia.records.version import VERSION
from petteia.records.weights import Place, Weights, load_weights

POINTS, WEIGHTS = "points.jsonl", "weights.safetensors"
RESULTS = "results.json"
ANEW = "begin a new run"
PUT_BACK = "put back its own, or begin a new run"


@dataclass(frozen=True)
class Run:
    """A run folder. Whoever writes to it holds its lock: `with run.locked(): ...`."""

    path: Path
    description: Description
    identity: str
    """SHA-256, in hex, of its run.json"""

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self.path.resolve().name

    @property
    def seed(self) -> int:
        """Where its random numbers begin; InvalidError if it does not say so."""
        if "seed" not in self.description.seeds:
            raise InvalidError(f"{self.path / DESCRIPTION}: is damaged: seeds.seed: is missing")
        return self.description.seeds["seed"]

    @functools.cached_property
    def journal(self) -> Journal:
        """The journal of what was measured."""
        return Journal(self.path / POINTS, self.identity)

    @property
    def weights(self) -> Path:
        """The file for what was learned, whether there is one yet or not."""
        return self.path / WEIGHTS

    def configuration(self, model: type[Model]) -> Model:
        """The configuration as a `model`; InvalidError if it does not fit."""
        text = json.dumps(self.description.configuration)
        return validated(model, text, self.path / DESCRIPTION, self.description.version)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing to the run; PetteiaError if one is."""
        with locked(self.path):
            self.tidy()
            yield

    def tidy(self) -> None:
        """Remove what killed processes were just writing; nothing where a link leads to."""
        if not self.path.is_symlink():
            remove_drafts(self.path)

    def vouch(self) -> None:
        """Allow the code that it names if this user has sealed it; InvalidError if that code has changed since."""
        vouch(self.path, self.identity, self.description.texts)

    def check_same_rules(self, rules: Rules, *, anew: str = ANEW) -> None:
        """Raise an InvalidError unless the rules are those with which the run began; takes no longer than random games.

        `anew` says how to begin again.
        """
        now = provenance(rules)
        then = {name: digest for name, digest in self.description.provenance.items() if name in now}
        if changed := difference(then, now, "it was begun"):
            raise InvalidError(f"{self.path}: {changed}; {anew}")
        if self.description.fingerprint != fingerprint(rules):
            raise InvalidError(f"{self.path}: the rules of {self.description.game} have changed; {anew}")

    def check_same_code(self, rules: Rules, code: Callable[[], Parts] = dict, *, anew: str = ANEW) -> None:
        """Raise an InvalidError unless the code is that which began the run, so that it can only go on as it began.

        `rules` and what `code` gives are those that `create_run` takes; `code` is called last, as players that it asks
        may solve the game first. `anew` says how to begin again.
        """
        if self.description.version != VERSION:
            raise InvalidError(
                f"{self.path}: was begun by petteia {self.description.version}, this is {VERSION}; {anew}"
            )
        self.check_same_rules(rules, anew=anew)
        if changed := difference(self.description.provenance, by_module(dependencies(rules) | code()), "it was begun"):
            raise InvalidError(f"{self.path}: {changed}; {anew}")

    @property
    def place(self) -> Place:
        """Where weights stand that are saved now."""
        return Place(self.identity, self.journal.checksum)

    def check(self) -> Weights | None:
        """Raise an InvalidError unless all that the run holds is whole and belongs together; return its weights."""
        return self._read()[1]

    def results(self) -> Row | None:
        """What came out; None as long as the run has not finished. InvalidError if not all that it holds is sound."""
        return self._read()[0]

    def _read(self) -> tuple[Row | None, Weights | None]:
        # Whoever is just working on it writes a row, then weights, and the results last: so they are read backwards.
        results = self._read_results()
        weights = load_weights(self.weights) if self.weights.exists() else None
        rows = [self.identity, *self.journal.checksums(finished=results is not None)]
        if weights is not None:
            self._check_place(weights, rows)
        if results is not None:
            self._check_end(results, weights, rows[-1])
        return results, weights

    def write_results(self, results: Mapping[str, Any]) -> None:
        """Finish the run with what came out: names and JSON values."""
        weights = load_weights(self.weights).checksum if self.weights.exists() else None
        row = {**results, "journal": self.journal.finish(), "weights": weights}
        write_row(self.path / RESULTS, row, self.identity)

    def rewind(self) -> int:
        """Drop what the journal has beyond the weights, all of it without weights; returns how many rows are left."""
        weights = load_weights(self.weights) if self.weights.exists() else None
        place = None if weights is None else weights.place
        return self.journal.keep(self.identity if place is None else place.row)

    def times(self) -> Times:
        """When and how long it was worked on; as if it had just begun, if nobody has noted that."""
        return read_times(self.path / TIMES)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Note that the seconds within it went into the run. InvalidError, before them, if its times are damaged."""
        times, clock, processor = self.times(), time.monotonic(), work_time()
        try:
            yield
        finally:
            more = time.monotonic() - clock, work_time() - processor
            write_times(self.path / TIMES, times.with_more(*more))

    def _read_results(self) -> Row | None:
        try:
            return read_row(self.path / RESULTS, bounds.RESULTS, self.identity)
        except NotFoundError:
            return None
        except InvalidError as error:
            raise InvalidError(f"{error}, which is {DESCRIPTION}") from None

    def _check_place(self, weights: Weights, rows: Sequence[str]) -> None:
        place = weights.place
        if place is None or place.run != self.identity:
            raise InvalidError(f"{self.weights}: is of another run, or {DESCRIPTION} has changed since; {PUT_BACK}")
        if place.row not in rows:
            raise InvalidError(f"{self.journal.path}: lacks a row that {WEIGHTS} follows; its end is lost; {PUT_BACK}")

    def _check_end(self, results: Row, weights: Weights | None, last: str) -> None:
        if results.get("journal") != last:
            raise InvalidError(f"{self.journal.path}: is not whole: other rows were the last; {PUT_BACK}")
        if results.get("weights") != (None if weights is None else weights.checksum):
            raise InvalidError(f"{self.weights}: is not that with which the run has finished; {PUT_BACK}")


def runs_folder(chosen: str | Path | None = None) -> Path:
    """Where runs live: the folder `chosen`, else PETTEIA_RUNS, else `runs` in the working folder."""
    return Path(chosen or os.environ.get("PETTEIA_RUNS") or "runs")


def create_run(
    root: Path,
    kind: str,
    rules: Rules,
    configuration: Mapping[str, Any],
    seeds: Mapping[str, int],
    *,
    code: Parts | None = None,
    name: str | None = None,
    label: str = "",
) -> Run:
    """Make the folder of a new run in `root`, itself made if needed. It appears complete or not at all.

    Args:
        root: the folder of runs
        kind: of work, for example `train`
        rules: of the game
        configuration: the resolved settings, as JSON has them
        seeds: what randomness begins with, by purpose
        code: what the work depends on beside the rules, such as features, players and the trainer: `dependencies`
        name: of the folder; without it a new one of the form `GAME-LABEL-0001`
        label: for the name, for example the learner's; without it `kind`

    Returns:
        The run.

    Raises:
        UsageError: the name cannot be that of a folder, or is taken
        PetteiaError: the folder cannot be written

    """
    check_name(name)
    game = format_game(rules)
    description = Description(
        schema=SCHEMA,
        version=VERSION,
        kind=kind,
        game=game,
        configuration=dict(configuration),
        seeds=dict(seeds),
        provenance=by_module(dependencies(rules) | (code or {})),
        fingerprint=fingerprint(rules),
    )
    with file_errors(WRITE, root):
        root.mkdir(parents=True, exist_ok=True)
        remove_drafts(root)
        draft = new_draft(root)
        draft.mkdir()
    try:
        identity = write_description(draft, description)
        if named := modules_named(*description.texts):
            seal(draft, identity, named)
        write_times(draft / TIMES, new_times())
        return Run(publish(draft, root, name, stem(game, label or kind)), description, identity)
    finally:
        remove_draft(draft)


def find_run(where: str | Path, root: Path | None = None) -> Path | None:
    """The folder of the run that `open_run` opens; None if there is none."""
    folders = (Path(where), runs_folder(root) / where)
    with file_errors(READ, Path(where)):
        return next((folder for folder in folders if (folder / DESCRIPTION).exists()), None)


def open_run(where: str | Path, root: Path | None = None) -> Run:
    """The run in the folder `where`, or of the name `where` in `root` (as `runs_folder` finds it).

    Raises NotFoundError if there is none, InvalidError if it is damaged or of another schema.
    """
    path = find_run(where, root)
    if path is None:
        near = difflib.get_close_matches(Path(where).name, [run.name for run in list_runs(runs_folder(root))], 1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; runs are looked for in {runs_folder(root)}"
        raise NotFoundError(f"there is no run {str(where)!r}{hint}")
    return Run(path, *read_description(path))


def list_runs(root: Path) -> list[Path]:
    """The run folders in `root` by name; none if there is no such folder. Whether they can be read `open_run` tells."""
    if not root.exists():
        return []
    with file_errors(READ, root):
        return sorted(path.parent for path in root.glob(f"[!.]*/{DESCRIPTION}"))


def digest(run: Run) -> str:
    """The `folder_digest` of the run."""
    return folder_digest(run.path)


def folder_digest(folder: Path) -> str:
    """SHA-256, in hex, of the names and contents of all files in a folder but `times.json` and hidden ones."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if path.is_file() and relative.name != TIMES and not any(part.startswith(".") for part in relative.parts):
            content = hashlib.sha256(read_file(path, bounds.WEIGHTS)).hexdigest()
            total.update(f"{relative.as_posix()}\0{content}\n".encode())
    return total.hexdigest()
