"""Publish results: to nobody, to the participants or to everyone.

Also release the sources of the versions that played, once a tournament is finished and its results are public; and
offer the data set of a finished tournament under a licence that the organiser chooses.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Final, TypeAlias

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from live import hub_announce
from matches.datasets.rows import DatasetLicence
from matches.models import Audience, Match
from matches.services import match_publish
from matches.visibility import MatchAudience, visibility_audience
from tournaments.errors import ResultsCounted, SourcesRefused
from tournaments.follow_events import tournament_published_event_publish
from tournaments.models import Ceremony, Publication, Round, Tournament, TournamentState
from tournaments.selectors.rounds.plans import AHEAD_MOST
from tournaments.services.tournament_chain import tournament_chain_edit_append, tournament_chain_edit_content
from tournaments.services.transitions import tournament_announce_later, tournament_locked
from web.page_cache import pages_forget

NARROWER: Final = {
    Publication.EVERYONE: None,  # everyone who can see the tournament
    Publication.PARTICIPANTS: Audience.AUTHORS,
    Publication.HIDDEN: Audience.ORGANISER,
}


CountedIn: TypeAlias = Callable[[Tournament], str | None]
_COUNTED: Final[list[CountedIn]] = []


def tournament_counted_register(counted_in: CountedIn) -> None:
    """Register ``counted_in``. For packages above this one.

    The function is called with a tournament. It returns the name of a finished contest, e.g. a series, that has counted
    the tournament's results; None if there is none. Results that were counted must not change.
    """
    if counted_in not in _COUNTED:
        _COUNTED.append(counted_in)


def tournament_uncounted_require(tournament: Tournament) -> None:
    """Require that no finished contest has counted the results, before they are hidden or the tournament is re-opened.

    Call it with the tournament locked.

    Raises:
        ResultsCounted: a finished contest has counted the results.
    """
    for counted_in in _COUNTED:
        if name := counted_in(tournament):
            raise ResultsCounted(name)


def published_round_audience_of(played: Round) -> MatchAudience:
    """Return the audience of the matches of a round. If the round waits for the organiser, nobody else sees it."""
    if played.started_at is None and played.tournament.has_round_review:
        return visibility_audience(played.tournament, Audience.ORGANISER)
    return visibility_audience(played.tournament, NARROWER[Publication(played.tournament.publication)])


def tournament_publish(*, tournament: Tournament, publication: Publication) -> Tournament:
    """Show pairings, standings and matches to more people, or to fewer. Works in any state.

    If everyone sees the results, a running ceremony ends.

    Raises:
        ResultsCounted: see ``tournament_uncounted_require``.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament.pk)
        if publication != Publication.EVERYONE:
            tournament_uncounted_require(tournament)
        before = tournament_chain_edit_content(tournament)
        tournament.publication = publication
        tournament.save(update_fields=["publication"])
        tournament_chain_edit_append(tournament, before)
        rounds_publish(tournament)
        on = Ceremony.objects.filter(tournament=tournament, started_at__isnull=False, ended_at__isnull=True)
        if publication == Publication.EVERYONE and on.update(ended_at=timezone.now(), due_at=None):
            transaction.on_commit(partial(hub_announce, f"ceremony.{tournament.pk}"))
        tournament_published_event_publish(tournament)
        tournament_announce_later(tournament.pk)
        pages_forget()  # other pages show its results too
    return tournament


def rounds_publish(tournament: Tournament) -> None:
    """Update the audience of the matches of all rounds, and of the matches that rulings have superseded."""
    for played in Round.objects.filter(tournament=tournament).select_related("tournament"):
        match_publish(matches=Match.objects.filter(fixture__round=played), **published_round_audience_of(played))
    superseded = Match.objects.filter(superseded__ruling__tournament=tournament)
    shown = visibility_audience(tournament, NARROWER[Publication(tournament.publication)])
    match_publish(matches=superseded, **shown)


def tournament_publish_wider(tournament: Tournament) -> None:
    """Update the matches and pages after the audience of the tournament has grown.

    Call it with the tournament locked.
    """
    rounds_publish(tournament)
    tournament_announce_later(tournament.pk)
    pages_forget()  # the lists of tournaments change


TO_COME: Final = tuple(state for state in TournamentState if state != TournamentState.CANCELLED)


def tournament_sources_move(*, tournament: Tournament, when: datetime | None) -> None:
    """Plan the release of the sources for ``when``. If the results are not public by then, they are released later.

    If ``when`` is None, the organiser releases them. Repeating a call changes nothing.

    Raises:
        SourcesRefused: no release was announced, the sources were released already, or the time has passed or is too
            far away.
        WrongState: the tournament was cancelled.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, *TO_COME)
        _announced_require(tournament)
        if tournament.sources_released_at is not None:
            raise SourcesRefused(_("The sources have been released already."))
        if (tournament.sources_at, tournament.sources_by_hand) == (when, when is None):
            return
        now = timezone.now()
        if when is not None and not now < when <= now + AHEAD_MOST:
            raise SourcesRefused(_("Choose a time in the future, at most two years ahead."))
        Tournament.objects.filter(pk=tournament.pk, sources_released_at=None).update(
            sources_at=when, sources_by_hand=when is None
        )
        tournament_announce_later(tournament.pk)


def tournament_sources_release(*, tournament: Tournament) -> Tournament:
    """Release the sources to everyone who can see the results. Do nothing if they were released before.

    Raises:
        SourcesRefused: no release was announced, or the results are not public.
        WrongState: the tournament is not finished.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, TournamentState.FINISHED)
        _announced_require(tournament)
        if tournament.publication != Publication.EVERYONE:
            raise SourcesRefused(_("The sources can be released once results are public."))
        due = Tournament.objects.filter(pk=tournament.pk, sources_released_at=None)
        if due.update(sources_released_at=timezone.now()):
            tournament_announce_later(tournament.pk)
            pages_forget()
    tournament.refresh_from_db()
    return tournament


def _announced_require(tournament: Tournament) -> None:
    if not tournament.releases_sources:
        raise SourcesRefused(_("This tournament was announced without a release of sources."))


def tournament_dataset_licence_set(*, tournament: Tournament, licence: str) -> Tournament:
    """Offer the data set under this licence. With "", stop offering it. Repeating a call changes nothing.

    Raises:
        WrongState: the tournament is not finished.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, TournamentState.FINISHED)
        wished = DatasetLicence(licence).value if licence else ""
        if Tournament.objects.filter(pk=tournament.pk).exclude(dataset_licence=wished).update(dataset_licence=wished):
            tournament_announce_later(tournament.pk)
            pages_forget()
    tournament.refresh_from_db()
    return tournament
