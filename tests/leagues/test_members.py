"""Bots join and leave, versions follow by themselves, failing bots are benched."""

import random
from datetime import timedelta
from hashlib import sha256

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from bots.models import Bot, BotVersion
from bots.services import version_make_current, version_upload
from leagues import services
from leagues.errors import JoinRefused
from leagues.models import Membership, MembershipState, Rating, SeasonEntry, SeasonEntryState
from leagues.priors import starting_prior
from leagues.selectors.candidates import candidates_of
from leagues.selectors.consistency import Agreement, agreement_of
from leagues.selectors.ladder import ladder_of
from leagues.services import joining
from matches.models import Match, MatchState, Seat
from ratings import displayed
from tests.arena.factories import UserFactory
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.leagues.factories import member_of, open_league, play, season_of, worker_up

FILE = b"def act(view):\n    return view['actions'][-1]\n"
NOW = timezone.now()
SITE = "https://pecking.example.org"

pytestmark = pytest.mark.django_db


@pytest.fixture
def season():
    worker_up()
    return season_of(open_league(bots=3))


@pytest.fixture
def member(season):
    return season.league.memberships.first()


def states(member):
    found = SeasonEntry.objects.filter(membership=member).order_by("version__number")
    return list(found.values_list("version__number", "state"))


def played(season, rounds=1, faulty=frozenset()):
    bots = SeasonEntry.objects.filter(season=season).values_list("version__bot", flat=True)
    for _ in range(rounds):
        services.season_schedule(season_id=season.pk)
        play(season, dict.fromkeys(bots, 0.0), random.Random(1), faulty=faulty)
        services.season_entries_bench(season_id=season.pk)


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
    assert not waiting.all().exists()
    assert Match.objects.filter(state=MatchState.CANCELLED).exists()

    mean = Rating.objects.get(entry__membership=member).mean
    [candidate] = [one for one in candidates_of(season) if one.author == member.bot.owner_id]
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


def test_two_forfeited_matches_bench_a_bot_until_a_newer_version_is_current(season, member, settings, client):
    settings.SITE_URL = SITE
    faulty, first = frozenset([member.bot_id]), member.bot.current
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("django.db.transaction.on_commit", lambda call, **_: call())
        while not SeasonEntry.objects.filter(membership=member, benched_at__isnull=False):
            played(season, 1, faulty)
    assert states(member) == [(1, "benched")]
    assert [message.to for message in mail.outbox] == [[member.bot.owner.email]]
    assert member.bot.name in mail.outbox[0].subject
    assert f"{SITE}{reverse('leagues:bot', args=[member.league.slug, member.bot.slug])}" in mail.outbox[0].body
    assert not Match.objects.filter(state=MatchState.QUEUED, seats__version=first).exists()
    assert member.bot.owner_id not in {one.author for one in candidates_of(season)}
    assert ">benched<" in client.get(reverse("bots:detail", args=[member.bot.slug])).content.decode()
    assert services.season_entries_sync(season_id=season.pk) == 0
    services.season_refit(season_id=season.pk)
    assert Rating.objects.filter(entry__membership=member).exists(), "it stays on the ladder"

    BotVersionFactory(bot=member.bot, number=2)
    services.season_entries_sync(season_id=season.pk)
    assert services.season_entries_bench(season_id=season.pk) == 0, "what the old version lost is settled"


def bench(season, member):
    """Let the current version of the bot forfeit until it is benched."""
    number, faulty = member.bot.current.number, frozenset([member.bot_id])
    while (number, "benched") not in states(member):
        played(season, 1, faulty)


def test_a_bot_is_back_as_soon_as_a_good_version_is_current_again(season, member, client):
    first = member.bot.current
    BotVersionFactory(bot=member.bot, number=2)
    services.season_entries_sync(season_id=season.pk)
    member.bot.refresh_from_db()
    bench(season, member)
    client.force_login(member.bot.owner)
    page = client.get(reverse("bots:detail", args=[member.bot.slug])).content.decode()
    assert "That version plays no more in this season" in page
    action = reverse("bots:make-current", args=[member.bot.slug, first.number])
    assert page.index(f'action="{action}"') < page.index("<h2>Versions"), "the notice has the button"
    said = client.post(action, follow=True).content.decode()
    assert "Version 1 takes its place within" in said
    assert services.season_entries_sync(season_id=season.pk) == 1
    assert services.season_entries_sync(season_id=season.pk) == 0
    assert states(member) == [(1, "playing"), (2, "replaced")]
    assert services.season_entries_bench(season_id=season.pk) == 0, "what it lost is settled"


