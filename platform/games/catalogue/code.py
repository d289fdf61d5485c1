"""Identify the code of a game: its distribution, the version of the distribution, and a digest of the game's modules.

A ruleset's id names the rules; a code names their implementation. Matches and proofs store the code as text,
``str(code)``.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from traceback import walk_stack, walk_tb
from types import FrameType
from typing import Final

from games.catalogue import GAMES, PACKAGES
from games.catalogue.discovery import ENGINES, OWN
from games.version import VERSION

SHORT: Final = 12  # digits of a digest that people see


class OtherCode(Exception):
    """A match was played with other code than is installed here. So the match cannot be continued or checked here. This
    is nobody's fault.
    """


@dataclass(frozen=True, slots=True)
class Code:
    """The code of a game.

    ``digest`` is the SHA-256, in hexadecimal, of its ``.py`` files. They are sorted by path, and each is preceded by
    its path.
    """

    distribution: str
    version: str
    digest: str

    def __str__(self) -> str:
        return f"{self.distribution} {self.version} {self.digest}"

    @property
    def shown(self) -> str:
        """The text for people, with a short digest."""
        return f"{self.distribution} {self.version} ({self.digest[:SHORT]})"

    @property
    def is_own(self) -> bool:
        """Whether this is the engine's own code. Golden records prove that all releases of the engine replay earlier
        games.
        """
        return self.distribution in ENGINES


def game_code_read(text: str) -> Code | None:
    """Parse the text of a code; return None if it is not one."""
    parts = text.split(" ")
    return Code(*parts) if len(parts) == 3 and all(parts) and text.isprintable() else None


@cache
def game_code(name: str) -> Code:
    """Return the code of the game ``name`` in this environment, as of the first call.

    Raises:
        KeyError: there is no such game.
    """
    game = GAMES[name]
    if name in OWN:
        return Code(ENGINES[0], VERSION, _digest(files(__package__)))  # the engine's games share modules
    distribution, version = PACKAGES.get(name, (game.folder, "0"))
    return Code(distribution, version, _digest(game.file(), *map(files, game.shares)))


def game_code_check(name: str, recorded: str) -> None:
    """Check that the code of the game ``name`` here is the ``recorded`` code, if there is one.

    Raises:
        OtherCode: the game is not installed, or has another package, version or digest. The engine's own games never
            raise it, because golden records prove that they replay.
    """
    wanted = game_code_read(recorded)
    if wanted is None or (name in GAMES and game_code(name) == wanted) or (wanted.is_own and name in OWN):
        return
    here = f"here is {game_code(name).shown}" if name in GAMES else "here it is not installed"
    raise OtherCode(f"the game {name} is of {wanted.shown}, and {here}")


def game_code_raised(name: str, error: BaseException) -> bool:
    """Tell whether the code of the game ``name`` raised ``error``, directly or through a function that it called."""
    cause = error.__cause__
    return _is_of(name, walk_tb(error.__traceback__)) or (cause is not None and game_code_raised(name, cause))


def game_code_runs_at(name: str, frame: FrameType) -> bool:
    """Tell whether ``frame`` runs code of the game ``name``, or a function that this code called."""
    return _is_of(name, walk_stack(frame))


def _is_of(name: str, frames: Iterable[tuple[FrameType, int]]) -> bool:
    game = GAMES.get(name)
    packages = (game.folder, *game.shares) if game else ()
    modules = [frame.f_globals.get("__name__", "") for frame, _line in frames]
    return any(module == one or module.startswith(f"{one}.") for module in modules for one in packages)


def game_codes_installed() -> list[str]:
    """Return the codes of all installed games from packages, as texts."""
    return [str(game_code(name)) for name in PACKAGES]


def _digest(*folders: Traversable) -> str:
    digest = sha256()
    for folder in folders:
        for path, data in sorted(_modules(folder, "")):
            digest.update(f"{path}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()


def _modules(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for item in folder.iterdir():
        if item.is_dir():
            yield from _modules(item, f"{path}{item.name}/")
        elif item.name.endswith(".py"):
            yield path + item.name, item.read_bytes()
