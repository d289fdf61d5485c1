"""Who may know of a tournament or league, who takes part, and how it opens to more people."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from arena.accounts.models import User
from groups.models import Group, GroupMember, GroupRole
from groups.services.groups import group_member_left_notify
from leagues.errors import JoinRefused, LeagueFixed
from leagues.models import League, LeagueMatch, MembershipState, SeasonEntry
from leagues.selectors.permissions import leagues_listed, leagues_visible
from leagues.services import league_bot_join, league_edit, league_outsiders_leave, scheduling, season_schedule
from matches.models import Audience, Match
from matches.visibility import matches_visible, matches_visible_to_everyone
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.bots.test_permissions import token_of
from tests.groups.factories import GroupFactory, member_in
from tests.leagues.factories import LeagueFactory, member_of, open_league, season_of, worker_up
from tests.matches.factories import MatchFactory
from tests.series.factories import series_of
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of, finish_matches, running_tournament
from tournaments.errors import EditRefused, EntryRefused
from tournaments.models import Entry, Publication, Tournament
from tournaments.pushed_rows import has_tournament_pushed_rows
from tournaments.selectors.entering.editing import tournament_edit_basis
from tournaments.selectors.entering.visible import tournaments_for_everyone, tournaments_listed, tournaments_visible
from tournaments.services import (
    entries_withdraw_outsiders,
    entry_create,
    tournament_advance,
    tournament_create,
    tournament_edit,
    tournament_publish,
    tournament_start,
)
from tournaments.services.editing import ArbiterRefused, tournament_arbiter_add

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


@pytest.fixture
def group() -> Group:
    made: Group = GroupFactory()
    return made


def of_group(group: Group, **fields: Any) -> Tournament:
    """Open for entries, of the owner of the group."""
    made: Tournament = TournamentFactory(organiser=group.created_by, audience="group", group=group, **fields)
    return made


def entered(cup: Tournament, *people: Any) -> list[Entry]:
    return [EntryFactory(tournament=cup, bot=bot_of(person)) for person in people]


def test_visible_and_listed_contests_of_each_role(group: Group) -> None:
    organiser, member = group.created_by, member_in(group).person
    for model in (TournamentFactory, LeagueFactory):
        state = {"state": "open"}
        model(name="public", organiser=organiser, **state)
        model(name="unlisted", audience="unlisted", organiser=organiser, **state)
        model(name="group", audience="group", group=group, organiser=organiser, **state)
        model(name="draft", audience="group", group=group, organiser=organiser, state="draft")
    outsider = member_in(GroupFactory.create()).person
    staff = UserFactory(is_staff=True)
    expected = {
        "nobody": (AnonymousUser(), {"public", "unlisted"}, {"public"}),
        "outsider": (outsider, {"public", "unlisted"}, {"public"}),
        "organiser of another": (OrganiserFactory(), {"public", "unlisted"}, {"public"}),
        "member": (member, {"public", "unlisted", "group"}, {"public", "group"}),
        "organiser": (organiser, {"public", "unlisted", "group", "draft"}, {"public", "unlisted", "group", "draft"}),
        "staff": (staff, {"public", "unlisted", "group", "draft"}, {"public", "unlisted", "group", "draft"}),
    }
    for who, (user, visible, listed) in expected.items():
        assert {one.name for one in tournaments_visible(user)} == visible, who
        assert {one.name for one in tournaments_listed(user)} == listed, who
        assert {one.name for one in leagues_visible(user)} == visible, who
        assert {one.name for one in leagues_listed(user)} == listed, who
    assert {one.name for one in tournaments_for_everyone(outsider)} == {"public", "unlisted"}


@pytest.mark.parametrize("model", [TournamentFactory, LeagueFactory])
@pytest.mark.parametrize("fields", [{"audience": "group"}, {"audience": "some"}, {"group": True}])
def test_the_database_keeps_audience_and_group_together(model: Any, fields: dict[str, Any], group: Group) -> None:
    wrong = {name: group if value is True else value for name, value in fields.items()}
    with pytest.raises(IntegrityError), transaction.atomic():
        model(**wrong)


@pytest.mark.parametrize("audience", ["everyone", "unlisted", "group"])
def test_the_database_keeps_the_audience_of_a_match_and_its_group_together(audience: str, group: Group) -> None:
    wrong = {"audience": audience} if audience == "group" else {"audience": audience, "group": group}
    with pytest.raises(IntegrityError), transaction.atomic():
        MatchFactory(**wrong)


@pytest.mark.parametrize(
    ("publication", "readers"),
    [
        ("everyone", "entrant member organiser staff"),
        ("participants", "entrant organiser staff"),
        ("hidden", "organiser staff"),
    ],
)
def test_matches_of_a_group_are_for_its_members_at_most(publication: str, readers: str, group: Group) -> None:
    people = {"entrant": member_in(group).person, "member": member_in(group).person, "left": member_in(group).person}
    cup = of_group(group, publication=publication)
    entered(cup, people["entrant"], people["left"], group.created_by)
    cup = tournament_start(tournament=cup)
    GroupMember.objects.filter(person=people["left"]).delete()
    people |= {"organiser": cup.organiser, "staff": UserFactory(is_staff=True), "nobody": AnonymousUser()}
    people |= {"outsider": UserFactory(), "rival": OrganiserFactory()}
    match = Match.objects.filter(seats__version__bot__owner=people["entrant"])[0]
    assert match.group == group
    may = {who for who, user in people.items() if matches_visible(user).filter(pk=match.pk).exists()}
    assert may == set(readers.split())
    assert not matches_visible_to_everyone()


def test_an_arbiter_of_a_group_is_a_member_and_sees_nothing_after_leaving(group: Group) -> None:
    cup = of_group(group, publication="hidden")
    entered(cup, group.created_by, member_in(group).person)
    with pytest.raises(ArbiterRefused, match="not a member"):
        tournament_arbiter_add(tournament=cup, username=UserFactory().username)
    judge = member_in(group).person
    tournament_arbiter_add(tournament=cup, username=judge.username)
    tournament_start(tournament=cup)
    assert matches_visible(judge).count() == 1
    GroupMember.objects.filter(person=judge).delete()
    assert not matches_visible(judge)
    assert not tournaments_visible(judge)


def test_only_bots_of_members_take_part(group: Group) -> None:
    cup, league = of_group(group), open_league(organiser=group.created_by, audience="group", group=group)
    outsider, member = UserFactory(), member_in(group).person
    bot_of_outsider = bot_of(outsider, organisers_may_enter=True)
    for by in (outsider, group.created_by):
        with pytest.raises(EntryRefused) as refused:
            entry_create(tournament=cup, bot=bot_of_outsider, by=by)
        assert refused.value.status == 403
    with pytest.raises(JoinRefused) as not_joined:
        league_bot_join(league=league, bot=bot_of_outsider, by=outsider)
    assert (not_joined.value.code, not_joined.value.status) == ("not_a_member", 403)
    bot, house = bot_of(member), bot_of(UserFactory(), is_house=True)
    entry_create(tournament=cup, bot=bot, by=member)
    entry_create(tournament=cup, bot=house, by=group.created_by)
    league_bot_join(league=league, bot=bot, by=member)
    league_bot_join(league=league, bot=house, by=group.created_by)


def test_a_former_member_is_withdrawn_from_future_contests_and_results_stay(group: Group) -> None:
    leaver, *others = (member_in(group).person for _ in range(4))  # an even number: nobody has a bye, which is no match
    swiss = of_group(group, format="swiss", rounds=3)
    robin, elsewhere = of_group(group), TournamentFactory.create()
    for cup in (swiss, robin):
        entered(cup, leaver, *others)
    entered(elsewhere, leaver)
    swiss, robin = tournament_start(tournament=swiss), tournament_start(tournament=robin)
    finish_matches(swiss)
    league = open_league(organiser=group.created_by, audience="group", group=group)
    membership = member_of(league, bot=bot_of(leaver))
    with transaction.atomic():
        GroupMember.objects.get(group=group, person=leaver).delete()
        group_member_left_notify(group, leaver.pk)
    assert swiss.entries.get(bot__owner=leaver).is_withdrawn
    assert not robin.entries.get(bot__owner=leaver).is_withdrawn  # nobody may leave a round robin in course
    assert not elsewhere.entries.get().is_withdrawn
    membership.refresh_from_db()
    assert membership.state == MembershipState.LEFT
    assert not SeasonEntry.objects.filter(membership=membership, state="playing")
    tournament_advance(tournament_id=swiss.pk)
    second = swiss.rounds.get(number=2)
    assert not Match.objects.filter(fixture__round=second, seats__version__bot__owner=leaver)
    assert Match.objects.filter(fixture__round__tournament=swiss, seats__version__bot__owner=leaver).exists()


def test_a_sweep_withdraws_only_bots_of_former_members(group: Group) -> None:
    cup, league = of_group(group), open_league(organiser=group.created_by, audience="group", group=group)
    member, outsider = member_in(group).person, UserFactory()
    entered(cup, member, outsider, group.created_by)
    house = EntryFactory(tournament=cup, bot=bot_of(UserFactory(), is_house=True))
    joined = member_of(league, bot=bot_of(member))
    assert (entries_withdraw_outsiders(), league_outsiders_leave()) == (1, 0)
    assert list(cup.entries.filter(is_withdrawn=True).values_list("bot__owner", flat=True)) == [outsider.pk]
    assert not Entry.objects.get(pk=house.pk).is_withdrawn
    GroupMember.objects.filter(person=member).delete()
    assert (entries_withdraw_outsiders(), league_outsiders_leave()) == (1, 1)
    joined.refresh_from_db()
    assert joined.state == MembershipState.LEFT


def widen(cup: Tournament, audience: str, group: Group | None = None) -> Tournament:
    group_id = group.pk if group else None
    return tournament_edit(tournament=cup, basis=tournament_edit_basis(cup), audience=audience, group_id=group_id)


def test_an_announced_tournament_opens_and_never_closes(group: Group) -> None:
    cup = of_group(group)
    entered(cup, group.created_by, member_in(group).person)
    cup = tournament_start(tournament=cup)
    assert set(Match.objects.values_list("audience", flat=True)) == {Audience.GROUP}
    with pytest.raises(EditRefused):
        widen(cup, "group", GroupFactory.create())
    cup = widen(cup, "unlisted")
    assert set(Match.objects.values_list("audience", "group")) == {(Audience.UNLISTED, None)}
    assert matches_visible(AnonymousUser()).exists()
    assert not matches_visible_to_everyone()
    with pytest.raises(EditRefused):
        widen(cup, "group", group)
    tournament_publish(tournament=cup, publication=Publication.HIDDEN)
    cup.refresh_from_db()
    cup = widen(cup, "public")
    assert set(Match.objects.values_list("audience", flat=True)) == {Audience.ORGANISER}
    tournament_publish(tournament=cup, publication=Publication.EVERYONE)
    cup.refresh_from_db()
    assert set(Match.objects.values_list("audience", flat=True)) == {Audience.EVERYONE}
    with pytest.raises(EditRefused):
        widen(cup, "unlisted")


def test_a_league_opens_with_its_matches_and_never_closes(group: Group) -> None:
    league = open_league(organiser=group.created_by, audience="group", group=group)
    for _ in range(2):
        member_of(league, bot=bot_of(member_in(group).person))
    worker_up()
    season_schedule(season_id=season_of(league).pk)
    assert LeagueMatch.objects.exists()
    assert set(Match.objects.values_list("audience", flat=True)) == {Audience.GROUP}
    league = league_edit(league=league, audience="public", group_id=None)
    assert set(Match.objects.values_list("audience", "group")) == {(Audience.EVERYONE, None)}
    for audience, pk in (("unlisted", None), ("group", group.pk)):
        with pytest.raises(LeagueFixed):
            league_edit(league=league, audience=audience, group_id=pk)


def test_matches_that_are_chosen_while_their_league_opens_are_open_too(
    group: Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    league = open_league(organiser=group.created_by, audience="group", group=group)
    for _ in range(2):
        member_of(league, bot=bot_of(member_in(group).person))
    worker_up()

    def opened(*chosen_from: Any) -> Any:
        league_edit(league=league, audience="public", group_id=None)
        return scheduling_choices(*chosen_from)

    scheduling_choices = scheduling._choices
    monkeypatch.setattr(scheduling, "_choices", opened)
    assert season_schedule(season_id=season_of(league).pk)
    assert set(Match.objects.values_list("audience", "group")) == {(Audience.EVERYONE, None)}


def test_rows_of_a_group_never_go_over_sockets(group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.pushed_rows.ENTRIES_AT_ONCE", 1)
    cup = running_tournament(entries=3)
    assert has_tournament_pushed_rows(cup.stage, 3)
    Tournament.objects.filter(pk=cup.pk).update(audience="group", group=group)
    cup.refresh_from_db()
    assert not has_tournament_pushed_rows(cup.stage, 3)


def client_of(person: User | None) -> Client:
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


def test_an_unlisted_contest_is_there_for_the_link_alone_and_in_no_index() -> None:
    cup = running_tournament(entries=3, audience="unlisted", name="Hidden Valley")
    league = open_league(bots=2, audience="unlisted", name="Hidden Hill")
    worker_up()
    season_schedule(season_id=season_of(league).pk)
    finish_matches(cup)
    outsider = UserFactory()
    match, bot = Match.objects.filter(fixture__round__tournament=cup)[0], cup.entries.all()[0].bot
    pages = [
        *(reverse(f"tournaments:{name}", args=[cup.slug]) for name in ("detail", "screen", "preview", "ratings")),
        *(reverse(f"leagues:{name}", args=[league.slug]) for name in ("detail", "screen", "embed")),
        *(reverse(f"matches:{name}", args=[match.pk]) for name in ("detail", "embed")),
        reverse("api-tournaments:detail", args=[cup.slug]),
    ]
    lists = ["home", "now", "tournaments:list", "leagues:list", "matches:list", "watch:all", "watch:timetable"]
    lists += ["screen", "operations:status", "api-tournaments:list", "api-leagues:list", "api-matches:list"]
    for person in (None, outsider):
        for page in pages:
            answer = client_of(person).get(page)
            assert (page, answer.status_code, answer.headers["X-Robots-Tag"]) == (page, 200, "noindex")
        for page in [*map(reverse, lists), f"{reverse('search')}?q=hidden", reverse("bots:detail", args=[bot.slug])]:
            answer = client_of(person).get(page)
            text = answer.content.decode()
            assert answer.status_code == 200, page
            assert ("Valley" in text, "Hill" in text, f"/matches/{match.pk}/" in text) == (False,) * 3, page
            assert "X-Robots-Tag" not in answer.headers
    assert "Unlisted" in client_of(None).get(pages[0]).content.decode()


CUP: Any = {"name": "Harvest Cup", "game": "pickomino"}


def api(person: User, method: str, path: str, data: dict[str, Any], **headers: str) -> Any:
    token = {"authorization": f"Token {token_of(person)}", **headers}
    return getattr(Client(), method)(f"/api{path}", json.dumps(data), "application/json", headers=token)


@pytest.mark.parametrize("kind", ["tournaments", "leagues"])
def test_the_api_reads_and_writes_the_audience(kind: str, group: Group) -> None:
    organiser, other = group.created_by, GroupFactory.create()
    made = api(organiser, "post", f"/{kind}/", CUP | {"audience": "group", "group": group.slug})
    assert made.status_code == 201, made.content
    assert (made.json()["audience"], made.json()["group"]) == ("group", group.slug)
    slug = made.json()["slug"]
    settings = (
        Client().get(f"/api/{kind}/{slug}/settings/", headers={"authorization": f"Token {token_of(organiser)}"}).json()
    )
    assert (settings["audience"], settings["group"]) == ("group", group.slug)
    changed = api(organiser, "patch", f"/{kind}/{slug}/settings/", {"audience": "public"}, **{"if-match": "*"})
    assert (changed.status_code, changed.json()["audience"], changed.json()["group"]) == (200, "public", None)
    for wrong in ({"audience": "group"}, {"audience": "public", "group": group.slug}, {"group": other.slug}):
        assert api(organiser, "post", f"/{kind}/", CUP | wrong).status_code == 400, wrong


@pytest.mark.parametrize("room", ["tournaments", "leagues"])
def test_the_form_offers_the_groups_that_the_organiser_looks_after(room: str, group: Group) -> None:
    organiser, plain = group.created_by, OrganiserFactory()
    member_in(GroupFactory(name="Only a member"), organiser)
    member_in(GroupFactory(name="Staff there"), organiser, role=GroupRole.STAFF)
    form = client_of(organiser).get(reverse(f"{room}:create")).context["form"]
    labels = [label for _value, label in form.fields["audience"].choices]
    assert labels == ["Everyone", "Anyone with the link", f"Members of {group.name}", "Members of Staff there"]
    page = client_of(plain).get(reverse(f"{room}:create"))
    assert [label for _value, label in page.context["form"].fields["audience"].choices] == labels[:2]


def test_the_form_of_an_announced_tournament_offers_what_opens_it(group: Group) -> None:
    cup, league = of_group(group), open_league(organiser=group.created_by, audience="unlisted")
    entered(cup, group.created_by)
    for address, choices in (
        (reverse("tournaments:edit", args=[cup.slug]), ["public", "unlisted", f"group:{group.slug}"]),
        (reverse("leagues:edit", args=[league.slug]), ["public", "unlisted"]),
    ):
        client = client_of(group.created_by)
        form = client.get(address).context["form"]
        assert [value for value, _label in form.fields["audience"].choices] == choices
    data = {name: "" if (value := form[name].value()) is None else value for name in form.fields}
    assert client.post(address, data | {"audience": "public"}).status_code == 302
    assert League.objects.get(pk=league.pk).audience == "public"


def test_a_series_shows_its_group_to_an_organiser_who_has_left_it(group: Group) -> None:
    series = series_of(OrganiserFactory(), audience="group", group=group)
    page = client_of(series.organiser).get(reverse("series:edit", args=[series.slug])).content.decode()
    assert f'<option value="group:{group.slug}" selected>' in page


def test_a_draft_keeps_its_group_until_its_audience_changes(group: Group) -> None:
    draft = tournament_create(
        organiser=group.created_by, name="Cup", ruleset="pickomino", audience="group", group_id=group.pk
    )
    client = client_of(group.created_by)
    address = reverse("tournaments:edit", args=[draft.slug])
    shown = client.get(address)
    form = shown.context["form"]
    assert form["audience"].value() == f"group:{group.slug}"
    data = {name: value for name in form.fields if (value := form[name].value()) is not None and value is not False}
    data["basis"] = shown.context["basis"]
    answer = client.post(address, data | {"audience": "unlisted"})
    assert answer.status_code == 302, answer.context["form"].errors
    draft.refresh_from_db()
    assert (draft.audience, draft.group) == ("unlisted", None)
