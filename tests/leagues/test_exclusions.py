"""Who is taken out of a league stays out, for a reason that everybody reads, until it is let in again."""

import pytest
from django.urls import reverse

from arena.accounts.tokens import token_create
from leagues import services
from leagues.errors import JoinRefused
from leagues.models import Exclusion, Membership, MembershipState
from leagues.selectors.permissions import bots_permitted_to_join_league
from tests.arena.factories import UserFactory
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.leagues.factories import member_of
from tests.leagues.members import states

pytestmark = pytest.mark.django_db
WHY = "three accounts of one author"
ROLES = ("anonymous", "other author", "owner", "member", "arbiter", "organiser", "staff")


@pytest.fixture
def people(season, member):
    return {
        "anonymous": None,
        "other author": UserFactory(),
        "owner": member.bot.owner,
        "member": season.league.memberships.last().bot.owner,
        "arbiter": UserFactory(),  # of tournaments; a league has none
        "organiser": season.league.organiser,
        "staff": UserFactory(is_staff=True),
    }


def state_of(member):
    return Membership.objects.get(pk=member.pk).state


def send(client, method, way, person, member, **data):
    """Ask for it on a page or over the API; the status, 403 for a reader who is sent to sign in."""
    league, bot = member.league, member.bot
    if way == "page":
        if person is not None:
            client.force_login(person)
        if method == "delete":
            answer = client.post(reverse("leagues:leave", args=[league.slug, member.pk]), data)
        else:
            answer = client.post(reverse("leagues:join", args=[league.slug]), {"bot": bot.pk, **data})
        is_done = answer.status_code == 302 and not answer.url.startswith(reverse("account_login"))
        return 200 if is_done else answer.status_code
    token = token_create(owner=person, name="all", scopes=["upload", "organise"]) if person else ""
    headers = {"authorization": f"Token {token}"} if token else {}
    if method == "delete":
        address = reverse("api-leagues:member", args=[league.slug, bot.slug])
        return client.delete(address, headers=headers, query_params=data).status_code
    address = reverse("api-leagues:members", args=[league.slug])
    sent = {"bot": bot.slug, **data}
    return client.post(address, sent, content_type="application/json", headers=headers).status_code


@pytest.mark.parametrize("way", ["page", "api"])
@pytest.mark.parametrize("who", ROLES)
def test_the_organiser_and_staff_take_out_for_good(client, season, member, people, who, way):
    status = send(client, "delete", way, people[who], member, reason=WHY)
    may = who in ("owner", "organiser", "staff")
    assert (status == 200) == may
    assert state_of(member) == ("left" if may else "active")
    allowed = who in ("organiser", "staff")
    log = list(Exclusion.objects.values_list("act", "by", "reason"))
    assert log == ([("out", who, WHY)] if allowed else [])
    if allowed:
        with pytest.raises(JoinRefused) as refused:
            services.league_bot_join(league=season.league, bot=member.bot, by=member.bot.owner)
        assert refused.value.code == "taken_out"
        assert WHY in str(refused.value)
    elif may:
        services.league_bot_join(league=season.league, bot=member.bot, by=member.bot.owner)
        assert state_of(member) == MembershipState.ACTIVE


@pytest.mark.parametrize("way", ["page", "api"])
@pytest.mark.parametrize("who", ROLES)
@pytest.mark.parametrize("taken_out_by", ["organiser", "staff"])
def test_the_right_roles_let_bots_in_again(client, season, member, people, who, way, taken_out_by):
    services.league_bot_leave(membership=member, by=people[taken_out_by], reason=WHY)
    status = send(client, "post", way, people[who], member, reason="they explained it")
    may = who == "staff" or who == taken_out_by
    assert (status in (200, 201)) == may
    assert state_of(member) == ("active" if may else "left")
    assert states(member) == [(1, "playing" if may else "left")]
    acts = list(Exclusion.objects.order_by("pk").values_list("act", "by"))
    assert acts == [("out", taken_out_by), *([("in", who)] if may else [])]


