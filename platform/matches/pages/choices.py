"""Choices of visitors: the filter of a list of matches, and the cookie that shows results at once.

The cookie concerns finished matches only: a match on air is sealed for everyone. Authors always see the results of
their own bots.
"""

from typing import Any, Final

from django import forms
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from games.catalogue import GAMES
from matches.models import Match, MatchState, Seat
from web.name_keys import name_key_contains
from web.requests import request_way_back, visitor_choice_view


class MatchFilter(forms.Form):
    """Filter a list of matches. All fields are optional; an invalid form filters nothing and shows its errors."""

    game = forms.ChoiceField(
        choices=[("", ""), *((name, name) for name in GAMES)], required=False, widget=forms.HiddenInput
    )
    state = forms.ChoiceField(label=_("State"), choices=[("", _("any")), *MatchState.choices], required=False)
    bot = forms.CharField(label=_("Bot"), max_length=60, required=False)

    @property
    def parameters(self) -> dict[str, Any]:
        """The valid parameters by field; empty if the form is invalid."""
        return self.cleaned_data if self.is_valid() else {}

    @property
    def is_narrow(self) -> bool:
        """Whether the filter selects by more than the game."""
        return any(self.data.get(name) for name in ("state", "bot"))

    def filtered(self, matches: QuerySet[Match]) -> QuerySet[Match]:
        """Return the ``matches`` that pass the filter."""
        parameters = self.parameters
        if parameters.get("game"):
            matches = matches.filter(ruleset__startswith=f"{parameters['game']}/")
        if parameters.get("state"):
            matches = matches.filter(state=parameters["state"])
        if parameters.get("bot"):
            named = name_key_contains(parameters["bot"], name="version__bot__name") | Q(
                version__bot__slug=parameters["bot"]
            )
            matches = matches.filter(pk__in=Seat.objects.filter(named).values("match"))
        return matches


COOKIE: Final = "results"
SHOWN: Final = "shown"
YEAR: Final = 365 * 24 * 3600


def results_choice_shows(request: HttpRequest) -> bool:
    """Return whether the visitor wants to see results at once."""
    return request.COOKIES.get(COOKIE) == SHOWN


@visitor_choice_view
@require_POST
def results_choice_save_view(request: HttpRequest) -> HttpResponse:
    """Store the choice in a cookie for a year, and redirect back to the page on which it was made."""
    response = HttpResponseRedirect(request_way_back(request))
    if request.POST.get("results") == SHOWN:
        response.set_cookie(COOKIE, SHOWN, max_age=YEAR, samesite="Lax", httponly=True)
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
