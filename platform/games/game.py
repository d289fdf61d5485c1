"""A game in the catalogue (``CatalogueGame``): its versions, texts, house bots and cups. ``new_game`` builds a game
with the first version of its rules.

Texts are English prose; ``manage.py mark_engine_texts`` writes them down for translation.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import wraps
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from traceback import extract_tb
from types import MappingProxyType
from typing import Any, TypeAlias

from games.beats import Marker, mark_action
from games.explanation import explained_action
from games.in_numbers import InNumbers
from games.picture import Painter, PicturePlayer, picture, picture_piece, plain
from games.ruleset import POINTS, Option, Options, Ruleset
from games.scene import Keys, Scene
from games.schema import described, view_schema
from games.state import State, View

SceneMaker: TypeAlias = Callable[[Ruleset, Mapping[str, Any], list[str], Keys], Scene]


class HouseBotError(RuntimeError):
    """A house bot failed in this process. The message names the bot and the line in its file."""


@dataclass(frozen=True, slots=True)
class HouseBot:
    """An opponent that ships with the site: a complete bot in ``bots/<name>.py`` in the folder of its game.

    It imports nothing from this project and plays every version of the rules. ``title`` is its name on the site,
    ``slug`` its name in addresses, file names and research. ``name`` is used only inside its game's folder.
    """

    folder: str  # the package of the game, such as pecking_order_pig
    name: str
    title: str
    blurb: str

    @property
    def slug(self) -> str:
        """Its name in addresses, such as ``wise-owl``."""
        return "-".join("".join(one if one.isalnum() else " " for one in self.title.lower()).split())

    @property
    def file_name(self) -> str:
        """The name of its file when it is downloaded."""
        return f"{self.slug}.py"

    @property
    def needs_numpy(self) -> bool:
        """Whether it requires numpy: it imports numpy outside of a ``try``."""
        return any(line.startswith((b"import numpy", b"from numpy")) for line in self.source().splitlines())

    def source(self) -> bytes:
        """Return the file as it would be uploaded."""
        return files(self.folder).joinpath("bots", f"{self.name}.py").read_bytes()

    def act(self) -> Callable[[View], str]:
        """Return a function that answers a view in this process. It raises HouseBotError if the bot fails."""
        module = import_module(f"{self.folder}.bots.{self.name}")

        @wraps(module.act)
        def action(view: View) -> str:
            try:
                return explained_action(module.act(view))
            except Exception as error:
                lines = [str(at.lineno) for at in extract_tb(error.__traceback__) if at.filename == module.__file__]
                about = f"{type(error).__name__}: {error} (bots/{self.name}.py{', line ' + lines[-1] if lines else ''})"
                raise HouseBotError(f"the house bot {self.title} failed: {about}") from error

        return action


@dataclass(frozen=True, slots=True)
class Cup:
    """A tournament of the demo.

    With a ``tempo`` (see ``games.beats``), its matches are broadcast. The broadcasts of the first round start after
    ``premiere_minutes`` at the earliest. With ``entry_days``, anyone may enter for that many days before the start.

    ``bots`` names the house bots that enter, weakest first; by default, all house bots of the game.
    """

    game: str
    name: str
    description: str
    seats: int
    tempo: str = ""
    bots: tuple[str, ...] = ()
    format: str = ""  # the code of a tournament format; "": the default
    rounds: int = 0
    blocks: int = 1
    premiere_minutes: int = 0
    entry_days: int = 0


@dataclass(frozen=True, slots=True)
class HouseLadder:
    """A league of the demo with all house bots of the game. ``seats`` is the number of bots in a match."""

    name: str
    seats: int


@dataclass(frozen=True, slots=True, eq=False)
class CatalogueGame:
    """A game with every version of its rules that was ever played here. Compares equal only to itself.

    Its folder contains the rules, ``bots/``, the page of rules ``rules.html`` and, if that page shows examples, their
    vectors in ``examples.json``. The folder of a package also has ``board/`` and optionally ``locale/``: see
    ``web.game_files``.

    Raises:
        ValueError: the versions belong to different games, or are not in ascending order.
    """

    folder: str  # the package that contains it
    versions: tuple[Ruleset, ...]  # oldest first; the last one is current
    tagline: str  # what the game is about, in one line
    reasons: Mapping[str, str]  # by ``Outcome.reason``: why a game ended
    house_bots: tuple[HouseBot, ...]  # weakest first
    # The name of the house bot that replaces a failed bot. It must always answer the same view with the same action.
    plays_on: str
    tie_breaks: Mapping[str, str] = field(default_factory=dict)  # by ``Outcome.tie_break``
    # What each action does. In a key, * stands for one word. The first key that matches an action counts.
    actions: Mapping[str, str] = field(default_factory=dict)
    scene: SceneMaker | None = None  # how its vectors set up a position; None if it has no vectors
    mark: Marker = mark_action  # decides where a beat of a replay ends
    cups: tuple[Cup, ...] = ()
    ladder: HouseLadder | None = None
    draw: Painter = plain  # the small picture of a spectator's view
    piece: Callable[[str], str] = picture_piece  # draws a die, card or tile in the examples of the rules
    shares: tuple[str, ...] = ()  # other packages whose code plays the game too, see ``catalogue.code``
    colour: str = ""  # of the game's cards on pages: "ember", "brick", "mustard" or "lake"; "": the site's default

    def __post_init__(self) -> None:
        numbers = [ruleset.version for ruleset in self.versions]
        if len({ruleset.name for ruleset in self.versions}) != 1 or numbers != sorted(set(numbers)):
            raise ValueError(f"not the versions of one game, oldest first: {', '.join(map(str, self.versions))}")

    @property
    def name(self) -> str:
        return self.versions[-1].name

    def meaning_of(self, action: str) -> str:
        """Return what an action of a player does, in English; "" if the game has no text for it.

        >>> from games.catalogue import GAMES
        >>> GAMES["pickomino"].meaning_of("take W")
        'set aside all dice of the roll with this face'
        """
        return next((text for pattern, text in self.actions.items() if fnmatchcase(action, pattern)), "")

    @property
    def title(self) -> str:
        return self.versions[-1].title

    def picture(
        self, view: View, players: Sequence[PicturePlayer], *, title: str = "", translate: Callable[[str], str] = str
    ) -> str:
        """Return the small picture of a spectator's ``view``: see ``games.picture.picture``."""
        return picture(title or translate(self.title), self.draw, view, players, translate)

    @property
    def current(self) -> Ruleset:
        """The version for new contests, uploads and local games."""
        return self.versions[-1]

    def file(self, *path: str) -> Traversable:
        """Return a file of the game's folder, whether or not it exists."""
        return files(self.folder).joinpath(*path)

    def first_bot(self) -> str:
        """Return the source of the bot to begin with, ``first_bot.txt`` in its folder; "" if there is no such file."""
        file = self.file("first_bot.txt")
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    @property
    def stand_in(self) -> HouseBot:
        """The house bot that replaces a bot that failed.

        Raises:
            LookupError: there is no house bot with this name.
        """
        for bot in self.house_bots:
            if bot.name == self.plays_on:
                return bot
        raise LookupError(f"{self.name} has no house bot {self.plays_on!r}")


