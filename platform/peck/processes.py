"""Processes of bots at home: their interpreter, the messages to them, and the core that they share with the judge.

A message is a length of four bytes, followed by a JSON list whose first item is the kind. Judge and bots take turns, so
a second core does not help them, and waking each other on another core takes longer than most actions.
"""

import json
import os
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO, Final

from sandbox.inside import entry

ENVIRONMENT: Final = {
    "PYTHONHASHSEED": "0",  # as in the cage, because games must be reproducible
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
}
OURS: Final = tuple({name.partition(".")[0]: "" for name in (__name__, entry.__name__)})
_BOOT: Final = (
    f"import sys; count = {len(OURS)}; sys.path[:0] = sys.argv[2 : 2 + count];"
    f" main = __import__(f'{__package__}.{{sys.argv[1]}}', fromlist=['main']).main;"
    " del sys.path[:count]; main(*sys.argv[2 + count :])"
)


def peck_process_module_command(module: str, *arguments: str) -> list[str]:
    """Return the command that calls ``main`` of ``peck.<module>`` in a fresh interpreter, without our Python path."""
    roots = [str(Path(_folder(package)).parent) for package in OURS]
    return [sys.executable, "-s", "-c", _BOOT, module, *roots, *arguments]


def _folder(package: str) -> str:
    spec = find_spec(package)
    assert spec is not None, package  # noqa: S101
    assert spec.submodule_search_locations, package  # noqa: S101
    return next(iter(spec.submodule_search_locations))


_LENGTH: Final = struct.Struct(">I")
LONGEST: Final = 1 << 24  # bytes of one message
# The functions dumps() and loads() of json create objects and check for cycles each time. Messages have no cycles.
_json: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_parsed: Final = json.JSONDecoder().raw_decode


def peck_process_send(file: BinaryIO, *message: Any) -> None:
    """Write one message.

    Raises:
        OSError: the reader has closed the file.
    """
    data = _json(message).encode("utf-8", "surrogatepass")
    file.write(_LENGTH.pack(len(data)) + data)
    file.flush()


def peck_process_receive(file: BinaryIO) -> Any:
    """Return the next message, or None at the end of the file."""
    head = _read(file, _LENGTH.size)
    if head is None:
        return None
    (length,) = _LENGTH.unpack(head)
    data = _read(file, length) if length <= LONGEST else None
    return None if data is None else _parsed(data.decode("utf-8", "surrogatepass"))[0]


def _read(file: BinaryIO, size: int) -> bytes | None:
    """Read ``size`` bytes of an unbuffered file; return None if it ends before."""
    data = b""
    while len(data) < size:
        more = file.read(size - len(data))
        if not more:
            return None
        data += more
    return data


CHOOSES: Final = hasattr(os, "sched_setaffinity")
_STAT: Final = Path("/proc/self/stat")
_PROCESSOR: Final = 36  # the index of the processor's number among the fields after the process's name, see proc(5)


def peck_process_allowed_cores() -> list[int]:
    """Return the cores that this process may use; empty if it cannot choose."""
    return sorted(os.sched_getaffinity(0)) if CHOOSES else []


def peck_process_stay_on_core(core: int) -> None:
    """Keep this process and its future children on ``core``."""
    with suppress(OSError):  # the core is no longer available; any other is fine
        os.sched_setaffinity(0, {core})


@contextmanager
def peck_process_on_one_core() -> Iterator[None]:
    """Keep this process on its current core. The system has just chosen this core, so it is probably free."""
    before = peck_process_allowed_cores()
    if len(before) < 2:
        yield
        return
    peck_process_stay_on_core(_current(before))
    try:
        yield
    finally:
        with suppress(OSError):
            os.sched_setaffinity(0, before)


def _current(among: list[int]) -> int:
    try:
        core = int(_STAT.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[_PROCESSOR])
    except (OSError, ValueError, IndexError):
        return among[0]
    return core if core in among else among[0]
