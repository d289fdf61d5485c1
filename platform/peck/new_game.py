"""``peck new-game``: create the package of a playable game that passes its tests."""

import argparse
import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Final

from games.catalogue import GAMES
from games.catalogue.discovery import NAME
from peck import NOT_SO, OK, USAGE
from peck.cli import Commands, cli_complain, cli_complain_of_file, cli_say
from peck.project import ProjectError, project_folder_made_whole

TEMPLATE: Final = "game_template"
SUFFIX: Final = ".txt"  # so that tools do not treat a template as the kind of file that it becomes
MOVED: Final = {"ci.yml": ".github/workflows/test.yml", "test_game.py": "tests/test_game.py"}
TITLE: Final = re.compile(r"[\w][\w '!?.-]{0,38}")


def new_game_files(name: str, title: str) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each file of a package for the game ``name``.

    Raises:
        ProjectError: the name is not valid, or already taken.
    """
    if not NAME.fullmatch(name):
        raise ProjectError(f"{name!r} is no name of a game: a to z, digits and _, at most 24, a letter first")
    if name in GAMES:
        raise ProjectError(f"there is a game {name!r} already")
    if not TITLE.fullmatch(title):
        raise ProjectError(f"{title!r} is no title: letters, digits, spaces and '!?.-, at most 39")
    slug = re.sub(r"[^\w]+", "-", title.lower()).strip("-")
    values = {"name": name, "dashed": name.replace("_", "-"), "title": title, "dashed_title": slug}
    for path, text in _templates(files("peck").joinpath(TEMPLATE)):
        place = MOVED.get(path, path.replace("package/", f"pecking_order_{name}/"))
        yield place, Template(text).substitute(values)


def _templates(folder: Traversable, path: str = "") -> Iterator[tuple[str, str]]:
    for item in folder.iterdir():
        if item.is_dir():
            yield from _templates(item, f"{path}{item.name}/")
        elif item.name.endswith(SUFFIX):
            yield path + item.name.removesuffix(SUFFIX), item.read_text(encoding="utf-8")


def command_add(commands: Commands) -> None:
    """Add the command to the parser of ``peck``."""
    new = commands.add_parser("new-game", help="make the package of a game, with tests")
    new.add_argument("name", metavar="NAME", help="name of the game: a to z, digits and _")
    new.add_argument("--title", help="title of the game; by default made from NAME")
    new.add_argument(
        "--folder", type=Path, help="the folder to create, which must not exist (default: pecking-order-NAME)"
    )
    new.set_defaults(run=run_new_game)


def run_new_game(given: argparse.Namespace) -> int:
    """Create the package. Existing files are never overwritten."""
    title = given.title or given.name.replace("_", " ").title()
    folder = given.folder or Path(f"pecking-order-{given.name.replace('_', '-')}")
    try:
        written = list(new_game_files(given.name, title))
        with project_folder_made_whole(folder) as part:
            for path, text in written:
                (part / path).parent.mkdir(parents=True, exist_ok=True)
                (part / path).write_text(text, encoding="utf-8")
    except ProjectError as error:
        cli_complain(error)
        return USAGE
    except OSError as error:
        cli_complain_of_file(folder, error)
        return NOT_SO
    cli_say(f"{folder}: the package of {title}, which begins as Pig; README.md says what to do next")
    return OK
