"""A bot as it is uploaded: its file, or what is in its folder as a zip."""

from io import BytesIO
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from games.untrusted import read_file
from peck.bots import ENTRY, MOST, HomeBot, NoBotError

LEFT_OUT: Final = ("__pycache__", "opponents", "README.md", "peck.json")  # the last three are of ``peck new``
UPLOAD_MOST: Final = 16 * 2**20  # bytes: sites take far less, and say so themselves


def packed(path: Path) -> tuple[str, bytes]:
    """Return the name and the bytes under which the bot at ``path`` is uploaded. Of a folder hidden files,
    ``__pycache__`` and ``opponents`` stay at home.

    Raises:
        NoBotError: there is none.
        UntrustedError: it is larger than any site takes.
        OSError: it cannot be read.
    """
    if not path.is_dir():
        if not path.is_file():
            raise NoBotError(f"{path}: no such file")
        return path.name, read_file(path, UPLOAD_MOST)
    if not (path / ENTRY).is_file():
        raise NoBotError(f"{path}: has no {ENTRY}")
    found = [one for one in sorted(path.rglob("*")) if one.is_file() and not _stays(one.relative_to(path))]
    if found == [path / ENTRY]:
        return ENTRY, read_file(path / ENTRY, UPLOAD_MOST)
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        total = 0
        for one in found:
            total += one.stat().st_size
            if total > MOST:
                raise NoBotError(f"{path}: holds more than {MOST} bytes")
            info = ZipInfo(one.relative_to(path).as_posix())  # without a time: the same files are the same version
            archive.writestr(info, one.read_bytes(), ZIP_DEFLATED)
    return f"{path.resolve().name}.zip", buffer.getvalue()


def as_uploaded(bot: HomeBot) -> dict[str, bytes]:
    """Return the files of a bot as the site would have them: the one, or all in its folder that ``packed`` takes."""
    if bot.file != ENTRY:
        return dict(bot)
    found = [one for one in sorted(bot.folder.rglob("*")) if one.is_file() and not _stays(one.relative_to(bot.folder))]
    return {one.relative_to(bot.folder).as_posix(): one.read_bytes() for one in found}


def _stays(path: Path) -> bool:
    return any(part.startswith(".") or part in LEFT_OUT for part in path.parts)
