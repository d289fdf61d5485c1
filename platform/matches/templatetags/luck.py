"""Template filters that put parts of analyses into words."""

from collections.abc import Iterable
from typing import Final

from django import template
from django.utils.translation import gettext_lazy as _

from matches.bot_history.costliest import CostlyRow

register = template.Library()

KINDS: Final = {
    "face": _("which face to keep"),
    "go_on": _("to roll or to stop"),
    "steal": _("to steal or not"),
    "tile": _("which tile to take"),
    "golden": _("to roll the golden die or not"),
    "weasel": _("to use the weasel or not"),
    "canned": _("to use the canned worm or not"),
    "keep": _("which specialist to keep"),
    "bratworm": _("whose bratworm to take"),
}


@register.filter
def luck_decision_kind(code: str) -> object:
    """Return a kind of decision in the reader's language."""
    return KINDS.get(code, code)


@register.filter
def action_meanings(rows: Iterable[CostlyRow]) -> list[tuple[str, list[str]]]:
    """Return the meanings of the actions in ``rows``, in order, each with the actions that have it.

    Actions without a meaning are left out.
    """
    found: dict[str, list[str]] = {}
    for row in rows:
        for worth in (row.played, row.best):
            if worth and worth.meaning and worth.action not in found.setdefault(worth.meaning, []):
                found[worth.meaning].append(worth.action)
    return list(found.items())
