"""A week of a league, Monday to Sunday in UTC, computed from the ladders at its beginning and end."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import QuerySet

from bots.models import Bot
from leagues.hook_events import ladder_event_overtakings
from leagues.models import League, Rating, RatingSnapshot, Season, SeasonEntry, SeasonEntryState
from matches.models import MatchState
from matches.models import Seat as MatchSeat
from ratings import rating_displayed


@dataclass(slots=True)
class BotWeek:
    """The week of a bot that is on the ladder at its end.

    ``change`` is in rating points. It and ``rank_before`` are None if the bot was not on the ladder before. ``score``
    sums the shares of opponents beaten over all games, so it is between 0 and ``games``.
    """

    bot: Bot
    division: int
    rank: int
    points: float
    rank_before: int | None
    change: float | None
    matches: int = 0
    games: int = 0
    score: float = 0.0
    forfeits: int = 0
    overtaken_by: Bot | None = None
    overtook: list[Bot] = field(default_factory=list)

    @property
    def share(self) -> float | None:
        """The share of opponents beaten."""
        return self.score / self.games if self.games else None


@dataclass(frozen=True, slots=True)
class LeagueWeek:
    """The last season that ran in the week.

    ``matches`` is the number of matches that the week added to its ladder. ``bots`` are in the order of the ladder.
    """

    season: Season
    matches: int
    bots: tuple[BotWeek, ...]


def league_week_before(now: datetime) -> date:
    """Return the Monday of the last complete week.

    >>> league_week_before(datetime(2027, 1, 4, 0, 10, tzinfo=UTC))
    datetime.date(2026, 12, 28)
    """
    return league_week_monday_of(now) - timedelta(days=7)


def league_week_monday_of(when: datetime) -> date:
    """Return the Monday of the week of ``when`` in UTC."""
    day = when.astimezone(UTC).date()
    return day - timedelta(days=day.weekday())


def leagues_refitted_in_week(week: date) -> QuerySet[League]:
    """Return the leagues with a ladder that was fitted in the week."""
    start, end = _ends(week)
    fitted = RatingSnapshot.objects.filter(created_at__gte=start, created_at__lt=end)
    return League.objects.filter(pk__in=fitted.values("season__league"))


def league_week(league: League, week: date) -> LeagueWeek | None:
    """Return the week of a league; None if the week added no match to its ladder.

    Only matches on the ladder count. Matches that were finished at the end of the week, but not yet fitted, count for
    the next week.
    """
    start, end = _ends(week)
    for season in Season.objects.filter(league=league, starts_at__lt=end).order_by("-number"):
        ladders = RatingSnapshot.objects.filter(season=season).order_by("-number")
        now, before = ladders.filter(created_at__lt=end).first(), ladders.filter(created_at__lt=start).first()
        matches = now.matches - (before.matches if before else 0) if now else 0
        if now is not None and matches > 0:
            return LeagueWeek(season, matches, tuple(_bots(season, now, before)))
        if before is not None:
            return None  # an earlier season had ended by then
    return None


def _ends(week: date) -> tuple[datetime, datetime]:
    start = datetime.combine(week, time(), UTC)
    return start, start + timedelta(days=7)


def _bots(season: Season, now: RatingSnapshot, before: RatingSnapshot | None) -> list[BotWeek]:
    earlier = {one.entry.membership_id: one for one in _ratings(before)} if before else {}
    later = {one.entry.membership_id: one for one in _ratings(now)}
    found = {member: _bot(rating, earlier.get(member)) for member, rating in later.items()}
    pairs = ladder_event_overtakings(
        *({key: (one.place, one.rank) for key, one in ladder.items()} for ladder in (earlier, later))
    )
    for member, by in pairs:
        found[member].overtaken_by = found[by].bot
        found[by].overtook.append(found[member].bot)
    _count(season, found, now, before)
    return list(found.values())


def _ratings(snapshot: RatingSnapshot) -> QuerySet[Rating]:
    """Return the ladder without bots that have left or were deleted since."""
    there = Rating.objects.filter(snapshot=snapshot, entry__version__bot__deleted_at=None)
    there = there.exclude(entry__state=SeasonEntryState.LEFT)
    return there.select_related("entry__version__bot").order_by("place")


def _bot(rating: Rating, earlier: Rating | None) -> BotWeek:
    points = rating_displayed(rating.mean)
    return BotWeek(
        bot=rating.entry.version.bot,
        division=rating.entry.division,
        rank=rating.rank,
        points=points,
        rank_before=earlier.rank if earlier else None,
        change=points - rating_displayed(earlier.mean) if earlier else None,
    )


def _count(season: Season, bots: dict[int, BotWeek], now: RatingSnapshot, before: RatingSnapshot | None) -> None:
    """Add up the matches of each bot between the two ladders. All its versions count."""
    seats = MatchSeat.objects.filter(
        match__league_match__season=season, match__state=MatchState.FINISHED, match__finished_at__lte=now.created_at
    )
    if before is not None:
        seats = seats.filter(match__finished_at__gt=before.created_at)
    members = dict(SeasonEntry.objects.filter(season=season).values_list("version", "membership"))
    for version, places, score, has_forfeited in seats.values_list(
        "version", "places", "score", "has_forfeited"
    ).iterator():
        if (one := bots.get(members.get(version, 0))) is not None:
            one.matches += 1
            one.games += len(places)
            one.score += score or 0
            one.forfeits += has_forfeited
