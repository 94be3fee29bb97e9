"""Folders that store the settings and results of training runs and other long tasks, so that they can be resumed.

A run is a folder with these files:

- `run.json` (`records.description`): schema number, version of the package, kind of work, game, resolved configuration,
  seeds, digests of the code on which the work depends, and fingerprint of the rules. It is written once.
- `points.jsonl`: the journal of the measurements
- `weights.safetensors`: the learned weights so far
- `results.json`: the results, written when the run has finished
- `times.json`: dates and durations. If the same work is repeated, only this file differs.

Hidden files are not part of the results. They are the lock file, the seal (which shows that this user began the run),
and incomplete files of killed processes.

Checksums detect damaged files, and files that belong to another run. The identity of a run is the SHA-256 of
`run.json`. The checksum of the first row of the journal depends on this identity. The checksum of each further row
depends on the checksum of the previous row. The file of weights contains the identity of the run and the checksum of
the last row. The file of results contains the checksum of the last row and the checksum of the weights.
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
PUT_BACK = "restore the original file, or begin a new run"


@dataclass(frozen=True)
class Run:
    """A run folder. Code that writes to it must hold its lock: `with run.locked(): ...`."""

    path: Path
    description: Description
    identity: str
    """the SHA-256 of run.json, in hex"""

    @property
    def name(self) -> str:
        """The name of the run's folder."""
        return self.path.resolve().name

    @property
    def seed(self) -> int:
        """The seed of the run. Raises InvalidError if the run has no seed."""
        if "seed" not in self.description.seeds:
            raise InvalidError(f"{self.path / DESCRIPTION}: damaged; the field seeds.seed is missing")
        return self.description.seeds["seed"]

    @functools.cached_property
    def journal(self) -> Journal:
        """The journal of the run, which contains its measurements."""
        return Journal(self.path / POINTS, self.identity)

    @property
    def weights(self) -> Path:
        """The path of the weights file, which may not exist yet."""
        return self.path / WEIGHTS

    def configuration(self, model: type[Model]) -> Model:
        """Return the configuration as an instance of `model`. Raises InvalidError if the configuration does not fit."""
        text = json.dumps(self.description.configuration)
        return validated(model, text, self.path / DESCRIPTION, self.description.version)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Return a context manager that locks the run. Raises PetteiaError if another process is writing to it."""
        with locked(self.path):
            self.tidy()
            yield

    def tidy(self) -> None:
        """Remove the temporary files that killed processes left in the run folder. A linked folder is not changed."""
        if not self.path.is_symlink():
            remove_drafts(self.path)

    def vouch(self) -> None:
        """Trust the custom code of the run if the seal of the run shows that this user began the run.

        The hidden file `.seal` shows whether this user began the run. Raises InvalidError if this user began the run,
        but its custom code has changed since then.
        """
        vouch(self.path, self.identity, self.description.texts)

    def check_same_rules(self, rules: Rules, *, anew: str = ANEW) -> None:
        """Raise InvalidError if the code or the behaviour of the rules has changed since the run began.

        The keyword argument `anew` contains advice for the user, such as "begin a new run". The error message ends with
        this advice.
        """
        now = provenance(rules)
        then = {name: digest for name, digest in self.description.provenance.items() if name in now}
        if changed := difference(then, now, "the run was begun"):
            raise InvalidError(f"{self.path}: {changed}; {anew}")
        if self.description.fingerprint != fingerprint(rules):
            raise InvalidError(
                f"{self.path}: the rules of {self.description.game} have changed since the run was begun; {anew}"
            )

    def check_same_code(self, rules: Rules, code: Callable[[], Parts] = dict, *, anew: str = ANEW) -> None:
        """Raise InvalidError if petteia's version, or code on which the run depends, has changed since the run began.

        `rules` are the rules of the game. The function `code` returns digests of the other code on which the run
        depends, such as the code of players. It is called after all other checks, because it creates players, and some
        players need a solution of the game. The keyword argument `anew` contains advice for the user, such as "begin a
        new run". The error message ends with this advice.
        """
        if self.description.version != VERSION:
            raise InvalidError(
                f"{self.path}: the run was begun by petteia {self.description.version}, but this is petteia {VERSION}; "
                f"{anew}"
            )
        self.check_same_rules(rules, anew=anew)
        if changed := difference(
            self.description.provenance, by_module(dependencies(rules) | code()), "the run was begun"
        ):
            raise InvalidError(f"{self.path}: {changed}; {anew}")

    @property
    def place(self) -> Place:
        """Return the identity of the run and the checksum of its last journal row, which are saved with weights."""
        return Place(self.identity, self.journal.checksum)

    def check(self) -> Weights | None:
        """Check that all files of the run are complete and belong together. Returns the weights of the run.

        Raises InvalidError if a file is incomplete or does not belong to the run.
        """
        return self._read()[1]

    def results(self) -> Row | None:
        """Return the results, or None if the run has not finished. Raises InvalidError if a file is damaged."""
        return self._read()[0]

    def _read(self) -> tuple[Row | None, Weights | None]:
        # A running process writes rows first, then weights, and results last, so they are read in reverse order.
        results = self._read_results()
        weights = load_weights(self.weights) if self.weights.exists() else None
        rows = [self.identity, *self.journal.checksums(finished=results is not None)]
        if weights is not None:
            self._check_place(weights, rows)
        if results is not None:
            self._check_end(results, weights, rows[-1])
        return results, weights

    def write_results(self, results: Mapping[str, Any]) -> None:
        """Finish the run by writing its results, a mapping of names to JSON values."""
        weights = load_weights(self.weights).checksum if self.weights.exists() else None
        row = {**results, "journal": self.journal.finish(), "weights": weights}
        write_row(self.path / RESULTS, row, self.identity)

    def rewind(self) -> int:
        """Remove the journal rows that were written after the weights were saved, or all rows if no weights were saved.

        Returns the number of rows that remain in the journal.
        """
        weights = load_weights(self.weights) if self.weights.exists() else None
        place = None if weights is None else weights.place
        return self.journal.keep(self.identity if place is None else place.row)

    def times(self) -> Times:
        """Return the recorded start and duration of the work on the run, or `new_times()` if nothing is recorded."""
        return read_times(self.path / TIMES)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Return a context manager that adds the duration of its `with` block to the recorded times of the run.

        On entry, the context manager raises InvalidError if the file `times.json` is damaged.
        """
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
            raise InvalidError(
                f"{error}; the checksum also covers {DESCRIPTION}; restore both files, or {ANEW}"
            ) from None

    def _check_place(self, weights: Weights, rows: Sequence[str]) -> None:
        place = weights.place
        if place is None or place.run != self.identity:
            raise InvalidError(
                f"{self.weights}: the weights belong to another run, or {DESCRIPTION} has changed; {PUT_BACK}"
            )
        if place.row not in rows:
            raise InvalidError(f"{self.journal.path}: the row to which {WEIGHTS} refers is missing; {PUT_BACK}")

    def _check_end(self, results: Row, weights: Weights | None, last: str) -> None:
        if results.get("journal") != last:
            raise InvalidError(f"{self.journal.path}: the last row is not the last one that the run saved; {PUT_BACK}")
        if results.get("weights") != (None if weights is None else weights.checksum):
            raise InvalidError(f"{self.weights}: the weights are not those that the finished run saved; {PUT_BACK}")


