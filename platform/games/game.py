"""A game as the catalogue lists it: everything that the platform knows about it, said once; ``new_game`` builds one,
with the first version of its rules, from its author's values and derives the rest.

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
    """A house bot failed in this process. Says which, and where in its file."""


@dataclass(frozen=True, slots=True)
class HouseBot:
    """An opponent that ships with the site: ``bots/<name>.py`` in the folder of its game, a whole bot.

    It imports nothing of ours and plays every version of the rules. ``title`` is what it is called on the site,
    ``slug`` in addresses, names of files and research; ``name`` is used inside its game's folder alone.
    """

    folder: str  # the package of the game, such as pecking_order_pig
    name: str
    title: str
    blurb: str

    @property
    def slug(self) -> str:
        """Its name in addresses, ``wise-owl``."""
        return "-".join("".join(one if one.isalnum() else " " for one in self.title.lower()).split())

    @property
    def file_name(self) -> str:
        """What its file is called where it is taken home."""
        return f"{self.slug}.py"

    @property
    def needs_numpy(self) -> bool:
        """Whether it plays only where numpy is installed: it imports it, and not in a ``try``."""
        return any(line.startswith((b"import numpy", b"from numpy")) for line in self.source().splitlines())

    def source(self) -> bytes:
        """Return the file, as it would be uploaded."""
        return files(self.folder).joinpath("bots", f"{self.name}.py").read_bytes()

    def act(self) -> Callable[[View], str]:
        """Return the function that plays its actions in this process; it raises HouseBotError where the bot fails."""
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
    """A tournament of the demo. With a ``tempo``, see ``games.beats``, its matches are broadcast; those of its first
    round not before ``premiere_minutes`` have passed. With ``entry_days``, anybody may enter for so many days before it
    starts.

    ``bots`` names the house bots that enter, weakest first; all of the game's if it names none.
    """

    game: str
    name: str
    description: str
    seats: int
    tempo: str = ""
    bots: tuple[str, ...] = ()
    format: str = ""  # the code of a format of tournaments; "": the usual one
    rounds: int = 0
    blocks: int = 1
    premiere_minutes: int = 0
    entry_days: int = 0


@dataclass(frozen=True, slots=True)
class HouseLadder:
    """A league of the demo, of all the game's house bots; ``seats``: how many meet at a table."""

    name: str
    seats: int


@dataclass(frozen=True, slots=True, eq=False)
class CatalogueGame:
    """A game with every version of its rules that was ever played here. Equal to itself alone.

    Its folder has, beside the rules, ``bots/``, the page of rules ``rules.html`` and, if that shows any examples, their
    vectors in ``examples.json``. That of a package has ``board/`` too, and perhaps ``locale/``: see ``web.game_files``.

    Raises:
        ValueError: the versions are not of one game, or not in ascending order.
    """

    folder: str  # the package that it lies in
    versions: tuple[Ruleset, ...]  # oldest first; the last one is current
    tagline: str  # what it is about, in a line
    reasons: Mapping[str, str]  # for each ``Outcome.reason``: why a game ended
    house_bots: tuple[HouseBot, ...]  # weakest first
    plays_on: str  # name of the house bot that plays on for one that failed: the same action for the same view
    tie_breaks: Mapping[str, str] = field(default_factory=dict)  # for each ``Outcome.tie_break``
    actions: Mapping[str, str] = field(default_factory=dict)  # what each does; * stands for a word, the first that fits
    scene: SceneMaker | None = None  # how its vectors set up a position; None: it has no vectors
    mark: Marker = mark_action  # where a beat of a replay ends
    cups: tuple[Cup, ...] = ()
    ladder: HouseLadder | None = None
    draw: Painter = plain  # the small picture of a spectator's view
    piece: Callable[[str], str] = picture_piece  # draws a die, a card or a tile in the examples of the rules
    shares: tuple[str, ...] = ()  # packages beside its folder whose code plays it too, see ``catalogue.code``
    colour: str = ""  # of its cards on pages: "ember", "brick", "mustard" or "lake"; "": the site's own

    def __post_init__(self) -> None:
        numbers = [ruleset.version for ruleset in self.versions]
        if len({ruleset.name for ruleset in self.versions}) != 1 or numbers != sorted(set(numbers)):
            raise ValueError(f"not the versions of one game, oldest first: {', '.join(map(str, self.versions))}")

    @property
    def name(self) -> str:
        return self.versions[-1].name

    def meaning_of(self, action: str) -> str:
        """Return what an action of a player does, in English; "" if the game does not say.

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
        """The version that new contests, uploads and local games are played by."""
        return self.versions[-1]

    def file(self, *path: str) -> Traversable:
        """Return a file of the game's folder, which need not be there."""
        return files(self.folder).joinpath(*path)

    def first_bot(self) -> str:
        """Return the bot to begin with, ``first_bot.txt`` in its folder; "" if it has none of its own."""
        file = self.file("first_bot.txt")
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    @property
    def stand_in(self) -> HouseBot:
        """The house bot that plays on for a bot that failed.

        Raises:
            LookupError: there is no house bot of that name.
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
        view: the schema and the meaning of each key that the game adds to a view; see ``games.schema``.
        house_bots: weakest first; for each, the name of its file in ``bots/``, its title and a description. The last
            one continues for bots that failed.
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
