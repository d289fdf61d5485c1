"""What a game's package brings for pages, found where it is installed: its board and its page of rules.

A package has them in the folder of its game: ``board/`` with the files that are served as those of
``matches/replay/boards/<name>/``, and ``rules.html``. What the platform has under the same name comes first.
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
    """Finds the boards inside packages."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any) -> None:
        """Take what every finder is given, and need nothing of it."""

    def find(self, path: str, find_all: bool = False, **_older: Any) -> Any:
        """Return where the file lies, [] if it is none of them."""
        path = path.replace("\\", "/")
        name, _, rest = path.removeprefix(BOARDS).partition("/")
        file = _inside(name, f"board/{rest}") if path.startswith(BOARDS) else None
        if file is None:
            return []
        return [str(file)] if find_all else str(file)

    def list(self, ignore_patterns: Any) -> Iterator[Any]:
        """Yield every file with the storage that holds it."""
        for name, game in GAMES.items():
            folder = game.file("board")
            if isinstance(folder, Path) and folder.is_dir():
                storage = FileSystemStorage(location=folder)
                storage.prefix = f"{BOARDS}{name}"  # type: ignore[attr-defined]  # collectstatic reads it
                for path in get_files(storage, ignore_patterns):
                    yield path, storage

    def check(self, **kwargs: Any) -> Messages:
        """Return no messages: nothing can be set wrongly."""
        return []


class GameTemplates(filesystem.Loader):
    """Loads ``<name>/rules.html``, and what that includes, from the folder of the game."""

    def get_template_sources(self, template_name: str) -> Iterator[Origin]:
        """Yield where the template lies, if it is a game's."""
        name, _, rest = template_name.partition("/")
        if rest.endswith(".html") and (file := _inside(name, rest)) is not None:
            yield Origin(name=str(file), template_name=template_name, loader=self)


def _inside(name: str, path: str) -> Path | None:
    """Return the file at ``path`` in the folder of the game ``name``, if it is there and nowhere else."""
    game = GAMES.get(name)
    folder = game.file() if game else None
    if not isinstance(folder, Path):
        return None
    try:
        file = (folder / path).resolve()
        return file if file.is_relative_to(folder.resolve()) and file.is_file() else None
    except (OSError, ValueError):  # a path with a NUL byte, or too long
        return None
