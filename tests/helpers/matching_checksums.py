"""Checksums made to match again, as by somebody who wants a changed run to be believed."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from petteia.records.rows import DIGITS, END
from petteia.records.weights import DIGITS as WEIGHTS_DIGITS
from petteia.records.weights import NO_DIGITS

TAIL = DIGITS + len(END)


def mended_line(line: bytes, before: str) -> bytes:
    """A row, without its line end, that follows from the row before."""
    opening = line[:-TAIL]
    checksum = hashlib.sha256(before.encode() + opening).hexdigest()[:DIGITS]
    return opening + checksum.encode() + END.encode()


def checksum_in(line: bytes) -> str:
    return line[-TAIL : -len(END)].decode(errors="replace")


def mended_lines(content: bytes, before: str) -> bytes:
    """Rows that follow one from the other; what stands behind the last line end stays."""
    *lines, rest = content.split(b"\n")
    mended = []
    for line in lines:
        mended.append(mended_line(line, before))
        before = checksum_in(mended[-1])
    return b"\n".join([*mended, rest])


def mended_weights(data: bytes) -> bytes:
    """A weights file whose checksum matches."""
    unsigned = data[: WEIGHTS_DIGITS.start] + NO_DIGITS + data[WEIGHTS_DIGITS.stop :]
    digits = hashlib.sha256(unsigned).hexdigest().encode()
    return data[: WEIGHTS_DIGITS.start] + digits + data[WEIGHTS_DIGITS.stop :]


def mend(run: Path) -> None:
    """Let all that a run folder holds belong together again: its journal, weights and results follow from run.json."""
    identity = hashlib.sha256((run / "run.json").read_bytes()).hexdigest()
    journal, weights, results = (run / name for name in ("points.jsonl", "weights.safetensors", "results.json"))
    before = {"": identity}
    last = identity
    if journal.exists():
        old = journal.read_bytes()
        new = mended_lines(old, identity)
        before |= dict(zip(map(checksum_in, old.split(b"\n")), map(checksum_in, new.split(b"\n")), strict=True))
        journal.write_bytes(new)
        rows = new.split(b"\n")[:-1]
        last = checksum_in(rows[-1]) if rows else identity
    if weights.exists():
        data = weights.read_bytes()
        if found := re.search(rb'\\"run\\": \\"([0-9a-f]{64})\\"', data):
            data = data.replace(found[1], identity.encode())
        if found := re.search(rb'\\"row\\": \\"([0-9a-f]{32})\\"', data):
            data = data.replace(found[1], before.get(found[1].decode(), last).encode())
        weights.write_bytes(mended_weights(data))
    if results.exists():
        text = re.sub(rb'"journal":"[0-9a-f]*"', b'"journal":"%s"' % last.encode(), results.read_bytes())
        if weights.exists():
            known = weights.read_bytes()[WEIGHTS_DIGITS]
            text = re.sub(rb'"weights":"[0-9a-f]*"', b'"weights":"%s"' % known, text)
        results.write_bytes(mended_lines(text, identity))


def mended_tablebase(data: bytes) -> bytes:
    """A table whose checksum matches."""
    first, line, rest = data.partition(b"\n")
    words = first.split(b" ")
    return b" ".join([*words[:-1], hashlib.sha256(rest).hexdigest().encode()]) + line + rest
