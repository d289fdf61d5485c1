"""Pages of the sources of a class, for the group's staff: the archive, the most similar pairs, and two side by side."""

import tempfile
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from assignments.models import Assignment
from assignments.selectors.exports import (
    HandedIn,
    assignment_sources_similar,
    assignment_sources_write,
    hand_ins_to_export,
)
from assignments.views.lookups import managed_assignment
from bots.similarity import Line, similarity_lines

IN_MEMORY = 1024 * 1024  # bytes of an archive; a larger one is in a temporary file


@login_required
@require_safe
def assignment_sources_export_view(request: HttpRequest, slug: str, pk: int) -> FileResponse:
    """Send all sources of the class as one zip."""
    assignment = managed_assignment(request, pk, slug)
    file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  the response closes it
    assignment_sources_write(assignment, file)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=f"sources-{pk}.zip", content_type="application/zip")


@login_required
@require_safe
def assignment_sources_similar_view(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """List the most similar pairs of programs."""
    assignment = managed_assignment(request, pk, slug)
    context = {"assignment": assignment, "group": assignment.group, "pairs": assignment_sources_similar(assignment)}
    return render(request, "assignments/similar.html", context)


@login_required
@require_safe
def assignment_sources_compared_view(
    request: HttpRequest, slug: str, pk: int, user_id: int, other_id: int
) -> HttpResponse:
    """Show two programs side by side, with common parts marked."""
    assignment = managed_assignment(request, pk, slug)
    one, other = _hand_ins_of(assignment, user_id, other_id)
    first, second = similarity_lines(one.files, other.files)
    context = {
        "assignment": assignment,
        "group": assignment.group,
        "sides": [(one, _file_lines(one.files, first)), (other, _file_lines(other.files, second))],
    }
    return render(request, "assignments/beside.html", context)


def _hand_ins_of(assignment: Assignment, user_id: int, other_id: int) -> tuple[HandedIn, HandedIn]:
    found = {one.row.person.pk: one for one in hand_ins_to_export(assignment)}
    if user_id not in found or other_id not in found:
        raise Http404
    return found[user_id], found[other_id]


def _file_lines(files: Mapping[str, bytes], shared: set[Line]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the lines of each file with number, text, and whether they are shared."""
    return [
        (
            path,
            [
                {"number": number, "text": text, "shared": (path, number) in shared}
                for number, text in enumerate(source.decode("utf-8", "replace").split("\n"), 1)
            ],
        )
        for path, source in files.items()
    ]