def runs_folder(chosen: str | Path | None = None) -> Path:
    """Return the folder of runs: `chosen`, or else PETTEIA_RUNS, or else `runs` in the current directory."""
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
    """Create the folder of a new run in `root` atomically, and create `root` if necessary.

    Args:
        root: the folder of runs
        kind: the kind of work, for example `train`
        rules: the rules of the game
        configuration: the settings of the work, including all default values, as JSON values
        seeds: the seeds of the random numbers, by purpose
        code: digests of the other code that the work uses, such as features, players and the trainer, as returned by
            `petteia.provenance.reach.dependencies`
        name: the name of the folder; by default `GAME-LABEL-0001`, with the next number that is not used
        label: a part of the default name, for example the name of the learner; by default `kind`

    Returns:
        The run.

    Raises:
        UsageError: the name is not valid or is taken
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
    """Return the folder of the run that `open_run` would open, or None if there is no such run."""
    folders = (Path(where), runs_folder(root) / where)
    with file_errors(READ, Path(where)):
        return next((folder for folder in folders if (folder / DESCRIPTION).exists()), None)


def open_run(where: str | Path, root: Path | None = None) -> Run:
    """Open the run in the folder `where`, or the run with the name `where` in `runs_folder(root)`.

    Raises NotFoundError if the run does not exist. Raises InvalidError if its file `run.json` is damaged or has another
    schema number.
    """
    path = find_run(where, root)
    if path is None:
        near = difflib.get_close_matches(Path(where).name, [run.name for run in list_runs(runs_folder(root))], 1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; runs are in the folder {runs_folder(root)}"
        raise NotFoundError(f"there is no run {str(where)!r}{hint}")
    return Run(path, *read_description(path))


def list_runs(root: Path) -> list[Path]:
    """Return the run folders in `root`, sorted by name. Their contents are not checked.

    The list is empty if `root` does not exist.
    """
    if not root.exists():
        return []
    with file_errors(READ, root):
        return sorted(path.parent for path in root.glob(f"[!.]*/{DESCRIPTION}"))


def digest(run: Run) -> str:
    """Return the SHA-256, in hex, of the files of a run; see `folder_digest`."""
    return folder_digest(run.path)


def folder_digest(folder: Path) -> str:
    """Return the SHA-256, in hex, of the names and contents of all files in a folder.

    The digest covers neither hidden files nor files with the name `times.json`.
    """
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if path.is_file() and relative.name != TIMES and not any(part.startswith(".") for part in relative.parts):
            content = hashlib.sha256(read_file(path, bounds.WEIGHTS)).hexdigest()
            total.update(f"{relative.as_posix()}\0{content}\n".encode())
    return total.hexdigest()
