"""A lock keeps others out as long as its process lives, and no longer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from raised_errors import one_line

from petteia.core.errors import PetteiaError
from petteia.records import lock

HOLD = """
import os, sys, time
from pathlib import Path
from petteia.records.lock import locked

with locked(Path(sys.argv[1])):
    if os.fork() == 0:
        time.sleep(60)
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_lock_keeps_others_out_until_its_process_dies(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, start_new_session=True
    ) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == b"held\n"
            with pytest.raises(PetteiaError) as raised, lock.locked(tmp_path):
                pass
            one_line(raised, str(tmp_path), f"process {holder.pid} is writing")
            holder.kill()
            holder.wait()
            with lock.locked(tmp_path):  # although a worker of the killed process lives on
                pass
        finally:
            os.killpg(holder.pid, signal.SIGKILL)


def test_a_lock_in_a_folder_that_cannot_be_written_gives_one_line(tmp_path: Path) -> None:
    with pytest.raises(PetteiaError) as raised, lock.locked(tmp_path / "none"):
        pass
    one_line(raised, "cannot be written")
