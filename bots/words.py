"""The sentences of an upload's check, which the site says in its reader's language and ``peck`` in English.

What checks an upload stands on the standard library, so that it runs on an author's machine too. The site registers
its translation when it starts.
"""

from collections.abc import Callable
from typing import Final

Gettext = Callable[[str], str]
Ngettext = Callable[[str, str, int], str]

_translation: Final[dict[str, tuple[Gettext, Ngettext]]] = {}


def translation_register(one: Gettext, many: Ngettext) -> None:
    """Say everything through these two from now on."""
    _translation["site"] = (one, many)


def gettext(text: str) -> str:
    """Return the sentence in the reader's language."""
    return _translation["site"][0](text) if _translation else text


def ngettext(one: str, many: str, number: int) -> str:
    """Return the sentence for so many."""
    if _translation:
        return _translation["site"][1](one, many, number)
    return one if number == 1 else many


def gettext_noop(text: str) -> str:
    """Mark a sentence that is translated where it is said."""
    return text
