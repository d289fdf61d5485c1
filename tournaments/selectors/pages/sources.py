"""The released sources of a tournament: those of the versions that played, for everyone who can see the results."""

import csv
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.text import slugify

from bots.models import BotVersion, VersionState
from bots.source_listing import source_licence
from bots.upload_errors import UploadError
from matches.models import MatchState, Seat
from matches.proof.archive import proof_archive_zip_pieces
from tournaments.models import Entry, Publication, Tournament, TournamentState
from web.downloads import csv_safe_cell

AT_ONCE: Final = 20  # files in memory
INDEX: Final = ("file", "bot", "author", "version", "licence", "sha256")


@dataclass(frozen=True, slots=True)
class ReleasedSource:
    """A version with which an entry played. For ``licence`` see ``source_licence``."""

    entry: Entry
    version: BotVersion
    licence: str = ""

    @property
    def is_agreed(self) -> bool:
        """Whether its author has agreed to the release, or it is a house bot."""
        return self.entry.sources_agreed_at is not None or self.entry.bot.is_house

    @property
    def is_there(self) -> bool:
        """Whether the source can be read."""
        return self.is_agreed and self.version.state == VersionState.ACCEPTED and self.version.kept > 0

    @property
    def filename(self) -> str:
        """The name of the file in an archive, which is unique there.

        Apart from the extension, it has only letters, digits and hyphens.
        """
        ending = "zip" if self.version.filename.lower().endswith(".zip") else "py"
        return f"{self.entry.pk}-{slugify(self.entry.bot.slug)}-v{self.version.number}.{ending}"


def has_released_tournament_sources(tournament: Tournament) -> bool:
    """Return whether readers who may see the results may read the sources now.

    They may not while the results are hidden again, or while the tournament is re-opened by a ruling.
    """
    is_shown = tournament.state == TournamentState.FINISHED and tournament.publication == Publication.EVERYONE
    return is_shown and tournament.sources_released_at is not None


def tournament_source_versions_of(tournament: Tournament) -> QuerySet[BotVersion]:
    """Return the versions that have played in the tournament, with their packages, in the order of entries.

    Versions of bots that left or were disqualified are included.
    """
    here = Q(match__fixture__round__tournament=tournament) | Q(match__superseded__ruling__tournament=tournament)
    played = Seat.objects.filter(here, version=OuterRef("pk"), match__state=MatchState.FINISHED)
    found = BotVersion.objects.filter(Exists(played), bot__entries__tournament=tournament)
    return found.select_related("package").defer("report").order_by("bot__entries", "number")


def tournament_sources_of(tournament: Tournament, versions: Iterable[BotVersion]) -> list[ReleasedSource]:
    """Return the sources of these versions, each with its entry."""
    chosen = list(versions)
    entries = tournament.entries.filter(bot__in={version.bot_id for version in chosen}).select_related("bot__owner")
    by_bot = {entry.bot_id: entry for entry in entries}
    return [ReleasedSource(by_bot[version.bot_id], version) for version in chosen]


def tournament_source_released(
    tournament: Tournament, number: int | None = None, **which: int | str
) -> ReleasedSource | None:
    """Return the source of an entry with its file; None if it cannot be read.

    ``which`` names the entry by ``pk`` or ``bot__slug``. ``number`` is the number of the version; None means the last
    version that played.
    """
    entry = tournament.entries.filter(**which).first() if has_released_tournament_sources(tournament) else None
    if entry is None:
        return None
    versions = tournament_source_versions_of(tournament).filter(bot=entry.bot_id).reverse()
    if number is not None:
        versions = versions.filter(number=number)
    found = next(iter(tournament_sources_of(tournament, versions[:1])), None)
    return found if found and found.is_there else None


def tournament_source_with_licence(source: ReleasedSource) -> ReleasedSource:
    """Return ``source`` with its licence, which is read from its files."""
    if not source.is_there:
        return source
    try:
        return replace(source, licence=source_licence(source.version.files()))
    except UploadError:  # the version was deleted meanwhile
        return source


def tournament_sources_facts(tournament: Tournament) -> tuple[Any, ...]:
    """Return the facts on which the archive depends: the sources that can be read, and names."""
    versions = tournament_source_versions_of(tournament).select_related(None)
    return tuple(
        (one.filename, one.entry.bot.name, one.entry.bot.author_name, one.version.sha256)
        for one in tournament_sources_of(tournament, versions)
        if one.is_there
    )


def tournament_sources_zip(tournament: Tournament, beat: Callable[[], None] = lambda: None) -> Iterator[bytes]:
    """Yield a zip file of all readable sources, piece by piece.

    It has the files as they were uploaded, their checksums for `sha256sum -c`, and a table. ``beat`` is called before
    each source.
    """
    return proof_archive_zip_pieces(_parts(tournament, beat))


def _parts(tournament: Tournament, beat: Callable[[], None]) -> Iterator[tuple[str, list[bytes]]]:
    sums, table = StringIO(), StringIO()
    writer = csv.writer(table)
    writer.writerow(INDEX)
    order = list(tournament_source_versions_of(tournament).values_list("pk", flat=True))
    for start in range(0, len(order), AT_ONCE):
        batch = tournament_source_versions_of(tournament).filter(pk__in=order[start : start + AT_ONCE])
        for one in map(tournament_source_with_licence, tournament_sources_of(tournament, batch)):
            beat()
            package = getattr(one.version, "package", None)
            if not one.is_there or package is None:
                continue
            sha256, bot = one.version.sha256, one.entry.bot
            sums.write(f"{sha256}  {one.filename}\n")
            cells = (one.filename, bot.name, bot.author_name, one.version.number, one.licence, sha256)
            writer.writerow([csv_safe_cell(cell) for cell in cells])
            yield one.filename, [package.read()]
    yield "SHA256SUMS", [sums.getvalue().encode()]
    yield "sources.csv", [table.getvalue().encode()]
