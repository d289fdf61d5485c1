"""Versions of members follow by themselves, and members leave and come back."""

import pytest
from django.urls import reverse
from django.utils import timezone

from bots.deletion import bot_delete, version_delete
from bots.services import version_make_current
from leagues import services
from leagues.errors import JoinRefused
from leagues.models import Membership, MembershipState, Rating, SeasonEntry, SeasonEntryState
from leagues.selectors.entry_ratings import rated_season_candidates_of
from leagues.selectors.ladder import ladder_of
from leagues.services import entries
from matches.models import Match, MatchState, Seat
from ratings import rating_displayed
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.leagues.factories import member_of, worker_up
from tests.leagues.members import in_the_last_tenth, played, states

pytestmark = pytest.mark.django_db


def test_a_new_version_takes_its_parents_place_by_itself_and_starts_from_its_rating(season):
    played(season, 10)
    services.season_refit(season_id=season.pk)
    services.season_schedule(season_id=season.pk)
    version = Seat.objects.filter(match__state=MatchState.QUEUED)[0].version
    waiting = Match.objects.filter(state=MatchState.QUEUED, seats__version=version)
    member = Membership.objects.get(bot=version.bot_id)
    BotVersionFactory(bot=member.bot, number=2)
    assert services.season_entries_sync(season_id=season.pk) == 1
    assert services.season_entries_sync(season_id=season.pk) == 0
    assert states(member) == [(1, "replaced"), (2, "playing")]
    assert waiting.all().exists(), "what was drawn is played by the version that was drawn"
    assert not Match.objects.filter(state=MatchState.CANCELLED).exists()

    mean = Rating.objects.get(entry__membership=member).mean
    [candidate] = [one for one in rated_season_candidates_of(season) if one.author == member.bot.owner_id]
    assert candidate.mean == mean
    services.season_refit(season_id=season.pk)
    second = Rating.objects.get(entry__membership=member, snapshot__number=2)
    assert second.entry.version.number == 2
    assert second.mean == pytest.approx(mean, abs=0.1)
    assert second.games == 0
    assert second.is_provisional


def test_an_author_who_goes_back_to_a_version_finds_its_rating_again(season, member):
    first = member.bot.current
    BotVersionFactory(bot=member.bot, number=2)
    services.season_entries_sync(season_id=season.pk)
    version_make_current(version=first)
    services.season_entries_sync(season_id=season.pk)
    assert states(member) == [(1, "playing"), (2, "replaced")]


def test_a_version_that_waits_for_its_check_changes_nothing(season, member):
    BotVersionFactory(bot=member.bot, number=2, open=True)
    assert services.season_entries_sync(season_id=season.pk) == 0


def test_nobody_changes_the_version_in_the_last_tenth_of_a_season_and_the_page_says_so(season, member, client):
    in_the_last_tenth(season)
    client.force_login(member.bot.owner)
    upload = client.get(reverse("bots:upload", args=[member.bot.slug])).content.decode()
    assert "until it ends" in upload
    second = BotVersionFactory(bot=member.bot, number=2)
    assert services.season_entries_sync(season_id=season.pk) == 0
    assert states(member) == [(1, "playing")]
    for page in ("bots:detail", "bots:version"):
        number = [2] if page == "bots:version" else []
        text = client.get(reverse(page, args=[member.bot.slug, *number])).content.decode()
        assert "version 1 plays on until the season ends" in text
    services.league_bot_leave(membership=member, by=member.bot.owner)
    with pytest.raises(JoinRefused) as refused:
        services.league_bot_join(league=season.league, bot=member.bot, by=member.bot.owner)
    assert refused.value.code == "late", "leaving and joining again is no way round it"
    version_make_current(version=member.bot.versions.get(number=1))
    services.league_bot_join(league=season.league, bot=member.bot, by=member.bot.owner)
    assert states(member) == [(1, "playing")]
    member_of(season.league)
    assert SeasonEntry.objects.filter(season=season, state="playing").count() == 4, "a new bot may join"

    version_make_current(version=second)
    services.season_end(league=season.league)
    following = services.season_start(league=season.league)
    assert SeasonEntry.objects.get(season=following, membership=member).version == second


