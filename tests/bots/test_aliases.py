"""Bots under an alias: how they get it, where they play, and which code may use the name of their author."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from bots.aliases import author_aliases
from bots.bot_names import BadName
from bots.deletion import bot_delete
from bots.models import Bot
from bots.services import bot_create, bot_update
from contests.audience import audience_bots, audience_refusal
from groups.services import group_member_update, group_update
from leagues.errors import JoinRefused
from leagues.services import league_bot_join
from tests.arena.factories import UserFactory
from tests.bots.factories import SOURCE, BotFactory, BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.groups.factories import GroupFactory, member_in
from tests.leagues.factories import open_league
from tests.teams.factories import team_of
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tournaments.errors import EntryRefused
from tournaments.selectors.entering.entry_rules import tournament_bots_offered
from tournaments.services import entry_create

pytestmark = pytest.mark.django_db

# Where a bot's owner may be named: the one name for everybody, what staff see, and pages that ask for an alias first.
ROOT: Final = Path(settings.BASE_DIR)
NAMED_IN: Final = {
    *("bots/models.py", "bots/selectors.py", "bots/templatetags/authors.py", "bots/admin.py", "tournaments/admin.py"),
    *("platform/leagues/admin.py", "platform/hooks/sending.py", "platform/series/selectors/table.py"),
    *("templates/matches/bot.html", "templates/leagues/bot.html", "templates/bots/list.html"),
}


@pytest.fixture
def group() -> Any:
    return GroupFactory.create(uses_aliases=True)


def bot_of(person: Any, group: Any = None, **fields: Any) -> Bot:
    alias = {"author_alias": "Wren 12", "alias_group": group} if group else {}
    bot: Bot = BotVersionFactory.create(bot=BotFactory.create(owner=person, **alias, **fields)).bot
    return bot


def cup_of(group: Any) -> Any:
    return TournamentFactory.create(audience="group", group=group, organiser=group.created_by, state="open")


def uploaded(owner: str) -> dict[str, Any]:
    return {"owner": owner, "name": "Rooster", "game": "pickomino", "file": SimpleUploadedFile("bot.py", SOURCE)}


def sources() -> Iterator[Path]:
    for folder in ("bots", "platform", "tournaments"):
        yield from (ROOT / folder).rglob("*.py")
    yield from (ROOT / "templates").rglob("*.html")


def test_no_other_code_names_the_owner_of_a_bot() -> None:
    owner = re.compile(r"\bowner(\.|__)(get_)?username|\bowner(\.|__)email")
    found = {str(one.relative_to(ROOT)) for one in sources() if owner.search(one.read_text())}
    assert found - NAMED_IN == set()


def test_the_form_of_a_new_bot_offers_the_alias(client: Client, group: Any) -> None:
    person = member_in(group, alias="Wren 12").person
    client.force_login(person)
    page = client.get(reverse("bots:create")).content.decode()
    assert f"me, as Wren 12 in {group.name}" in page
    assert client.post(reverse("bots:create"), uploaded(f"@{group.slug}")).status_code == 302
    bot = person.bots.get()
    assert (bot.author_name, bot.alias_group) == ("Wren 12", group)


@pytest.mark.parametrize("owner", ["@class-of-others", "@", "7@x"])
def test_nobody_takes_an_alias_of_others(owner: str, client: Client, group: Any) -> None:
    member_in(GroupFactory.create(uses_aliases=True, slug="class-of-others"), alias="Wren 12")
    client.force_login(member_in(group, alias="Swift 9").person)
    assert client.post(reverse("bots:create"), uploaded(owner)).status_code == 422
    assert not Bot.objects.filter(name="Rooster").exists()


def test_the_playground_and_the_list_of_ones_bots_show_it_too(client: Client, group: Any) -> None:
    person = member_in(group, alias="Wren 12").person
    bot_of(person, group)
    client.force_login(person)
    assert f'<option value="@{group.slug}"' in client.get(reverse("playground-save")).content.decode()
    assert "Wren 12" in client.get(reverse("bots:list")).content.decode()


def test_a_group_that_uses_aliases_no_more_takes_both(group: Any) -> None:
    person = member_in(group, alias="Wren 12").person
    under, plain, cup = bot_of(person, group), bot_of(person), cup_of(group)
    group_update(group=group, by=group.created_by, name=group.name, kind="class", is_listed=False, uses_aliases=False)
    assert (audience_refusal(cup, under), audience_refusal(cup, plain)) == (None, None)
    assert under.author_name == "Wren 12"


def test_who_is_in_no_group_with_aliases_sees_no_choice(client: Client) -> None:
    client.force_login(member_in(GroupFactory.create(), alias="Wren 12").person)
    assert "as Wren 12" not in client.get(reverse("bots:create")).content.decode()


def test_the_api_creates_a_bot_under_an_alias(client: Client, group: Any) -> None:
    person = member_in(group, alias="Wren 12").person
    headers = {"authorization": f"Token {token_of(person)}"}
    described = {"name": "Rooster", "game": "pickomino", "group": group.slug}
    made = client.post(reverse("api:bots"), described, content_type="application/json", headers=headers)
    assert (made.status_code, made.json()["author"]) == (201, "Wren 12")
    refused = client.post(
        reverse("api:bots"), described | {"group": "other"}, content_type="application/json", headers=headers
    )
    assert refused.json()["code"] == "unknown_group"


@pytest.mark.parametrize("texts", [("My Xenia", ""), ("Rooster", "by XENIA herself"), ("xenia2", "")])
def test_name_and_line_reveal_no_user_name(texts: tuple[str, str], group: Any) -> None:
    person = member_in(group, UserFactory.create(username="Xenia"), alias="Wren 12").person
    (alias,) = author_aliases(person.pk)
    name, blurb = texts
    with pytest.raises(BadName):
        bot_create(owner=person, name=name, game="pickomino", blurb=blurb, alias=alias)
    bot = bot_create(owner=person, name="Hen", game="pickomino", alias=alias)
    with pytest.raises(BadName):
        bot_update(bot=bot, name=name, blurb=blurb)
    bot_create(owner=person, name=name, game="pickomino", blurb=blurb)


def test_a_team_is_called_by_the_aliases_of_its_people(group: Any) -> None:
    one, other, outsider = (
        member_in(group, alias="Wren 12").person,
        member_in(group, alias="Finch 3").person,
        UserFactory(),
    )
    inside, half = team_of(one, other), team_of(one, outsider)
    assert [alias.name for alias in author_aliases(inside.pk)] == ["Finch 3, Wren 12"]
    assert author_aliases(half.pk) == []
    with_owner = team_of(other, group.created_by)
    assert [alias.name for alias in author_aliases(with_owner.pk)] == [f"Finch 3, {group.created_by.username}"]


def test_only_bots_under_an_alias_take_part_in_its_group_and_only_there(group: Any) -> None:
    person = member_in(group, alias="Wren 12").person
    elsewhere = GroupFactory.create(uses_aliases=True)
    member_in(elsewhere, person, alias="Teal 4")
    plain, under, other = bot_of(person), bot_of(person, group), bot_of(person, elsewhere)
    of_owner, of_house = bot_of(group.created_by), bot_of(group.created_by, is_house=True)
    cup, public = cup_of(group), TournamentFactory.create(state="open")
    for contest, taken in ((cup, {under, of_owner, of_house}), (public, {plain, of_owner, of_house})):
        for bot in (plain, under, other, of_owner, of_house):
            assert (audience_refusal(contest, bot) is None) == (bot in taken), (contest, bot)
        assert set(Bot.objects.filter(audience_bots(contest))) == taken
    for contest, bot in ((cup, plain), (cup, other), (public, under)):
        with pytest.raises(EntryRefused) as error:
            entry_create(tournament=contest, bot=bot, by=person)
        assert error.value.code == "alias"
    assert entry_create(tournament=cup, bot=under, by=person)
    Bot.objects.filter(pk=under.pk).update(organisers_may_enter=True)
    assert not Bot.objects.filter(tournament_bots_offered(public), pk=under.pk).exists()


def test_a_team_needs_an_alias_too(group: Any) -> None:
    team = team_of(member_in(group, alias="Wren 12").person, member_in(group, alias="Finch 3").person)
    cup = cup_of(group)
    assert audience_refusal(cup, bot_of(team.account)) is not None
    assert audience_refusal(cup, bot_of(team.account, group)) is None


def test_leagues_require_the_same(group: Any) -> None:
    person = member_in(group, alias="Wren 12").person
    league = open_league(bots=0, audience="group", group=group, organiser=group.created_by)
    with pytest.raises(JoinRefused) as error:
        league_bot_join(league=league, bot=bot_of(person), by=person)
    assert error.value.code == "alias"
    assert league_bot_join(league=league, bot=bot_of(person, group), by=person)


def test_an_entry_page_links_to_the_upload(client: Client, group: Any) -> None:
    person = member_in(group, alias="Wren 12").person
    bot_of(person)
    client.force_login(person)
    league = open_league(bots=0, audience="group", group=group, organiser=group.created_by)
    for address in (
        reverse("tournaments:detail", args=[cup_of(group).slug]),
        reverse("leagues:detail", args=[league.slug]),
    ):
        page = client.get(address).content.decode()
        assert "take part under an alias" in page
        assert f"{reverse('bots:create')}?owner=@{group.slug}" in page


def test_another_alias_holds_for_the_next_bot(group: Any) -> None:
    member = member_in(group, alias="Wren 12")
    bot = bot_of(member.person, group)
    group_member_update(
        group=group, person_id=member.person_id, alias="Dunlin 5", roster_id="", cohort="", by=group.created_by
    )
    bot.refresh_from_db()
    assert bot.author_name == "Wren 12"
    assert [one.name for one in author_aliases(member.person_id)] == ["Dunlin 5"]


def test_a_deleted_bot_has_no_alias(group: Any) -> None:
    person = member_in(group, alias="Wren 12").person
    bot = bot_of(person, group)
    EntryFactory.create(tournament=cup_of(group), bot=bot)
    bot_delete(bot=bot)
    bot.refresh_from_db()
    assert bot.author_alias == ""


def test_the_owner_finds_it_on_the_profile_and_others_do_not(client: Client, group: Any) -> None:
    person = member_in(group, alias="Wren 12").person
    bot = bot_of(person, group, name="Nightjar")
    for reader, finds in ((person, True), (UserFactory(is_staff=True), True), (UserFactory(), False), (None, False)):
        client.logout()
        if reader:
            client.force_login(reader)
        page = client.get(reverse("accounts:profile", args=[person.username])).content.decode()
        assert (bot.name in page) == finds
