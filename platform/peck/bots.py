"""A bot on its author's disk: a file, a zip or a folder with bot.py. This module also selects the files to upload."""

import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from difflib import get_close_matches
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from games.untrusted import untrusted_file_read

ENTRY: Final = "bot.py"
UNPACKED_MOST: Final = 64 * 2**20  # bytes of an unpacked zip; sites accept far less


class NoBotError(Exception):
    """There is no bot at a path. The message names the path."""


class HomeBot(dict[str, bytes]):
    """The bot in ``file`` of ``folder``. The object is a mapping that contains this file, because cages take a bot's
    files as a mapping.
    """

    def __init__(self, name: str, folder: Path, file: str = ENTRY) -> None:
        super().__init__({ENTRY: (folder / file).read_bytes()})
        self.name = name
        self.folder = folder
        self.file = file

    @property
    def preload(self) -> tuple[str, ...]:
        """Modules to import before the bot, so that their randomness can be seeded: numpy, if the bot may use it."""
        return ("numpy",) if any(b"numpy" in source.read_bytes() for source in self.sources()) else ()

    def sources(self) -> list[Path]:
        """Return the files that may be source files of the bot, sorted. Files of a virtual environment in the folder
        are left out.
        """
        found = sorted(self.folder.rglob("*.py")) if self.file == ENTRY else [self.folder / self.file]
        return [one for one in found if "site-packages" not in one.parts]


@contextmanager
def peck_bots_at(paths: list[Path]) -> Iterator[list[HomeBot]]:
    """Yield the bots at these paths, with distinct names. Zips are unpacked for the duration of the block.

    Raises:
        NoBotError: there is no bot at a path.
    """
    with ExitStack() as stack:
        found = [_found(path, stack) for path in paths]
        yield [HomeBot(name, *place) for name, place in zip(_bot_names(paths), found, strict=True)]


def _bot_names(paths: list[Path]) -> list[str]:
    """Return a name for each bot: the name of its file. If several bots would have the same name, their names begin
    with their folders. A bot that is listed twice has one name.
    """
    paths = [path if path.stem else path.resolve() for path in paths]  # the path "." has no name
    short = [path.stem for path in paths]
    if len(set(short)) == len({path.resolve() for path in paths}):
        return short
    return [f"{path.resolve().parent.name}/{path.stem}" for path in paths]


def _found(path: Path, stack: ExitStack) -> tuple[Path, str]:
    path = path.resolve()
    if path.is_dir():
        if not (path / ENTRY).is_file():
            raise NoBotError(f"{path}: has no {ENTRY}")
        return path, ENTRY
    if not path.is_file():
        raise NoBotError(f"{path}: no such file{peck_bots_beside(path)}")
    if path.suffix == ".py":
        return path.parent, path.name
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="peck-"))).resolve()
    try:
        with zipfile.ZipFile(path) as packed:
            if sum(one.file_size for one in packed.infolist()) > UNPACKED_MOST:
                raise NoBotError(f"{path}: unpacks to more than {UNPACKED_MOST} bytes")
            packed.extractall(folder)
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise NoBotError(f"{path}: neither a .py file, a .zip nor a folder with {ENTRY} ({error})") from None
    if not (folder / ENTRY).is_file():
        raise NoBotError(f"{path}: has no {ENTRY} at its root")
    return folder, ENTRY


def peck_bots_beside(path: Path) -> str:
    """Return the names of bots in the folder of a missing file, as the end of a line. If some of these names are
    similar to that of the file, return only those.
    """
    files, folders = path.parent.glob("*.py"), path.parent.glob(f"*/{ENTRY}")
    names = sorted([*(one.name for one in files), *(one.parent.name for one in folders)])
    names = get_close_matches(path.name, names) or names[:10]
    return f"; there are {', '.join(names)}" if names else ""


# The names of files and folders that are not uploaded; ``peck new`` creates all but the first.
LEFT_OUT: Final = ("__pycache__", "opponents", "README.md", "AGENTS.md", "peck.json")
UPLOAD_MOST: Final = 16 * 2**20  # bytes; sites accept far less, and say so themselves


def peck_bots_packed(path: Path) -> tuple[str, bytes]:
    """Return the name and the bytes of the upload of the bot at ``path``. From a folder, hidden files, ``__pycache__``,
    ``opponents`` and virtual environments are left out.

    Raises:
        NoBotError: there is no bot.
        UntrustedError: it is larger than any site accepts.
        OSError: it cannot be read.
    """
    if not path.is_dir():
        if not path.is_file():
            raise NoBotError(f"{path}: no such file{peck_bots_beside(path)}")
        return path.name, untrusted_file_read(path, UPLOAD_MOST)
    if not (path / ENTRY).is_file():
        raise NoBotError(f"{path}: has no {ENTRY}")
    found = peck_bots_uploaded_files(path)
    if found == [path / ENTRY]:
        return ENTRY, untrusted_file_read(path / ENTRY, UPLOAD_MOST)
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        total = 0
        for one in found:
            total += one.stat().st_size
            if total > UNPACKED_MOST:
                raise NoBotError(f"{path}: holds more than {UNPACKED_MOST} bytes")
            # Entries have a fixed time, so that the same files give the same version.
            info = ZipInfo(one.relative_to(path).as_posix())
            archive.writestr(info, one.read_bytes(), ZIP_DEFLATED)
    return f"{path.resolve().name}.zip", buffer.getvalue()


def peck_bots_as_uploaded(bot: HomeBot) -> dict[str, bytes]:
    """Return the files of a bot that the site would have: a single file, or all files that ``peck_bots_packed``
    packs.
    """
    if bot.file != ENTRY:
        return dict(bot)
    return {one.relative_to(bot.folder).as_posix(): one.read_bytes() for one in peck_bots_uploaded_files(bot.folder)}


def peck_bots_uploaded_files(folder: Path) -> list[Path]:
    """Return the files in ``folder`` that belong to the bot, sorted."""
    environments = [one.parent for one in folder.rglob("pyvenv.cfg")]
    found = (one for one in sorted(folder.rglob("*")) if not any(one.is_relative_to(apart) for apart in environments))
    return [one for one in found if one.is_file() and not _is_left_out(one.relative_to(folder))]


def _is_left_out(path: Path) -> bool:
    return any(part.startswith(".") or part in LEFT_OUT for part in path.parts)
