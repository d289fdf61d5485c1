"""Results: out of sight until they were watched, or always shown. The visitor's choice, kept in a cookie.

Of a match of one's own bot they are always shown. It is about what is finished. What is on air is sealed: nobody is
told, whatever they chose.
"""

from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_POST

from web.requests import choice_of_visitor, way_back

COOKIE: Final = "results"
SHOWN: Final = "shown"
YEAR: Final = 365 * 24 * 3600


def shows_results(request: HttpRequest) -> bool:
    """Return whether the visitor wants to be told results at once."""
    return request.COOKIES.get(COOKIE) == SHOWN


@choice_of_visitor
@require_POST
def results_choice_save(request: HttpRequest) -> HttpResponse:
    """Keep the choice for a year, and go back to where it was made."""
    response = HttpResponseRedirect(way_back(request))
    if request.POST.get("results") == SHOWN:
        response.set_cookie(COOKIE, SHOWN, max_age=YEAR, samesite="Lax", httponly=True)
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
