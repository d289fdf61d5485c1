"""Exports of a season: the ladder and matches as tables, everything as JSON, the data set, and the proof.

A worker prepares the file of the data set. ``peck verify`` checks the proof.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC
from hashlib import sha256
from typing import Any, Final

from django.db.models import Prefetch

from bots.models import BotVersion
from leagues.models import LeagueMatch, LeagueState, Season
from leagues.models.season import SEASON
from leagues.selectors.ladder import Ladder, LadderRow
from matches.datasets.archive import dataset_archive
from matches.datasets.rows import DatasetEvent
from matches.datasets.rows import dataset_rows_games_counted as counted
from matches.models import Match, MatchState, Seat
from matches.proof.archive import proof_archive_packed
from matches.proof.chain import FIRST, Link, chain_canonical_json, chain_name_digest
from matches.replay.records import BATCH as LINKS_AT_ONCE
from matches.replay.records import match_record_rows, records_chain_content, records_game_codes, records_of_matches
from web.email import email_link_to
from web.prepared.services import Beat, PreparedKind, prepared_file_revision, prepared_register

MATCHES_AT_ONCE: Final = 500
LADDER_COLUMNS: Final = (
    "rank", "rank_low", "rank_high", "bot", "version", "author", "house", "rating", "rating_low", "rating_high",
    "provisional", "benched", "matches", "games", "score", "forfeits", "faulty_games", "slowest_ms",
    "less_luck", "less_luck_low", "less_luck_high", "division", "division_before",
)  # fmt: skip
MATCH_COLUMNS: Final = (
    "number",
    "match",
    "state",
    "finished",
    "seat",
    "bot",
    "version",
    "score",
    "games",
    "faulty_games",
    "forfeited",
)


def season_ladder_export_rows(ladder: Ladder) -> list[dict[str, Any]]:
    """Return a row for each bot, in the order of the ladder, with ratings on the displayed scale."""
    return [_ladder_row(row) for row in ladder.rows]


def season_match_export_rows(season: Season) -> Iterator[dict[str, Any]]:
    """Yield a row for each seat of each match, in the order in which the matches were chosen, without cancelled ones.

    ``MATCHES_AT_ONCE`` matches are read at a time. So no transaction stays open as long as a slow client reads.
    """
    rows = LeagueMatch.objects.filter(season=season).exclude(match__state=MatchState.CANCELLED).order_by("number")
    last = 0
    while found := list(rows.filter(number__gt=last).values_list("number", "match")[:MATCHES_AT_ONCE]):
        last, number_of = found[-1][0], {match: number for number, match in found}
        seats = Seat.objects.filter(match__in=number_of).order_by("match__league_match__number", "index")
        for match, state, finished, index, bot, version, score, places, faulty, forfeited in seats.values_list(
            *("match", "match__state", "match__finished_at", "index", "version__bot__name", "version__number"),
            *("score", "places", "faulty_games", "has_forfeited"),
        ):
            yield {
                "number": number_of[match],
                "match": match,
                "state": state,
                "finished": finished.isoformat() if finished else None,
                "seat": index,
                "bot": bot,
                "version": version,
                "score": score,
                "games": len(places),
                "faulty_games": faulty,
                "forfeited": forfeited,
            }


def season_records(season: Season) -> Iterator[dict[str, Any]]:
    """Yield the records of all games of a season, see ``match_record_rows``."""
    return match_record_rows(Match.objects.filter(pk__in=LeagueMatch.objects.filter(season=season).values("match")))


def season_export_data(season: Season, ladder: Ladder) -> dict[str, Any]:
    """Return the season, its ladder and an iterator over its matches. The secret is included once it has ended."""
    league = season.league
    return {
        "league": league.name,
        "slug": league.slug,
        "open": league.state == LeagueState.OPEN,
        "season": season.number,
        "state": season.state,
        "starts": season.starts_at.isoformat(),
        "finished": season.finished_at.isoformat() if season.finished_at else None,
        "ruleset": league.ruleset,
        "options": league.options,
        "limits": league.limits,
        "players_per_table": league.players_per_table,
        "blocks": league.blocks,
        "secret_sha256": season.commitment,
        "secret": season.revealed or None,
        "divisions": season.divisions,
        "division_size": season.division_size,
        "division_moves": season.division_moves,
        "luck_value": season.luck_value,
        "less_luck_matches": season.less_luck_matches,
        "refit": {"number": ladder.snapshot.number, "matches": ladder.snapshot.matches} if ladder.snapshot else None,
        "ladder": season_ladder_export_rows(ladder),
        "matches": season_match_export_rows(season),
    }


def _ladder_row(row: LadderRow) -> dict[str, Any]:
    version, less = row.entry.version, row.less_luck
    return {
        "rank": row.rank,
        "rank_low": row.rank_low,
        "rank_high": row.rank_high,
        "bot": version.bot.name,
        "version": version.number,
        "author": version.bot.author_name,
        "house": version.bot.is_house,
        "rating": round(row.points, 1),
        "rating_low": round(row.low, 1),
        "rating_high": round(row.high, 1),
        "provisional": row.is_provisional,
        "benched": row.is_benched,
        "matches": row.played.matches,
        "games": row.played.games,
        "score": row.played.score,
        "forfeits": row.played.forfeits,
        "faulty_games": row.played.faulty_games,
        "slowest_ms": row.played.slowest_ms,
        "less_luck": round(less.points, 1) if less else None,
        "less_luck_low": round(less.floor, 1) if less else None,
        "less_luck_high": round(less.ceiling, 1) if less else None,
        "division": row.entry.division,
        "division_before": row.entry.division_before,
    }


def season_proof_export_of(season: Season) -> Iterator[bytes]:
    """Yield the zip file for ``peck verify`` in pieces. It contains the secret, so the season must have ended."""
    # The head of the chain comes before the links in the file, so the links are computed twice.
    names: dict[str, object] = {}
    finished: list[int] = []
    head = Link(0, "", "", "", FIRST)
    for link in _links(season, names, finished):
        head = link
    return proof_archive_packed(
        name=str(season),
        head=head,
        secrets=[bytes(season.secret)],
        names=names,
        links=_links(season, {}, []),
        records=records_of_matches(finished),
        code=records_game_codes(finished),
    )


def _links(season: Season, names: dict[str, object], finished: list[int]) -> Iterator[Link]:
    at = (season.finished_at or season.starts_at).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    previous = FIRST
    for number, (kind, content) in enumerate(_contents(season, names, finished), start=1):
        link = Link(number, kind, at, chain_canonical_json(content), previous)
        previous = link.digest
        yield link


def _contents(season: Season, names: dict[str, object], finished: list[int]) -> Iterator[tuple[str, dict[str, Any]]]:
    league = season.league
    terms = {"name": str(season), "ruleset": league.ruleset, "options": league.options}
    yield "season", terms | {"commitment": season.commitment}
    numbers = list(LeagueMatch.objects.filter(season=season).order_by("number").values_list("number", "match"))
    known: set[int] = set()
    for start in range(0, len(numbers), LINKS_AT_ONCE):
        batch = dict(numbers[start : start + LINKS_AT_ONCE])
        matches = _matches(list(batch.values()))
        results = records_chain_content(Match.objects.filter(pk__in=matches, state=MatchState.FINISHED))
        for number, match_id in batch.items():
            match = matches[match_id]
            for seat in match.seats.all():
                if seat.version_id not in known:
                    known.add(seat.version_id)
                    yield "member", _member(season, seat.version, names)
            seats = [seat.version_id for seat in match.seats.all()]
            yield "match", {"number": number, "seats": seats, "blocks": match.blocks, "stopping": match.stopping}
            if match_id in results:
                finished.append(match_id)
                yield "result", {"number": number, **results[match_id]}
            else:
                yield "called_off", {"number": number}
    yield "season_end", {"matches": len(numbers)}


def _member(season: Season, version: BotVersion, names: dict[str, object]) -> dict[str, Any]:
    whose, name = f"entry/{version.pk}", f"{version.bot.name} v{version.number}"
    salt = sha256(bytes(season.secret) + whose.encode()).hexdigest()[:32]
    names[whose] = {"salt": salt, "name": name}
    return {"entry": version.pk, "package": version.sha256, "name": chain_name_digest(salt, name)}


def _matches(numbers: list[int]) -> dict[int, Match]:
    seats = Seat.objects.order_by("index").select_related("version__bot")
    return Match.objects.prefetch_related(Prefetch("seats", seats)).in_bulk(numbers)


AT_ONCE: Final = 500  # matches read at a time


def has_season_dataset(season: Season) -> bool:
    """Return whether the season offers a data set: it has ended, and the data set has a licence."""
    return not season.is_running and season.dataset_licence != ""


def season_dataset_games_counted(season: Season) -> int:
    return counted(Match.objects.filter(league_match__season=season))


def season_dataset_contents(season: Season) -> DatasetEvent:
    """Return the content of the data set of a season: its finished matches, in the order in which they were chosen.

    An entry is identified by its version, as in the proof.
    """

    def places() -> Iterator[tuple[int, int, int]]:
        rows = LeagueMatch.objects.filter(season=season, match__state=MatchState.FINISHED).order_by("number")
        last = 0
        while found := list(rows.filter(number__gt=last).values_list("match", "number")[:AT_ONCE]):
            last = found[-1][1]
            yield from ((match, number, 0) for match, number in found)

    def entries(versions: Iterable[int]) -> Mapping[int, int]:
        return {version: version for version in versions}

    league = season.league
    return DatasetEvent(
        contest=str(SEASON.numbered(season.pk)),
        name=str(season),
        slug=f"{league.slug}-{season.number}",
        page=email_link_to("leagues:season", league.slug, season.number),
        by=league.organiser.get_username(),
        ruleset=league.ruleset,
        licence=season.dataset_licence,
        finished_at=season.finished_at,
        places=places,
        entries=entries,
    )


def season_dataset_facts(season: Season) -> tuple[Any, ...]:
    """Return the values on which the data set depends. If one of them changes, the data set has to be made again."""
    event = season_dataset_contents(season)
    names = list(season.season_entries.order_by("pk").values_list("version", "version__bot__name"))
    return (event.name, event.page, event.by, event.licence, event.finished_at, names)


SEASON_DATASET: Final = "season-dataset"


def season_exports_register() -> None:
    """Register the data sets of seasons for preparation by workers."""
    prepared_register(SEASON_DATASET, PreparedKind(_revision, _made))


def _revision(pk: int) -> str | None:
    season = Season.objects.select_related("league__organiser").filter(pk=pk).first()
    return prepared_file_revision(season_dataset_facts(season)) if season and has_season_dataset(season) else None


def _made(pk: int, name: str, beat: Beat) -> Iterator[bytes]:
    season = Season.objects.select_related("league__organiser").get(pk=pk)
    return dataset_archive(season_dataset_contents(season), name, beat)
