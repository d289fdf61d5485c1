"""Bots that fail are benched, and come back with another version."""

from hashlib import sha256

import pytest
from django.core import mail
from django.urls import reverse

from bots.services import version_make_current, version_upload
from leagues import services
from leagues.errors import JoinRefused
from leagues.models import Rating, SeasonEntry
from leagues.selectors.entry_ratings import rated_season_candidates_of
from leagues.selectors.fitting import Agreement, fitted_ladder_agreement_of
from matches.models import Match, MatchState, Seat
from notices.emails import due_notice_emails_send
from notices.models import Notice
from ratings import rating_displayed
from tests.bots.factories import BotVersionFactory
from tests.leagues.factories import member_of, open_league, season_of, worker_up
from tests.leagues.members import in_the_last_tenth, played, states

FILE = b"def act(view):\n    return view['actions'][-1]\n"
SITE = "https://pecking.example.org"

pytestmark = pytest.mark.django_db


def test_two_forfeited_matches_bench_a_bot_until_a_newer_version_is_current(season, member, settings, client):
    settings.SITE_URL = SITE
    faulty, first = frozenset([member.bot_id]), member.bot.current
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("django.db.transaction.on_commit", lambda call, **_: call())
        while not SeasonEntry.objects.filter(membership=member, benched_at__isnull=False):
            played(season, 1, faulty)
    assert states(member) == [(1, "benched")]
    assert due_notice_emails_send() == 1, "without a choice of theirs"
    assert [message.to for message in mail.outbox] == [[member.bot.owner.email]]
    assert member.bot.name in mail.outbox[0].subject
    assert Notice.objects.filter(person=member.bot.owner, kind="bot.benched").count() == 1
    assert f"{SITE}{reverse('leagues:bot', args=[member.league.slug, member.bot.slug])}" in mail.outbox[0].body
    assert not Match.objects.filter(state=MatchState.QUEUED, seats__version=first).exists()
    assert member.bot.owner_id not in {one.author for one in rated_season_candidates_of(season)}
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
    assert "That version does not play again in this season" in page
    action = reverse("bots:make-current", args=[member.bot.slug, first.number])
    assert page.index(f'action="{action}"') < page.index("<h2>Versions"), "the notice has the button"
    text = client.post(action, follow=True).content.decode()
    assert "Version 1 takes its place within" in text
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
        services.league_bot_leave(membership=member, by=member.bot.owner)
        with pytest.raises(JoinRefused) as refused:
            services.league_bot_join(league=season.league, bot=member.bot, by=member.bot.owner)
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


@pytest.mark.parametrize(
    ("forfeited", "is_benched"),
    [
        ([0, 1], True),
        ([0, 9], True),
        ([3, 11, 19], True),
        ([0], False),
        ([0, 19], False),
        ([5, 70], False),
        ([0, 1, 2, 80], False),
    ],
)
def test_faults_are_judged_as_a_rate_over_the_last_matches(season, member, forfeited, is_benched):
    """Matches that are forfeited, counted from the first of as many as it takes to the last of them."""
    worker_up(slots=200)
    while (own := Seat.objects.filter(version=member.bot.current)).count() <= max(forfeited):
        played(season)
    own = list(own.order_by("match__league_match__number").values_list("pk", "match"))
    later = [match for _seat, match in own[max(forfeited) + 1 :]]
    Match.objects.filter(pk__in=later).update(state=MatchState.CANCELLED, finished_at=None)
    Seat.objects.filter(pk__in=[own[number][0] for number in forfeited]).update(has_forfeited=True)
    assert services.season_entries_bench(season_id=season.pk) == is_benched
    assert states(member) == [(1, "benched" if is_benched else "playing")]


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
    assert fitted_ladder_agreement_of(season) == Agreement.AGREES


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
    keys = [rating_displayed(row.mean) - (340.4 * row.se if row.is_provisional else 0) for row in rows]
    assert keys == sorted(keys, reverse=True)
    assert rows[-1].entry.membership == member
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)
