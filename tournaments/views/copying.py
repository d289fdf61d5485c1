"""The organiser holds a tournament again."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.copying_form import CopyForm
from tournaments.services import tournament_copy
from tournaments.views.lookups import own_tournament
from web.errors import Refusal


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def copy(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what the copy is called and when it is, and make it."""
    tournament = own_tournament(request, slug)
    form = CopyForm(request.POST or None, tournament=tournament)
    if request.method == "POST" and form.is_valid():
        try:
            made = tournament_copy(tournament=tournament, **form.cleaned_data)
        except Refusal as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        else:
            messages.success(request, _("This is the draft. Check it, then open entries."))
            return redirect("tournaments:detail", made.slug)
    context = {"tournament": tournament, "form": form}
    return render(request, "tournaments/copy.html", context, status=422 if form.errors else 200)
