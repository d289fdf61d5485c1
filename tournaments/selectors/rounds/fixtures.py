"""Read fixtures with the state and the seats of their matches, in a fixed number of queries.

Pages show fixtures as the tables of rounds. Changes of fixtures are pushed to pages as rows.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, IntegerField, Min, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from matches.models import Match, MatchState, match_airs_later
from matches.models import Seat as MatchSeat
from matches.replay.pictures import MatchPicture, match_picture_boards
from tournaments.formats.format import Reasons
from tournaments.models import Entry, Fixture, Round, Stage, Tournament
from tournaments.pushed_rows import tournament_tables_push
from tournaments.selectors.entering.entry_versions import entries_shown, entries_with_versions, takes_new_entry_versions
from tournaments.selectors.entering.visible import tournament_matches_visible
from tournaments.selectors.rulings.corrections import ruling_corrections_of
from tournaments.selectors.standings.ranking import (
    standings_snapshot_key,
    standings_snapshot_moment,
    standings_snapshot_refresh_send,
)
from tournaments.standings import Corrections
from web.snapshots import SnapshotPart

HELD_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class Sitting:
    """An entry at a table, with its result once the match is finished.

    ``first`` tells whether the entry has the best score among those that have not ``forfeited`` the match.
    """

    entry: Entry
    index: int
    score: float | None
    game_points: int | None
    first: bool
    forfeited: bool
    updated_to: int | None = None  # the number of the version in this seat; None if the tournament takes no new ones

    @property
    def version(self) -> int | None:
        """The number of the version in this seat."""
        if self.updated_to is not None:
            return self.updated_to
        return self.entry.version.number if self.entry.version else None


@dataclass(frozen=True, slots=True)
class FixturePairing:
    """A table of a round with its match."""

    fixture_id: int
    round: int
    table: int
    match_id: int
    state: MatchState
    sittings: tuple[Sitting, ...]
    why: Reasons | None  # why these bots meet, if standings or a bracket decided it
    failure: str = ""  # why the site's own Swiss drew a round that FIDE's rules should have drawn
    void: bool = False  # by a ruling: the match does not count
    replaced: bool = False  # by a ruling: the match counts with the scores of its sittings, not with those played
    blocks: int | None = None  # the number of blocks that were played
    ending: str = ""  # how a series with a stopping rule ended, a matches.referee.Ending
    outcome: str = ""  # in a knockout: who goes on and why, if the scores do not show it
    airs_later: bool = False  # the match is hidden until its broadcast, while it is played and afterwards

    @property
    def decided(self) -> bool:
        """Whether the match counts in the standings."""
        return not self.void and (self.replaced or self.state == MatchState.FINISHED)

    @property
    def is_playing(self) -> bool:
        """Whether the match is being played or broadcast now, and is not hidden."""
        return self.state in (MatchState.RUNNING, MatchState.ON_AIR) and not self.airs_later

    def place_of(self, sitting: Sitting) -> int:
        """Return the place of a sitting at this table, from 1. Sittings with equal results share a place."""
        return 1 + sum(_strength(one) > _strength(sitting) for one in self.sittings)

    @property
    def reasons(self) -> dict[str, Any] | None:
        """The reasons why these bots meet, as stored; None if neither standings nor a bracket decided it."""
        return self.why.write() if self.why else None


def _strength(sitting: Sitting) -> tuple[bool, bool, float]:
    return sitting.first, not sitting.forfeited, sitting.score or 0


@dataclass(frozen=True, slots=True)
class Progress:
    """The numbers of matches by state.

    Some matches are hidden until their broadcast, while they are played and afterwards. ``waits`` is the number of
    these. ``airs_at`` is when the first of their broadcasts begins, if that is known.
    """

    total: int = 0
    finished: int = 0
    running: int = 0
    held: int = 0
    waits: int = 0
    airs_at: datetime | None = None

    @property
    def percent(self) -> int:
        return 100 * self.finished // self.total if self.total else 0


def fixture_progress_of(tournament: Tournament) -> Progress:
    """Return the numbers of matches that are drawn so far, by state.

    Cancelled matches do not count. Matches that were ruled void after they were played do count.
    """
    return fixture_progress_by_tournament([tournament])[tournament.pk]


def fixture_progress_by_tournament(tournaments: Sequence[Tournament]) -> dict[int, Progress]:
    """Return ``fixture_progress_of`` for several tournaments, by id, in one query."""
    now = timezone.now()
    to_air = _to_air(now)
    in_state = {
        "finished": Q(match__state=MatchState.FINISHED),
        "running": Q(match__state__in=[MatchState.RUNNING, MatchState.ON_AIR]) & ~to_air,
        "held": Q(match__state=MatchState.HELD),
        "waits": to_air,
    }
    fixtures = Fixture.objects.filter(round__tournament__in=[one.pk for one in tournaments])
    counts = (
        fixtures.exclude(match__state=MatchState.CANCELLED)
        .order_by()
        .alias(begins=Coalesce("match__airs_at", "match__premieres_at"))
        .values("round__tournament")
        .annotate(
            total=Count("pk"),
            airs_at=Min("begins", filter=to_air & Q(begins__gt=now)),
            **{name: Count("pk", filter=Q(round__started_at__isnull=False) & one) for name, one in in_state.items()},
        )
    )
    rows: Iterable[dict[str, Any]] = counts  # type: ignore[assignment]  # mypy does not know annotated names
    found = {row.pop("round__tournament"): Progress(**row) for row in rows}
    return {one.pk: found.get(one.pk, Progress()) for one in tournaments}


def _to_air(now: datetime) -> Q:
    """Return the condition for fixtures whose matches are hidden until their broadcast."""
    is_played = Q(match__state=MatchState.RUNNING) & ~Q(match__tempo="")
    return is_played | Q(match__state=MatchState.ON_AIR, match__airs_at__gt=now)


LET_GO: Final = ~Q(round__started_at__isnull=True, round__tournament__has_round_review=True)


def fixture_rounds_of(stage: Stage, *, drafts: bool = False) -> list[tuple[int, int, int]]:
    """Return the number, the number of tables, and the number of finished tables of each round, in order.

    With ``drafts``, include rounds that wait for the organiser's review.
    """
    return list(
        Fixture.objects.filter(Q() if drafts else LET_GO, round__stage=stage)
        .order_by("round__number")
        .values_list("round__number")
        .annotate(tables=Count("pk"), finished=Count("pk", filter=Q(match__state=MatchState.FINISHED)))
    )


def fixture_entries_of_round(played: Round) -> QuerySet[Entry]:
    """Return the entries with a seat or a bye in the round, including those that were withdrawn since."""
    seats = MatchSeat.objects.filter(match__fixture__round=played)
    return played.tournament.entries.filter(
        entries_with_versions(played.tournament, seats.values("version")) | Q(pk__in=played.byes.values("entry"))
    )


def fixture_tables_of_round(stage: Stage, number: int, *, drafts: bool = False) -> list[int]:
    """Return the table numbers of a round, in order. For ``drafts`` see ``fixture_rounds_of``."""
    fixtures = Fixture.objects.filter(Q() if drafts else LET_GO, round__stage=stage, round__number=number)
    return list(fixtures.order_by("table").values_list("table", flat=True))


def fixture_pairings_of(
    stage: Stage,
    entries: Sequence[Entry] | None = None,
    rounds: Sequence[int] | None = None,
    *,
    drafts: bool = False,
    tables: Collection[int] | None = None,
    matches: Collection[int] | None = None,
) -> list[FixturePairing]:
    """Return the tables of a stage, in order.

    ``rounds``, ``tables`` and ``matches`` restrict the result to these rounds, table numbers and matches. For
    ``drafts`` see ``fixture_rounds_of``. ``entries`` must contain all entries at these tables. If it is None, the
    entries are read, with bot, author and frozen version.
    """
    fixtures = Fixture.objects.filter(Q() if drafts else LET_GO, round__stage=stage).order_by("round__number", "table")
    seats = MatchSeat.objects.filter(match__fixture__round__stage=stage).order_by("index")
    if rounds is not None:
        fixtures = fixtures.filter(round__number__in=rounds)
        seats = seats.filter(match__fixture__round__number__in=rounds)
    if tables is not None:
        fixtures = fixtures.filter(table__in=tables)
        seats = seats.filter(match__fixture__table__in=tables)
    if matches is not None:
        fixtures, seats = fixtures.filter(match__in=matches), seats.filter(match__in=matches)
    held = ruling_corrections_of(stage.tournament)
    by = _BY_BOT if takes_new_entry_versions(stage.tournament) else _BY_VERSION
    rows = list(seats.values_list("match_id", "index", *by.columns, "score", "points", "has_forfeited"))
    if entries is None:
        there = stage.tournament.entries.filter(**{f"{by.of_entry}__in": {row[2] for row in rows}})
        entries = list(entries_shown(there))
    sittings = _sittings(rows, {getattr(entry, by.of_entry): entry for entry in entries}, held)
    return [
        FixturePairing(
            fixture_id=pk,
            round=round_number,
            table=table,
            match_id=match_id,
            state=MatchState(state),
            sittings=tuple(sittings[match_id]),
            why=stage.kind.reasons(reasons) if reasons else None,
            failure=reasons.get("failure", "") if reasons else "",
            void=not held.counts(match_id),
            replaced=match_id in held.given,
            blocks=blocks,
            ending=ending,
            airs_later=match_airs_later(state, tempo, airs_at),
        )
        for pk, round_number, table, match_id, state, reasons, blocks, ending, tempo, airs_at in fixtures.values_list(
            *("pk", "round__number", "table", "match_id", "match__state", "reasons"),
            *("match__blocks_played", "match__ending", "match__tempo", "match__airs_at"),
        )
    ]


def fixture_pairings_playing(stage: Stage, most: int) -> list[FixturePairing]:
    """Return the first ``most`` tables of the stage that are being played or broadcast now and are not hidden.

    Takes one query if there are none.
    """
    going = Q(round__stage=stage, match__state__in=[MatchState.RUNNING, MatchState.ON_AIR])
    fixtures = Fixture.objects.filter(LET_GO, going).exclude(_to_air(timezone.now())).order_by("round__number", "table")
    matches = list(fixtures.values_list("match", flat=True)[:most])
    return fixture_pairings_of(stage, matches=matches) if matches else []


class _By(NamedTuple):
    """The columns by which the entry of a seat is found: those of the seat, and the one of the entry.

    The second column of the seat is the number of the version.
    """

    columns: tuple[Any, ...]
    of_entry: str


_BY_VERSION: Final = _By(("version_id", Value(None, IntegerField())), "version_id")
_BY_BOT: Final = _By(("version__bot_id", "version__number"), "bot_id")


def _sittings(
    seats: Iterable[tuple[int, int, int, int | None, float | None, int | None, bool]],
    sitting: Mapping[int, Entry],
    held: Corrections,
) -> Mapping[int, list[Sitting]]:
    """Return the sittings by match, with the scores that count. If a match does not count, nobody is first."""
    best: dict[int, float] = {}
    rows = []
    for match_id, index, who, number, score, game_points, forfeited in seats:
        given = held.given.get(match_id)
        if given is not None:
            score, game_points, forfeited = given.get(sitting[who].pk, 0), 0, False
        if score is not None and not forfeited:
            best[match_id] = max(score, best.get(match_id, score))
        rows.append((match_id, index, who, number, score, game_points, forfeited))
    sittings: defaultdict[int, list[Sitting]] = defaultdict(list)
    for match_id, index, who, number, score, game_points, forfeited in rows:
        first = score is not None and not forfeited and score >= best[match_id] - 1e-9 and held.counts(match_id)
        sittings[match_id].append(Sitting(sitting[who], index, score, game_points, first, forfeited, number))
    return sittings


def fixture_matches_held(tournament: Tournament) -> list[Match]:
    """Return the first ``HELD_SHOWN`` matches that are held after faults of the platform."""
    held = Match.objects.filter(fixture__round__tournament=tournament, state=MatchState.HELD)
    return list(held.exclude(last_platform_fault="").order_by("pk")[:HELD_SHOWN])


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A table with its board, which is None if the reader may not see the match."""

    pairing: FixturePairing
    board: MatchPicture | None

    @property
    def podium(self) -> list[Sitting]:
        """The sittings at a decided table, the winner first; empty before the match is decided.

        When a game is over, its board is empty, so the page shows the podium instead.
        """
        if not self.pairing.decided:
            return []
        return sorted(self.pairing.sittings, key=lambda one: (not one.first, -(one.score or 0)))

    @property
    def placed(self) -> list[tuple[int, Sitting]]:
        """The podium with the place of each sitting."""
        return [(self.pairing.place_of(one), one) for one in self.podium]


