"""What `manage.py check` says of a game in the catalogue that lacks something: see docs/how-to/add-a-game.md."""

from collections.abc import Iterator, Sequence
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any, Final

from django.apps import AppConfig
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core import checks
from django.template import TemplateDoesNotExist, TemplateSyntaxError
from django.template.loader import get_template

from arena.site.engine_texts import game_texts
from games.catalogue import GAMES
from games.game import CatalogueGame
from matches.pages.match_page import board_file

SHOWN: Final = 3  # untranslated texts that a message names


@checks.register
def check_games(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Return errors for what a page or a match would fail without, warnings for texts that a language lacks: until they
    are translated they are shown in English.
    """
    catalogues = list(_catalogues())
    return [
        message for name, game in GAMES.items() for message in (*_errors(name, game), *_untranslated(game, catalogues))
    ]


def _errors(name: str, game: CatalogueGame) -> Iterator[checks.CheckMessage]:
    folder = game.folder.replace(".", "/")
    if name != game.name or game.folder.rpartition(".")[2] != name:
        yield _error(2, name, f"is registered as {name!r} and lies in {folder}/, but its rules are of {game.name!r}")
    if finders.find(board_file(name)) is None:
        yield _error(3, name, "has no board", f"Write static/{board_file(name)} in platform/matches.")
    try:
        get_template(f"{name}/rules.html")
    except (TemplateDoesNotExist, TemplateSyntaxError) as error:
        yield _error(4, name, f"has no page of rules that can be shown ({error})", f"Write {folder}/rules.html.")
    if not game.house_bots:
        yield _error(5, name, "has no house bot", "Uploads are checked against one: list it in house_bots.")
    for bot in game.house_bots:
        if not game.file("bots", f"{bot.name}.py").is_file():
            yield _error(6, name, f"has no file of its house bot {bot.title}", f"Write {folder}/bots/{bot.name}.py.")
    if game.plays_on not in {bot.name for bot in game.house_bots}:
        yield _error(7, name, f"has no stand-in: plays_on is {game.plays_on!r}", "Name one of its house bots.")
    missing = [field for field in ("tagline", "reasons") if not getattr(game, field)]
    missing += ["title"] if not game.title else []
    if missing:
        yield _error(8, name, f"lacks its texts: {', '.join(missing)}", "Pages of games and matches show them.")


def _untranslated(
    game: CatalogueGame, catalogues: Sequence[tuple[str, NullTranslations]]
) -> Iterator[checks.CheckMessage]:
    texts = list(dict.fromkeys(filter(None, game_texts(game))))
    for language, catalogue in catalogues:
        if missing := [text for text in texts if catalogue.gettext(text) == _Unknown.text]:
            named = "; ".join(repr(text) for text in missing[:SHOWN]) + ("; ..." if len(missing) > SHOWN else "")
            yield checks.Warning(
                f"The game {game.name!r} lacks {len(missing)} of its texts in {language}: {named}.",
                hint="make messages, translate, and make messages again.",
                id="arena.W003",
            )


class _Unknown(NullTranslations):
    """What a catalogue falls back to: says so."""

    text: Final = "\0"

    def gettext(self, message: str) -> str:
        return self.text


def _catalogues() -> Iterator[tuple[str, NullTranslations]]:
    """Yield the translations into each language of the site but English, in which the texts are written."""
    for language, _name in settings.LANGUAGES:
        for folder in settings.LOCALE_PATHS if language != "en" else ():
            file = Path(folder) / language / "LC_MESSAGES" / "django.mo"
            if file.is_file():
                with file.open("rb") as opened:
                    catalogue = GNUTranslations(opened)
                catalogue.add_fallback(_Unknown())
                yield language, catalogue


def _error(number: int, game: str, lack: str, hint: str | None = None) -> checks.CheckMessage:
    return checks.Error(f"The game {game!r} {lack}.", hint=hint, id=f"arena.E{number:03}")