@pytest.mark.parametrize("way", ["make current", "upload", "good and back", "leave and join", "newer and back"])
def test_the_version_that_was_benched_finds_no_way_back_in_its_season(season, member, client, way):
    BotVersionFactory(bot=member.bot, number=2)
    services.season_entries_sync(season_id=season.pk)
    member.bot.refresh_from_db()
    first, faulty = member.bot.versions.get(number=1), member.bot.versions.get(number=2)
    type(faulty).objects.filter(pk=faulty.pk).update(sha256=sha256(FILE).hexdigest())
    bench(season, member)
    client.force_login(member.bot.owner)
    if way == "make current":
        client.post(reverse("bots:make-current", args=[member.bot.slug, 2]))
    elif way == "upload":
        version_upload(bot=member.bot, filename="bot.py", data=FILE)
    elif way == "leave and join":
        services.bot_leave(membership=member, by=member.bot.owner)
        with pytest.raises(JoinRefused) as refused:
            services.bot_join(league=season.league, bot=member.bot, by=member.bot.owner)
        assert refused.value.code == "benched"
    else:
        version_make_current(version=first if way == "good and back" else BotVersionFactory(bot=member.bot, number=3))
        services.season_entries_sync(season_id=season.pk)
        version_make_current(version=faulty)
    services.season_entries_sync(season_id=season.pk)
    assert dict(states(member))[2] != "playing"
    assert faulty.pk not in {one.version_id for one in SeasonEntry.objects.filter(season=season, state="playing")}

    version_make_current(version=faulty)
    services.season_end(league=season.league)
    following = services.season_start(league=season.league)
    entered = SeasonEntry.objects.filter(season=following, membership=member).first()
    assert entered is None if way == "leave and join" else entered.version == faulty, "another season, another chance"


def test_a_correction_does_not_pay_for_the_version_before_it(season, member):
    """Two matches of version 1 end with forfeits after version 2 has taken its place."""
    played(season, 5)
    lost = list(Seat.objects.filter(version=member.bot.current).order_by("pk")[:2])
    BotVersionFactory(bot=member.bot, number=2)
    services.season_entries_sync(season_id=season.pk)
    Seat.objects.filter(pk__in=[seat.pk for seat in lost]).update(has_forfeited=True)
    assert services.season_entries_bench(season_id=season.pk) == 0
    member.bot.refresh_from_db()
    second = Seat.objects.filter(match__state=MatchState.FINISHED).exclude(version__bot=member.bot_id).first()
    Seat.objects.filter(pk=second.pk).update(version=member.bot.current, has_forfeited=True)
    assert services.season_entries_bench(season_id=season.pk) == 1, "its own one is one more than a bot may have"


def test_in_the_last_tenth_a_benched_bot_waits_for_the_next_season_and_is_told(season, member, client):
    BotVersionFactory(bot=member.bot, number=2)
    services.season_entries_sync(season_id=season.pk)
    member.bot.refresh_from_db()
    bench(season, member)
    in_the_last_tenth(season)
    version_make_current(version=member.bot.versions.get(number=1))
    assert services.season_entries_sync(season_id=season.pk) == 0
    client.force_login(member.bot.owner)
    page = client.get(reverse("bots:detail", args=[member.bot.slug])).content.decode()
    assert "the bot plays again in the next season" in page


def back(season, member):
    """The first version, after another was current and did not play."""
    first = member.bot.current
    BotVersionFactory(bot=member.bot, number=2)
    services.season_entries_sync(season_id=season.pk)
    version_make_current(version=first)
    services.season_entries_sync(season_id=season.pk)


def test_a_version_that_comes_back_is_provisional_until_it_has_played_again(season, member):
    played(season, 40)
    services.season_refit(season_id=season.pk)
    stood = Rating.objects.get(entry__membership=member)
    back(season, member)
    services.season_refit(season_id=season.pk)
    returned = Rating.objects.get(entry__membership=member, snapshot__number=2)
    assert (returned.entry.version.number, returned.games) == (1, stood.games), "what it had counts"
    assert returned.mean == pytest.approx(stood.mean, abs=0.01)
    assert returned.blocks == 0
    assert returned.is_provisional
    assert returned.place == 3, "by the lower end"
    assert returned.se > stood.se + 0.2
    played(season, 10)
    services.season_refit(season_id=season.pk)
    assert Rating.objects.get(entry__membership=member, snapshot__number=3).blocks >= 5
    assert agreement_of(season) == Agreement.AGREES


