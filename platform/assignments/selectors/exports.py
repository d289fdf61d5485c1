"""Exports of an assignment: marks and sources as files, and the most similar sources."""

import csv
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from itertools import combinations
from typing import IO, Any, Final

from django.utils.text import slugify

from assignments.models import Assignment
from assignments.selectors.hand_ins import hand_in_newest_accepted, hand_in_versions_by_number
from assignments.selectors.marks import MarkMatrix, StudentRow, StudentStatus, mark_matrix_of
from bots.models import BotVersion
from bots.similarity import similarity_of, similarity_sketch_of
from bots.upload_errors import UploadError
from web.downloads import csv_safe_cell

INFO: Final = ("filename", "full_name", "created_at", "label")  # the columns of info.csv that Dolos requires
PAIRS_SHOWN: Final = 50
COMPARED_MOST: Final = 300  # programs that are compared
NOT_JOINED: Final = "not_joined"
CANVAS: Final = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


@dataclass(frozen=True, slots=True)
class MarkFile:
    """A table of marks: its columns, and the rows as mappings."""

    columns: list[str]
    rows: Callable[[], Iterator[dict[str, Any]]]


def assignment_marks_file_of(assignment: Assignment, form: str) -> MarkFile:
    """Return the marks as a table: in the import format of "moodle" or "canvas", otherwise with all columns."""
    if form == "moodle":
        columns = ["ID number", "Full name", assignment.title]
        return MarkFile(columns, lambda: _simple(assignment, columns, canvas=False))
    if form == "canvas":
        columns = [*CANVAS, assignment.title]
        return MarkFile(columns, lambda: _simple(assignment, columns, canvas=True))
    matrix = mark_matrix_of(assignment)
    named = [f"{one.version.bot.name} v{one.version.number}" for one in matrix.references]
    who = ("roster_id", "name", "username", "cohort")
    columns = [*who, "status", "bot", "version", "days_late", *named, "points", "team"]
    return MarkFile(columns, lambda: _full(matrix, named))


def _full(matrix: MarkMatrix, named: list[str]) -> Iterator[dict[str, Any]]:
    for row in matrix.rows:
        yield {
            **_person(row),
            "username": row.person.get_username(),
            "cohort": row.member.cohort if row.member else "",
            "status": row.status.value,
            "bot": row.hand_in.bot.name if row.hand_in else "",
            "version": row.marking.version.number if row.marking else "",
            "days_late": row.marking.days_late if row.marking else "",
            **dict(zip(named, [cell.outcome for cell in row.cells], strict=True)),
            "points": _points(row),
            "team": row.team,
        }
    for one in matrix.expected:
        yield {"roster_id": one.roster_id, "name": one.name, "cohort": one.cohort, "status": NOT_JOINED}


def _simple(assignment: Assignment, columns: list[str], *, canvas: bool) -> Iterator[dict[str, Any]]:
    matrix, title = mark_matrix_of(assignment), columns[-1]
    names, ids = ("Student", "SIS User ID") if canvas else ("Full name", "ID number")
    if canvas:
        yield {"Student": "    Points Possible", title: matrix.points_most}
    for row in matrix.rows:
        person = _person(row)
        yield {names: person["name"], ids: person["roster_id"], title: _points(row)}
    for one in matrix.expected:
        yield {names: one.name, ids: one.roster_id}


def _person(row: StudentRow) -> dict[str, str]:
    return {"roster_id": row.member.roster_id if row.member else "", "name": row.name}


def _points(row: StudentRow) -> float | str:
    if row.points is not None:
        return row.points
    return 0 if row.status == StudentStatus.MISSING else ""


@dataclass(frozen=True, slots=True)
class HandedIn:
    """The version of a hand-in that was marked, or that would be marked now, with its sources by path. ``row`` is the
    row of its student, or of the first member of its team.
    """

    row: StudentRow
    version: BotVersion
    files: Mapping[str, bytes]

    @property
    def folder(self) -> str:
        """The name of its folder in an archive, unique for each student or team: letters, digits and hyphens."""
        return f"{slugify(self.row.handed_in_by) or 'student'}-{self.row.account.pk}"


def hand_ins_to_export(assignment: Assignment) -> Iterator[HandedIn]:
    """Yield the hand-in of each student or team whose sources are still stored."""
    seen = set()
    for row in mark_matrix_of(assignment).rows:
        if row.account.pk in seen:
            continue
        seen.add(row.account.pk)
        version = row.marking.version if row.marking else None
        if version is None and row.hand_in is not None:
            version = hand_in_newest_accepted(hand_in_versions_by_number(row.hand_in))
        if version is None:
            continue
        try:
            files = version.files()
        except UploadError:  # the version was deleted, and its sources are no longer stored
            continue
        yield HandedIn(row, version, {path: files[path] for path in sorted(files) if path.endswith(".py")})


def assignment_sources_write(assignment: Assignment, file: IO[bytes]) -> None:
    """Write all sources into ``file`` as a zip in the format of Dolos: a folder for each student or team, and
    ``info.csv``."""
    table = StringIO()
    writer = csv.writer(table)
    writer.writerow(INFO)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for one in hand_ins_to_export(assignment):
            label = one.row.member.cohort if one.row.member else ""
            for path, source in one.files.items():
                archive.writestr(f"{one.folder}/{path}", source)
                uploaded = one.version.created_at.isoformat(" ", "seconds")
                cells = (f"{one.folder}/{path}", one.row.handed_in_by, uploaded, label)
                writer.writerow([csv_safe_cell(cell) for cell in cells])
        archive.writestr("info.csv", table.getvalue())


@dataclass(frozen=True, slots=True)
class SimilarPair:
    """Two students, and the share of shingles that their programs have in common, from 0 to 1. A high share is a reason
    to look at the programs, not a verdict.
    """

    one: StudentRow
    other: StudentRow
    share: float


def assignment_sources_similar(assignment: Assignment) -> list[SimilarPair]:
    """Return the most similar pairs of the first ``COMPARED_MOST`` students or teams, most similar first."""
    known = []
    for found in hand_ins_to_export(assignment):
        package = getattr(found.version, "package", None)
        known.append(
            (found.row, bytes(package.sketch) if package and package.sketch else similarity_sketch_of(found.files))
        )
        if len(known) == COMPARED_MOST:
            break
    pairs = [
        SimilarPair(one, other, share)
        for (one, first), (other, second) in combinations(known, 2)
        if (share := similarity_of(first, second)) > 0
    ]
    return sorted(pairs, key=lambda pair: (-pair.share, pair.one.name, pair.other.name))[:PAIRS_SHOWN]
