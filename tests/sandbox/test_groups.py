"""Where control groups can be had, all boxes of a cage are in one; where not, nothing is missing."""

import os
from contextlib import suppress
from pathlib import Path
from unittest import mock

import pytest

from games.protocol import Limits
from sandbox import Cage, groups, probe
from sandbox.groups import Group

from .conftest import DEFAULTS, VIEW

pytestmark = pytest.mark.processes

BOT = {"bot.py": b"def act(view): return view['actions'][0]"}
MIB = 1024 * 1024


@pytest.fixture
def group() -> Group:
    made = Group.make()
    if made is None:
        pytest.skip("no control groups may be made here")
    made.close()
    return made


def test_boxes_are_in_a_group_that_goes_with_the_cage(group: Group) -> None:
    with Cage.open() as opened:
        box = opened.start(BOT, {}, 1, DEFAULTS)
        assert opened._group is not None
        folders = opened._group._folders
        for folder in folders:
            assert str(box.pid) in (folder / "cgroup.procs").read_text().split()
            assert str(os.getpid()) not in (folder / "cgroup.procs").read_text().split()
        limit = folders[0] / groups._MEMORY_FILES[group.version]
        assert int(limit.read_text()) == 256 * MIB + 96 * MIB + DEFAULTS.memory
        opened.start(BOT, {}, 2, Limits(memory=64 * MIB))
        assert int(limit.read_text()) == 256 * MIB + 2 * 96 * MIB + DEFAULTS.memory + 64 * MIB
        assert int((folders[-1] / "pids.max").read_text()) == 256
    assert not any(folder.exists() for folder in folders)


def test_a_zygote_that_is_replaced_is_in_the_group_too(group: Group) -> None:
    with Cage.open() as opened:
        opened._zygote.close()
        box = opened.start(BOT, {}, 1, DEFAULTS)
        assert opened._group is not None
        assert str(box.pid) in (opened._group._folders[0] / "cgroup.procs").read_text().split()


def test_what_a_killed_worker_has_left_is_removed(group: Group) -> None:
    gone = 2**22 + 1  # above every process id
    left = [folder.with_name(f"pecking-order-{gone}-0") for folder in group._folders]
    for folder in left:
        folder.mkdir()
    made = Group.make()
    assert made is not None
    made.close()
    assert not any(folder.exists() for folder in left)


def test_version_2_has_one_folder_for_both_caps(tmp_path: Path) -> None:
    Group(2, (tmp_path,)).allow(2, 100 * MIB)
    assert (tmp_path / "memory.max").read_text() == str((256 + 2 * 96 + 100) * MIB)


def test_a_parent_of_version_2_must_hand_both_controllers_down(tmp_path: Path) -> None:
    own = tmp_path / "service" / "worker"
    own.mkdir(parents=True)
    (own / "cgroup.subtree_control").mkdir()  # cannot be written, as where processes are
    (own.parent / "cgroup.subtree_control").write_text("cpu memory pids")
    with mock.patch.object(groups, "_own_folders", return_value=iter([own])):
        assert groups._parents_v2() == (own.parent,)


def test_without_groups_a_cage_opens_all_the_same() -> None:
    with mock.patch.object(Group, "make", return_value=None):
        report = probe()
        assert report.ok
        assert not report.extra[0].ok
        assert "Delegate" in report.extra[0].fix
        with Cage.open() as opened:
            assert opened.start(BOT, {}, 1, DEFAULTS).act(VIEW).action == "go"


class OfNoController(Group):
    """Where the controllers of memory and pids are version 1's, a group of version 2 can still hold processes."""

    def allow(self, boxes: int, memory: int) -> None: ...


def test_boxes_are_in_a_real_group_of_version_2() -> None:
    made: list[Group] = []

    def make() -> Group | None:
        for parent in groups._own_folders("cgroup2", ""):
            group = OfNoController(2, (parent / f"pecking-order-{os.getpid()}-real-{len(made)}",))
            with suppress(OSError):
                group._folders[0].mkdir()
                made.append(group)
                return group
        return None

    with mock.patch.object(Group, "make", make), Cage.open() as opened:
        if not made:
            pytest.skip("no group of version 2 may be made here")
        box = opened.start(BOT, {}, 1, DEFAULTS)
        assert Path(f"/proc/{box.pid}/cgroup").read_text().splitlines()[-1].endswith(f"/{made[-1]._folders[0].name}")
        assert box.act(VIEW).action == "go"
    assert not any(group._folders[0].exists() for group in made)