def fixture_tables_shown(
    user: AbstractBaseUser | AnonymousUser,
    stage: Stage,
    number: int,
    tables: Collection[int],
    *,
    pictures: bool = True,
) -> list[RoundTable]:
    """Return these tables of a round in their order. With ``pictures``, include pictures of their boards."""
    pairings = fixture_pairings_of(stage, rounds=[number], tables=tables)
    if not pictures:
        return [RoundTable(one, None) for one in pairings]
    readable = tournament_matches_visible(user, stage.tournament)
    bots = {
        one.match_id: [sitting.entry.bot.name for sitting in one.sittings]
        for one in pairings
        if one.match_id in readable
    }
    boards = match_picture_boards(list(Match.objects.filter(pk__in=bots)), ends=True, bots=bots)
    return [RoundTable(one, boards.get(one.match_id)) for one in pairings]


REFRESH_RATIO: Final = 5  # workers spend at most a fifth of the time on computing tables
# The states that a page can show from a row alone
PLAIN: Final = (MatchState.RUNNING, MatchState.ON_AIR, MatchState.FINISHED)


class TableRows(msgspec.Struct, frozen=True, array_like=True):
    """The rows of a round, with at least all changes up to the revision ``through``.

    A row begins with the fixture and the state of the match. The state is "" if a page cannot show the match from the
    row alone. For each seat, the score follows, whether it is the best, and whether the bot forfeited.
    """

    through: int
    rows: list[tuple[int, str, list[tuple[float | None, bool, bool]]]]


