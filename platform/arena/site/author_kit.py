"""What an author takes home: the engine with its command in one file, and the house bots."""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.utils.text import slugify

from games.catalogue import GAMES
from games.game import HouseBot

# What the command imports, all of it without a framework.
PACKED: Final = {
    "games": ("",),
    "kit": ("",),
    "luck": ("",),
    "ratings": ("",),
    "matches": ("home", "proof", "referee"),
    "leagues": (),
    "sandbox": (),
    "tournaments": ("facts", "formats", "proof", "standings", "trf"),
}
INSIDE: Final = ("__init__", "entry", "failure", "rules", "stdout_capture")
SINGLE: Final = {
    "leagues": ("proof.py",),
    "sandbox": ("overtime.py", *(f"inside/{name}.py" for name in INSIDE)),
    "tournaments": ("peck.py",),
}
SHIPPED: Final = (".py", ".json")
MAIN: Final = b"""import sys

if sys.version_info < (3, 11):
    sys.exit("peck needs Python 3.11 or later")

from tournaments.peck import main

sys.exit(main())
"""


class UnknownHouseBot(LookupError):
    """No house bot of ``game`` has a file called ``file``."""

    def __init__(self, game: str, file: str) -> None:
        super().__init__(f"{game} has no house bot {file!r}")
        self.game = game
        self.file = file


@cache
def peck_file() -> bytes:
    """Return the engine that plays here, and what checks its proofs, as a Python zip application, which needs nothing
    but Python, but for two things: rounds by FIDE's rules are drawn with py4swiss, rating performance needs numpy.
    Always the same bytes.
    """
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        _pack(archive, "__main__.py", MAIN)
        for package, folders in PACKED.items():
            root = files(package)
            if folders != ("",):
                for name in ("__init__.py", *SINGLE.get(package, ())):
                    _pack(archive, f"{package}/{name}", root.joinpath(name).read_bytes())
            for folder in folders:
                path = f"{package}/{folder}".rstrip("/")
                _pack_folder(archive, path, root.joinpath(folder) if folder else root)
    return buffer.getvalue()


def house_file_name(bot: HouseBot) -> str:
    """Return what the bot's file is called at home: by the name it has on the site, which hides no module of
    Python's.
    """
    return f"{slugify(bot.title)}.py"


def house_file(game: str, name: str) -> bytes:
    """Return the file of the house bot of ``game`` that goes home as ``name``.

    Raises:
        UnknownHouseBot: there is none.
    """
    for bot in GAMES[game].house_bots if game in GAMES else ():
        if house_file_name(bot) == name:
            return bot.source()
    raise UnknownHouseBot(game, name)


def _pack_folder(archive: ZipFile, name: str, folder: Traversable) -> None:
    for item in sorted(folder.iterdir(), key=lambda one: one.name):
        if item.is_dir():
            _pack_folder(archive, f"{name}/{item.name}", item)
        elif item.name.endswith(SHIPPED):
            _pack(archive, f"{name}/{item.name}", item.read_bytes())


def _pack(archive: ZipFile, name: str, data: bytes) -> None:
    archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)  # an info of its own carries no time
