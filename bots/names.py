"""What may stand as a name where everyone reads it: visible, and not to be taken for somebody who has a say here.

Two names are taken for each other when their skeletons are equal (Unicode Technical Standard 39): letters that look
alike count as one, and neither capitals nor spaces nor punctuation count.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Final

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext as _

from games.catalogue import GAMES
from web.errors import Refusal

MOST_MARKS: Final = 2  # one upon the other; no orthography needs more
# Default_Ignorable_Code_Point of Unicode, which Python's own data lack, and a letter of Braille that has no dots.
UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
SEPARATORS: Final = re.compile(r"[\W_]+")
ROLES: Final = (
    *("organiser", "organizer", "administrator", "admin", "support", "arbiter", "moderator", "staff", "house"),
    *("Veranstalter", "Schiedsrichter", "Administration", "organisateur", "arbitre", "administrateur"),
    *("organizzatore", "arbitro", "amministratore", "moderatore"),
)


class BadName(Refusal):
    """A name that cannot be had. The text says why, ``code`` says it to programs."""

    code = "bad_name"
    field = "name"


def name_check(name: str, *, owner_id: int | None = None) -> None:
    """Check that ``name`` can be read, and is not taken for a house bot, a role, or an organiser or member of staff.

    ``owner_id`` is who is to have it, and may be called what they are called.

    Raises:
        BadName: it cannot be had.
    """
    _check_visible(name)
    wanted = set(skeletons(name))
    others = get_user_model().objects.filter(Q(is_staff=True) | Q(is_organiser=True)).exclude(pk=owner_id or 0)
    for protected in (*_protected(), *others.values_list("username", flat=True)):
        if not wanted.isdisjoint(skeletons(protected)):
            sentence = _("This name can be taken for %(name)s, which stands for somebody else. Choose another name.")
            raise BadName(sentence % {"name": protected})


def validate_name(name: str) -> None:
    """Return the same for forms.

    Raises:
        ValidationError: it cannot be had.
    """
    try:
        name_check(name)
    except BadName as error:
        raise ValidationError(str(error), code=error.code) from error


def skeletons(name: str) -> Iterator[str]:
    """Return what ``name`` looks like, as it stands, in small and in large letters: a small l is a large I, no small
    i.
    """
    for spelt in (name, name.casefold(), name.upper()):
        yield SEPARATORS.sub("", _skeleton(spelt)) or name


def _check_visible(name: str) -> None:
    if UNSEEN.search(name) or not name.isprintable():
        raise BadName(_("Use visible characters only, on one line."))
    marks = 0
    for letter in unicodedata.normalize("NFD", name):
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if marks > MOST_MARKS:
            raise BadName(_("Put at most two marks on a letter."))


def _skeleton(text: str) -> str:
    looks = _looks()
    mapped = "".join(looks.get(letter, letter) for letter in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", mapped).casefold()


@cache
def _protected() -> tuple[str, ...]:
    return (*ROLES, *(bot.title for game in GAMES.values() for bot in game.house_bots))


@cache
def _looks() -> dict[str, str]:
    """Return the prototype of each letter that has one.

    The library lists each pair both ways, so of a group that looks alike the prototype is the one in its middle; of a
    mere pair it does not matter which, but letters are looked up one by one, so it is the longer.
    """
    from confusable_homoglyphs.confusables import confusables_data  # a megabyte, read when the first name is checked

    alike = {  # the data put marks of direction around letters that are written from the right
        letter.strip("\u200e"): [other["c"].strip("\u200e") for other in others]
        for letter, others in confusables_data.items()
    }
    looks = {}
    for letter, others in alike.items():
        if len(letter) == 1 and len(others) == 1:
            other = others[0]
            is_middle = len(alike.get(other, ())) > 1
            looks[letter] = other if is_middle else max(letter, other, key=lambda one: (len(one), one))
    return looks
