"""Who may join a league, and crowds that begin to play at once."""

import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from arena.accounts.tokens import token_create
from bots.models import Bot, BotVersion
from leagues import services
from leagues.errors import JoinRefused
from leagues.models import Membership, MembershipState, Rating, SeasonEntry, SeasonEntryState
from leagues.selectors.entry_ratings import rated_season_candidates_of
from leagues.selectors.fitting import season_fit_starting_prior, season_fit_starting_priors
from leagues.services import entries, joining
from tests.arena.factories import UserFactory
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.leagues.factories import member_of, open_league, play, season_of, worker_up

NOW = timezone.now()

pytestmark = pytest.mark.django_db


def refusal(league, bot, by):
    with pytest.raises(JoinRefused) as refused:
        services.league_bot_join(league=league, bot=bot, by=by)
    return refused.value.code


def test_authors_who_may_not_join_see_why(season):
    league, fox = season.league, UserFactory()
    bot = BotVersionFactory(bot=BotFactory(owner=fox)).bot
    assert refusal(league, bot, UserFactory()) == "not_yours"
    assert (
        refusal(league, BotVersionFactory(bot=BotFactory(owner=fox, is_house=True)).bot, UserFactory()) == "not_yours"
    )
    assert refusal(league, BotVersionFactory(bot=BotFactory(owner=fox, game="laghetti")).bot, fox) == "other_game"
    assert refusal(league, BotFactory(owner=fox), fox) == "no_version"
    services.league_bot_join(league=league, bot=bot, by=fox)
    assert refusal(league, bot, fox) == "already"
    for _ in range(2):
        member_of(league, owner=fox)
    assert refusal(league, BotVersionFactory(bot=BotFactory(owner=fox)).bot, fox) == "limit"
    services.league_close(league=league)
    assert refusal(league, BotVersionFactory().bot, fox) == "closed"


def test_an_author_at_the_limit_sees_the_limit_instead_of_an_upload_link(season, client):
    league, fox = season.league, UserFactory()
    client.force_login(fox)
    address = reverse("leagues:detail", args=[league.slug])
    assert "Upload one" in client.get(address).content.decode()
    member_of(league, owner=fox)
    assert "You have no eligible bot" not in client.get(address).content.decode()  # below the one that has joined
    for _ in range(league.bots_per_author - 1):
        member_of(league, owner=fox)
    for _ in range(2):
        page = client.get(address).content.decode()
        assert f"Each author may have {league.bots_per_author} in this league" in page
        assert "Upload one" not in page
        assert reverse("leagues:join", args=[league.slug]) not in page
        BotVersionFactory(bot=BotFactory(owner=fox))  # one more, which may not join


def test_house_bots_are_an_author_each(season):
    house = UserFactory()
    bots = [BotVersionFactory(bot=BotFactory(owner=house, is_house=True)).bot for _ in range(4)]
    for bot in bots:
        services.league_bot_join(league=season.league, bot=bot, by=season.league.organiser)
    authors = [one.author for one in rated_season_candidates_of(season)]
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


def test_a_bot_missing_from_the_last_ladder_starts_from_its_latest_one():
    league = open_league(bots=4)
    worker_up()
    season, members = season_of(league), list(league.memberships.all())
    for number in range(2):
        services.season_schedule(season_id=season.pk)
        play(season, {one.bot_id: 0.4 * place for place, one in enumerate(members)}, random.Random(number))
        assert services.season_refit(season_id=season.pk)
    Rating.objects.filter(snapshot__number=2, entry__membership=members[3]).delete()
    assert season_fit_starting_priors(season) == {
        member.pk: season_fit_starting_prior(season, member, None) for member in members
    }
    assert Rating.objects.filter(entry__membership=members[3]).exists()


def test_a_new_season_starts_all_at_once_as_it_would_one_by_one():
    league = open_league(bots=5)
    worker_up()
    season = season_of(league)
    services.season_schedule(season_id=season.pk)
    play(season, {one.bot_id: 0.4 * number for number, one in enumerate(league.memberships.all())}, random.Random(2))
    services.season_refit(season_id=season.pk)
    services.season_end(league=league)
    member_of(league)
    one_by_one = {member.pk: season_fit_starting_prior(season, member, None) for member in league.memberships.all()}
    following = services.season_start(league=league)
    begun = SeasonEntry.objects.filter(season=following).values_list("membership", "prior_mean", "prior_sd")
    priors = {member: (mean, sd) for member, mean, sd in begun}
    assert priors == {member: (prior.mean, prior.sd) for member, prior in one_by_one.items()}
    assert len({mean for mean, _sd in priors.values()}) > 2, "some have played"


