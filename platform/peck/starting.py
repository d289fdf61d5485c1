"""A fresh interpreter in which a module of this room runs, with nothing of ours left on its path."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from sandbox.inside import entry

ENVIRONMENT: Final = {
    "PYTHONHASHSEED": "0",  # as in the cage: games must repeat
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
}
OURS: Final = tuple({name.partition(".")[0]: "" for name in (__name__, entry.__name__)})
_BOOT: Final = (
    f"import sys; count = {len(OURS)}; sys.path[:0] = sys.argv[2 : 2 + count];"
    f" main = __import__(f'{__package__}.{{sys.argv[1]}}', fromlist=['main']).main;"
    " del sys.path[:count]; main(*sys.argv[2 + count :])"
)


def command(module: str, *arguments: str) -> list[str]:
    """Return the command that calls ``main`` of this room's ``module`` with these arguments."""
    roots = [str(Path(_place(package)).parent) for package in OURS]
    return [sys.executable, "-s", "-c", _BOOT, module, *roots, *arguments]


def _place(package: str) -> str:
    spec = find_spec(package)
    assert spec is not None, package  # noqa: S101
    assert spec.submodule_search_locations, package  # noqa: S101
    return next(iter(spec.submodule_search_locations))
