"""Matches of a season for pages, and explanations why they were chosen."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from bots.models import Bot, BotVersion
from leagues.models import LeagueMatch, Season, SeasonEntry, SeasonEntryState
from leagues.pairing import Choice, Pair, Recent, Rival, SeasonSeat
from matches.models import Match, MatchState
from matches.models import Seat as MatchSeat
from ratings.scale import PER_LOGIT, Z_95, rating_displayed
from web.brief_cache import cached_briefly

LATEST: Final = 100
NEAR: Final = 100  # rating points; the stronger bot then wins 64 of 100 games
UNSURE: Final = 150  # rating points, for half of the 95 % interval


@dataclass(frozen=True, slots=True)
class LeagueFixture:
    """A match of the season with its seats."""

    row: LeagueMatch
    seats: tuple[MatchSeat, ...]

    @property
    def best(self) -> frozenset[int]:
        """The seats with the best score, once there is a result."""
        scores = [seat.score for seat in self.seats if seat.score is not None]
        return frozenset(seat.index for seat in self.seats if scores and seat.score == max(scores))


@dataclass(frozen=True, slots=True)
class SeasonProgress:
    finished: int
    running: int
    waiting: int


def season_match_progress_of(season: Season) -> SeasonProgress:
    """Return how many matches of the season are in each state, without cancelled ones. The result is cached briefly."""

    def count() -> SeasonProgress:
        counts = LeagueMatch.objects.filter(season=season).aggregate(
            finished=Count("pk", filter=Q(match__state=MatchState.FINISHED)),
            running=Count("pk", filter=Q(match__state=MatchState.RUNNING)),
            waiting=Count("pk", filter=Q(match__state__in=[MatchState.QUEUED, MatchState.HELD])),
        )
        return SeasonProgress(**counts)

    return cached_briefly(f"season/{season.pk}", count)


def league_matches_recent(season: Season, count: int) -> list[LeagueFixture]:
    """Return the matches that are being played, and then the matches that finished last: at most ``count`` together.

    To find these, only the ``LATEST`` finished matches that were chosen last are sorted by time. To sort all would take
    longer with every match.
    """
    rows = LeagueMatch.objects.filter(season=season).select_related("match")
    # The running matches of the whole site are read first. With a join, SQLite would scan all matches of the season.
    playing = list(Match.objects.filter(state=MatchState.RUNNING).values_list("pk", flat=True))
    running = list(rows.filter(match__in=playing).order_by("-number")[:count])
    latest = LeagueMatch.objects.filter(season=season, match__state=MatchState.FINISHED).order_by("-number")
    finished = rows.filter(pk__in=latest.values("pk")[:LATEST]).order_by("-match__finished_at", "-number")
    return league_matches_with_seats([*running, *finished[: count - len(running)]])


def league_matches_with_seats(rows: Sequence[LeagueMatch]) -> list[LeagueFixture]:
    """Return ``rows`` in the same order with their seats. One query."""
    seats = MatchSeat.objects.filter(match__in=[row.match_id for row in rows]).select_related("version__bot__owner")
    tables: dict[int, list[MatchSeat]] = {}
    for seat in seats.order_by("index"):
        tables.setdefault(seat.match_id, []).append(seat)
    return [LeagueFixture(row, tuple(tables[row.match_id])) for row in rows]


@dataclass(frozen=True, slots=True)
class Known:
    """A seat, and what was known about its bot when the match was chosen.

    ``points`` and ``within`` are as on the ladder.
    """

    entry: SeasonEntry
    chair: SeasonSeat
    lead: bool

    @property
    def points(self) -> float:
        return rating_displayed(self.chair.mean)

    @property
    def within(self) -> float:
        return Z_95 * PER_LOGIT * self.chair.se


@dataclass(frozen=True, slots=True)
class LeagueMeeting:
    one: SeasonEntry
    other: SeasonEntry
    pair: Pair

    @property
    def difference(self) -> float:
        return PER_LOGIT * self.pair.difference

    @property
    def sd(self) -> float:
        return PER_LOGIT * self.pair.sd


@dataclass(frozen=True, slots=True)
class ChoiceExplanation:
    """Explains a pairing by the numbers that led to the choice."""

    seats: tuple[Known, ...]
    meetings: tuple[LeagueMeeting, ...]
    rivals: tuple[tuple[SeasonEntry, Rival], ...]

    @property
    def lead(self) -> Known:
        """The seat of the entry for which the table was formed."""
        return next(one for one in self.seats if one.lead)

    @property
    def opponent(self) -> Known:
        """The seat that was filled first, after the lead."""
        return next(one for one in self.seats if one.entry == self.rivals[0][0])

    @property
    def is_most_informative(self) -> bool:
        """Whether no other candidate was worth more.

        A candidate that is worth more is passed over if it would meet the lead a third time in a row.
        """
        return self.rivals[0][1].worth >= max(rival.worth for _entry, rival in self.rivals)

    @property
    def is_unsure(self) -> bool:
        """Whether the rating of the lead was uncertain."""
        return self.lead.within > UNSURE

    @property
    def reasons(self) -> list[str]:
        """Return the reasons why the opponent was the most informative one. Each is a phrase that follows a colon."""
        seats = {self.lead.entry.pk, self.opponent.entry.pk}
        meeting = next(one for one in self.meetings if {one.one.pk, one.other.pk} == seats)
        reasons = [_("similar strength")] if abs(meeting.difference) <= NEAR else []
        reasons += [_("its rating is uncertain too")] if self.is_unsure and self.opponent.within > UNSURE else []
        return reasons + ([] if meeting.pair.met else [_("not met recently")])

    @property
    def shares(self) -> list[tuple[SeasonEntry, int]]:
        """The candidates, each with its worth in percent of the best candidate's worth."""
        most = max((rival.worth for _entry, rival in self.rivals), default=0) or 1
        return [(entry, round(100 * rival.worth / most)) for entry, rival in self.rivals]


