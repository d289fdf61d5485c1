"""Read sparring matches: whose they are, the worker time they used, and their verdicts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import inf, sqrt
from statistics import fmean
from typing import Final

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import F, Q, QuerySet, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bots.models import Bot, BotVersion, VersionState
from bots.selectors import bot_versions_of
from luck.adjusted_mean import luck_adjusted_half_width
from matches.models import UNDECIDED, Match, MatchState, Seat
from matches.referee import StopReason, ThreeAnswers
from matches.referee.scoring import scoring_shares_beaten
from matches.referee.stopping import LARGEST_VARIANCE
from matches.selectors import matches_with_seats
from matches.visibility import matches_visible_in_group_of
from web.database import database_after
from web.templatetags.numbers import percent

DAY: Final = timedelta(days=1)
BLOCKS_LEAST: Final = 8  # with fewer blocks, nobody is called better
ANSWERS: Final = {
    StopReason.FIRST: "better",
    StopReason.SECOND: "worse",
    StopReason.TOO_CLOSE: "too_close",
    StopReason.UNDECIDED: "undecided",
    StopReason.FORFEITED: "forfeited",
}


@dataclass(frozen=True, slots=True)
class SparringVerdict:
    """The verdict of a match on the version in its first seat.

    ``answer`` is "better", "worse", "too_close", "undecided" or "forfeited". It is "open" until the match is finished,
    and "called_off" if the match was cancelled. ``share`` is the share of opponents beaten, where ties count half.
    ``low`` and ``high`` are the ends of its 95 % interval, computed from blocks. These three are None before the end.
    """

    answer: str
    blocks: int
    games: int
    share: float | None = None
    low: float | None = None
    high: float | None = None


def sparrings_of(author: AbstractBaseUser | AnonymousUser) -> QuerySet[Match]:
    """Return the sparring matches of an author, newest first, with seats, versions and bots.

    Matches of groups that the author has left are not included.
    """
    mine = (
        Match.objects.filter(matches_visible_in_group_of(author), sparring__author=author.pk)
        if author.pk
        else Match.objects.none()
    )
    return matches_with_seats(mine.select_related("sparring")).order_by("-pk")


def sparrings_with(bot: Bot) -> QuerySet[Match]:
    """Return the sparring matches with ``bot`` that its owner requested, newest first."""
    seats = Seat.objects.filter(version__bot=bot, match__sparring__author=bot.owner_id)
    return matches_with_seats(Match.objects.filter(pk__in=seats.values("match"))).order_by("-pk")


def sparring_opponents(bot: Bot) -> QuerySet[BotVersion]:
    """Return the versions that ``bot`` may spar with.

    These are all accepted versions of its owner's bots for the same game, and then the current versions of house bots.
    """
    own = Q(bot__owner=bot.owner_id, bot__is_house=False)
    house = Q(bot__is_house=True, bot__current__state=VersionState.ACCEPTED, bot__current=F("pk"))
    found = BotVersion.objects.filter(own | house, bot__game=bot.game, state=VersionState.ACCEPTED)
    return found.select_related("bot").defer("report").order_by("bot__is_house", "bot__name", "-number")


def sparring_versions(bot: Bot) -> QuerySet[BotVersion]:
    """Return the versions of ``bot`` that may spar, newest first."""
    return bot_versions_of(bot).filter(state=VersionState.ACCEPTED)


def sparring_seconds_used(author: int) -> float:
    """Return the seconds of worker time of the author's matches that are open or were created in the last day.

    The time of void attempts is included.
    """
    recent = Q(sparring__created_at__gt=database_after(-DAY)) | Q(state__in=UNDECIDED)
    mine = Match.objects.filter(recent, sparring__author=author)
    used: dict[str, int] = mine.aggregate(Sum("duration_ms", default=0), Sum("wasted_ms", default=0))
    return sum(used.values()) / 1000


def sparring_has_time(author: int) -> bool:
    """Return whether the author may use more worker time now."""
    return sparring_seconds_used(author) < settings.SPARRING_MINUTES_MOST * 60


def sparring_verdict(match: Match) -> SparringVerdict:
    """Return the verdict of a sparring match. Its seats should already be loaded."""
    seats = list(match.seats.all())
    if match.state != MatchState.FINISHED:
        return SparringVerdict("called_off" if match.state == MatchState.CANCELLED else "open", 0, 0)
    shares = _block_shares([seat.places for seat in seats])
    if not shares:
        return SparringVerdict("undecided", 0, 0)
    share, within = fmean(shares), _within(shares)
    low, high = max(0.0, share - within), min(1.0, share + within)
    if any(seat.has_forfeited for seat in seats):
        answer = "forfeited"
    elif match.ending:
        answer = ANSWERS[StopReason(match.ending)]
    elif len(shares) < BLOCKS_LEAST or low <= 0.5 <= high:
        answer = "undecided"
    else:
        answer = "better" if share > 0.5 else "worse"
    return SparringVerdict(answer, len(shares), len(shares) * len(seats), share, low, high)


def _block_shares(places: Sequence[Sequence[int]]) -> list[float]:
    """Return the first seat's share of opponents beaten in each block. ``places[s][g]`` is seat s in game g."""
    games = [float(scoring_shares_beaten(game)[0]) for game in zip(*places, strict=True)]
    return [fmean(games[start : start + len(places)]) for start in range(0, len(games), len(places))]


