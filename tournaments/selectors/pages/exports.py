"""Export a tournament as data.

Some exports have everything that the page of the tournament shows. Others are archives that a worker prepares: the data
set, and the released sources.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from matches.datasets.archive import dataset_archive
from matches.datasets.rows import DatasetEvent
from matches.datasets.rows import dataset_rows_games_counted as counted
from matches.models import Match, MatchState
from tournaments.models import Bye, Entry, Publication, Stage, Tournament, TournamentState
from tournaments.models.tournament import TOURNAMENT
from tournaments.selectors.entering.entry_versions import entries_with_versions, entry_by_version
from tournaments.selectors.pages.proof_and_luck import LuckShown
from tournaments.selectors.pages.sources import (
    has_released_tournament_sources,
    tournament_sources_facts,
    tournament_sources_zip,
)
from tournaments.selectors.rounds.fixtures import FixturePairing, fixture_pairings_of, fixture_rounds_of
from tournaments.selectors.rounds.stages import stage_byes_of, stage_rounds_played_of, stage_seeding_of
from tournaments.selectors.rulings.corrections import ruling_corrections_of
from tournaments.selectors.rulings.ruling_log import ruling_log_rows
from tournaments.selectors.standings.ranking import standings_of
from tournaments.trf import Player, TrfReport, trf_crosstable, trf_points
from web.email import email_link_to
from web.prepared.services import Beat, PreparedKind, prepared_file_revision, prepared_register

STANDINGS_COLUMNS = (  # frozen: columns of exports
    "stage",
    "rank",
    "bot",
    "version",
    "author",
    "points",
    "played",
    "byes",
    "won",
    "drawn",
    "lost",
    "game_points",
)
BATCH = 500  # tables that are read at once
FIXTURE_COLUMNS = (
    *("stage", "round", "table", "match", "state", "counts", "given"),
    *("seat", "bot", "version", "score", "game_points", "forfeited"),
    *("points_before", "score_group", "float", "rematches_avoided", "rematches"),
)


def tournament_export_data(
    tournament: Tournament, entries: Sequence[Entry], lucks: Sequence[LuckShown]
) -> dict[str, Any]:
    """Return all data for ``web.downloads.json_file_response``. ``lucks`` are as the reader may see them."""
    disqualified = ruling_corrections_of(tournament).disqualified
    return {
        "name": tournament.name,
        "state": tournament.state,
        "ruleset": tournament.ruleset,
        "options": tournament.options,
        "limits": tournament.limits,
        "tie_breaks": tournament.tie_breaks,
        "commitment": lucks[0].commitment if lucks else None,
        "secret": (lucks[0].secret or None) if lucks else None,
        "luck": [_luck(luck) for luck in lucks],
        "started": tournament.started_at,
        "finished": tournament.finished_at,
        "entries": [
            {
                "entry": entry.pk,
                "bot": entry.bot.name,
                "author": entry.bot.author_name,
                "version": entry.version.number if entry.version else None,
                "sha256": entry.version.sha256 if entry.version else None,
                "withdrawn": entry.is_withdrawn and entry.pk not in disqualified,
                "disqualified": entry.pk in disqualified,
                "withdrawn_because": entry.withdrawn_because or None,
                "category": entry.category or None,
            }
            for entry in entries
        ],
        "rulings": iter(ruling_log_rows(tournament)),
        "stages": (_stage_data(stage, entries) for stage in tournament.stages.all()),
    }


def _luck(luck: LuckShown) -> dict[str, Any]:
    return {
        "number": luck.number,
        "commitment": luck.commitment,
        "secret": luck.secret or None,
        "entries_digest": luck.entries_digest or None,
        "nonces": [{"text": nonce.text, "by": nonce.by_name, "given": nonce.created_at} for nonce in luck.nonces],
        "frozen": luck.frozen_at,
        "begun": luck.started_at,
    }


def _stage_data(stage: Stage, entries: Sequence[Entry]) -> dict[str, Any]:
    return {
        "stage": stage.number,
        "format": stage.format,
        "rounds": stage.rounds or None,
        "entrants": stage.entrants or None,
        "players_per_table": stage.players_per_table,
        "smallest_table": stage.smallest_field,
        "blocks": stage.blocks,
        "stopping": stage.stopping or None,
        "started": stage.started_at,
        "finished": stage.finished_at,
        "standings": tournament_standings_rows(stage, entries),
        "fixtures": (_fixture(pairing) for pairing in _pairings(stage, entries)),
        "byes": list(_byes(stage)),
    }


def tournament_standings_rows(stage: Stage, entries: Sequence[Entry]) -> Iterator[dict[str, Any]]:
    """Yield a dictionary for each row, in order."""
    by_id = {entry.pk: entry for entry in entries}
    for row in standings_of(stage):
        entry = by_id[row.entrant]
        yield {
            "rank": row.rank,
            "entry": entry.pk,
            "bot": entry.bot.name,
            "version": entry.version.number if entry.version else None,
            "author": entry.bot.author_name,
            "category": entry.category,
            "points": row.points,
            "played": row.played,
            "byes": row.byes,
            "won": row.won,
            "drawn": row.drawn,
            "lost": row.lost,
            "game_points": row.game_points,
            "games": row.games,
            "forfeited": row.forfeited,
            "tie_breaks": dict(row.values),
            "above_next_by": row.above_next_by,
        }


def tournament_fixture_rows(stage: Stage, entries: Sequence[Entry]) -> Iterator[dict[str, Any]]:
    """Yield a dictionary for each seat of each table, in order, and then for each bye."""
    for pairing in _pairings(stage, entries):
        fixture = _fixture(pairing)
        for seat in fixture["seats"]:
            place = {name: fixture[name] for name in ("round", "table", "match", "state", "counts", "given")}
            yield {**place, **seat, **(pairing.why.of_seat(seat["entry"]) if pairing.why else {})}
    by_id = {entry.pk: entry for entry in entries}
    for bye in _byes(stage):
        entry = by_id[bye["entry"]]
        yield {
            "round": bye["round"],
            "state": "bye",
            "bot": entry.bot.name,
            "version": entry.version.number if entry.version else None,
            "score": bye["points"],
            "points_before": (bye["reasons"] or {}).get("score"),
        }


def _byes(stage: Stage) -> Iterator[dict[str, Any]]:
    rows = Bye.objects.filter(round__stage=stage).values_list("round__number", "entry", "reasons")
    reasons = {(number, entry): why for number, entry, why in rows}
    for bye in stage_byes_of(stage):
        why = reasons.get((bye.round, bye.entrant)) or None
        yield {"round": bye.round, "entry": bye.entrant, "points": bye.points, "reasons": why}


def _pairings(stage: Stage, entries: Sequence[Entry]) -> Iterator[FixturePairing]:
    """Yield the tables of the stage in order.

    They are read in batches of whole rounds. A batch has at least ``BATCH`` tables, except for the last one.
    """
    rounds, read = list[int](), 0
    for number, tables, _finished in fixture_rounds_of(stage):
        rounds.append(number)
        read += tables
        if read >= BATCH:
            yield from fixture_pairings_of(stage, entries, rounds)
            rounds, read = [], 0
    if rounds:
        yield from fixture_pairings_of(stage, entries, rounds)


def _fixture(pairing: FixturePairing) -> dict[str, Any]:
    return {
        "round": pairing.round,
        "table": pairing.table,
        "match": pairing.match_id,
        "state": pairing.state.value,
        "counts": pairing.decided,
        "given": pairing.replaced,
        "seats": [
            {
                "seat": sitting.index,
                "entry": sitting.entry.pk,
                "bot": sitting.entry.bot.name,
                "version": sitting.version,
                "score": sitting.score,
                "game_points": sitting.game_points,
                "forfeited": sitting.forfeited,
            }
            for sitting in pairing.sittings
        ],
        "reasons": pairing.reasons,
    }


def tournament_report_of(stage: Stage, entries: Sequence[Entry]) -> TrfReport:
    """Return the TRF report of all rounds that are over.

    Players are numbered in the order of their seeds. Ranks are those of the standings. Programs that read the file
    expect the points to be the sum of a player's results, so this is the case even for a disqualified bot. The first
    seat is White.
    """
    rows = {row.entrant: row for row in standings_of(stage)}
    bots = {entry.pk: entry.bot.name for entry in entries}
    order = [entry for entry in stage_seeding_of(stage) if entry in rows]
    played = stage_rounds_played_of(stage)
    cells = trf_crosstable(order, played)
    tournament = stage.tournament
    return TrfReport(
        name=tournament.name,
        players=tuple(
            Player(number, bots[entry], trf_points(cells[entry]), rows[entry].rank, cells[entry])
            for number, entry in enumerate(order, start=1)
        ),
        rounds=max(stage.rounds, stage.drawn),
        system=str(stage.get_format_display()),
        start=stage.started_at.date() if stage.started_at else None,
        end=stage.finished_at.date() if stage.finished_at else None,
    )


def has_tournament_dataset(tournament: Tournament) -> bool:
    """Return whether the tournament offers a data set: it is finished, its results are public, and it has a licence."""
    is_shown = tournament.state == TournamentState.FINISHED and tournament.publication == Publication.EVERYONE
    return is_shown and tournament.dataset_licence != ""


def tournament_dataset_games_counted(tournament: Tournament) -> int:
    return counted(_matches(tournament))


def tournament_dataset_contents(tournament: Tournament) -> DatasetEvent:
    """Return the description of a tournament from which its data set is made."""

    def places() -> Iterator[tuple[int, int, int]]:
        matches = _matches(tournament).order_by("fixture__round__number", "fixture__table")
        yield from list(matches.values_list("pk", "fixture__round__number", "fixture__table"))

    def entries(versions: Iterable[int]) -> Mapping[int, int]:
        return entry_by_version(tournament, tournament.entries.filter(entries_with_versions(tournament, versions)))

    return DatasetEvent(
        contest=str(TOURNAMENT.numbered(tournament.pk)),
        name=tournament.name,
        slug=tournament.slug,
        page=email_link_to("tournaments:detail", tournament.slug),
        by=tournament.organiser.get_username(),
        ruleset=tournament.ruleset,
        licence=tournament.dataset_licence,
        finished_at=tournament.finished_at,
        places=places,
        entries=entries,
    )


def tournament_dataset_facts(tournament: Tournament) -> tuple[Any, ...]:
    """Return the facts on which the data set depends: results, rulings, the licence, and names."""
    event, entries = tournament_dataset_contents(tournament), tournament.entries.filter(version__isnull=False)
    names = list(entries.order_by("pk").values_list("pk", "version__number", "version__bot__name"))
    facts = (event.name, event.page, event.by, event.licence, event.finished_at)
    return (tournament.revision, tournament.rulings.count(), facts, names)


def _matches(tournament: Tournament) -> Any:
    return Match.objects.filter(fixture__round__tournament=tournament, state=MatchState.FINISHED)


DATASET, SOURCES = ("tournament-dataset", "tournament-sources")
SOURCES_ARCHIVE: Final = "sources.zip"


def tournament_exports_register() -> None:
    """Register the archives that workers prepare."""
    prepared_register(DATASET, PreparedKind(_dataset_revision, _dataset))
    prepared_register(SOURCES, PreparedKind(_sources_revision, _sources))


def _tournament_found(pk: int) -> Tournament | None:
    found: Tournament | None = Tournament.objects.select_related("organiser").filter(pk=pk).first()
    return found


def _dataset_revision(pk: int) -> str | None:
    tournament = _tournament_found(pk)
    return (
        prepared_file_revision(tournament_dataset_facts(tournament))
        if tournament and has_tournament_dataset(tournament)
        else None
    )


def _dataset(pk: int, name: str, beat: Beat) -> Iterator[bytes]:
    return dataset_archive(tournament_dataset_contents(Tournament.objects.get(pk=pk)), name, beat)


def _sources_revision(pk: int) -> str | None:
    tournament = _tournament_found(pk)
    return (
        prepared_file_revision(tournament_sources_facts(tournament))
        if tournament and has_released_tournament_sources(tournament)
        else None
    )


def _sources(pk: int, _name: str, beat: Beat) -> Iterator[bytes]:
    return tournament_sources_zip(Tournament.objects.get(pk=pk), beat)
