"""A tournament whose time has come with too few bots: postponed once; then it waits for its organiser."""

from datetime import datetime
from typing import Final

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from tournaments.models import Entry, Tournament, TournamentState
from tournaments.services.chaining import edit_content, edited_append
from tournaments.services.lifecycle import tournament_reopen
from tournaments.services.transitions import announce_later, locked
from web.email import email_send, link_to
from web.zones import HALF_DAY, by_clock_lazy

POSTPONED_BY: Final = 2 * HALF_DAY


def start_miss(*, tournament: Tournament, entries: int) -> None:
    """Postpone a tournament that could not start with its ``entries``, by days until that is to come, and let bots
    enter until then; the second time leave it to its organiser. Either way tell the organiser and the authors, once.

    Raises:
        WrongState: it has started or was cancelled meanwhile.
    """
    with transaction.atomic():
        tournament = locked(tournament.pk, TournamentState.OPEN, TournamentState.LOCKED)
        if not tournament.is_due or tournament.first_round_at is None:
            return
        fields: dict[str, datetime | int] = {"starts_missed": tournament.starts_missed + 1, "entries_missed": entries}
        if tournament.starts_missed == 0:
            first = tournament.first_round_at
            days = (timezone.now() - first).days + 1
            while (later := tournament.minutes_later(first, days * POSTPONED_BY)) <= timezone.now():
                days += 1  # where a day had 25 hours
            fields["first_round_at"] = later
            if tournament.state == TournamentState.LOCKED:
                tournament_reopen(tournament=tournament)
        told = edit_content(tournament)
        Tournament.objects.filter(pk=tournament.pk, starts_missed=tournament.starts_missed).update(**fields)
        tournament.refresh_from_db()
        edited_append(tournament, told)
        announce_later(tournament.pk)
        # Mail that cannot be sent is logged, and holds up nothing: the tournament's page says it too.
        transaction.on_commit(lambda: people_notify(tournament_id=tournament.pk), robust=True)


def people_notify(*, tournament_id: int) -> None:
    """Write to the organiser and to the authors of bots that are in: they are fewer than fill a table."""
    tournament = Tournament.objects.get(pk=tournament_id)
    if tournament.first_round_at is None:
        return
    values = {
        "tournament": tournament.name,
        "bots": tournament.entries_missed,
        "least": tournament.stage.smallest_field,
        "when": by_clock_lazy(tournament.first_round_at, tournament.time_zone),
        "page": link_to("tournaments:detail", tournament.slug),
    }
    if tournament.starts_missed == 1:
        subject = _("%(tournament)s is postponed")
        text = ngettext_lazy(
            "Hello %(person)s,\n\n"
            "at the time of %(tournament)s %(bots)s bot was in, and it takes %(least)s to start.\n"
            "It is postponed to %(when)s. Bots may enter until then: %(page)s\n",
            "Hello %(person)s,\n\n"
            "at the time of %(tournament)s %(bots)s bots were in, and it takes %(least)s to start.\n"
            "It is postponed to %(when)s. Bots may enter until then: %(page)s\n",
            tournament.entries_missed,
        )
    else:
        subject = _("%(tournament)s has not started")
        text = _(
            "Hello %(person)s,\n\n"
            "%(tournament)s was postponed once, and again too few bots were in: %(bots)s, and it takes %(least)s.\n"
            "It waits for its organiser now, who starts it, gives it another time or cancels it: %(page)s\n"
        )
    entered = Entry.objects.filter(tournament=tournament, is_withdrawn=False).values("bot__owner")
    for person in get_user_model().objects.filter(Q(pk=tournament.organiser_id) | Q(pk__in=entered)):
        email_send(to=person, subject=subject, text=text, values={**values, "person": person.get_username()})
