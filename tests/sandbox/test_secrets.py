"""What is inside a box: nothing of the machine, nothing of the worker, nothing of the other bots."""

import os

import pytest

from games.protocol import BotFault, Limits
from sandbox import Box, Cage
from tests.hostile.cases import BOTS
from tests.hostile.duel import MARKER, SECRET, view

from .conftest import VIEW, Start

SCAN = (BOTS / "h21_heap_scan.py").read_text()
LONG = Limits(act_cpu=20, act_wall=60, game_cpu=60, game_wall=120)


def evaluate(start: Start, expression: str, head: str = "import os") -> str:
    return start(f"{head}\ndef act(view): return str({expression})", limits=Limits(action_bytes=4096)).act(VIEW).action


def finds(box: Box) -> bool:
    try:
        box.act(view(0))
    except BotFault as fault:
        return "LEAK found" in str(fault)
    return False


def found_elsewhere() -> bool:
    """Whether the search finds the seed of its own box in a cage of its own."""
    with Cage.open() as cage:
        box = cage.start({"bot.py": SCAN.encode()}, {}, SECRET, LONG)
        try:
            return finds(box)
        finally:
            box.close()


def test_the_search_of_memory_finds_what_is_there(start: Start) -> None:
    # Its seed is sent to a bot once; where that lay depends on the zygote's layout, which its boxes share.
    assert finds(start(SCAN, seed=SECRET, limits=LONG)) or any(found_elsewhere() for _ in range(6))
    assert finds(start(f"{SCAN}\nMINE = {MARKER!r}\n", limits=LONG))


def test_the_search_of_memory_finds_nothing_of_a_sibling(start: Start) -> None:
    for _ in range(3):
        sibling = start(f"MINE = {MARKER!r}\ndef act(view): return 'go'", seed=SECRET, table={"plan": MARKER})
        sibling.act(VIEW)
    assert start(SCAN, limits=LONG).act(view(0)).action == "3"


def test_only_library_kit_and_the_bots_own_files_are_there(start: Start) -> None:
    for path in ("/", "/etc", "/proc", "/dev", "/home", "/root", "/tmp", "/usr/bin", "/bin", "/var", "/sys", "/run"):
        with pytest.raises(BotFault, match=r"PermissionError|FileNotFoundError"):
            evaluate(start, f"os.listdir({path!r})")
    assert evaluate(start, "os.listdir('/bot')") == "['bot.py']"


def test_only_the_kit_of_site_packages_is_visible(start: Start) -> None:
    head = "import os, sys, numpy, pathlib\nsite = pathlib.Path(numpy.__file__).parents[1]"
    there = evaluate(start, "[n for n in ('numpy', 'msgspec', 'django', 'celery', 'pip') if (site / n).exists()]", head)
    assert there == "['numpy', 'msgspec']"
    head = "import os\nsite = os.path.join(os.path.dirname(os.__file__), 'site-packages')"
    assert evaluate(start, "os.path.exists(site) and os.listdir(site)", head) in ("[]", "False")


def test_a_library_loaded_late_is_found(start: Start) -> None:
    assert evaluate(start, "len(wave.__all__) + len(colorsys.__all__) > 0", "import wave, colorsys") == "True"


def test_the_bot_is_alone_under_an_id_of_nobody(start: Start) -> None:
    assert evaluate(start, "(os.getpid(), os.getppid())") == "(1, 0)"
    user = evaluate(start, "os.getuid()")
    assert (int(user) > 0) == (os.geteuid() == 0)


def test_a_thread_cannot_be_started_and_says_so(start: Start) -> None:
    with pytest.raises(BotFault, match="can't start new thread"):
        evaluate(start, "threading.Thread(target=print).start()", "import threading")


def test_only_the_channel_is_open(start: Start) -> None:
    head = "import os\ndef is_open(fd):\n try: return bool(os.fstat(fd))\n except OSError: return False"
    assert evaluate(start, "[fd for fd in range(1000) if is_open(fd)]", head) == "[0, 1, 2, 3]"
