"""Where this interpreter, its standard library and the kit are: all that a box gets to see of the machine."""

import importlib.util
import os
import sys
import sysconfig
from dataclasses import dataclass
from typing import Final

from .faults import Denied, Layer
from .inside import wire

_FOLDER: Final = os.path.dirname(os.path.abspath(__file__))
_KIT: Final = ("msgspec", "numpy")
_LIBRARIES: Final = ("numpy.libs",)  # shared objects that wheels bring along
# Imported before the wall goes up: speed, and shared objects whose own libraries are not to be found inside.
_PRELOAD: Final = [
    "abc",
    "array",
    "base64",
    "binascii",
    "bisect",
    "bz2",
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
    "lzma",
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
    "unittest",
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
]
_BOOT: Final = (
    "import sys; sys.path += [sys.argv[1], sys.argv[2]]; from inside import {module} as module; "
    "del sys.path[-2:]; module.main(int(sys.argv[3]))"
)


@dataclass(frozen=True, slots=True)
class Interpreter:
    """The base interpreter, outside of any virtual environment, and the folders shown in the boxes."""

    executable: str
    library: tuple[str, ...]
    kit: tuple[str, ...]
    site: str  # the folder that holds the kit

    def command(self, module: str, fd: int) -> list[str]:
        """How to run ``inside.<module>``'s main in a fresh interpreter.

        ``-I`` would be the usual flag, but it also ignores PYTHONHASHSEED, and games must repeat; ``-s -P`` and the
        clean environment (``environment``) come to the same.
        """
        boot = _BOOT.format(module=module)
        return [self.executable, "-s", "-S", "-P", "-c", boot, _FOLDER, self.site, str(fd)]

    def environment(self) -> dict[str, str]:
        """All that the zygote finds in its environment; the bots find nothing."""
        one_thread = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
        return {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", **dict.fromkeys(one_thread, "1")}

    def boot(self, *, switch_user: bool) -> wire.Boot:
        return wire.Boot([*self.library, *self.kit], [self.site], list(_PRELOAD), switch_user)


def find() -> Interpreter:
    """This process's interpreter and kit.

    Raises:
        Denied: numpy or msgspec is not installed beside each other, so there is no kit to show.
    """
    base = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}
    library = dict.fromkeys(os.path.realpath(sysconfig.get_path(name, vars=base)) for name in ("stdlib", "platstdlib"))
    folders = [_package_folder(name) for name in _KIT]
    sites = {os.path.dirname(folder) for folder in folders}
    if len(sites) != 1:
        raise Denied([_no_kit(f"{' and '.join(_KIT)} are in different folders: {', '.join(sorted(sites))}")])
    site = sites.pop()
    extra = [path for name in _LIBRARIES if os.path.isdir(path := os.path.join(site, name))]
    executable = getattr(sys, "_base_executable", None) or sys.executable
    return Interpreter(os.path.realpath(executable), tuple(library), (*folders, *extra), site)


def _package_folder(name: str) -> str:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise Denied([_no_kit(f"{name} is not installed")])
    return os.path.abspath(spec.submodule_search_locations[0])


def _no_kit(detail: str) -> Layer:
    return Layer("library", False, detail, f"install {' and '.join(_KIT)} into the environment that runs the worker")
