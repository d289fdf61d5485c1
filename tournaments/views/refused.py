"""A refusal is the tournament's page as it now is, with the reason above it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from tournaments.errors import TournamentError
from tournaments.views.pages import tournament_detail


def refused(request: HttpRequest, slug: str, error: TournamentError) -> HttpResponse:
    messages.error(request, str(error))
    return tournament_detail(request, slug, status=409)
