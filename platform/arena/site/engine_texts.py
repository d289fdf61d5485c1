"""The English prose of rooms that know no Django, so that it is found for translation: see ``mark_engine_texts``."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bots.house import HOUSE
from games.catalogue import GAMES
from games.ruleset import NOT_FOR_SO_MANY

MARKED: Final = Path(__file__).with_name("marked_texts.py")


def engine_texts() -> Iterator[str]:
    """Every text that pages translate by value: games, their options and what may be wrong with them, house bots."""
    for ruleset in [version for game in GAMES.values() for version in game.versions]:
        yield ruleset.title
        yield ruleset.points
        for option in ruleset.options.values():
            yield option.label
            yield option.help
            yield from option.words
            if option.form is not None:
                yield option.form.allowed
                yield from map(str, option.form.wrong)
    yield NOT_FOR_SO_MANY
    for bots in HOUSE.values():
        for bot in bots:
            yield bot.blurb


def marked_source() -> str:
    """The module that marks them, as it should be."""
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
