"""Which kernel ids boxes get: nobody's from root, a part of what the system hands out, or the worker's own."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from sandbox.inside import ids
from sandbox.inside.ids import ids_choose

from .ordinary_user import REPOSITORY, command

pytestmark = pytest.mark.processes

USER = 1234
PRINT_IDS = """
from games.protocol import Limits
from sandbox import Cage
with Cage.open() as cage:
    for _ in range(2):
        box = cage.start({"bot.py": b"import os\\ndef act(view): return str(os.getuid())"}, {}, 1, Limits())
        status = dict(line.split(":\\t", 1) for line in open(f"/proc/{box.pid}/status").read().splitlines())
        print(box.act({}).action, status["Uid"].split()[0], status["Gid"].split()[0])
"""


def as_user(*, handed_out: bool, path: str = "") -> list[list[int]]:
    """Two bots of an ordinary user: the id that each sees, and the kernel's for it."""
    words = ["-c", PRINT_IDS]
    before = [sys.executable, "-m", "tests.sandbox.subordinate_ids", sys.executable]
    line = [*before, *words] if handed_out else command(*words)
    environment = os.environ | ({"PATH": path} if path else {})
    done = subprocess.run(line, capture_output=True, text=True, cwd=REPOSITORY, env=environment, check=False)
    assert done.returncode == 0, done
    return [list(map(int, row.split())) for row in done.stdout.splitlines()]


def chosen(tmp_path: Path, rows: str, *, programs: bool = True) -> ids.IdMap:
    file = tmp_path / "subuid"
    file.write_text(rows)
    with (
        mock.patch.object(ids, "_SUBORDINATE", {"newuidmap": file, "newgidmap": file}),
        mock.patch.object(shutil, "which", return_value="/usr/bin/it" if programs else None),
        mock.patch.object(os, "geteuid", return_value=USER),
        mock.patch.object(os, "getegid", return_value=USER),
    ):
        return ids_choose()


def test_the_longest_range_handed_out_is_shared_between_processes(tmp_path: Path) -> None:
    found = chosen(tmp_path, f"other:100000:65536\n{USER}:200000:500\n{USER}:300000:65536\n")
    assert (found.handed_out, found.length) == (True, 1000)
    assert 300_000 <= found.user <= 300_000 + 65_536 - 1000
    assert found.user == found.group == 300_000 + os.getpid() % 65 * 1000


@pytest.mark.parametrize(
    ("rows", "programs"),
    [
        ("", True),
        (f"{USER}:1:999\n", True),
        (f"{USER}:none\n", True),
        ("other:1:9999\n", True),
        (f"{USER}:1:9999", False),
    ],
    ids=["none", "too short", "not a range", "another's", "no program to write it"],
)
def test_without_a_range_it_is_the_workers_own_id(tmp_path: Path, rows: str, programs: bool) -> None:
    assert chosen(tmp_path, rows, programs=programs) == ids.IdMap(USER, USER, 1)


def test_bots_never_get_the_first_id_of_a_range() -> None:
    given = ids.IdMap(300_000, 300_000, ids.RANGE)
    assert {given.bot_user(serial) for serial in range(3 * ids.RANGE)} == set(range(1, ids.RANGE))
    assert ids.IdMap(5, 5, 1).bot_user(7) == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can hand ids out")
@pytest.mark.skipif(not shutil.which("newuidmap"), reason="newuidmap is not installed here")
def test_bots_of_a_user_with_ids_handed_out_have_ids_of_their_own() -> None:
    id_rows = as_user(handed_out=True)
    for inside, user, group in id_rows:
        assert inside > 0
        assert 300_000 < user == group < 300_000 + 65_536
    assert id_rows[0] != id_rows[1]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can hand ids out")
@pytest.mark.skipif(not all(file.exists() for file in ids._SUBORDINATE.values()), reason="no /etc/subuid here")
def test_where_the_systems_programs_fail_it_is_the_workers_own_id() -> None:
    folder = Path("/tmp", f"pecking-order-{os.getpid()}-programs")
    folder.mkdir()
    folder.chmod(0o755)  # another user looks into it, whatever the umask is
    try:
        for name in ids._SUBORDINATE:
            program = folder / name
            program.write_text("#!/bin/sh\nexit 1\n")
            program.chmod(stat.S_IRWXU | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH)
        id_rows = as_user(handed_out=True, path=f"{folder}:{os.environ['PATH']}")
    finally:
        shutil.rmtree(folder)
    assert [inside for inside, _, _ in id_rows] == [0, 0]
    assert len({user for _, user, _ in id_rows}) == 1


def test_bots_of_any_other_user_have_the_workers_id() -> None:
    assert [inside for inside, _, _ in as_user(handed_out=False)] == [0, 0]
