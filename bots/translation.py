"""Translations of messages about uploads: in the reader's language on the site, in English in ``peck``.

The checks of uploads use only the standard library, so that they run on authors' machines too. The site registers its
translation functions when it starts.
"""

from collections.abc import Callable
from typing import Final

Gettext = Callable[[str], str]
Ngettext = Callable[[str, str, int], str]

_translation: Final[dict[str, tuple[Gettext, Ngettext]]] = {}


def translation_register(one: Gettext, many: Ngettext) -> None:
    """Use these two functions for all translations from now on."""
    _translation["site"] = (one, many)


def gettext(text: str) -> str:
    """Return the message in the reader's language."""
    return _translation["site"][0](text) if _translation else text


def ngettext(one: str, many: str, number: int) -> str:
    """Return the singular or plural message for ``number`` in the reader's language."""
    if _translation:
        return _translation["site"][1](one, many, number)
    return one if number == 1 else many


def gettext_noop(text: str) -> str:
    """Mark a message that is translated later, when it is shown."""
    return text
