"""Checks of public names: they must be visible, and not be mistaken for somebody with a role on the site."""

import unicodedata
from functools import cache
from typing import Final

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext as _

from bots.lookalikes import UNSEEN, lookalike_skeletons
from games.catalogue import GAMES
from web.errors import Refusal

MOST_MARKS: Final = 2  # combining marks on one letter; no orthography needs more
ROLES: Final = (
    *("organiser", "organizer", "administrator", "admin", "support", "arbiter", "moderator", "staff", "house"),
    *("Veranstalter", "Schiedsrichter", "Administration", "organisateur", "arbitre", "administrateur"),
    *("organizzatore", "arbitro", "amministratore", "moderatore"),
)


class BadName(Refusal):
    """A name that is not allowed. The text says why, ``code`` is for programs."""

    code = "bad_name"
    field = "name"


def bot_name_check(name: str, *, owner_id: int | None = None) -> None:
    """Check that ``name`` is readable, and not similar to that of a house bot, a role, an organiser or member of staff.

    ``owner_id`` is the account that wants the name; it may use its own user name.

    Raises:
        BadName: the name is not allowed.
    """
    _check_visible(name)
    wanted = set(lookalike_skeletons(name))
    others = get_user_model().objects.filter(Q(is_staff=True) | Q(is_organiser=True)).exclude(pk=owner_id or 0)
    for protected in (*_protected(), *others.values_list("username", flat=True)):
        if not wanted.isdisjoint(lookalike_skeletons(protected)):
            sentence = _("This name is too similar to %(name)s, the name of somebody else. Choose another name.")
            raise BadName(sentence % {"name": protected})


def validate_bot_name(name: str) -> None:
    """Validate a form field with ``bot_name_check``.

    Raises:
        ValidationError: the name is not allowed.
    """
    try:
        bot_name_check(name)
    except BadName as error:
        raise ValidationError(str(error), code=error.code) from error


def _check_visible(name: str) -> None:
    if UNSEEN.search(name) or not name.isprintable():
        raise BadName(_("Use visible characters only, on one line."))
    marks = 0
    for letter in unicodedata.normalize("NFD", name):
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if marks > MOST_MARKS:
            raise BadName(_("Use at most two accents on a letter."))


@cache
def _protected() -> tuple[str, ...]:
    return (*ROLES, *(bot.title for game in GAMES.values() for bot in game.house_bots))
