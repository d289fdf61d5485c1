"""The changes of a bracket by a ruling, in words: who goes on from which match, and who then meets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.formats.knockout import BoutChange, DecidedBy, Heat
from tournaments.formats.knockout.pages.labels import bout_label, bracket_reason_label
from tournaments.models import Entry
from tournaments.selectors.rulings.ruling_preview import Consequences


@dataclass(frozen=True, slots=True)
class BoutChanged:
    """A match of a knockout that changes.

    ``name`` is the name of the match. ``by`` is the criterion that decides it. ``sentence`` describes the change in
    words. For ``goes_on``, ``instead`` and ``meet`` see ``BoutChange``.
    """

    stage: int
    name: str
    goes_on: Sequence[Entry]
    instead: Sequence[Entry]
    meet: Sequence[Entry]
    by: DecidedBy | None
    sentence: str


def bracket_changed(follows: Consequences, entries: Mapping[int, Entry]) -> list[BoutChanged]:
    """Return the matches of knockouts that change, in the order of play."""
    out = {row.entrant for change in follows.changes for row in change.after if row.disqualified}
    shown = []
    for stage, one in follows.bracket:
        double = not isinstance(one.bout, Heat) and bool(stage.facts["double"])
        goes_on, instead, meet = ([entries[entry] for entry in group] for group in (one.goes_on, one.instead, one.meet))
        names = {
            "going": ", ".join(entry.bot.name for entry in goes_on),
            "before": ", ".join(entry.bot.name for entry in instead),
            "meeting": " – ".join(entry.bot.name for entry in meet),  # noqa: RUF001
            "reason": bracket_reason_label(one.bout, out),
        }
        name, sentence = bout_label(one.bout, double, one.last), _sentence(one) % names
        shown.append(BoutChanged(stage.number, name, goes_on, instead, meet, one.bout.by, sentence))
    return shown


def _sentence(one: BoutChange) -> str:
    many = len(one.goes_on)
    if one.meet:
        return _("%(meeting)s then meet.")
    if not many:
        return _("decided when it is played again; before, it was %(before)s.") if one.instead else _("to be played.")
    if one.same:
        if one.last:
            return _("%(going)s wins, as before (%(reason)s).")
        return ngettext("%(going)s goes on, as before (%(reason)s).", "%(going)s go on, as before (%(reason)s).", many)
    if one.instead:
        if one.last:
            return _("%(going)s wins instead of %(before)s (%(reason)s).")
        return ngettext(
            "%(going)s goes on instead of %(before)s (%(reason)s).",
            "%(going)s go on instead of %(before)s (%(reason)s).",
            many,
        )
    if one.last:
        return _("%(going)s wins (%(reason)s).")
    return ngettext("%(going)s goes on (%(reason)s).", "%(going)s go on (%(reason)s).", many)
