"""What of its address space a process has left once the rest is reserved."""

import subprocess
import sys

import pytest

from sandbox.inside.address_space import WORD

from .conftest import Start
from .ordinary_user import REPOSITORY

RESERVED = """
import ctypes, resource
from pathlib import Path
from sandbox.inside import address_space
window = address_space.reserve()
taken = [line.split() for line in Path("/proc/self/maps").read_text().splitlines()]
end, free = 0, 0
for span, rights, *rest in taken:
    start, after = (int(each, 16) for each in span.split("-"))
    if start >= 1 << 47:
        break
    free += max(0, start - end)
    end = after
print(window.start, window.stop, free >> 30, ctypes.addressof(ctypes.c_char.in_dll(ctypes.CDLL(None), "environ")))
"""


def test_all_but_a_window_and_the_edges_of_what_is_mapped_is_reserved() -> None:
    done = subprocess.run([sys.executable, "-c", RESERVED], capture_output=True, text=True, check=True, cwd=REPOSITORY)
    start, stop, free, library = (int(word) for word in done.stdout.split())
    assert library // WORD in range(start, stop)
    assert stop - start <= 7
    assert free <= 48  # GiB: at most 96 MiB of page tables


def test_a_worker_whose_address_space_is_limited_gets_the_reason() -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 40,) * 2)\n"
        "from sandbox.inside import address_space; address_space.reserve()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=REPOSITORY)
    assert "address space is limited to 1048576 MiB" in done.stderr


@pytest.mark.processes
def test_honest_bots_map_grow_and_free_memory_as_ever(start: Start) -> None:
    box = start(
        "import ctypes, mmap, numpy, sys\n"
        "def deep(n): return deep(n - 1) + 1 if n else 0\n"
        "def act(view):\n"
        "    for _ in range(5):\n"
        "        large = numpy.ones(40 << 20, numpy.uint8); large.resize(60 << 20, refcheck=False); del large\n"
        "    own = mmap.mmap(-1, 1 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS); own.resize(2 << 20)\n"
        "    with open(__file__, 'rb') as file: mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)[:]\n"
        "    numpy.memmap(__file__, mode='r')[0]\n"
        "    back = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda n: n + 1)\n"
        "    import _ctypes, _decimal, array, unicodedata\n"
        "    sys.setrecursionlimit(5000); assert deep(4000) == 4000\n"
        "    return str(back(1))\n"
    )
    assert box.act({"actions": ["2"]}).action == "2"
