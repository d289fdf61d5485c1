"""Send the weekly digests of leagues.

Each league has one digest a week, which is sent to its recipients in batches. If a worker is killed, the next run
continues after the last batch that was sent.
"""

import logging
from collections import defaultdict
from datetime import date
from typing import Final

from django.db import transaction
from django.utils import timezone

from contests.audience import people_who_may_see_contest
from leagues.digest_events import DIGEST, league_digest_event
from leagues.models import League, LeagueDigest
from leagues.selectors.weeks import BotWeek, LeagueWeek, league_week, league_week_before, leagues_refitted_in_week
from notices.following import all_followers
from notices.selectors import has_notice_readers
from notices.services import notice_events_publish
from teams.selectors import team_people_by_account
from web.database import database_now

logger = logging.getLogger(__name__)

LEAGUES_AT_ONCE: Final = 50
PEOPLE_AT_ONCE: Final = 200  # recipients in one transaction


def league_digests_send() -> int:
    """Send the digests of the last complete week that have not been sent yet. Return the number of notices written.

    One call does this for at most ``LEAGUES_AT_ONCE`` leagues.
    """
    if not has_notice_readers(DIGEST):
        return 0
    week = league_week_before(timezone.now())
    done = LeagueDigest.objects.filter(week=week).exclude(done_at=None)
    waiting = leagues_refitted_in_week(week).exclude(pk__in=done.values("league")).order_by("pk")
    sent = 0
    for league in waiting[:LEAGUES_AT_ONCE]:
        try:
            sent += league_digest_send(league=league, week=week)
        except Exception:
            logger.exception("the digest of league %d was not sent", league.pk)
    return sent


def league_digest_send(*, league: League, week: date) -> int:
    """Send the digest of a league for the week that begins on the Monday ``week``.

    Return the number of notices written. The recipients are the owners of bots on the ladder, the organiser and the
    followers of the league. Nothing is sent if the week added no match to the ladder, or if the digest has already been
    sent.
    """
    digest, _is_new = LeagueDigest.objects.get_or_create(league=league, week=week)
    if digest.done_at is not None:
        return 0
    found = league_week(league, week)
    own = _bots_by_person(league, found) if found else {}
    people, sent, last_recipient = sorted(own), 0, digest.last_recipient
    while found and (batch := [one for one in people if one > last_recipient][:PEOPLE_AT_ONCE]):
        with transaction.atomic():
            mine = LeagueDigest.objects.filter(pk=digest.pk, last_recipient=last_recipient, done_at=None)
            if not mine.update(last_recipient=batch[-1]):
                return sent  # another process is sending this digest
            sent += notice_events_publish(
                events=[league_digest_event(league, week, found, one, own[one]) for one in batch]
            )
        last_recipient = batch[-1]
    LeagueDigest.objects.filter(pk=digest.pk, last_recipient=last_recipient, done_at=None).update(
        done_at=database_now()
    )
    return sent


def _bots_by_person(league: League, found: LeagueWeek) -> dict[int, list[BotWeek]]:
    """Return the recipients of the digest by primary key.

    Each recipient comes with the bots on the ladder that belong to the recipient or to the recipient's teams.
    """
    behind = team_people_by_account({one.bot.owner_id for one in found.bots if not one.bot.is_house})
    own: defaultdict[int, list[BotWeek]] = defaultdict(list)
    for one in found.bots:
        for person in behind.get(one.bot.owner_id, ()):
            own[person].append(one)
    others = {league.organiser_id, *all_followers("league", league)}
    return {person: own.get(person, []) for person in people_who_may_see_contest({*own, *others}, league)}