def test_a_bot_that_leaves_plays_no_more_and_may_return_to_its_rating(season, member):
    played(season, 5)
    services.season_refit(season_id=season.pk)
    mean = Rating.objects.get(entry__membership=member).mean
    services.league_bot_leave(membership=member, by=member.bot.owner)
    assert states(member) == [(1, "left")]
    assert member.bot.owner_id not in {one.author for one in rated_season_candidates_of(season)}
    with pytest.raises(JoinRefused) as refused:
        services.league_bot_leave(membership=member, by=member.bot.owner)
    assert refused.value.code == "left"
    services.season_refit(season_id=season.pk)
    assert not Rating.objects.filter(entry__membership=member, snapshot__number=2).exists()
    again = services.league_bot_join(league=season.league, bot=member.bot, by=member.bot.owner)
    assert (again.pk, again.state) == (member.pk, MembershipState.ACTIVE)
    assert states(member) == [(1, "playing")]
    services.season_refit(season_id=season.pk)
    assert Rating.objects.get(entry__membership=member, snapshot__number=3).mean == pytest.approx(mean)


def test_a_version_that_is_accepted_while_its_bot_leaves_does_not_play(season, member, monkeypatch):
    """The sync has read who is a member; before it writes, the bot has left."""
    BotVersionFactory(bot=member.bot, number=2)
    replace = entries._replace

    def meanwhile(*args):
        services.league_bot_leave(membership=member, by=member.bot.owner)
        return replace(*args)

    SeasonEntry.objects.filter(membership=member).update(state=SeasonEntryState.LEFT)
    monkeypatch.setattr(entries, "_replace", meanwhile)
    assert services.season_entries_sync(season_id=season.pk) == 0
    assert states(member) == [(1, "left")]


def test_on_the_ladder_a_new_version_starts_where_its_parent_stood(season, member):
    played(season, 10)
    services.season_refit(season_id=season.pk)
    stood = Rating.objects.get(entry__membership=member)
    BotVersionFactory(bot=member.bot, number=2)
    services.season_entries_sync(season_id=season.pk)
    season.refresh_from_db()
    [row] = [row for row in ladder_of(season).rows if row.entry.membership_id == member.pk]
    assert (row.entry.version.number, row.points) == (2, rating_displayed(stood.mean))


def drawn(season, member):
    """Return a match of the member that waits, and one that stands between two slices."""
    worker_up(slots=4)
    services.season_schedule(season_id=season.pk)
    first, second = Match.objects.filter(seats__version=member.bot.current, state=MatchState.QUEUED)[:2]
    Match.objects.filter(pk=second.pk).update(blocks=2, blocks_kept=1, attempt=1, started_at=timezone.now())
    return first, second


def called_off(*matches):
    return Match.objects.filter(pk__in=[one.pk for one in matches], state=MatchState.CANCELLED).count()


@pytest.mark.parametrize("way", ["leave", "leave and join", "upload", "make current"])
def test_no_author_calls_off_a_match_that_they_do_not_like(season, member, way):
    other = BotVersionFactory(bot=member.bot, number=2, current=False) if way == "make current" else None
    matches = drawn(season, member)
    reasons = [one.league_match.reasons for one in matches]
    if way.startswith("leave"):
        services.league_bot_leave(membership=member, by=member.bot.owner)
    if way == "leave and join":
        services.league_bot_join(league=season.league, bot=member.bot, by=member.bot.owner)
    if way == "upload":
        BotVersionFactory(bot=member.bot, number=2)
    if way == "make current":
        version_make_current(version=other)
    services.leagues_tend()
    assert called_off(*matches) == 0
    assert [Match.objects.get(pk=one.pk).league_match.reasons for one in matches] == reasons
    assert Match.objects.get(pk=matches[1].pk).blocks_kept == 1, "its games are kept"
    played(season)
    services.season_refit(season_id=season.pk)
    assert not Match.objects.filter(pk__in=[one.pk for one in matches]).exclude(state=MatchState.FINISHED).exists()


@pytest.mark.parametrize("what", ["bot", "version"])
def test_what_is_deleted_forfeits_what_it_has_not_begun(season, member, what):
    first = member.bot.current
    waits, begun = drawn(season, member)
    if what == "bot":
        bot_delete(bot=member.bot)
    else:
        BotVersionFactory(bot=member.bot, number=2)
        assert version_delete(version=first)
    services.leagues_tend()
    assert called_off(waits, begun) == 0
    assert Seat.objects.get(match=waits, version=first).has_forfeited
    assert not Seat.objects.get(match=begun, version=first).has_forfeited
    assert not Seat.objects.filter(has_forfeited=True).exclude(version=first).exists()


@pytest.mark.parametrize("who", ["organiser", "staff"])
def test_what_the_organiser_takes_out_is_called_off(season, member, who):
    by = season.league.organiser if who == "organiser" else UserFactory(is_staff=True)
    matches = drawn(season, member)
    services.league_bot_leave(membership=member, by=by, reason="it answers nobody")
    assert called_off(*matches) == 2
