"""Collect the English texts of rooms without Django, so that gettext finds them: see ``mark_engine_texts``."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from games.catalogue import GAMES
from games.catalogue.discovery import OWN
from games.game import CatalogueGame
from games.picture import PictureText
from games.ruleset import NOT_FOR_SO_MANY
from games.schema import schema_keys
from tournaments.formats.registry import FORMATS

MARKED: Final = Path(__file__).with_name("marked_texts.py")


def engine_texts() -> Iterator[str]:
    """Yield every text that pages translate by value: our games with options and errors, house bots, pictures, and
    tournament formats. Packages bring their own translations.
    """
    for name in OWN:
        yield from engine_texts_of_game(GAMES[name])
    yield NOT_FOR_SO_MANY
    yield from map(str, PictureText)
    for kind in FORMATS.values():
        yield from kind.texts()


def engine_texts_of_game(game: CatalogueGame) -> Iterator[str]:
    """Yield the English texts of one game and of all versions of its rules."""
    yield from (game.tagline, *game.reasons.values(), *game.tie_breaks.values(), *game.actions.values())
    yield from (bot.blurb for bot in game.house_bots)
    for ruleset in game.versions:
        yield from (ruleset.title, ruleset.points)
        yield from (meaning for _key, meaning in schema_keys(ruleset.view_schema) if meaning)
        for option in ruleset.options.values():
            yield from (option.label, option.help, *option.words)
            if option.form is not None:
                yield option.form.allowed
                yield from map(str, option.form.wrong)


def engine_texts_source() -> str:
    """Return the source of the module that marks these texts."""
    lines = [f"    _({text!r})," for text in dict.fromkeys(engine_texts())]
    return "\n".join(
        (
            '"""Written by ``manage.py mark_engine_texts``; nothing imports it."""',
            "",
            "# ruff: noqa: E501",
            "# fmt: off",
            "from django.utils.translation import gettext_noop as _",
            "",
            "TEXTS = (",
            *lines,
            ")",
            "",
        )
    )
