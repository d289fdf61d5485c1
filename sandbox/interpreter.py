"""Find this interpreter, its standard library and the kit (numpy and msgspec): the only parts of the machine that a box
sees.
"""

import importlib.util
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from .faults import Layer, SandboxUnavailable
from .inside import wire

_PATIENCE: Final = 60.0  # most seconds to wait for an answer; answers take some tens of milliseconds
_CAP: Final = 1 << 16
OURS: Final = Path(__file__).absolute().parent / "inside"
_KIT: Final = ("msgspec", "numpy")
_LIBRARIES: Final = ("numpy.libs",)  # folders of shared objects that wheels bundle
# These modules are imported before the walls go up. This is faster, and some of their shared objects depend on
# libraries that a box does not contain.
_PRELOAD: Final = (
    "abc",
    "array",
    "base64",
    "binascii",
    "bisect",
    "cmath",
    "collections",
    "contextlib",
    "copy",
    "csv",
    "ctypes",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "enum",
    "fractions",
    "functools",
    "hashlib",
    "heapq",
    "importlib",
    "inspect",
    "io",
    "itertools",
    "json",
    "linecache",
    "logging",
    "math",
    "operator",
    "pickle",
    "pprint",
    "queue",
    "random",
    "re",
    "secrets",
    "statistics",
    "string",
    "struct",
    "textwrap",
    "threading",
    "time",
    "traceback",
    "types",
    "typing",
    "warnings",
    "weakref",
    "zlib",
    "msgspec",
    "numpy",
    "numpy.fft",
    "numpy.linalg",
    "numpy.ma",
    "numpy.polynomial",
    "numpy.random",
)
_BOOT: Final = (
    "import sys; sys.path += [sys.argv[1], sys.argv[2]]; from inside import {module} as module; "
    "del sys.path[-2:]; module.main(int(sys.argv[3]))"
)


@dataclass(frozen=True, slots=True)
class Interpreter:
    """The base interpreter, outside of any virtual environment, and the folders that boxes see."""

    executable: str
    library: tuple[str, ...]
    kit: tuple[str, ...]
    site: str  # the folder that holds the kit
    preload: tuple[str, ...] = _PRELOAD

    def command(self, module: str, *fds: int) -> list[str]:
        """Return the command that runs ``inside.<module>.main`` with these descriptors in a fresh interpreter.

        ``-I`` would be the usual flag. But with it, Python also ignores PYTHONHASHSEED, and games must be reproducible.
        ``-s -P`` and the clean ``environment`` have the other effects of ``-I``.
        """
        boot = _BOOT.format(module=module)
        return [self.executable, "-s", "-S", "-P", "-c", boot, str(OURS.parent), self.site, *map(str, fds)]

    def environment(self) -> dict[str, str]:
        """Return the environment variables of the interpreter inside. Bots get none."""
        one_thread = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
        return {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", **dict.fromkeys(one_thread, "1")}

    @property
    def folders(self) -> tuple[str, ...]:
        """All folders of the machine that boxes may read, besides the bots' own files."""
        return (*self.library, *self.kit)

    def boot(self, *, root: str, switch_user: bool, walls: Sequence[str] = ()) -> wire.Boot:
        return wire.Boot(root, list(self.folders), [self.site], list(self.preload), switch_user, list(walls))


def interpreter_find() -> Interpreter:
    """Return this process's interpreter and kit.

    Raises:
        SandboxUnavailable: numpy and msgspec are not installed in the same folder, so there is no kit to show.
    """
    base = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}
    library = {str(Path(sysconfig.get_path(name, vars=base)).resolve()): None for name in ("stdlib", "platstdlib")}
    folders = [_package_folder(name) for name in _KIT]
    sites = {folder.parent for folder in folders}
    if len(sites) != 1:
        places = ", ".join(sorted(map(str, sites)))
        raise SandboxUnavailable([_no_kit(f"{' and '.join(_KIT)} are in different folders: {places}")])
    (site,) = sites
    kit = [*folders, *(site / name for name in _LIBRARIES if (site / name).is_dir())]
    executable = Path(getattr(sys, "_base_executable", None) or sys.executable).resolve()
    return Interpreter(str(executable), tuple(library), tuple(map(str, kit)), str(site))


def _package_folder(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise SandboxUnavailable([_no_kit(f"{name} is not installed")])
    return Path(spec.submodule_search_locations[0]).absolute()


def _no_kit(detail: str) -> Layer:
    return Layer("library", False, detail, f"install {' and '.join(_KIT)} into the environment that runs the worker")


def interpreter_run_module(found: Interpreter, module: str, *, root: str = "") -> bytes:
    """Start a fresh interpreter and return what ``inside.<module>`` answers to the boot message.

    Raises:
        OSError: it could not be run, or took too long.
        EOFError: it ended before it answered.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        with theirs:
            process = subprocess.Popen(  # noqa: S603 - the command is our own
                found.command(module, theirs.fileno()),
                env=found.environment(),
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,
            )
        try:
            ours.settimeout(_PATIENCE)
            ours.send(msgspec.msgpack.encode(found.boot(root=root, switch_user=False)))
            answer = ours.recv(_CAP)
        finally:
            process.kill()
            process.wait()
    if not answer:
        raise EOFError("the interpreter ended without an answer")
    return answer
