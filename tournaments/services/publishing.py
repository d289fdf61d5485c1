"""Who may look at what: results are shown in steps, to nobody, to those who take part, to everyone."""

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from django.db import transaction
from django.utils import timezone

from live import announce
from matches.models import Audience, Match
from matches.services import match_publish
from matches.visibility import MatchAudience, match_audience
from tournaments.errors import ResultsCounted
from tournaments.follow_events import published_notify
from tournaments.models import Ceremony, Publication, Round, Tournament
from tournaments.services.chaining import edit_content, edited_append
from tournaments.services.transitions import announce_later
from web.page_cache import pages_forget

NARROWER: Final = {
    Publication.EVERYONE: None,  # who sees the tournament
    Publication.PARTICIPANTS: Audience.AUTHORS,
    Publication.HIDDEN: Audience.ORGANISER,
}


CountedIn: TypeAlias = Callable[[Tournament], str | None]
_COUNTED: Final[list[CountedIn]] = []


def counted_register(counted_in: CountedIn) -> None:
    """Let ``counted_in`` name what is over and has counted the results of a tournament, for rooms above: these stay."""
    if counted_in not in _COUNTED:
        _COUNTED.append(counted_in)


def uncounted_require(tournament: Tournament) -> None:
    """Refuse to hide or reopen what counts in something that is over. The caller holds the tournament's lock.

    Raises:
        ResultsCounted: it does.
    """
    for counted_in in _COUNTED:
        if name := counted_in(tournament):
            raise ResultsCounted(name)


def audience_of(played: Round) -> MatchAudience:
    """Return who may look at the matches of a round; while it waits for the organiser, nobody else."""
    if played.started_at is None and played.tournament.has_round_review:
        return match_audience(played.tournament, Audience.ORGANISER)
    return match_audience(played.tournament, NARROWER[Publication(played.tournament.publication)])


def tournament_publish(*, tournament: Tournament, publication: Publication) -> Tournament:
    """Show pairings, standings and matches to more people, or to fewer. In any state. What everyone sees needs no
    ceremony any more: one that is on ends.

    Raises:
        ResultsCounted: see ``uncounted_require``.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament.pk)
        if publication != Publication.EVERYONE:
            uncounted_require(tournament)
        before = edit_content(tournament)
        tournament.publication = publication
        tournament.save(update_fields=["publication"])
        edited_append(tournament, before)
        rounds_publish(tournament)
        on = Ceremony.objects.filter(tournament=tournament, started_at__isnull=False, ended_at__isnull=True)
        if publication == Publication.EVERYONE and on.update(ended_at=timezone.now(), due_at=None):
            transaction.on_commit(partial(announce, f"ceremony.{tournament.pk}"))
        published_notify(tournament)
        announce_later(tournament.pk)
        pages_forget()  # its results stand on pages of others too
    return tournament


def rounds_publish(tournament: Tournament) -> None:
    """Show the matches of each round, and those that rulings replaced, to whom its state and the tournament's settings
    say."""
    for played in Round.objects.filter(tournament=tournament).select_related("tournament"):
        match_publish(matches=Match.objects.filter(fixture__round=played), **audience_of(played))
    superseded = Match.objects.filter(superseded__ruling__tournament=tournament)
    shown = match_audience(tournament, NARROWER[Publication(tournament.publication)])
    match_publish(matches=superseded, **shown)


def tournament_widen(tournament: Tournament) -> None:
    """Show to more people what those may look at by another audience. Within a transaction that holds the tournament's
    lock."""
    rounds_publish(tournament)
    announce_later(tournament.pk)
    pages_forget()  # it stands on lists now