def league_match_explanation(row: LeagueMatch) -> ChoiceExplanation:
    """Return the explanation of a pairing from the stored reasons."""
    choice = Choice.read(row.reasons)
    people = _entries([*choice.seating, *(rival.entry for rival in choice.rivals)])
    return ChoiceExplanation(
        seats=tuple(Known(people[one.entry], one, one.entry == choice.lead) for one in choice.chairs),
        meetings=tuple(LeagueMeeting(people[pair.one], people[pair.other], pair) for pair in choice.pairs),
        rivals=tuple((people[rival.entry], rival) for rival in choice.rivals),
    )


def _entries(ids: Iterable[int]) -> dict[int, SeasonEntry]:
    found = SeasonEntry.objects.filter(pk__in=set(ids)).select_related("version__bot__owner")
    return {one.pk: one for one in found}


def recent_season_matches(season: Season, *, matches: int) -> Recent:
    """Return who met in the last ``matches`` matches that were not cancelled.

    Matches of all versions of a bot count for its playing entry. If a bot does not play any more, the negative of its
    membership's id stands for it.
    """
    entries = SeasonEntry.objects.filter(season=season)
    playing = dict(entries.filter(state=SeasonEntryState.PLAYING).values_list("membership", "pk"))
    owned = ("version", "membership", "version__bot", "version__bot__owner", "version__bot__is_house")
    one_of: dict[int, int] = {}
    authors: dict[int, int] = {}
    for version, member, bot, owner, is_house in entries.values_list(*owned):
        one_of[version] = playing.get(member, -member)
        authors[one_of[version]] = -bot if is_house else owner
    rows = LeagueMatch.objects.filter(season=season).exclude(match__state=MatchState.CANCELLED).order_by("-number")
    tables: dict[int, list[int]] = {match: [] for match in reversed(rows.values_list("match", flat=True)[:matches])}
    for match, version in MatchSeat.objects.filter(match__in=list(tables)).values_list("match", "version"):
        tables[match].append(one_of[version])
    return Recent.of(tables.values(), authors)


def season_matches_finished(season: Season) -> int:
    return LeagueMatch.objects.filter(season=season, match__state=MatchState.FINISHED).count()


def league_bot_has_result(season: Season, version: BotVersion) -> bool:
    """Return whether a match of this version in the season has been played. One query."""
    played = season.league_matches.filter(match__state=MatchState.FINISHED)
    return played.filter(match__in=MatchSeat.objects.filter(version=version).values("match")).exists()


def league_bot_season_matches(
    season: Season, bot: Bot, *, version: int | None = None, opponent: str = ""
) -> QuerySet[LeagueMatch]:
    """Return the bot's matches of the season, newest first, without cancelled ones."""
    own = MatchSeat.objects.filter(version__bot=bot)
    if version is not None:
        own = own.filter(version__number=version)
    found = LeagueMatch.objects.filter(Q(season=season), match__in=own.values("match"))
    if opponent:
        found = found.filter(match__in=MatchSeat.objects.filter(version__bot__slug=opponent).values("match"))
    return found.exclude(match__state=MatchState.CANCELLED).select_related("match").order_by("-number")