def fixture_tables_snapshot_part(stage: Stage) -> SnapshotPart[TableRows]:
    """Return the snapshot of the tables of the round that is being played."""
    number = fixture_round_being_played(stage)
    return SnapshotPart(
        key=standings_snapshot_key(stage.tournament_id, f"tables.{stage.pk}.{number}"),
        moment=partial(standings_snapshot_moment, stage.tournament_id),
        compute=partial(_table_rows, stage, number),
        encode=msgspec.msgpack.encode,
        decode=msgspec.msgpack.Decoder(TableRows).decode,
        send=partial(standings_snapshot_refresh_send, "tables", stage.pk),
        refresh_ratio=REFRESH_RATIO,
        stored=partial(tournament_tables_push, stage, number),
    )


def fixture_round_being_played(stage: Stage) -> int:
    """Return the number of the first round that is not over, or of the last round; 0 if no round is drawn."""
    rounds = fixture_rounds_of(stage)
    open_rounds = (number for number, tables, finished in rounds if finished < tables)
    return next(open_rounds, rounds[-1][0] if rounds else 0)


def _table_rows(stage: Stage, number: int) -> TableRows:
    entries = list(stage.tournament.entries.only("tournament", "version", "bot"))  # no bots or authors
    rows = [_pairing_row(pairing) for pairing in fixture_pairings_of(stage, entries, [number])]
    return TableRows(standings_snapshot_moment(stage.tournament_id)[0], rows)


def _pairing_row(pairing: FixturePairing) -> tuple[int, str, list[tuple[float | None, bool, bool]]]:
    is_plain = pairing.state in PLAIN and not (pairing.void or pairing.replaced or pairing.airs_later)
    seats = [(one.score, one.first, one.forfeited) for one in pairing.sittings]
    return pairing.fixture_id, str(pairing.state) if is_plain else "", seats if is_plain else []
