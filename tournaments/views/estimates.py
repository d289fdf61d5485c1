"""What a tournament will cost the workers, while its form is being filled in."""

from collections.abc import Sequence

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from contests.permissions import organiser_require
from tournaments.formats.format import Plan
from tournaments.forms import TournamentForm
from tournaments.models import Admission, Stage, Tournament
from tournaments.plan import plan_of_stages
from tournaments.services.drafting import stages_of
from tournaments.workload import Workload, allowance_of, workload_planned, workload_taken
from web.requests import signed_in


@require_POST
@login_required
def estimate(request: HttpRequest) -> HttpResponse:
    """Show a part of the form's page; what cannot be read yet is estimated when it can."""
    organiser_require(request.user)
    organiser = signed_in(request)
    form = TournamentForm(request.POST, organiser=organiser)
    form.full_clean()
    can_be_read = not set(form.errors) - {"name"}  # it may come last
    stages, plan, workload = planned(form) if can_be_read else ((), None, None)
    context = {
        "typed": (typed := form.cleaned_data["settings"]),
        "admission": dict(Admission.choices).get(typed["admission"], ""),
        "stages": stages,
        "plan": plan,
        "workload": workload,
        "allowed": allowance_of(organiser),
        "taken": workload_taken(organiser, but=request.POST.get("slug", "")),
    }
    return render(request, "tournaments/parts/review.html", context)


def planned(form: TournamentForm) -> tuple[Sequence[Stage], Plan | None, Workload]:
    """Return the stages of what a form that was cleaned describes, what as many bots as may enter play in them, None
    while they do not fill a table, and what that costs.
    """
    typed = form.cleaned_data["settings"]
    tournament = Tournament(ruleset=form.ruleset.id, limits=typed["limits"].to_dict())
    entries = typed["entrants_most"]
    stages = stages_of(tournament, typed["stages"])
    plan = plan_of_stages(stages, entries)
    return stages, plan, workload_planned(tournament, plan, entries)
