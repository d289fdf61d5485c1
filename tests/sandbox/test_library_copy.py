"""The machine has one copy of the library in memory: shared, checked, replaced if it is not right, removed at last."""

import errno
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest

from sandbox import Backend, Cage, interpreter, library
from sandbox.inside import linux
from sandbox.inside.tree import tree_listing
from sandbox.interpreter import interpreter_find
from sandbox.library import Library

from .conftest import DEFAULTS
from .ordinary_user import NOBODY, REPOSITORY, command

pytestmark = pytest.mark.processes

FOUND = interpreter_find()
HOLDS = """
import sys
from pathlib import Path
from sandbox import interpreter, library
library._places = lambda: [Path(sys.argv[1])]
held = library.Library.hold(interpreter.interpreter_find())
print(held.root, flush=True)
sys.stdin.read()
held.close()
"""
DEVICES = """
import os, msgspec
def act(view):
    def up(path):
        while path != "/":
            yield path
            path = os.path.dirname(path)
        yield path
    ends = [os.__file__, msgspec.__file__, "/bot/bot.py", *view["paths"]]
    found = {folder for end in ends for folder in up(end) if os.path.exists(folder)}
    return " ".join(sorted({str(os.stat(folder).st_dev) for folder in found}))
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder in memory that only this test uses."""
    folder = Path(tempfile.mkdtemp(dir="/dev/shm"))
    with mock.patch.object(library, "_places", return_value=[folder]):
        yield folder
    shutil.rmtree(folder)


def held(found: interpreter.Interpreter = FOUND) -> Library:
    copy = Library.hold(found)
    assert copy is not None
    return copy


def holder(place: Path) -> subprocess.Popen[str]:
    """A worker that holds the copy until its input ends."""
    line = [sys.executable, "-c", HOLDS, str(place)]
    return subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY)


def root_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_it_is_shared_and_the_last_to_let_go_removes_it(place: Path) -> None:
    one, other = held(), held()
    assert one.root == other.root
    one.close()
    assert Path(other.root, "bot").is_dir()
    other.close()
    other.close()
    assert list(place.iterdir()) == []


def test_workers_that_start_at_once_make_one(place: Path) -> None:
    workers = [holder(place) for _ in range(4)]
    assert len({root_of(worker) for worker in workers}) == 1
    assert len(list(place.iterdir())) == 1
    for worker in workers:
        worker.communicate()
    assert list(place.iterdir()) == []


def test_that_of_a_killed_worker_is_used_again(place: Path) -> None:
    worker = holder(place)
    root = root_of(worker)
    inode = Path(root).stat().st_ino
    worker.send_signal(signal.SIGKILL)
    worker.communicate()
    copy = held()
    assert (copy.root, Path(copy.root).stat().st_ino) == (root, inode)
    copy.close()
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("harm", ["changed", "shorter", "more", "manifest"])
def test_one_that_is_not_what_it_should_be_is_replaced(place: Path, harm: str) -> None:
    worker = holder(place)
    root = Path(root_of(worker))
    file = (
        root
        / next(each.target for each in tree_listing(FOUND.folders) if each.target.endswith("/json/__init__.py"))[1:]
    )
    match harm:
        case "changed":
            file.write_text(file.read_text().replace("loads", "Loads"))
        case "shorter":
            file.unlink()
        case "more":
            (root / "more").write_text("")
        case _:
            (root.parent / "manifest.json").write_text("{}")
    worker.kill()
    worker.communicate()
    copy = held()
    assert copy.root != str(root)
    assert len(list(place.iterdir())) == 1
    copy.close()


def test_a_half_made_one_and_an_old_one_are_removed(place: Path) -> None:
    for name in ("unfinished-0", "0123456789abcdef-0"):
        (place / f"pecking-order-library-{name}" / "root").mkdir(parents=True)
    copy = held()
    assert [str(folder) for folder in place.iterdir()] == [str(Path(copy.root).parent)]
    copy.close()


