"""Who is kept apart: for everyone to read, for the organiser to change."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from tournaments.errors import TournamentError
from tournaments.selectors.entering.visible import may_own
from tournaments.services import group_keep_apart, pair_keep_apart
from tournaments.services.forbidden_pairs import keeps_apart
from tournaments.views.lookups import own_tournament, tournament_or_404
from tournaments.views.pair_form import GroupForm, PairForm
from web.page_cache import public_page


@public_page()
@require_http_methods(["GET", "POST"])
def apart(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = own_tournament(request, slug) if request.method == "POST" else tournament_or_404(request, slug)
    entries = tournament.entries.filter(is_withdrawn=False)
    of_group = "names" in request.POST
    form = PairForm(None if of_group else request.POST or None, entries=entries, joined=_("does not meet"))
    group = GroupForm(request.POST if of_group else None, entries=entries)
    asked = group if of_group else form
    if asked.is_valid():
        try:
            if of_group:
                group_keep_apart(tournament=tournament, entries=group.cleaned_data["names"])
            else:
                pair_keep_apart(tournament=tournament, **form.pair())
        except TournamentError as error:
            asked.add_error(None, str(error))
        else:
            return redirect("tournaments:apart", slug)
    context = {
        "tournament": tournament,
        "pairs": tournament.forbidden_pairs.select_related("one__bot", "other__bot"),
        "runs": may_own(request.user, tournament),
        "possible": keeps_apart(tournament),
        "groups": tournament.kept_groups.prefetch_related("entries__bot__owner"),
        "form": form,
        "group_form": group,
    }
    return render(request, "tournaments/apart.html", context, status=422 if asked.errors else 200)