def new_game(
    folder: str,
    name: str,
    *,
    title: str,
    tagline: str,
    seats: range,
    view: Mapping[str, tuple[Mapping[str, Any], str]],
    opening: Callable[[int, Options], State],
    vocabulary: Callable[[Options], tuple[str, ...]],
    max_actions: Callable[[int, Options], int],
    reasons: Mapping[str, str],
    house_bots: Sequence[tuple[str, str, str]],
    options: Mapping[str, Option] = MappingProxyType({}),
    points: str = POINTS,
    in_numbers: InNumbers | None = None,
    **more: Any,
) -> CatalogueGame:
    """Return the game ``name`` in the package ``folder``, with version 1 of its rules.

    Args:
        view: for each key that the game adds to a view, its schema and its meaning; see ``games.schema``.
        house_bots: weakest first; for each, the name of its file in ``bots/``, its title and a description. The last
            one replaces bots that failed.
        more: further fields of ``CatalogueGame``.

    Raises:
        IndexError: there is no house bot.
    """
    keys = {key: described(schema, meaning) for key, (schema, meaning) in view.items()}
    rules = Ruleset(
        name=name,
        version=1,
        title=title,
        seats=seats,
        options=options,
        view_schema=view_schema(title, f"{name}/1", options, seats, **keys),
        opening=opening,
        vocabulary=vocabulary,
        max_actions=max_actions,
        points=points,
        in_numbers=in_numbers,
    )
    bots = tuple(HouseBot(folder, *bot) for bot in house_bots)
    defaults: dict[str, Any] = {"versions": (rules,), "house_bots": bots, "plays_on": bots[-1].name}
    return CatalogueGame(folder=folder, tagline=tagline, reasons=reasons, **(defaults | more))