def test_after_an_update_of_the_library_there_is_another(place: Path, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    module = tmp_path / "more" / "module.py"
    module.write_text("1")
    found = replace(FOUND, kit=(*FOUND.kit, str(tmp_path / "more")))
    one = held(found)
    module.write_text("2")
    other = held(found)
    assert Path(one.root + str(module)).read_text() == "1"
    assert Path(other.root + str(module)).read_text() == "2"
    one.close()
    other.close()
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("whose", ["others may write to it", "somebody else's"])
def test_one_that_others_could_change_is_never_used(place: Path, whose: str) -> None:
    worker = holder(place)
    folder = Path(root_of(worker)).parent
    if whose == "somebody else's":
        if os.geteuid() != 0:
            pytest.skip("only root can give a folder away")
        os.chown(folder, NOBODY, NOBODY)
    else:
        folder.chmod(0o777)
    copy = held()
    assert Path(copy.root).parent != folder
    copy.close()
    worker.kill()
    worker.communicate()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can lend, and mount")
def test_that_of_root_serves_other_users_and_stays_when_they_go(place: Path) -> None:
    place.chmod(0o1777)
    copy = held()
    code = HOLDS.replace("sys.stdin.read()", "")
    done = subprocess.run(command("-c", code, str(place)), capture_output=True, text=True, cwd=REPOSITORY, check=False)
    assert done.stdout.strip() == copy.root, done
    assert Path(copy.root).is_dir()
    copy.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can lend, and mount")
@pytest.mark.parametrize(
    ("options", "good"),
    [("mode=1777", True), ("mode=755", True), ("mode=777", False), ("mode=1777,uid=65534", False), ("noexec", False)],
)
def test_only_a_folder_in_memory_where_nobody_else_can_replace_it_is_taken(options: str, *, good: bool) -> None:
    pid = os.fork()
    if pid == 0:  # mounts of its own
        try:
            linux.unshare(linux.NEWNS)
            linux.mount(None, "/", None, linux.MS_REC | linux.MS_PRIVATE)
            flags = 8 if options == "noexec" else 0
            linux.mount("tmpfs", "/dev/shm", "tmpfs", flags, "mode=1777" if flags else options)
            os._exit(Path("/dev/shm") in list(library._places()))
        finally:
            os._exit(9)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == good


def test_a_disk_is_not_taken(tmp_path: Path) -> None:
    assert not linux.is_tmpfs(str(REPOSITORY))
    assert linux.is_tmpfs("/dev/shm")


def test_without_room_there_is_none(place: Path) -> None:
    with mock.patch("sandbox.library.tree_room", return_value=1 << 60):
        assert Library.hold(FOUND) is None
    with mock.patch("sandbox.library.tree_write", side_effect=OSError(errno.ENOSPC, "full")):  # others were faster
        assert Library.hold(FOUND) is None
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("shared", [True, False], ids=["the machine's", "the zygote's own"])
@pytest.mark.parametrize("backend", Backend)
def test_a_box_sees_nothing_of_the_machines_own_file_systems(backend: Backend, *, shared: bool) -> None:
    if backend is Backend.BWRAP and (not shared or shutil.which("bwrap") is None):
        pytest.skip("bwrap cannot do that")
    with (
        mock.patch.object(library, "_places", library._places if shared else lambda: iter(())),
        Cage.open(backend=backend) as cage,
    ):
        box = cage.start({"bot.py": DEVICES.encode()}, {}, 1, DEFAULTS)
        paths = [
            FOUND.executable,
            str(interpreter.OURS),
            "/lib/x",
            "/lib64/x",
            "/usr/lib/x",
            "/etc/x",
            "/tmp/x",
            "/proc/x",
        ]
        seen = {int(device) for device in box.act({"paths": paths}).action.split()}
        box.close()
    real = {Path(folder).stat().st_dev for folder in ("/", "/usr/lib", *FOUND.folders)}
    assert seen
    assert not seen & real
    assert all(os.major(device) == 0 for device in seen)


def test_byte_code_of_the_copy_is_valid(place: Path) -> None:
    copy = held()
    files = {file.target: file for file in tree_listing(FOUND.folders)}
    compiled = [file for file in files.values() if file.is_byte_code]
    assert len(compiled) > 300
    for file in compiled:
        head = Path(copy.root + file.target).read_bytes()[:16]
        source = Path(
            copy.root + file.target.replace("/__pycache__", "").replace(f".{sys.implementation.cache_tag}.pyc", ".py")
        )
        if head[4:8] == bytes(4) and source.exists():
            assert int.from_bytes(head[8:12], "little") == int(source.stat().st_mtime)
    copy.close()
