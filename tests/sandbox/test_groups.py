"""Where control groups can be had, each box has its own account of memory; where not, nobody is blamed for less."""

import os
import signal
from pathlib import Path
from unittest import mock

import pytest

from games.protocol import BotFault, BoxLost, Limits, Verdict
from sandbox import Cage, groups, layers_probe
from sandbox.groups import BoxGroup, CageGroups

from .conftest import DEFAULTS, VIEW

pytestmark = pytest.mark.processes

BOT = {"bot.py": b"def act(view): return view['actions'][0]"}
MIB = 1024 * 1024


@pytest.fixture
def group() -> CageGroups:
    made = CageGroups.make()
    if made is None:
        pytest.skip("no control groups may be made here")
    made.close()
    return made


def members(folder: Path) -> list[str]:
    return (folder / "cgroup.procs").read_text().split()


def test_each_box_has_a_group_of_its_own_and_the_zygote_is_in_none(group: CageGroups) -> None:
    with Cage.open() as opened:
        one, other = opened.start(BOT, {}, 1, DEFAULTS), opened.start(BOT, {}, 2, Limits(memory=64 * MIB))
        assert opened._group is not None
        memory, pids = opened._group.memory, opened._group.pids
        folders = sorted(memory.glob("box-*"))
        assert [members(folder) for folder in folders] == [[str(one.pid)], [str(other.pid)]]
        name = "memory.max" if group.version == 2 else "memory.limit_in_bytes"
        most = [int((folder / name).read_text()) for folder in folders]
        assert most == [DEFAULTS.memory + groups.MEMORY_OVERHEAD, 64 * MIB + groups.MEMORY_OVERHEAD]
        assert int((pids / "pids.max").read_text()) == 256
        zygote = str(opened._zygote._process.pid)
        assert zygote in members(pids / "zygote" if group.version == 2 else pids)
        one.close()
        assert [*memory.glob("box-*")] == folders[1:]
    assert not memory.exists()
    assert not pids.exists()


def test_boxes_of_a_zygote_that_is_replaced_have_groups_too(group: CageGroups) -> None:
    with Cage.open() as opened:
        opened._zygote.close()
        box = opened.start(BOT, {}, 1, DEFAULTS)
        assert opened._group is not None
        assert [members(folder) for folder in opened._group.memory.glob("box-*")] == [[str(box.pid)]]


def test_a_box_at_the_limit_of_its_group_dies_of_its_memory_and_hurts_nobody(group: CageGroups) -> None:
    hog = b"def act(view):\n x = bytearray(300 << 20)\n for i in range(0, len(x), 4096): x[i] = 1\n return 'go'"
    with Cage.open() as opened:
        large = opened.start({"bot.py": b"x = bytearray(b'1') * (300 << 20)\n" + BOT["bot.py"]}, {}, 1, DEFAULTS)
        zygote = opened._zygote
        with mock.patch.object(
            groups, "MEMORY_OVERHEAD", -250 * MIB
        ):  # below what it may map: what a way around that would do
            box = opened.start({"bot.py": hog}, {}, 2, DEFAULTS)
        with pytest.raises(BotFault) as caught:
            box.act(VIEW)
        assert (caught.value.verdict, caught.value.limit) == (Verdict.MEMORY, DEFAULTS.memory)
        assert large.act(VIEW).action == "go"
        assert opened._living_zygote() is zygote


def test_a_box_killed_from_outside_is_no_fault_at_any_size() -> None:
    large = {"bot.py": b"x = bytearray(b'1') * (400 << 20)\n" + BOT["bot.py"]}
    for made in (CageGroups.make, lambda: None):
        with mock.patch.object(CageGroups, "make", made), Cage.open() as opened:
            box = opened.start(large, {}, 1, DEFAULTS)
            os.kill(box.pid, signal.SIGKILL)
            with pytest.raises(BoxLost):
                box.act(VIEW)


def test_what_a_killed_worker_has_left_is_removed(group: CageGroups) -> None:
    left = [folder.with_name(f"pecking-order-{os.getpid()}-left") for folder in {group.memory, group.pids}]
    for folder in left:
        (folder / "box-3").mkdir(parents=True)
    made = CageGroups.make()
    assert made is not None
    made.close()
    assert not any(folder.exists() for folder in left)


def test_the_groups_of_a_cage_whose_process_id_is_not_seen_here_remain(group: CageGroups) -> None:
    unseen = f"pecking-order-{2**22 + 1}-0"  # above every process id, as one of another container may look from here
    folders = [folder.with_name(unseen) for folder in {group.memory, group.pids}]
    for folder in folders:
        folder.mkdir()
    locks = [groups._lock(folder) for folder in folders]
    try:
        CageGroups.make().close()  # type: ignore[union-attr]
        assert all(folder.exists() for folder in folders)
    finally:
        for lock in locks:
            os.close(lock)
    CageGroups.make().close()  # type: ignore[union-attr]
    assert not any(folder.exists() for folder in folders)


def test_a_parent_of_version_2_must_hand_both_controllers_down(tmp_path: Path) -> None:
    own = tmp_path / "service" / "worker"
    own.mkdir(parents=True)
    (own / "cgroup.subtree_control").mkdir()  # cannot be written, as where processes are
    (own.parent / "cgroup.subtree_control").write_text("cpu memory pids")
    with mock.patch.object(groups, "_own_folders", return_value=iter([own])):
        assert groups._parents_v2() == (own.parent,)


def test_without_groups_a_cage_opens_all_the_same() -> None:
    with mock.patch.object(CageGroups, "make", return_value=None):
        report = layers_probe()
        assert report.ok
        assert not report.extra[0].ok
        assert "Delegate" in report.extra[0].fix
        with Cage.open() as opened:
            assert opened.start(BOT, {}, 1, DEFAULTS).act(VIEW).action == "go"


def test_in_version_2_a_kill_at_the_limit_is_distinguished_from_one_above(tmp_path: Path) -> None:
    box = BoxGroup.__new__(BoxGroup)
    box._version, box._folder = 2, tmp_path
    for reached, kills, overran in ((0, 0, False), (0, 1, False), (7, 0, False), (7, 1, True)):
        (tmp_path / "memory.events").write_text(f"low 0\nhigh 0\nmax {reached}\noom 0\noom_kill {kills}\n")
        assert box.overran() is overran


def test_boxes_join_a_real_group_of_version_2(monkeypatch: pytest.MonkeyPatch) -> None:
    # Where the controllers of memory and pids are version 1's, a group of version 2 can still hold processes.
    monkeypatch.setattr(groups, "_parents_v2", lambda: (*groups._own_folders("cgroup2", ""),)[:1])
    monkeypatch.setattr(groups, "_parents_v1", lambda: ())
    monkeypatch.setattr(groups, "_limit", lambda file, text: None)
    with Cage.open() as opened:
        if opened._group is None:
            pytest.skip("no group of version 2 may be made here")
        box = opened.start(BOT, {}, 1, DEFAULTS)
        memory = opened._group.memory
        folder = next(memory.glob("box-*"))
        assert Path(f"/proc/{box.pid}/cgroup").read_text().splitlines()[-1].endswith(f"/{memory.name}/{folder.name}")
        assert str(opened._zygote._process.pid) in members(memory / "zygote")
        assert box.act(VIEW).action == "go"
    assert not memory.exists()
