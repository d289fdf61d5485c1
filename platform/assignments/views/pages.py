"""Pages of an assignment for its students, and to create, change and delete one."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from assignments import services
from assignments.forms import AssignmentForm, AssignmentTimesForm, GameForm
from assignments.models import Assignment
from assignments.selectors.hand_ins import assignment_time_now, bots_to_hand_in
from assignments.selectors.marks import (
    hand_in_sharing_names_of,
    mark_matrix_of,
    mark_references_of,
    student_practice_shown,
    student_row_of,
)
from assignments.views.lookups import managed_assignment, seen_assignment
from bots.models import Bot
from games.catalogue import FIRST, GAMES
from groups.selectors import may_manage_group
from groups.views.lookups import managed_group
from web.errors import Refusal
from web.requests import request_user

UNPROCESSABLE = 422


@login_required
@require_safe
def assignment_detail_view(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the task, the due time and the state of the user."""
    assignment = seen_assignment(request, pk, slug)
    row = student_row_of(assignment, request.user, published_only=True)
    manages = may_manage_group(request.user, assignment.group)
    context = _context(assignment) | {
        "row": row,
        "manages": manages,
        "progress": mark_matrix_of(assignment).progress if manages else None,
        "practice": student_practice_shown(assignment, row.hand_in),
        "others": bots_to_hand_in(request.user, assignment).exclude(pk=row.hand_in.bot_id if row.hand_in else 0),
        "sharing": hand_in_sharing_names_of(assignment, row),
        "takes": row.member is not None and row.status in ("nothing", "handed_in", "checking"),
        "late": row.deadline.on_time_until <= assignment_time_now(),
    }
    return render(request, "assignments/detail.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def assignment_create_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Create an assignment: first the game, then everything else."""
    group = managed_group(request, slug)
    game = request.POST.get("game") or request.GET.get("game") or FIRST
    game = game if game in GAMES else FIRST
    form = AssignmentForm(request.POST if request.method == "POST" else None, organiser=request.user, game=game)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.assignment_create(by=request_user(request), group=group, **form.arguments)
        except services.AssignmentRefused as error:
            form.refuse(error)
        else:
            messages.success(request, _("The assignment was created."))
            return redirect("assignments:detail", slug, made.pk)
    context = {"group": group, "form": form, "game_form": GameForm({"game": game}), "manages": True, "game": game}
    return render(request, "assignments/form.html", context, status=UNPROCESSABLE if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def assignment_edit_view(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Change an assignment."""
    assignment = managed_assignment(request, pk, slug)
    form = AssignmentTimesForm(request.POST if request.method == "POST" else None, assignment=assignment)
    if request.method == "POST" and form.is_valid():
        try:
            services.assignment_update(assignment=assignment, **form.cleaned_data)
        except services.AssignmentRefused as error:
            form.refuse(error)
        else:
            messages.success(request, _("The assignment was changed."))
            return redirect("assignments:detail", slug, pk)
    context = _context(assignment) | {"form": form, "manages": True}
    return render(request, "assignments/form.html", context, status=UNPROCESSABLE if form.errors else 200)


@login_required
@require_POST
def assignment_delete_view(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Delete an assignment in which nobody has been marked."""
    assignment = managed_assignment(request, pk, slug)
    try:
        services.assignment_delete(assignment=assignment)
    except Refusal as error:
        messages.error(request, str(error))
        return redirect("assignments:detail", slug, pk)
    messages.success(request, _("The assignment was deleted."))
    return redirect("groups:detail", slug)


@login_required
@require_POST
def assignment_hand_in_view(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Hand in the chosen bot, or withdraw the hand-in if none is chosen."""
    assignment = seen_assignment(request, pk, slug)
    chosen = request.POST.get("bot", "")
    try:
        if chosen:
            key = int(chosen) if chosen.isdecimal() and len(chosen) < 19 else 0
            bot = get_object_or_404(Bot, pk=key)
            services.hand_in_submit(assignment=assignment, student=request_user(request), bot=bot)
            messages.success(request, _("%(bot)s is handed in.") % {"bot": bot.name})
        else:
            services.hand_in_withdraw(assignment=assignment, student=request_user(request))
            messages.success(request, _("Nothing is handed in any more."))
    except Refusal as error:
        messages.error(request, str(error))
    return redirect("assignments:detail", slug, pk)


def _context(assignment: Assignment) -> dict[str, Any]:
    return {
        "assignment": assignment,
        "group": assignment.group,
        "references": mark_references_of(assignment),
        "game": GAMES.get(assignment.game),
    }
