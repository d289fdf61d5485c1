"""The weekly digest of a league: who gets it, what it says, and that it is sent once."""

import json
import random
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any, Final

import pytest
from django.utils import translation

from bots.deletion import bot_delete
from groups.services import group_member_leave
from hooks.models import Delivery, MessageFormat
from leagues import tasks
from leagues.digest_events import DIGEST
from leagues.models import League, LeagueDigest, RatingSnapshot, Season
from leagues.selectors.weeks import league_week, league_week_before
from leagues.services import (
    digests,
    ladders,
    league_digest_send,
    league_digests_send,
    season_end,
    season_refit,
    season_schedule,
    season_start,
)
from matches.models import Match
from notices.following import follow_create, followed_of
from notices.models import Notice
from notices.selectors import Channels, notice_line_of
from notices.services import notice_channels_set
from tests.arena.factories import UserFactory
from tests.groups.factories import GroupFactory, member_in
from tests.hooks.factories import hook_of
from tests.leagues.factories import member_of, open_league, play, season_of, worker_up
from tests.teams.factories import team_of
from tests.tournaments.factories import bot_of

pytestmark = pytest.mark.django_db

WEEK: Final = date(2027, 1, 4)  # a Monday
MONDAY: Final = datetime(2027, 1, 4, tzinfo=UTC)
AFTER: Final = MONDAY + timedelta(days=7, minutes=20)


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def wants(person: Any) -> Any:
    notice_channels_set(person=person, channels={DIGEST: Channels(True, "never")})
    return person


def began(league: League, at: datetime) -> Season:
    season = season_of(league)
    Season.objects.filter(pk=season.pk).update(starts_at=at)
    return season


def played(season: Season, at: datetime, faulty: frozenset[int] = frozenset()) -> None:
    """Play a few matches, and fit the ladder, at that time; the bot that joined last is the strongest."""
    worker_up(slots=4)
    season_schedule(season_id=season.pk)
    bots = season.league.memberships.order_by("pk").values_list("bot", flat=True)
    matches = play(season, {bot: 3.0 * place for place, bot in enumerate(bots)}, random.Random(1), faulty=faulty)
    assert matches
    Match.objects.filter(pk__in=[one.pk for one in matches]).update(finished_at=at)
    assert season_refit(season_id=season.pk)
    newest = RatingSnapshot.objects.filter(season=season).latest("number")
    RatingSnapshot.objects.filter(pk=newest.pk).update(created_at=at + timedelta(seconds=10))


def digest_bots(person: Any) -> list[dict[str, Any]]:
    return [bot for notice in Notice.objects.filter(person=person, kind=DIGEST) for bot in notice.data["bots"]]


def test_the_week_is_the_one_that_is_over() -> None:
    assert league_week_before(AFTER) == WEEK
    assert league_week_before(MONDAY + timedelta(days=13, hours=23)) == WEEK
    assert league_week_before(MONDAY - timedelta(seconds=1)) == WEEK - timedelta(days=14)


def test_owners_read_how_their_bots_did_and_who_leads() -> None:
    weak, strong = wants(UserFactory()), wants(UserFactory())
    league = open_league()
    for owner in (weak, strong):
        member_of(league, bot=bot_of(owner))
    season = began(league, MONDAY - timedelta(days=9))
    played(season, MONDAY - timedelta(days=3))
    played(season, MONDAY + timedelta(days=2))
    played(season, MONDAY + timedelta(days=8))  # of the next week
    assert league_digest_send(league=league, week=WEEK) == 2
    [notice] = Notice.objects.filter(person=strong)
    data = notice.data
    before, now, _later = RatingSnapshot.objects.order_by("number").filter(matches__gt=0)
    assert (data["league"], data["week"], data["matches"]) == (league.slug, "2027-01-04", now.matches - before.matches)
    [own] = data["bots"]
    assert own["matches"] == data["matches"]
    assert 0.5 < own["share"] <= 1
    assert own["rank_before"] >= own["rank"] == 1
    assert own["rating_change"] == pytest.approx(
        (now.ratings.get(place=1).mean - before.ratings.get(place=1).mean) * 173.7, abs=1
    )
    newest_first = season.league.memberships.order_by("-pk")
    assert [one["bot"] for one in data["top"]] == [member.bot.slug for member in newest_first]
    text = notice_line_of(notice).text
    assert text.startswith(f"{league.name}, week of ")
    assert f"{own['name']}: rank 1 (before: {own['rank_before']}), rating {own['rating']} (" in text
    assert f"At the top: 1. {own['name']} ({own['rating']})" in text
    with translation.override("de"):
        assert notice_line_of(notice).text != text