def test_a_bot_that_left_meanwhile_is_not_started_with_the_others(season):
    crowd_of(season.league, 3)
    leaving = Membership.objects.order_by("-pk").select_related("bot__current")[:2]
    members = list(leaving)
    Membership.objects.filter(pk=members[0].pk).update(state=MembershipState.LEFT)
    assert entries._season_entries_create(season.pk, members) == {members[1].pk}
    assert entries._season_entries_create(season.pk, members) == set(), "the second of two at once begins nobody"


@pytest.mark.slow
def test_a_league_takes_ten_thousand_bots_and_no_more(season):
    league = season.league
    crowd_of(league, joining.MAX_BOTS - league.memberships.count() - 1)
    member_of(league)
    assert SeasonEntry.objects.filter(season=season).count() == joining.MAX_BOTS == 10_000
    with pytest.raises(JoinRefused, match="full"):
        member_of(league)


@pytest.fixture
def house():
    return [BotVersionFactory(bot=BotFactory(owner=UserFactory(), is_house=True)).bot for _ in range(3)]


def test_an_organiser_enters_several_house_bots_at_once_and_nobody_else_does(season, client, house):
    league, fox = season.league, BotVersionFactory(bot=BotFactory()).bot
    before = league.memberships.count()
    join, ticked = reverse("leagues:join", args=[league.slug]), {"house_bots": [one.pk for one in house[:2]]}
    client.force_login(fox.owner)
    assert client.post(join, ticked).status_code == 422
    client.post(join, {"bot": fox.pk, **ticked})
    assert league.memberships.count() == before + 1, "the bot of its author alone"
    client.force_login(league.organiser)
    assert client.post(join).status_code == 422
    assert client.post(join, {"house_bots": [house[0].pk, fox.pk]}).status_code == 422
    assert client.post(join, ticked).status_code == 302
    assert {one.bot for one in league.memberships.all()} >= {fox, *house[:2]}
    page = client.get(reverse("leagues:detail", args=[league.slug])).content.decode()
    assert f"{house[0].name}, {house[1].name} have joined" in page
    form = page.partition(f'action="{join}"')[2].partition("</form>")[0]
    assert [f'value="{one.pk}"' in form for one in house] == [False, False, True]


def test_several_house_bots_join_together_or_not_at_all(season, house):
    with pytest.raises(JoinRefused, match="in the league already"):
        services.league_bots_join(league=season.league, bots=[*house, house[0]], by=season.league.organiser)
    assert not season.league.memberships.filter(bot__in=house).exists()


def test_house_bots_join_over_the_api_for_the_organiser_alone(season, client, house):
    league, address = season.league, f"/api/leagues/{season.league.slug}/house-bots/"
    fox = BotVersionFactory(bot=BotFactory()).bot

    def sent(person, *bots, scopes=("organise",)):
        token = token_create(owner=person, name=str(len(scopes)), scopes=list(scopes)) if person else ""
        headers = {"authorization": f"Token {token}"} if token else {}
        body = {"bots": [one.slug for one in bots]}
        return client.post(address, body, content_type="application/json", headers=headers)

    assert sent(None, *house).status_code == 401
    assert sent(fox.owner, *house).status_code == 403
    assert sent(league.organiser, *house, scopes=("upload",)).status_code == 403
    assert sent(league.organiser).status_code == 400
    assert sent(league.organiser, house[0], fox).status_code == 400
    assert not league.memberships.filter(bot__in=house).exists()
    answer = sent(league.organiser, *house)
    assert (answer.status_code, answer.json()["slug"]) == (200, league.slug)
    assert league.memberships.filter(bot__in=house, state="active").count() == 3
    again = sent(league.organiser, house[0])
    assert (again.status_code, again.json()["code"]) == (409, "already")