def test_provisional_bots_stand_where_the_lower_end_of_their_interval_puts_them():
    worker_up()
    season = season_of(open_league(bots=4))
    played(season, 30)
    services.season_refit(season_id=season.pk)
    SeasonEntry.objects.filter(season=season).update(prior_mean=0.0)
    member = member_of(season.league)
    SeasonEntry.objects.filter(membership=member).update(prior_mean=0.8, prior_sd=0.7)
    services.season_refit(season_id=season.pk)
    rows = list(Rating.objects.filter(snapshot__number=2).order_by("place"))
    assert max(rows, key=lambda row: row.mean).entry.membership == member
    keys = [displayed(row.mean) - (340.4 * row.se if row.is_provisional else 0) for row in rows]
    assert keys == sorted(keys, reverse=True)
    assert rows[-1].entry.membership == member
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)


def in_the_last_tenth(season):
    now = timezone.now()
    type(season).objects.filter(pk=season.pk).update(
        starts_at=now - timedelta(days=92), ends_at=now + timedelta(days=8)
    )
    season.refresh_from_db()


def test_nobody_changes_the_version_in_the_last_tenth_of_a_season_and_is_told(season, member, client):
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
    services.bot_leave(membership=member, by=member.bot.owner)
    with pytest.raises(JoinRefused) as refused:
        services.bot_join(league=season.league, bot=member.bot, by=member.bot.owner)
    assert refused.value.code == "late", "leaving and joining again is no way round it"
    version_make_current(version=member.bot.versions.get(number=1))
    services.bot_join(league=season.league, bot=member.bot, by=member.bot.owner)
    assert states(member) == [(1, "playing")]
    member_of(season.league)
    assert SeasonEntry.objects.filter(season=season, state="playing").count() == 4, "a new bot may join"

    version_make_current(version=second)
    services.season_end(league=season.league)
    following = services.season_start(league=season.league)
    assert SeasonEntry.objects.get(season=following, membership=member).version == second


def test_who_leaves_plays_no_more_and_may_come_back_to_where_it_stood(season, member):
    played(season, 5)
    services.season_refit(season_id=season.pk)
    mean = Rating.objects.get(entry__membership=member).mean
    services.bot_leave(membership=member, by=member.bot.owner)
    assert states(member) == [(1, "left")]
    assert member.bot.owner_id not in {one.author for one in candidates_of(season)}
    with pytest.raises(JoinRefused) as refused:
        services.bot_leave(membership=member, by=member.bot.owner)
    assert refused.value.code == "left"
    services.season_refit(season_id=season.pk)
    assert not Rating.objects.filter(entry__membership=member, snapshot__number=2).exists()
    again = services.bot_join(league=season.league, bot=member.bot, by=member.bot.owner)
    assert (again.pk, again.state) == (member.pk, MembershipState.ACTIVE)
    assert states(member) == [(1, "playing")]
    services.season_refit(season_id=season.pk)
    assert Rating.objects.get(entry__membership=member, snapshot__number=3).mean == pytest.approx(mean)


def test_a_version_that_is_accepted_while_its_bot_leaves_does_not_play(season, member, monkeypatch):
    """The sync has read who is a member; before it writes, the bot has left."""
    BotVersionFactory(bot=member.bot, number=2)
    replace = joining._replace

    def meanwhile(*args):
        services.bot_leave(membership=member, by=member.bot.owner)
        return replace(*args)

    SeasonEntry.objects.filter(membership=member).update(state=SeasonEntryState.LEFT)
    monkeypatch.setattr(joining, "_replace", meanwhile)
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
    assert (row.entry.version.number, row.points) == (2, displayed(stood.mean))


def refusal(league, bot, by):
    with pytest.raises(JoinRefused) as refused:
        services.bot_join(league=league, bot=bot, by=by)
    return refused.value.code


