"""The folder to which the tools of ``peck mcp`` are restricted for reading and writing."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from games.untrusted import UntrustedError, untrusted_file_read
from peck import text_counted

WRITE_MOST: Final = 256 * 2**10  # bytes of a file
READ_MOST: Final = 16 * 2**20  # bytes of a file, which is read in parts
NAME_MOST: Final = 200  # characters of a path
PART: Final = 16_000  # characters of one answer
LISTED_MOST: Final = 200  # files
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)


class FolderError(Exception):
    """A path is outside the folder, or a file cannot be read or written. The message says what to do."""


class WorkingFolder:
    """A folder and its files. Links are resolved before a path counts as inside."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def inside(self, name: str) -> Path:
        """Return the path of ``name`` in the folder. The file need not exist.

        Raises:
            FolderError: the path is outside, hidden or invalid.
        """
        if len(name) > NAME_MOST + len(str(self.root)):
            raise FolderError(f"{name!r:.80}: a path may have {NAME_MOST} characters: take a shorter one")
        try:
            path = (self.root / name).resolve()
            path.exists()
        except (OSError, ValueError, RuntimeError) as error:  # a loop of links, a null byte, a long name
            raise FolderError(f"{name!r:.80} is no path: {error}") from error
        if not path.is_relative_to(self.root):
            raise FolderError(f"{name!r:.80} lies outside the working folder: give a path inside it, as my-bot/bot.py")
        if any(part.startswith((".", "-")) for part in path.relative_to(self.root).parts):
            raise FolderError(f"{name!r:.80}: names that begin with a dot or a dash are not for tools: take another")
        return path

    def require_inside(self, paths: Iterable[Path]) -> None:
        """Check that no link among ``paths`` leads out of the folder.

        Raises:
            FolderError: a link does.
        """
        for one in paths:
            if not one.resolve().is_relative_to(self.root):
                raise FolderError(f"{one.name!r:.80} is a link out of the working folder: put the file there instead")

    def argument(self, name: str) -> str:
        """Return the path as an argument for a command that runs in the folder.

        Raises:
            FolderError: see ``inside``.
        """
        return self.inside(name).relative_to(self.root).as_posix()

    def read(self, name: str, offset: int = 0) -> str:
        """Return ``PART`` characters of a text file, starting at ``offset``.

        Raises:
            FolderError: see ``inside``; or it is not a file, or is too large.
        """
        path = self.inside(name)
        if not path.is_file():
            raise FolderError(f"{name!r:.80}: no such file: list_files says what there is")
        try:
            text = untrusted_file_read(path, READ_MOST).decode("utf-8", "replace")
        except (OSError, UntrustedError) as error:
            raise FolderError(f"{name!r:.80} cannot be read: {error}") from error
        part = text[max(0, offset) : max(0, offset) + PART]
        left = len(text) - max(0, offset) - len(part)
        more = f"\n[{text_counted(left, 'character')} left: read on with offset {max(0, offset) + PART}]"
        return part + (more if left > 0 else "")

    def write(self, name: str, text: str) -> int:
        """Write a text file and create its folders. Return its number of bytes.

        Raises:
            FolderError: see ``inside``; or the text is too long, or the file cannot be written.
        """
        path, data = self.inside(name), text.encode("utf-8", "replace")
        if len(data) > WRITE_MOST:
            size = text_counted(len(data), "byte")
            raise FolderError(f"{name!r:.80}: {size}; a file may have {WRITE_MOST}: write less, or in parts")
        if path == self.root or (path.exists() and not path.is_file()):
            raise FolderError(f"{name!r:.80} is no file: give the name of one, as my-bot/bot.py")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _NO_LINK, 0o644)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
        except OSError as error:
            raise FolderError(f"{name!r:.80} cannot be written: {error.strerror or error}") from error
        return len(data)

    def listed(self) -> list[str]:
        """Return at most ``LISTED_MOST`` of the folder's files, sorted, with their sizes in bytes. Hidden files are
        left out.
        """
        found: list[str] = []
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(one for one in folders if not one.startswith((".", "__pycache__")))
            for one in sorted(files):
                path = Path(folder, one)
                if not one.startswith(".") and not path.is_symlink():
                    found.append(
                        f"{path.relative_to(self.root).as_posix()} ({text_counted(path.stat().st_size, 'byte')})"
                    )
                if len(found) == LISTED_MOST:
                    return [*found, "[more files are not listed]"]
        return found
