"""The shares of games that the bots of a season won of each other, computed from its newest matches.

The shares of all bots are stored as a snapshot, so that concurrent readers do not all compute them.
"""

import logging
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Final

import msgspec
from celery import current_app
from django.db.models import Q, QuerySet

from leagues.models import LeagueMatch, Membership, Season, SeasonEntry
from leagues.models.season import SEASON
from matches.models import MatchState
from matches.models import Seat as MatchSeat
from matches.queue.dispatch import UNREACHABLE
from ratings import Games
from ratings.pair_shares import PairShares, pair_shares
from web.database import database_now
from web.snapshots import Moment, SnapshotKey, SnapshotPart

logger = logging.getLogger(__name__)

MATCHES_MOST: Final = 5000  # the newest matches of a season, which count
AT_ONCE: Final = 500  # matches; if a season has no more, readers compute the shares after each refit
REFRESH_TASK: Final = "leagues.refresh_shares"
EXPIRES: Final = 10  # seconds after which a reader computes the shares
REFRESH_RATIO: Final = 20  # workers spend at most a twentieth of the time on computing the shares
PART: Final = "shares.1"  # increment when ``PairShares`` changes


def season_shares_snapshot(season: Season) -> PairShares:
    """Return the shares that any two members won of each other in the newest matches. All versions of a bot count.

    The shares are as of the last refit; if the season has many matches, as of a recent refit.
    """
    return season_shares_part(season.pk).read(lambda _shares: season.scheduled > AT_ONCE).value


def season_shares_part(season_id: int) -> SnapshotPart[PairShares]:
    """Return the snapshot for ``season_shares_snapshot``. Its revision is the number of refits."""
    return SnapshotPart(
        key=SnapshotKey(str(SEASON.numbered(season_id)), PART),
        moment=partial(_season_revision_moment, season_id),
        compute=partial(_computed, season_id),
        encode=msgspec.msgpack.encode,
        decode=msgspec.msgpack.Decoder(PairShares).decode,
        send=partial(_send_refresh, season_id),
        refresh_ratio=REFRESH_RATIO,
    )


def season_shares_of(season: Season, members: Collection[Membership]) -> PairShares:
    """Return the current shares from the newest matches of ``members`` alone."""
    own = MatchSeat.objects.filter(version__bot__in=[one.bot_id for one in members])
    rows = LeagueMatch.objects.filter(season=season, match__in=own.values("match")).order_by("-number")
    newest = LeagueMatch.objects.filter(pk__in=rows.values("pk")[:MATCHES_MOST])
    return pair_shares(Games.from_matches(_share_tables(season.pk, newest)))


def _season_revision_moment(season_id: int) -> Moment:
    moment: Moment = Season.objects.filter(pk=season_id).values_list("refits", database_now()).get()
    return moment


def _send_refresh(season_id: int, wait: float) -> None:
    try:
        current_app.send_task(REFRESH_TASK, [season_id], countdown=wait or None, expires=wait + EXPIRES)
    except UNREACHABLE:
        logger.exception("the broker took no message; the shares of season %d are computed by a reader", season_id)


def _computed(season_id: int) -> PairShares:
    scheduled = Season.objects.values_list("scheduled", flat=True).get(pk=season_id)
    newest = LeagueMatch.objects.filter(season=season_id, number__gt=scheduled - MATCHES_MOST)
    return pair_shares(Games.from_matches(_share_tables(season_id, newest)))


def _share_tables(
    season_id: int, chosen: QuerySet[LeagueMatch]
) -> Iterable[tuple[Sequence[int], Sequence[Sequence[int]]]]:
    """Yield the members at the table of each finished match, and the places of each member by game.

    Two queries: the seats, and the members of their versions.
    """
    members = dict(SeasonEntry.objects.filter(season=season_id).values_list("version", "membership"))
    over = Q(match__in=chosen.filter(match__state=MatchState.FINISHED).order_by().values("match"))
    seats = MatchSeat.objects.filter(over).order_by("match", "index").values_list("match", "version", "places")
    for _match, group in groupby(seats.iterator(), key=itemgetter(0)):
        table = list(group)
        yield [members[version] for _, version, _ in table], [places for *_, places in table]
