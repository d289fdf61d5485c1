"""The tournament an address names, for who may see it."""

from typing import Final

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from announcements.selectors import with_announced
from tournaments.models import Ceremony, Tournament, TournamentState
from tournaments.selectors.entering.visible import (
    entries_counted,
    may_own,
    may_rule,
    may_see_results,
    tournaments_visible,
    with_counts,
)
from tournaments.selectors.pages.ceremony import ceremony_of
from web.page_cache import OVER_SECONDS, PLAYED_SECONDS, cache_page_for, keep_unlisted

_JOINED: Final = ["ladder_cup__season__league", "ceremony"]  # what the page of a tournament shows beside it


def joined_register(relation: str) -> None:
    """Read ``relation`` with the tournament of a page, for a panel of a room above; see ``web.panels``."""
    if relation not in _JOINED:
        _JOINED.append(relation)


def tournament_or_404(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament; other people's drafts, and what is for the members of a group, do not exist for the reader
    (404)."""
    return _shared(request, get_object_or_404(tournaments_visible(request.user).prefetch_related("rulings"), slug=slug))


def tournament_with_counts_or_404(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament of ``tournament_or_404`` with two numbers: ``entry_count``, how many bots take part, and
    ``frozen_count``, how many took part at the start.

    Counting takes as long as all other queries here together, and most pages show neither number.
    """
    counted = with_announced(with_counts(tournaments_visible(request.user)), "tournament").annotate(
        frozen_count=entries_counted(version__isnull=False)
    )
    counted = counted.select_related(*_JOINED).defer("ceremony__revealed")
    return _shared(request, get_object_or_404(counted.prefetch_related("rulings"), slug=slug))


def shown_tournament(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament, for those who may see its pairings and results; anyone else is refused."""
    tournament = tournament_or_404(request, slug)
    if not may_see_results(request.user, tournament):
        raise PermissionDenied(_("The organiser has not published the pairings and results of this tournament yet."))
    return tournament


def _shared(request: HttpRequest, tournament: Tournament) -> Tournament:
    """Return ``tournament``, and let strangers share what is answered where it is everyone's."""
    if tournament.is_unlisted:
        keep_unlisted(request)
    if tournament.is_everyones:
        is_over = tournament.state in (TournamentState.FINISHED, TournamentState.CANCELLED)
        cache_page_for(request, f"tournament.{tournament.pk}", OVER_SECONDS if is_over else PLAYED_SECONDS)
    return tournament


def shown_ceremony(request: HttpRequest, slug: str) -> Ceremony:
    """Return the ceremony of the tournament for those who may follow it: everyone until it has ended, and from then on
    who may see the results. The page is shared until the ceremony moves on: it shows what was revealed, to everyone the
    same.

    Raises:
        Http404: none was announced, and none has begun.
    """
    tournament = tournament_or_404(request, slug)
    ceremony = ceremony_of(tournament)
    if ceremony is None:
        raise Http404(_("No ceremony of this tournament is announced."))
    ceremony.tournament = tournament
    if ceremony.ended_at is not None and not may_see_results(request.user, tournament):
        raise PermissionDenied(_("The organiser has not published the pairings and results of this tournament yet."))
    cache_page_for(request, f"ceremony.{tournament.pk}", PLAYED_SECONDS)
    return ceremony


def own_tournament(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament, for its organiser and staff; anyone else is refused."""
    tournament = tournament_or_404(request, slug)
    if not may_own(request.user, tournament):
        raise PermissionDenied(_("Only the organiser of this tournament may do this."))
    return tournament


def ruled_tournament(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament, for its organiser, its arbiters and staff; anyone else is refused."""
    tournament = tournament_or_404(request, slug)
    if not may_rule(request.user, tournament):
        raise PermissionDenied(_("Only the organiser and the arbiters of this tournament may do this."))
    return tournament
