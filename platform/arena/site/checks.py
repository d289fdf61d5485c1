"""System checks of ``manage.py check``: settings of email, games of the catalogue, squashed migrations."""

from collections.abc import Iterator, Sequence
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core import checks
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.template import TemplateDoesNotExist, TemplateSyntaxError
from django.template.loader import get_template

from arena.site.engine_texts import engine_texts_of_game
from arena.site.game_packages import game_packages_given
from games.catalogue import BROKEN, GAMES
from games.game import CatalogueGame
from luck import broken_luck
from matches.pages.player import player_board_file

SMTP: Final = "web.email.SmtpBackend"
SHOWN: Final = 3  # untranslated texts named in a message


@checks.register
def check_letters(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Warn of an invalid sender address, and of missing settings if emails are really sent."""
    found: list[checks.CheckMessage] = []
    if settings.SITE_URL and not _is_an_address(settings.SITE_URL):
        found.append(
            checks.Error(
                f"SITE_URL is {settings.SITE_URL!r}, which cannot be a link in emails.",
                hint="Set it to the scheme and the host people use, such as https://pecking.example.org.",
                id="arena.E001",
            )
        )
    if settings.EMAIL_BACKEND != SMTP:
        return found
    if not settings.SITE_URL:
        found.append(
            checks.Warning(
                "SITE_URL is not set: links in emails lack the site's address.",
                hint="Set it to the scheme and the host people use, such as https://pecking.example.org.",
                id="arena.W001",
            )
        )
    if settings.DEFAULT_FROM_EMAIL.endswith("@localhost"):
        found.append(
            checks.Warning(
                f"Emails come from {settings.DEFAULT_FROM_EMAIL}: other mail servers refuse them.",
                hint="Set DEFAULT_FROM_EMAIL to an address of your domain.",
                id="arena.W002",
            )
        )
    return found


def _is_an_address(text: str) -> bool:
    parts = urlsplit(text)
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not (parts.query or parts.fragment)


@checks.register
def check_games(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Return errors for games that would break a page or a match, and warnings for untranslated texts. Pages show these
    texts in English.
    """
    catalogues = list(_catalogues())
    left_out = [
        checks.Warning(
            f"The game {name!r} is left out: {why}.",
            hint="Repair or uninstall its package, and restart. Until then its contests wait; results stay readable.",
            id="arena.W004",
        )
        for name, why in BROKEN.items()
    ]
    not_given = [
        checks.Info(
            f"The games of {name} cannot be played in browsers: {why}.",
            hint="They are played on the server alone.",
            id="arena.I001",
        )
        for name, why in game_packages_given().reasons.items()
    ]
    no_luck = [
        checks.Warning(
            f"The luck analysis {name!r} is not used: {why}.",
            hint="Repair its package and restart. Matches of its game are played, but luck is not shown.",
            id="arena.W005",
        )
        for name, why in broken_luck().items()
    ]
    return (
        left_out
        + no_luck
        + not_given
        + [
            message
            for name, game in GAMES.items()
            for message in (*_errors(name, game), *_untranslated(game, catalogues))
        ]
    )


def _errors(name: str, game: CatalogueGame) -> Iterator[checks.CheckMessage]:
    folder = game.folder.replace(".", "/")
    if name != game.name:
        yield _error(2, name, f"is registered as {name!r}, but its rules are of {game.name!r}")
    if finders.find(player_board_file(name)) is None:
        yield _error(3, name, "has no board", f"Write {folder}/board/index.js.")
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
    texts = list(dict.fromkeys(filter(None, engine_texts_of_game(game))))
    for language, catalogue in catalogues:
        if missing := [text for text in texts if catalogue.gettext(text) == _Unknown.text]:
            named = "; ".join(repr(text) for text in missing[:SHOWN]) + ("; ..." if len(missing) > SHOWN else "")
            yield checks.Warning(
                f"The game {game.name!r} lacks {len(missing)} of its texts in {language}: {named}.",
                hint="make messages, translate, and make messages again.",
                id="arena.W003",
            )


class _Unknown(NullTranslations):
    """A fallback of a catalogue: it marks texts that the catalogue does not contain."""

    text: Final = "\0"

    def gettext(self, message: str) -> str:
        return self.text


def _catalogues() -> Iterator[tuple[str, NullTranslations]]:
    """Yield the translations for each language except English."""
    for language, _name in settings.LANGUAGES:
        found: NullTranslations = _Unknown()
        for folder in reversed(settings.LOCALE_PATHS if language != "en" else ()):
            file = Path(folder) / language / "LC_MESSAGES" / "django.mo"
            if file.is_file():
                with file.open("rb") as opened:
                    catalogue = GNUTranslations(opened)
                catalogue.add_fallback(found)
                found = catalogue
        if isinstance(found, GNUTranslations):
            yield language, found


def _error(number: int, game: str, lack: str, hint: str | None = None) -> checks.CheckMessage:
    return checks.Error(f"The game {game!r} {lack}.", hint=hint, id=f"arena.E{number:03}")


@checks.register(checks.Tags.database)
def check_squashed_migrations(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[checks.CheckMessage]:
    """Refuse a database that has applied only some of the migrations that a squashed one replaces.

    The files of the migrations that were not applied no longer exist, and Django would silently migrate nothing.
    """
    on_disk = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    found: list[checks.CheckMessage] = []
    for alias in databases or ():
        applied = MigrationRecorder(connections[alias]).applied_migrations()
        for (app, name), migration in sorted(on_disk.items()):
            missing = [old for old in migration.replaces if old not in applied]
            if missing and len(missing) < len(migration.replaces):
                found.append(
                    checks.Error(
                        f"The database {alias!r} stops before {app}.{missing[0][1]}, which {app}.{name} replaced.",
                        hint="Run `manage.py migrate` of the release before this one, then this one's.",
                        id="arena.E009",
                    )
                )
    return found