def test_a_busy_league_keeps_the_ladders_at_the_ends_of_weeks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladders, "HISTORY_MOST", 8)
    season = began(open_league(), MONDAY)
    for hour in range(0, 24 * 7 * 4, 4):
        made = RatingSnapshot.objects.create(season=season, number=hour + 10, matches=hour)
        RatingSnapshot.objects.filter(pk=made.pk).update(created_at=MONDAY + timedelta(hours=hour))
        ladders._thin_history(season.pk)
    for weeks in (1, 2, 3):
        found = league_week(season.league, WEEK + timedelta(days=7 * weeks))
        assert found is not None
        assert found.matches == 24 * 7
    assert RatingSnapshot.objects.filter(season=season).count() <= 8 + 3


def test_the_history_of_a_busy_season_is_spread_evenly_over_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladders, "HISTORY_MOST", 40)
    season = began(open_league(), MONDAY)
    for minute in range(2000):
        made = RatingSnapshot.objects.create(season=season, number=minute + 10, matches=minute)
        RatingSnapshot.objects.filter(pk=made.pk).update(created_at=MONDAY + timedelta(minutes=minute))
        if RatingSnapshot.objects.filter(season=season).count() > 40:
            ladders._thin_history(season.pk)
    stored = sorted(RatingSnapshot.objects.filter(season=season).values_list("matches", flat=True))
    assert stored[0] == 0
    assert stored[-1] == 1999
    assert len(stored) <= 40
    assert max(later - earlier for earlier, later in pairwise(stored)) <= 2 * 2000 / 20


def test_both_authors_get_overtakings_and_faults() -> None:
    first, second = wants(UserFactory()), wants(UserFactory())
    league = open_league()
    for owner in (first, second):
        member_of(league, bot=bot_of(owner))
    season = began(league, MONDAY - timedelta(days=9))
    played(season, MONDAY - timedelta(days=3))
    before = RatingSnapshot.objects.latest("number")
    places = list(before.ratings.order_by("place"))
    assert [one.entry.version.bot.owner for one in places] == [second, first]
    for one, place in zip(places, (12, 11), strict=True):  # as if it had been the other way round
        type(one).objects.filter(pk=one.pk).update(place=place, rank=place - 10)
    loser = season.league.memberships.order_by("pk")[0].bot
    played(season, MONDAY + timedelta(days=1), faulty=frozenset({loser.pk}))
    now = RatingSnapshot.objects.latest("number")
    for one in now.ratings.all():
        type(one).objects.filter(pk=one.pk).update(rank=one.place)
    league_digest_send(league=league, week=WEEK)
    [lost], [won] = digest_bots(first), digest_bots(second)
    assert (lost["overtaken_by"], lost["overtook"]) == (won["name"], [])
    assert (won["overtaken_by"], won["overtook"]) == ("", [lost["name"]])
    assert lost["forfeits"] == lost["matches"] > 0 == won["forfeits"]
    text = notice_line_of(Notice.objects.get(person=first)).text
    assert f"forfeited by faults; overtaken by {won['name']}." in text


def test_it_is_sent_once_however_often_the_task_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    league = open_league(bots=5, organiser=wants(UserFactory(is_organiser=True)))
    for member in league.memberships.all():
        wants(member.bot.owner)
    played(began(league, MONDAY), MONDAY + timedelta(days=1))
    monkeypatch.setattr("leagues.services.digests.PEOPLE_AT_ONCE", 2)
    monkeypatch.setattr("leagues.services.digests.timezone.now", lambda: AFTER)
    publish, calls = digests.notice_events_publish, []

    def killed(*, events: Any) -> int:
        calls.append(len(events))
        if len(calls) == 2:
            raise KeyboardInterrupt
        return publish(events=events)

    monkeypatch.setattr("leagues.services.digests.notice_events_publish", killed)
    with pytest.raises(KeyboardInterrupt):
        league_digests_send()
    assert Notice.objects.count() == 2 == max(calls)
    tasks.league_digests_send_task()
    tasks.league_digests_send_task()
    assert Notice.objects.count() == 6
    assert LeagueDigest.objects.get().done_at is not None
    assert league_digest_send(league=league, week=WEEK) == 0
    assert calls == [2, 2, 2, 2]


def test_a_league_that_was_not_played_sends_none() -> None:
    league = open_league(bots=2)
    people = [wants(member.bot.owner) for member in league.memberships.all()]
    assert people
    season = began(league, MONDAY - timedelta(days=9))
    played(season, MONDAY - timedelta(days=3))
    member_of(league)
    assert season_refit(season_id=season.pk)  # without a match
    RatingSnapshot.objects.filter(number=Season.objects.get().refits).update(created_at=MONDAY + timedelta(days=1))
    assert league_digest_send(league=league, week=WEEK) == 0
    assert league_week(league, WEEK) is None
    assert LeagueDigest.objects.get().done_at is not None
    assert not Notice.objects.exists()