@pytest.mark.parametrize("who", ROLES)
def test_everybody_reads_the_log(client, season, member, people, who):
    services.league_bot_leave(membership=member, by=people["organiser"], reason=f"<b>{WHY}</b>")
    services.league_bot_join(league=season.league, bot=member.bot, by=people["organiser"], reason="explained")
    services.league_bot_leave(membership=member, by=people["staff"], reason="and again")
    if people[who] is not None:
        client.force_login(people[who])
    page = client.get(reverse("leagues:detail", args=[season.league.slug])).content.decode()
    assert page.index("and again") < page.index("explained") < page.index(f"&lt;b&gt;{WHY}")
    bot = client.get(reverse("leagues:bot", args=[season.league.slug, member.bot.slug])).content.decode()
    assert "and again" in bot
    assert ("Let in again" in bot) == (who == "staff")
    content = client.get(reverse("api-leagues:member", args=[season.league.slug, member.bot.slug])).json()
    assert [(one["act"], one["by"]) for one in content["exclusions"]] == [
        ("out", "staff"),
        ("in", "organiser"),
        ("out", "organiser"),
    ]


def test_no_reason_takes_nobody_out(client, season, member, people):
    for way in ("page", "api"):
        assert send(client, "delete", way, people["organiser"], member, reason="  ") == 400
    assert state_of(member) == "active"
    assert send(client, "delete", "api", people["organiser"], member, reason="x" * 301) == 400
    assert not Exclusion.objects.exists()


def test_leaving_first_is_no_way_round_it(season, member, people):
    services.league_bot_leave(membership=member, by=member.bot.owner)
    services.league_bot_leave(membership=member, by=people["organiser"], reason=WHY)
    with pytest.raises(JoinRefused, match="taken out"):
        services.league_bot_join(league=season.league, bot=member.bot, by=member.bot.owner)
    with pytest.raises(JoinRefused) as twice:
        services.league_bot_leave(membership=member, by=people["organiser"], reason=WHY)
    assert twice.value.code == "left"
    services.season_end(league=season.league)
    services.season_start(league=season.league)
    with pytest.raises(JoinRefused, match="taken out"):
        services.league_bot_join(league=season.league, bot=member.bot, by=member.bot.owner)


def test_house_bots_come_and_go_without_a_reason(season, people):
    house = BotVersionFactory(bot=BotFactory(game=season.league.game, is_house=True)).bot
    guest = member_of(season.league, bot=house)
    for _ in range(2):
        services.league_bot_leave(membership=guest, by=people["organiser"])
        services.league_bot_join(league=season.league, bot=house, by=people["organiser"])
    assert not Exclusion.objects.exists()


def test_its_author_sees_why_instead_of_an_invitation_to_join(client, season, member, people):
    league, owner = season.league, member.bot.owner
    spare = BotVersionFactory(bot__owner=owner, bot__game=league.game).bot
    services.league_bot_leave(membership=member, by=people["organiser"], reason=WHY)
    client.force_login(owner)
    page = client.get(reverse("bots:detail", args=[member.bot.slug])).content.decode()
    assert WHY in page
    assert reverse("leagues:join", args=[league.slug]) not in page
    assert (
        reverse("leagues:join", args=[league.slug])
        in client.get(reverse("bots:detail", args=[spare.slug])).content.decode()
    )
    assert list(bots_permitted_to_join_league(league, owner)) == [spare]
    services.league_bot_join(league=league, bot=member.bot, by=people["organiser"], reason="explained")
    services.league_bot_leave(membership=member, by=owner)
    assert set(bots_permitted_to_join_league(league, owner)) == {member.bot, spare}
    page = client.get(reverse("bots:detail", args=[member.bot.slug])).content.decode()
    assert reverse("leagues:join", args=[league.slug]) in page
    assert WHY not in page
