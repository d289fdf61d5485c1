"""Pages of marks for the group's staff: the matrix, one student, and publishing."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from assignments import services
from assignments.forms import ByShareForm, DecisionForm, ExtensionForm, RenewForm
from assignments.models import Assignment, DueExtension, Marking, ReferenceMark
from assignments.selectors.exports import assignment_marks_file_of
from assignments.selectors.marks import MarkOutcome, StudentRow, mark_matrix_of, student_practice_shown
from assignments.views.lookups import managed_assignment, seen_student_row
from web.downloads import csv_response, download_lazily
from web.errors import Refusal
from web.requests import request_user

ROWS = 100


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def assignment_marks_view(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the matrix of students and references. A POST decides all undecided marks by their shares."""
    assignment = managed_assignment(request, pk, slug)
    form = ByShareForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        count = services.marks_decide_by_share(assignment=assignment, by=request_user(request), **form.cleaned_data)
        done = ngettext("%(count)d mark was decided.", "%(count)d marks were decided.", count)
        messages.success(request, done % {"count": count})
        return redirect("assignments:marks", slug, pk)
    matrix = mark_matrix_of(assignment)
    context = {
        "assignment": assignment,
        "group": assignment.group,
        "matrix": matrix,
        "page": Paginator(matrix.rows, ROWS).get_page(request.GET.get("page")),
        "marked": matrix.count("marked"),
        "undecided": matrix.count("undecided"),
        "form": form,
    }
    return render(request, "assignments/marks.html", context, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def assignment_marks_student_view(request: HttpRequest, slug: str, pk: int, user_id: int) -> HttpResponse:
    """Show one student. A POST extends the due time, marks again, or decides an undecided mark."""
    assignment = managed_assignment(request, pk, slug)
    row = seen_student_row(assignment, pk=user_id)
    act = request.POST.get("act", "")
    forms: dict[str, Any] = {
        "extend": ExtensionForm(request.POST if act == "extend" else None, zone=assignment.zone),
        "renew": RenewForm(request.POST if act == "renew" else None),
    }
    for cell in row.cells:
        if cell.outcome == MarkOutcome.UNDECIDED and cell.mark is not None:
            name = f"decide-{cell.mark.pk}"
            forms[name] = DecisionForm(request.POST if act == name else None, mark=cell.mark.pk)
    if act in forms and forms[act].is_valid():
        try:
            _student_form_apply(request, assignment, row, forms[act])
        except Refusal as error:
            field = getattr(error, "field", "")
            forms[act].add_error(field if field in forms[act].fields else None, str(error))
        else:
            messages.success(request, _("Done."))
            return redirect("assignments:student", slug, pk, user_id)
    markings = Marking.objects.filter(assignment=assignment, student=row.account)
    context = {
        "assignment": assignment,
        "group": assignment.group,
        "row": row,
        "practice": student_practice_shown(assignment, row.hand_in),
        "extensions": DueExtension.objects.filter(assignment=assignment, student=user_id).select_related("by"),
        "markings": markings.select_related("by", "version__bot"),
        "forms": forms,
        "undecided": [
            (cell, forms[f"decide-{cell.mark.pk}"])
            for cell in row.cells
            if cell.mark is not None and f"decide-{cell.mark.pk}" in forms
        ],
    }
    return render(request, "assignments/student.html", context, status=422 if act else 200)


@login_required
@require_POST
def assignment_marks_publish_view(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Publish marks to students."""
    assignment = managed_assignment(request, pk, slug)
    count = len(services.marks_publish(assignment=assignment))
    done = ngettext(
        "The marks of %(count)d student are published.", "The marks of %(count)d students are published.", count
    )
    if count:
        messages.success(request, done % {"count": count})
    else:
        messages.info(request, _("There are no new marks to publish."))
    return redirect("assignments:marks", slug, pk)


def _student_form_apply(request: HttpRequest, assignment: Assignment, row: StudentRow, form: Any) -> None:
    by, data = request_user(request), form.cleaned_data
    if isinstance(form, ExtensionForm):
        services.hand_in_extension_create(assignment=assignment, student_id=row.person.pk, by=by, **data)
    elif isinstance(form, RenewForm):
        if row.marking is None:
            raise services.AssignmentRefused("not_marked", _("This person has not been marked yet."))
        services.marking_renew(marking=row.marking, by=by, **data)
    else:
        mark = get_object_or_404(ReferenceMark.objects.select_related("marking"), pk=form.mark)
        services.mark_decide(mark=mark, ruling=data["ruling"], reason=data["reason"], by=by)


@login_required
@require_safe
def assignment_marks_export_view(request: HttpRequest, slug: str, pk: int) -> StreamingHttpResponse:
    """Send the marks as CSV in the requested format."""
    assignment = managed_assignment(request, pk, slug)
    found = assignment_marks_file_of(assignment, request.GET.get("form", ""))
    return csv_response(request, f"marks-{pk}.csv", found.columns, download_lazily(found.rows))
