"""Python for browsers, where npm has brought it (``.ci/npm``): its few files as static ones, below its version. Beside
them lies the editor of the playground.

Their names are written into each other, so they keep them: it is the version in the address that changes.
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
PACKED: Final = (".gz", ".br")  # made when it was installed
SNAPSHOT: Final = "snapshot-*.bin"  # the memory of Python once it has started, see .ci/snapshot.mjs
EDITOR: Final = "editor-*.mjs"  # CodeMirror, see .ci/editor.mjs
PREFIX: Final = "pyodide/"


@cache
def version() -> str:
    """Return its version, "" if it is not there."""
    try:
        package: Any = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    except OSError:
        return ""
    return str(package["version"]) if all((FOLDER / file).is_file() for file in FILES) else ""


def address() -> str:
    """Return the address of the folder of its files, "" if it is not there."""
    return f"{settings.STATIC_URL}{PREFIX}{version()}/" if version() else ""


@cache
def snapshot() -> str:
    """Return the name of the file that holds the memory of a Python that has started, "" if there is none."""
    return max((path.name for path in FOLDER.glob(SNAPSHOT)), default="") if version() else ""


@cache
def editor() -> str:
    """Return the name of the file of the editor, "" if there is none."""
    return max((path.name for path in FOLDER.glob(EDITOR)), default="") if version() else ""


@cache
def sizes() -> dict[str, tuple[int, int]]:
    """Return by name how many bytes are sent for each file of Python, to browsers that take the smallest, and how many
    it has."""
    whole = [*FILES, *filter(None, [snapshot()])] if version() else []
    return {name: (min(map(_size, _forms(name))), _size(FOLDER / name)) for name in whole if _forms(name)}


def _forms(name: str) -> list[Path]:
    """Return a file and what it is compressed to."""
    return [path for ending in ("", *PACKED) if (path := FOLDER / f"{name}{ending}").is_file()]


def _size(path: Path) -> int:
    return path.stat().st_size


class PyodideFinder(BaseFinder):
    """Finds its files, and what they are compressed to."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any) -> None:
        self.storage = FileSystemStorage(location=FOLDER)
        self.storage.prefix = f"{PREFIX}{version()}"  # type: ignore[attr-defined]  # collectstatic reads it

    def find(self, path: str, find_all: bool = False, **_older: Any) -> Any:
        """Return where the file lies, [] if it is none of them."""
        name = path.replace("\\", "/").removeprefix(f"{PREFIX}{version()}/")
        if name == path or name not in self._names():
            return []
        return [str(FOLDER / name)] if find_all else str(FOLDER / name)

    def list(self, ignore_patterns: Any) -> Iterator[Any]:
        """Yield every file with the storage that holds it."""
        for name in self._names():
            yield name, self.storage

    def check(self, **kwargs: Any) -> Messages:
        """Return no messages: nothing can be set wrongly."""
        return []

    def _names(self) -> tuple[str, ...]:
        whole = [*FILES, *filter(None, [snapshot(), editor()])] if version() else []
        found = [*whole, *(f"{file}{packed}" for file in whole for packed in PACKED)]
        return tuple(name for name in found if (FOLDER / name).is_file())


class SiteStaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise is untyped
    """Hashes and compresses all static files but Pyodide's, which have a version and are compressed already."""

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        """Yield what became of each file."""
        ours = {name: place for name, place in paths.items() if not name.startswith(PREFIX)}
        yield from super().post_process(ours, *args, **options)


class SiteStaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # WhiteNoise is untyped
    """The static files by address; a browser may keep Pyodide's for good, as it may those with a hash in their name."""

    def immutable_file_test(self, path: str, url: str) -> bool:
        """Tell whether what is at this address never changes."""
        return url.startswith(f"{self.static_prefix}{PREFIX}") or bool(super().immutable_file_test(path, url))
