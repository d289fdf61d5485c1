"""The agenda of a tournament: what waits for the organiser or an arbiter, as texts with buttons."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournaments.models import Publication, Tournament, TournamentState

FOR_ARBITERS: Final = ("pause", "resume", "release")  # the tournament's page has forms for these acts
ACTS: Final = ("open", "lock", "reopen", "start", "release-sources", *FOR_ARBITERS)


@dataclass(frozen=True, slots=True)
class AgendaItem:
    """An item of the agenda, with buttons or a link.

    For each button, ``acts`` has an act of ``views.actions`` and a label; the first button is the usual choice. If the
    item is about a waiting round, ``round`` is its number, and ``when`` is the time at which it begins automatically.
    """

    what: str
    text: str
    acts: tuple[tuple[str, str], ...] = ()
    href: str = ""
    label: str = ""
    round: int = 0
    when: datetime | None = None


def tournament_agenda_of(tournament: Tournament, *, playing: int, held: int, owns: bool) -> list[AgendaItem]:
    """Return the items that wait for the reader, the most urgent first.

    ``playing`` is the number of bots that take part. ``held`` is the number of matches that are held after faults of
    the platform. ``owns`` tells whether the reader is the organiser or staff; otherwise the reader is an arbiter.
    """
    if tournament.state == TournamentState.PAUSED:
        paused = AgendaItem("paused", _("Paused: no match begins until you resume."), (("resume", _("Resume")),))
        return [paused, *(_rounds(tournament) if owns else ())]
    return list(_for_organiser(tournament, playing, held)) if owns else []


def _for_organiser(tournament: Tournament, playing: int, held: int) -> Iterator[AgendaItem]:
    if tournament.is_overdue:
        yield AgendaItem("overdue", _overdue(tournament))
    if tournament.state == TournamentState.DRAFT:
        yield AgendaItem("draft", _("A draft: only you see it, and nobody can enter."), (("open", _("Open entries")),))
    elif tournament.state in (TournamentState.OPEN, TournamentState.LOCKED):
        yield _entries(tournament, playing)
    elif tournament.state == TournamentState.RUNNING:
        yield from _rounds(tournament)
        if held:
            text = ngettext(
                "%(held)d match is on hold after faults of the platform.",
                "%(held)d matches are on hold after faults of the platform.",
                held,
            )
            yield AgendaItem("held", text % {"held": held}, (("release", _("Play them again")),))
    elif tournament.state == TournamentState.FINISHED:
        yield from _after_end_items(tournament)


def _after_end_items(tournament: Tournament) -> Iterator[AgendaItem]:
    ceremony = tournament.ceremony_or_none
    href = reverse("tournaments:ceremony", args=[tournament.slug])
    if ceremony is not None and ceremony.is_on:
        text = ngettext(
            "The ceremony is on: %(left)d place is still to be revealed.",
            "The ceremony is on: %(left)d places are still to be revealed.",
            ceremony.left or 0,
        )
        yield AgendaItem("ceremony", text % {"left": ceremony.left}, href=href, label=_("Go to the ceremony"))
    elif tournament.publication != Publication.EVERYONE:
        text = _(
            "It is over, and its results are not public. Reveal them in a ceremony, rank by rank from the last place"
            " up, or choose under “More” who sees them."
        )
        yield AgendaItem("unpublished", text, href=href, label=_("Hold a ceremony"))

    elif tournament.sources_by_hand and tournament.releases_sources and tournament.sources_released_at is None:
        text = _("The sources of the versions that played wait for you to release them.")
        yield AgendaItem("sources", text, (("release-sources", _("Release sources")),))


def _overdue(tournament: Tournament) -> str:
    if tournament.state == TournamentState.DRAFT:
        return _("Overdue: its time has passed, and it is still a draft. Open entries, or set another time.")
    if tournament.starts_missed > 1:
        return _(
            "Overdue: it was postponed once, and again too few bots had entered. Start it, set another time, or "
            "cancel it."
        )
    if tournament.is_due:
        return _("Overdue: its time has passed, and it could not start automatically. Start it to see the reason.")
    return _("Overdue: its time has passed, and entries close later. Start it, or wait until they close.")


def _entries(tournament: Tournament, playing: int) -> AgendaItem:
    closed = tournament.state == TournamentState.LOCKED
    acts = [("start", pgettext("a tournament", "Start"))] if playing >= tournament.stage.smallest_field else []
    acts.append(("reopen", _("Open entries again")) if closed else ("lock", _("Close entries")))
    least = tournament.stage.smallest_field
    if closed and len(acts) == 1:
        text = ngettext(
            "Entries are closed with %(bots)d bot, and at least %(least)d are needed to start.",
            "Entries are closed with %(bots)d bots, and at least %(least)d are needed to start.",
            playing,
        )
    elif acts[0][0] == "lock":
        text = ngettext(
            "Entries are open: %(bots)d bot has entered, and at least %(least)d are needed to start.",
            "Entries are open: %(bots)d bots have entered, and at least %(least)d are needed to start.",
            playing,
        )
    elif closed:
        text = _("Entries are closed: %(bots)d bots will play.")
    else:
        text = _("Entries are open: %(bots)d bots have entered. Start when all are there.")
    return AgendaItem("entries", text % {"bots": playing, "least": least}, tuple(acts))


def _rounds(tournament: Tournament) -> Iterator[AgendaItem]:
    for number, starts_at in tournament.rounds.filter(started_at__isnull=True).values_list("number", "starts_at"):
        text = _("Round %(number)d is drawn and waits for you to start it.") % {"number": number}
        yield AgendaItem(
            "round",
            text,
            href=reverse("tournaments:arrange", args=[tournament.slug, number]),
            label=_("Review round"),
            round=number,
            when=None if tournament.has_round_review else starts_at,
        )