def test_who_may_not_join_is_told_why(season):
    league, fox = season.league, UserFactory()
    bot = BotVersionFactory(bot=BotFactory(owner=fox)).bot
    assert refusal(league, bot, UserFactory()) == "not_yours"
    assert (
        refusal(league, BotVersionFactory(bot=BotFactory(owner=fox, is_house=True)).bot, UserFactory()) == "not_yours"
    )
    assert refusal(league, BotVersionFactory(bot=BotFactory(owner=fox, game="laghetti")).bot, fox) == "other_game"
    assert refusal(league, BotFactory(owner=fox), fox) == "no_version"
    services.bot_join(league=league, bot=bot, by=fox)
    assert refusal(league, bot, fox) == "already"
    for _ in range(2):
        member_of(league, owner=fox)
    assert refusal(league, BotVersionFactory(bot=BotFactory(owner=fox)).bot, fox) == "limit"
    services.league_close(league=league)
    assert refusal(league, BotVersionFactory().bot, fox) == "closed"


def test_house_bots_are_an_author_each(season):
    house = UserFactory()
    bots = [BotVersionFactory(bot=BotFactory(owner=house, is_house=True)).bot for _ in range(4)]
    for bot in bots:
        services.bot_join(league=season.league, bot=bot, by=season.league.organiser)
    authors = [one.author for one in candidates_of(season)]
    assert len(set(authors)) == len(authors) == 7
    assert SeasonEntry.objects.filter(state=SeasonEntryState.PLAYING).count() == 7


def crowd_of(league, count):
    """So many members in a few statements, each with a bot and an author of its own."""
    author = UserFactory._meta.model
    authors = author.objects.bulk_create(author(username=f"crowd-{number}") for number in range(count))
    bots = Bot.objects.bulk_create(
        Bot(owner=owner, name=f"Crowd {number}", slug=f"crowd-{number}", game=league.game)
        for number, owner in enumerate(authors)
    )
    versions = BotVersion.objects.bulk_create(
        BotVersion(bot=bot, number=1, sha256="0" * 64, filename="bot.py", size=1, state="accepted", checked_at=NOW)
        for bot in bots
    )
    for bot, version in zip(bots, versions, strict=True):
        bot.current = version
    Bot.objects.bulk_update(bots, ["current"], batch_size=500)
    Membership.objects.bulk_create(Membership(league=league, bot=bot) for bot in bots)


@pytest.mark.parametrize("count", [2, 40])
def test_a_crowd_begins_to_play_with_as_many_queries_as_two(season, count):
    crowd_of(season.league, count)
    with CaptureQueriesContext(connection) as queries:
        assert services.season_entries_sync(season_id=season.pk) == count
    assert len(queries) <= 13
    assert services.season_entries_sync(season_id=season.pk) == 0
    assert SeasonEntry.objects.filter(season=season, state=SeasonEntryState.PLAYING).count() == 3 + count


def test_a_new_season_starts_all_at_once_as_it_would_one_by_one():
    league = open_league(bots=5)
    worker_up()
    season = season_of(league)
    services.season_schedule(season_id=season.pk)
    play(season, {one.bot_id: 0.4 * number for number, one in enumerate(league.memberships.all())}, random.Random(2))
    services.season_refit(season_id=season.pk)
    services.season_end(league=league)
    member_of(league)
    one_by_one = {member.pk: starting_prior(season, member, None) for member in league.memberships.all()}
    following = services.season_start(league=league)
    begun = SeasonEntry.objects.filter(season=following).values_list("membership", "prior_mean", "prior_sd")
    priors = {member: (mean, sd) for member, mean, sd in begun}
    assert priors == {member: (prior.mean, prior.sd) for member, prior in one_by_one.items()}
    assert len({mean for mean, _sd in priors.values()}) > 2, "some have played"


def test_who_has_left_meanwhile_is_not_begun_with_the_crowd(season):
    crowd_of(season.league, 3)
    gone = Membership.objects.order_by("-pk").select_related("bot__current")[:2]
    members = list(gone)
    Membership.objects.filter(pk=members[0].pk).update(state=MembershipState.LEFT)
    assert joining._begin(season.pk, members) == {members[1].pk}
    assert joining._begin(season.pk, members) == set(), "the second of two at once begins nobody"


@pytest.mark.slow
def test_a_league_takes_ten_thousand_bots_and_no_more(season):
    league = season.league
    crowd_of(league, joining.MAX_BOTS - league.memberships.count() - 1)
    member_of(league)
    assert SeasonEntry.objects.filter(season=season).count() == joining.MAX_BOTS == 10_000
    with pytest.raises(JoinRefused, match="full"):
        member_of(league)
