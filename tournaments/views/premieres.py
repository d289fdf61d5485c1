"""The organiser says when the matches of a round that is drawn are shown."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.errors import TournamentError
from tournaments.models import Round
from tournaments.premiere_form import PremiereForm
from tournaments.services import round_premiere_set
from tournaments.services.premieres import PremiereRefused, premiere_may_change
from tournaments.views.lookups import own_tournament


@require_http_methods(["GET", "POST"])
@login_required
def premiere(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show when the matches of a round are shown, and set it on a POST; with ``call_off`` there is no premiere of
    it.
    """
    tournament = own_tournament(request, slug)
    played = get_object_or_404(Round.objects.select_related("tournament"), tournament=tournament, number=number)
    off = "call_off" in request.POST
    form = PremiereForm(None if off else request.POST or None, played=played)
    status = 200
    if off or form.is_valid():
        try:
            wanted = {"premieres_at": None} if off else {"tempo": played.tempo, **form.cleaned_data}
            round_premiere_set(played=played, **wanted)
        except PremiereRefused as error:
            form.add_error(error.field, str(error))
        except TournamentError as error:
            messages.error(request, str(error))
            status = 409
        else:
            messages.success(request, _("The premiere is called off.") if off else _("The premiere is announced."))
            return redirect("tournaments:premiere", slug, number)
    played.refresh_from_db()
    context = {"tournament": tournament, "round": played, "form": form, "may_change": premiere_may_change(played)}
    return render(request, "tournaments/premiere.html", context, status=422 if form.errors else status)
