"""Static files of Pyodide, if npm has installed it (``.ci/npm``), and of the editor of the playground.

The files refer to each other by name, so their names are not hashed. Their URL contains the version instead.
"""

import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

Messages: TypeAlias = list[CheckMessage]

FOLDER: Final = Path(sys.prefix, "npm", "node_modules", "pyodide")
FILES: Final = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
PACKED: Final = (".gz", ".br")  # made during the installation
SNAPSHOT: Final = "snapshot-*.bin"  # the memory of Python after it has started, see .ci/snapshot.mjs
EDITOR: Final = "editor-*.mjs"  # CodeMirror, see .ci/editor.mjs
PREFIX: Final = "pyodide/"


@cache
def pyodide_version() -> str:
    """Return the version of Pyodide; "" if it is not installed."""
    try:
        package: Any = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    except OSError:
        return ""
    return str(package["version"]) if all((FOLDER / file).is_file() for file in FILES) else ""


def pyodide_address() -> str:
    """Return the URL of the folder of Pyodide's files; "" if it is not installed."""
    return f"{settings.STATIC_URL}{PREFIX}{pyodide_version()}/" if pyodide_version() else ""


@cache
def pyodide_snapshot() -> str:
    """Return the name of the file with the memory of a started Python; "" if there is none."""
    return max((path.name for path in FOLDER.glob(SNAPSHOT)), default="") if pyodide_version() else ""


@cache
def pyodide_editor() -> str:
    """Return the name of the editor's file; "" if there is none."""
    return max((path.name for path in FOLDER.glob(EDITOR)), default="") if pyodide_version() else ""


@cache
def pyodide_sizes() -> dict[str, tuple[int, int]]:
    """Return (bytes sent, bytes unpacked) of each file of Pyodide, by name.

    The bytes sent are the size of the smallest compressed form of the file.
    """
    whole = [*FILES, *filter(None, [pyodide_snapshot()])] if pyodide_version() else []
    return {name: (min(map(_size, _forms(name))), _size(FOLDER / name)) for name in whole if _forms(name)}


def _forms(name: str) -> list[Path]:
    """Return the paths of a file and its compressed forms."""
    return [path for ending in ("", *PACKED) if (path := FOLDER / f"{name}{ending}").is_file()]


def _size(path: Path) -> int:
    return path.stat().st_size


class PyodideFinder(BaseFinder):
    """Finds the files of Pyodide and their compressed forms."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any) -> None:
        self.storage = FileSystemStorage(location=FOLDER)
        self.storage.prefix = f"{PREFIX}{pyodide_version()}"  # type: ignore[attr-defined]  # collectstatic reads it

    def find(self, path: str, find_all: bool = False, **_older: Any) -> Any:
        """Return the path of the file; [] if it is not one of Pyodide's."""
        name = path.replace("\\", "/").removeprefix(f"{PREFIX}{pyodide_version()}/")
        if name == path or name not in self._names():
            return []
        return [str(FOLDER / name)] if find_all else str(FOLDER / name)

    def list(self, ignore_patterns: Any) -> Iterator[Any]:
        """Yield every file with its storage."""
        for name in self._names():
            yield name, self.storage

    def check(self, **kwargs: Any) -> Messages:
        """Return no messages, because there is nothing to configure."""
        return []

    def _names(self) -> tuple[str, ...]:
        whole = [*FILES, *filter(None, [pyodide_snapshot(), pyodide_editor()])] if pyodide_version() else []
        found = [*whole, *(f"{file}{packed}" for file in whole for packed in PACKED)]
        return tuple(name for name in found if (FOLDER / name).is_file())


class SiteStaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise is untyped
    """Hashes and compresses all static files except Pyodide's.

    Pyodide's URL has a version, and its files are compressed already.
    """

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        """Yield the result for each file."""
        ours = {name: place for name, place in paths.items() if not name.startswith(PREFIX)}
        yield from super().post_process(ours, *args, **options)


class SiteStaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # WhiteNoise is untyped
    """Serves static files. Browsers may cache Pyodide's files forever, as they may files with a hash in their name."""

    def immutable_file_test(self, path: str, url: str) -> bool:
        """Return whether the file at this URL never changes."""
        return url.startswith(f"{self.static_prefix}{PREFIX}") or bool(super().immutable_file_test(path, url))
