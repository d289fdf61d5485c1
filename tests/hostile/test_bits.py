"""No box hands bits to another: not through names that do not exist, by any call, below any folder, in any way in."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from secrets import token_hex
from unittest import mock

import pytest

from sandbox import Backend, Cage, library
from sandbox.inside import linux
from sandbox.inside.tree import tree_digest
from tests.sandbox.ordinary_user import REPOSITORY, command

from . import notebook
from .bits import AGAIN, BITS, NOTE_SLOT, Row, agreement, alive, few, h22, hands_guessed, notes_read
from .table import SETTINGS

pytestmark = pytest.mark.processes

WAYS = [Backend.OWN, *([Backend.BWRAP] if any(setting.backend is Backend.BWRAP for setting in SETTINGS) else [])]


@pytest.mark.parametrize("backend", WAYS)
def test_bots_read_no_more_bits_than_by_chance(backend: Backend) -> None:
    with Cage.open(backend=backend) as cage:
        rows = [*few(cage, AGAIN), hands_guessed(cage, 0)]
    assert all(row.ok for row in rows), rows
    assert rows[-1].of == 57  # it has tried


def test_the_time_of_day_holds_no_note_for_the_next_game_of_the_same_seed() -> None:
    with Cage.open() as cage:
        row = notes_read(cage)
        assert row.ok, row
        # so it is no accident of how it is measured; other work on the machine may blur one series, and by chance one
        # in ten million has 7 of 15
        with mock.patch.object(notebook, "scoring_pause_after_game", return_value=0.0):
            series = (notebook.notes(cage, "act", NOTE_SLOT, 15, same_seed=True) for _ in range(4))
            assert any(notebook.right(notes, NOTE_SLOT) > 6 for notes in series)


def test_from_a_library_on_a_disk_they_would_read_every_bit(tmp_path: Path) -> None:
    """So the others are no accident of how it is measured."""
    if linux.is_tmpfs(str(tmp_path)):
        pytest.skip("temporary files are in memory here")
    with (
        mock.patch.object(library, "_places", return_value=[tmp_path]),
        Cage.open(backend=Backend.OWN) as cage,
        alive(cage, cage, "h22_name_cache") as (one, other),
    ):
        assert agreement(one, lambda: other, h22(token_hex(6))) == BITS


@pytest.mark.parametrize("backend", WAYS)
def test_no_number_of_the_kernels_is_changed_by_another_box(backend: Backend) -> None:
    with Cage.open(backend=backend) as cage, alive(cage, cage, "x30_counters") as (busy, looking):
        seen = []
        for bit in (0, 1, 1):
            busy.act({"job": ["w", bit], "actions": ["go"]})
            seen.append(json.loads(looking.act({"job": ["r"], "actions": ["go"]}).output))
    assert seen[0] == seen[1] == seen[2]
    refused = ("sysinfo", "statfs", "statx", "getcpu", "mincore", "sched_getattr", "getpriority", "ioprio_get")
    assert not any(seen[0][name] for name in refused)


@pytest.mark.parametrize("backend", WAYS)
def test_no_number_reveals_that_another_worker_has_read_the_library(backend: Backend) -> None:
    """As it does when it opens a cage: all boxes of the machine share the copy, and see the times of its files."""
    folder = Path(tempfile.mkdtemp(dir="/dev/shm"))
    with (
        mock.patch.object(library, "_places", return_value=[folder]),
        Cage.open(backend=backend) as cage,
        alive(cage, cage, "x30_counters") as (_, looking),
    ):
        before = json.loads(looking.act({"job": ["r"], "actions": ["go"]}).output)
        (copy,) = folder.glob("*/root")
        tree_digest(str(copy))
        assert json.loads(looking.act({"job": ["r"], "actions": ["go"]}).output) == before
    shutil.rmtree(folder)


@pytest.mark.slow
@pytest.mark.parametrize("as_user", [False, True], ids=["as we are", "ordinary user"])
@pytest.mark.parametrize("backend", WAYS)
def test_no_bits_reach_a_later_cage_or_any_of_three_matches(backend: Backend, as_user: bool) -> None:
    words = ["-m", "tests.hostile.bits", "--json", backend.value]
    line = command(*words) if as_user else [sys.executable, *words]
    done = subprocess.run(line, capture_output=True, text=True, cwd=REPOSITORY, check=True)
    rows = [Row(**row) for row in json.loads(done.stdout)]
    assert all(row.ok for row in rows), rows