def _within(shares: Sequence[float]) -> float:
    """Return half the width of the 95 % interval of the mean of ``shares``, by Student's t.

    The usual estimate of the variance would be zero for equal blocks. So the variance is the largest one that is
    possible for these leads, and some unsplit blocks are assumed to have been played before. This is the variance of
    ``matches.referee.stopping``.
    """
    blocks = len(shares)
    if blocks < 2:
        return inf
    sizes = sum(abs(share - 0.5) for share in shares)
    variance = (sizes / 2 + ThreeAnswers.PRIOR_BLOCKS * LARGEST_VARIANCE) / (blocks + ThreeAnswers.PRIOR_BLOCKS)
    return luck_adjusted_half_width(blocks - 1) * sqrt(variance / blocks)


def sparring_verdict_sentence(match: Match, verdict: SparringVerdict) -> str:
    """Return the verdict in words. The seats of ``match`` should already be loaded."""
    first, other, *_others = (seat.version for seat in match.seats.all())
    names = {"bot": _named(first), "other": _named(other)}
    sentences = {
        "open": _("Is %(bot)s better than %(other)s? No answer yet."),
        "called_off": _("It was cancelled: there is no result."),
        "better": _("%(bot)s is better than %(other)s."),
        "worse": _("%(bot)s is worse than %(other)s."),
        "too_close": _("%(bot)s and %(other)s are too close to call."),
        "undecided": _("It is not decided whether %(bot)s or %(other)s is better."),
        "forfeited": _("A bot has forfeited the match by its faults: this says nothing about strength."),
    }
    return sentences[verdict.answer] % names


def _named(version: BotVersion) -> str:
    return f"{version.bot.name} v{version.number}"


def sparring_figures_sentence(verdict: SparringVerdict) -> str:
    """Return the figures of the verdict in words; "" before the end."""
    if verdict.share is None or verdict.low is None or verdict.high is None:
        return ""
    values = {name: percent(getattr(verdict, name), 1) for name in ("share", "low", "high")}
    sentence = ngettext(
        "%(share)s of the opponents beaten, ties half, in %(blocks)d deal; 95 %% interval %(low)s to %(high)s.",
        "%(share)s of the opponents beaten, ties half, in %(blocks)d deals; 95 %% interval %(low)s to %(high)s.",
        verdict.blocks,
    )
    return sentence % {**values, "blocks": verdict.blocks}