def test_nobody_gets_it_who_has_not_chosen_it(monkeypatch: pytest.MonkeyPatch) -> None:
    league = open_league(bots=2)
    played(began(league, MONDAY), MONDAY + timedelta(days=1))
    monkeypatch.setattr("leagues.services.digests.timezone.now", lambda: AFTER)
    assert league_digests_send() == 0
    assert not LeagueDigest.objects.exists(), "nobody would have read it"
    assert not Notice.objects.exists()


def test_followers_and_organisers_get_it_without_bots_and_others_get_none() -> None:
    league = open_league(bots=2, organiser=wants(UserFactory(is_organiser=True)))
    follower, outsider = wants(UserFactory()), wants(UserFactory())
    followed = followed_of(follower, "league", league.slug)
    assert followed is not None
    follow_create(person=follower, followed=followed)
    played(began(league, MONDAY), MONDAY + timedelta(days=1))
    assert league_digest_send(league=league, week=WEEK) == 2
    assert {one.person_id for one in Notice.objects.all()} == {league.organiser_id, follower.pk}
    assert not digest_bots(follower)
    assert not Notice.objects.filter(person=outsider).exists()


def test_members_of_a_team_get_its_bots_with_their_own() -> None:
    captain, member = wants(UserFactory()), wants(UserFactory())
    league = open_league()
    own, shared = bot_of(captain), bot_of(team_of(captain, member).account)
    for bot in (own, shared):
        member_of(league, bot=bot)
    played(began(league, MONDAY), MONDAY + timedelta(days=1))
    assert league_digest_send(league=league, week=WEEK) == 2
    assert {bot["bot"] for bot in digest_bots(captain)} == {own.slug, shared.slug}
    assert {bot["bot"] for bot in digest_bots(member)} == {shared.slug}


def test_former_members_get_no_digest_of_a_league_of_a_group() -> None:
    group = GroupFactory()
    stays, leaves = wants(UserFactory()), wants(UserFactory())
    league = open_league(audience="group", group=group, organiser=group.created_by)
    for person in (stays, leaves):
        member_in(group, person)
        member_of(league, bot=bot_of(person))
    played(began(league, MONDAY), MONDAY + timedelta(days=1))
    group_member_leave(group=group, person=leaves)
    league_digest_send(league=league, week=WEEK)
    assert {one.person_id for one in Notice.objects.all()} == {stays.pk}


def test_a_bot_that_was_deleted_is_named_to_nobody() -> None:
    league = open_league(bots=2)
    deleted, other = (member.bot for member in league.memberships.order_by("pk"))
    wants(other.owner)
    name = deleted.name
    played(began(league, MONDAY), MONDAY + timedelta(days=1))
    bot_delete(bot=deleted)
    league_digest_send(league=league, week=WEEK)
    [notice] = Notice.objects.all()
    assert name not in json.dumps(notice.data)
    assert [one["name"] for one in notice.data["top"]] == [other.name]


def test_in_a_week_with_two_seasons_the_last_that_was_played_counts() -> None:
    league = open_league(bots=2)
    wants(league.memberships.order_by("pk")[0].bot.owner)
    season = began(league, MONDAY - timedelta(days=9))
    played(season, MONDAY + timedelta(days=1))
    season_end(league=league)
    RatingSnapshot.objects.filter(season=season).update(created_at=MONDAY + timedelta(days=1))
    later = season_start(league=league)
    Season.objects.filter(pk=later.pk).update(starts_at=MONDAY + timedelta(days=2))
    assert (found := league_week(league, WEEK)) is not None
    assert found.season == season
    played(later, MONDAY + timedelta(days=3))
    assert (found := league_week(league, WEEK)) is not None
    assert found.season == later
    assert all(bot.rank_before is None and bot.change is None for bot in found.bots)


@pytest.mark.parametrize("form", MessageFormat.values)
def test_webhooks_of_every_form_say_it(form: str) -> None:
    league = open_league(bots=2)
    owner = league.memberships.order_by("pk")[0].bot.owner
    hook = hook_of(owner)
    type(hook).objects.filter(pk=hook.pk).update(kinds=[DIGEST], format=form, about=f"league/{league.slug}")
    played(began(league, MONDAY), MONDAY + timedelta(days=1))
    league_digest_send(league=league, week=WEEK)
    [delivery] = Delivery.objects.all()
    body = json.loads(delivery.body)
    if form == MessageFormat.JSON:
        assert (body["type"], body["data"]["league"], len(body["data"]["bots"])) == (DIGEST, league.slug, 1)
    else:
        assert "At the top" in delivery.body.replace("\\", "")
        assert f"/leagues/{league.slug}/" in delivery.body
