"""Files of game packages for pages: the board, and the page of rules.

A package has a folder for each game. Its ``board/`` has files that are served with paths that begin with
``matches/replay/boards/<name>/``. Its ``rules.html`` has the rules. A file of the platform with the same path takes
precedence.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

from django.contrib.staticfiles.finders import BaseFinder
from django.contrib.staticfiles.utils import get_files
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage
from django.template import Origin
from django.template.loaders import filesystem

from games.catalogue import GAMES

Messages: TypeAlias = list[CheckMessage]

BOARDS: Final = "matches/replay/boards/"


class BoardFinder(BaseFinder):
    """Finds the files of boards in game packages."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any) -> None:
        """Accept and ignore the arguments of finders."""

    def find(self, path: str, find_all: bool = False, **_older: Any) -> Any:
        """Return the path of the file; [] if no game has it."""
        path = path.replace("\\", "/")
        name, _, rest = path.removeprefix(BOARDS).partition("/")
        file = _inside(name, f"board/{rest}") if path.startswith(BOARDS) else None
        if file is None:
            return []
        return [str(file)] if find_all else str(file)

    def list(self, ignore_patterns: Any) -> Iterator[Any]:
        """Yield every file with its storage."""
        for name, game in GAMES.items():
            folder = game.file("board")
            if isinstance(folder, Path) and folder.is_dir():
                storage = FileSystemStorage(location=folder)
                storage.prefix = f"{BOARDS}{name}"  # type: ignore[attr-defined]  # collectstatic reads it
                for path in get_files(storage, ignore_patterns):
                    yield path, storage

    def check(self, **kwargs: Any) -> Messages:
        """Return no messages, because there is nothing to configure."""
        return []


class GameTemplates(filesystem.Loader):
    """Loads ``<name>/rules.html``, and the templates that it includes, from the folder of the game."""

    def get_template_sources(self, template_name: str) -> Iterator[Origin]:
        """Yield the origin of the template if a game has it."""
        name, _, rest = template_name.partition("/")
        if rest.endswith(".html") and (file := _inside(name, rest)) is not None:
            yield Origin(name=str(file), template_name=template_name, loader=self)


def _inside(name: str, path: str) -> Path | None:
    """Return the file at ``path`` in the folder of the game ``name``; None if it is missing or outside the folder."""
    game = GAMES.get(name)
    folder = game.file() if game else None
    if not isinstance(folder, Path):
        return None
    try:
        file = (folder / path).resolve()
        return file if file.is_relative_to(folder.resolve()) and file.is_file() else None
    except (OSError, ValueError):  # a path with a NUL byte, or too long
        return None
