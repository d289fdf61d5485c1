"""On a machine that lacks a layer the error names it and the fix, and there is no cage; never a weaker one."""

import os
import subprocess
import sys

import pytest

from sandbox import layers_probe
from sandbox.layers import layers_missing

from . import container_root
from .missing_layer import LACKING
from .ordinary_user import REPOSITORY, command

pytestmark = pytest.mark.processes

LAYERS = (
    "platform",
    "library",
    "library copy",
    "user namespace",
    "id map",
    "mount namespace and root",
    "process namespace",
    "network, ipc, uts and cgroup namespaces",
    "privileges",
    "landlock",
    "seccomp",
    "freezing and clock",
)

KIT = """
from games.protocol import Limits
from sandbox import Cage
BOT = b'''
import pathlib, numpy
site = pathlib.Path(numpy.__file__).parents[1]
def act(view):
    return str([name for name in ("django", "msgspec", "numpy", "pip") if (site / name).exists()])
'''
with Cage.open() as cage:
    print(cage.start({"bot.py": BOT}, {}, 1, Limits()).act({}).action)
"""


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, cwd=REPOSITORY, check=False)


def test_every_layer_is_tried_and_here() -> None:
    report = layers_probe()
    assert tuple(layer.name for layer in report.layers) == LAYERS
    assert report.ok, report


def test_every_layer_has_a_fix() -> None:
    for name in LAYERS:
        assert "please report" not in layers_missing(name, "gone").fix


WITHOUT = [what for what in LACKING if what in LAYERS]


# Each day every layer, and both users in turn; both for each is slow.
@pytest.mark.parametrize(
    ("what", "as_user"),
    [
        pytest.param(what, as_user, id=f"{what}-{user}", marks=() if as_user == place % 2 else pytest.mark.slow)
        for place, what in enumerate(WITHOUT)
        for as_user, user in enumerate(("as we are", "ordinary user"))
    ],
)
def test_without_a_layer_bots_are_refused_by_name(what: str, as_user: bool) -> None:
    words = ("-m", "tests.sandbox.missing_layer", what)
    done = run(*command(*words)) if as_user else run(sys.executable, *words)
    assert done.returncode == 3, done
    assert f"{what} (" in done.stdout
    assert layers_missing(what, "").fix in done.stdout


def test_without_room_that_workers_may_share_each_zygote_makes_its_own_copy() -> None:
    done = run(*command("-m", "tests.sandbox.missing_layer", "room for the library"))
    assert (done.returncode, done.stdout) == (0, "own\n"), done


def test_without_any_room_for_the_library_bots_are_refused_with_the_remedy() -> None:
    done = run(
        sys.executable, "-m", "tests.sandbox.missing_layer", "room for the library", "namespaces of one's own", "bwrap"
    )
    assert done.returncode == 3, done
    assert layers_missing("library copy", "").fix in done.stdout


@pytest.mark.parametrize("what", ["user namespace", "landlock", "seccomp", "mount namespace and root"])
def test_the_zygote_refuses_too_where_the_probe_has_seen_nothing(what: str) -> None:
    done = run(sys.executable, "-m", "tests.sandbox.missing_layer", what, "blind")
    assert done.returncode == 3, done
    assert "bots are refused" in done.stdout


def test_with_every_layer_the_same_script_opens_a_cage() -> None:
    assert run(sys.executable, "-m", "tests.sandbox.missing_layer", "nothing").returncode == 0


def test_the_command_prints_the_table() -> None:
    done = run(*command("-m", "sandbox.probe"))
    assert done.returncode == 0, done
    assert all(layer in done.stdout for layer in LAYERS)
    assert "one kernel id" in done.stdout


@pytest.mark.skipif(not container_root.possible(), reason="only root can make a container's ids")
def test_root_of_a_container_gets_ids_of_the_containers_range() -> None:
    container = (sys.executable, "-m", "tests.sandbox.container_root", sys.executable)
    done = run(*container, "-m", "sandbox.probe")
    assert done.returncode == 0, done
    assert "a kernel id for each bot" in done.stdout
    done = run(*container, "-m", "tests.hostile.table", "--json", "h10_read_secrets", "h12_killer")
    assert done.returncode == 0, done


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can put the kit elsewhere")
@pytest.mark.skipif(sys.prefix == sys.base_prefix, reason="the kit is there already")
def test_the_kit_may_be_installed_beside_the_library() -> None:
    done = run(sys.executable, "-m", "tests.sandbox.kit_in_library", "-c", KIT)
    assert (done.returncode, done.stdout) == (0, "['msgspec', 'numpy']\n"), done
