"""Following: who gets which notice, once, as long as they may see its subject."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import pytest
from django.core import mail
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.deletion import account_delete
from bots.deletion import bot_delete
from groups.services import group_member_remove
from leagues.services import season_end, season_start
from leagues.services.entries import season_entries_sync
from notices import following, services
from notices.emails import due_notice_emails_send
from notices.following import Followed, TooManyFollows, follow_create, followed_of, followers_of
from notices.models import EmailRate, Follow, Notice
from notices.selectors import Channels, notice_line_of
from series.services import series_add, series_delete
from teams.services import team_member_leave
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.groups.factories import GroupFactory, member_in
from tests.leagues.factories import member_of, open_league, season_of
from tests.series.factories import finished_cup, series_of
from tests.teams.factories import team_of
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of
from tournaments.models import Publication, TournamentState
from tournaments.services import tournament_cancel, tournament_open, tournament_publish

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def follow(person: Any, kind: str, what: Any) -> Followed:
    followed = followed_of(person, kind, what.slug)
    assert followed is not None
    follow_create(person=person, followed=followed)
    return followed


def notices_of(person: Any) -> list[str]:
    return [notice_line_of(one).text for one in Notice.objects.filter(person=person).order_by("pk")]


def test_a_person_follows_and_unfollows_on_pages_and_over_the_api(client: Client) -> None:
    person, cup = UserFactory(), TournamentFactory(state=TournamentState.OPEN)
    change, page = reverse("notices:follow-change", args=["tournament", cup.slug]), f"/tournaments/{cup.slug}/"
    assert change not in client.get(page).content.decode()
    assert client.post(change).status_code == 302
    assert not Follow.objects.exists()
    client.force_login(person)
    for _ in range(2):  # the second time changes nothing
        assert client.post(change, {"next": page}).headers["Location"] == page
    assert "Unfollow" in client.get(page).content.decode()
    assert cup.name in client.get("/notices/following/").content.decode()
    api = {"headers": {"authorization": f"Token {token_of(person)}"}}
    [row] = client.get("/api/notices/following/", **api).json()["results"]
    assert (row["kind"], row["slug"]) == ("tournament", cup.slug)
    client.post(change, {"act": "end", "next": "https://elsewhere.example/"})
    assert client.get("/api/notices/following/", **api).json()["results"] == []
    assert client.put(f"/api/notices/following/tournament/{cup.slug}/", **api).json() == row
    assert client.delete(f"/api/notices/following/tournament/{cup.slug}/", **api).status_code == 204
    for kind in ("tournament", "group", "%00"):
        assert client.put(f"/api/notices/following/{kind}/nothing/", **api).status_code == 404
        assert client.post(f"/notices/following/{kind}/nothing/").status_code == 404


def test_there_is_a_limit(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    monkeypatch.setattr(following, "FOLLOWS_MOST", 1)
    person, first, second = UserFactory(), BotFactory(), BotFactory()
    follow(person, "bot", first)
    follow(person, "bot", first)
    with pytest.raises(TooManyFollows):
        follow(person, "bot", second)
    client.force_login(person)
    answer = client.post(reverse("notices:follow-change", args=["bot", second.slug]), follow=True)
    assert "Unfollow one first" in answer.content.decode()


@pytest.mark.parametrize("kind", ["tournament", "league", "series"])
def test_only_members_follow_a_group_and_former_ones_get_nothing(kind: str, client: Client) -> None:
    group, (member, outsider) = GroupFactory(), UserFactory.create_batch(2)
    member_in(group, member)
    of_group = {"organiser": group.created_by, "audience": "group", "group": group}
    make = {
        "tournament": lambda: TournamentFactory(state=TournamentState.OPEN, **of_group),
        "league": lambda: open_league(**of_group),
        "series": lambda: series_of(**of_group),
    }
    what = make[kind]()
    assert followed_of(outsider, kind, what.slug) is None
    client.force_login(outsider)
    assert client.post(reverse("notices:follow-change", args=[kind, what.slug])).status_code == 404
    follow(member, kind, what)
    Follow.objects.create(person=outsider, kind=kind, target=what.pk)  # as if it had been public
    trigger_event(kind, what)
    assert len(notices_of(member)) == 1
    assert notices_of(outsider) == []
    client.force_login(outsider)
    assert what.name not in client.get("/notices/following/").content.decode()
    group_member_remove(group=group, person_id=member.pk, by=group.created_by)
    assert notices_of(member) == []
    assert not Follow.objects.filter(person=member).exists()
    trigger_event(kind, what)
    assert notices_of(member) == []


def trigger_event(kind: str, what: Any) -> None:
    """Cause an event that its followers get."""
    if kind == "league":
        season_end(league=what)
        season_start(league=what)
        Notice.objects.filter(data__state="running").delete()
    elif kind == "series":
        of_group = {"organiser": what.organiser, "audience": "group", "group": what.group}
        series_add(series=what, tournament=TournamentFactory(state=TournamentState.OPEN, **of_group))
    else:
        what.refresh_from_db()
        if what.state == TournamentState.OPEN:
            tournament_cancel(tournament=what)


def test_notices_of_hidden_contests_are_neither_shown_nor_sent(client: Client) -> None:
    """A notice checks when it is read whether its subject is still visible."""
    person = UserFactory(is_staff=True, email="staff@example.org")
    cup = TournamentFactory(state=TournamentState.OPEN, audience="group", group=GroupFactory(), name="Sealed Cup")
    follow(person, "tournament", cup)
    services.notice_channels_set(person=person, channels={"tournament.finished": Channels(True, EmailRate.NOW)})
    tournament_cancel(tournament=cup)
    [notice] = Notice.objects.filter(person=person)
    client.force_login(person)
    api = {"headers": {"authorization": f"Token {token_of(person)}"}}
    page = client.get("/notices/").content.decode()
    assert "Sealed Cup" in page
    assert 'aria-label="Unread notices">1</span>' in page
    assert len(client.get("/api/notices/", **api).json()["results"]) == 1
    type(person).objects.filter(pk=person.pk).update(is_staff=False)
    page = client.get("/notices/").content.decode()
    assert "Sealed Cup" not in page
    assert "Unread notices" not in page
    assert client.get(f"/notices/{notice.pk}/").status_code == 404
    assert client.get("/api/notices/", **api).json()["results"] == []
    assert client.post(f"/api/notices/{notice.pk}/read/", **api).status_code == 404
    due_notice_emails_send()
    assert mail.outbox == []
    assert not Notice.objects.filter(email_at__isnull=False).exists()


def test_followers_of_a_series_get_its_tournaments_once() -> None:
    person, entrant, organiser = UserFactory(), UserFactory(), OrganiserFactory()
    series = series_of(organiser)
    draft = TournamentFactory(state=TournamentState.DRAFT, organiser=organiser, name="Spring")
    for one in (person, entrant, organiser):
        follow(one, "series", series)
    series_add(series=series, tournament=draft)
    assert notices_of(person) == []  # nobody may know of a draft
    tournament_open(tournament=draft)
    follow(person, "tournament", draft)
    assert notices_of(person) == notices_of(entrant) == ["Spring takes entries."]
    assert notices_of(organiser) == []
    EntryFactory(tournament=draft, bot=bot_of(entrant))
    tournament_cancel(tournament=draft)
    for one in (person, entrant, organiser):
        assert notices_of(one).count("Spring was cancelled.") == 1
    unlisted = TournamentFactory(state=TournamentState.OPEN, organiser=organiser, audience="public")
    type(unlisted).objects.filter(pk=unlisted.pk).update(audience="unlisted")
    series.events.create(tournament=unlisted)  # a draft may become narrower after it was added
    unlisted.refresh_from_db()
    tournament_cancel(tournament=unlisted)
    assert len(notices_of(person)) == 2


def test_followers_of_bots_and_teams_get_the_best_place_once_it_is_public() -> None:
    person, other, late = UserFactory.create_batch(3)
    captain, rival = UserFactory.create_batch(2)
    team = team_of(captain)
    first, second, third = bot_of(team.account), bot_of(rival), bot_of(UserFactory())
    for one in (first, second):
        follow(person, "bot", one)
    follow(other, "team", team)
    follow(captain, "bot", second)  # takes part
    cup = finished_cup(OrganiserFactory(), [first, second, third], publication=Publication.HIDDEN, name="Cup")
    assert notices_of(person) == notices_of(other) == []
    tournament_publish(tournament=cup, publication=Publication.EVERYONE)
    placed = f"{first.name} has finished Cup: place 1 of 3."
    assert notices_of(person) == notices_of(other) == [placed]
    assert placed not in notices_of(captain)
    tournament_publish(tournament=cup, publication=Publication.HIDDEN)
    assert notices_of(person) == notices_of(other) == []
    tournament_publish(tournament=cup, publication=Publication.EVERYONE)
    assert notices_of(person) == [placed]
    follow(late, "bot", third)
    follow(late, "series", series := series_of())
    unlisted = finished_cup(OrganiserFactory(), [third, first], audience="unlisted")
    assert notices_of(late) == []  # to follow a bot gives nobody the link
    own = finished_cup(series.organiser, [third, first])
    assert notices_of(late) == [f"{third.name} has finished {own.name}: place 1 of 2."]
    assert unlisted.name not in str(notices_of(person))


def test_followers_of_a_team_get_nothing_of_its_bots_under_an_alias() -> None:
    group, follower, captain = GroupFactory(), UserFactory(), UserFactory()
    for one in (follower, captain):
        member_in(group, one)
    team = team_of(captain)
    hidden = bot_of(team.account)
    type(hidden).objects.filter(pk=hidden.pk).update(author_alias="Red", alias_group=group)
    hidden.refresh_from_db()
    follow(follower, "team", team)
    finished_cup(group.created_by, [hidden, bot_of(UserFactory())], audience="group", group=group)
    assert notices_of(follower) == []


def test_a_person_is_followed_on_the_profile_and_followers_get_notices_of_the_bots(client: Client) -> None:
    author, fan = UserFactory(username="jo.hen+1@farm"), UserFactory()
    profile = reverse("accounts:profile", args=[author.username])
    change = reverse("notices:follow-change", args=["person", author.username])
    assert change not in client.get(profile).content.decode()
    client.force_login(author)
    assert change not in client.get(profile).content.decode(), "nobody follows themselves"
    client.force_login(fan)
    assert change in client.get(profile).content.decode()
    page = client.post(change, {"next": profile}, follow=True).content.decode()
    assert "You follow jo.hen+1@farm. New versions and final places" in page
    assert "Unfollow" in page
    assert profile in client.get("/notices/following/").content.decode()
    api = {"headers": {"authorization": f"Token {token_of(fan)}"}}
    address = f"/api/notices/following/person/{quote(author.username)}/"
    row = client.put(address, **api).json()
    assert (row["kind"], row["slug"]) == ("person", author.username)
    bot = bot_of(author)
    cup = finished_cup(OrganiserFactory(), [bot, bot_of(UserFactory())], publication=Publication.EVERYONE, name="Cup")
    assert notices_of(fan) == [f"{bot.name} has finished {cup.name}: place 1 of 2."]
    account_delete(person=author)
    assert not Follow.objects.exists()
    for name in (author.username, team_of(UserFactory()).account.username, "nobody"):
        assert client.put(f"/api/notices/following/person/{quote(name)}/", **api).status_code == 404


def test_followers_of_a_person_get_nothing_of_a_bot_under_an_alias() -> None:
    group, follower, author = GroupFactory(), UserFactory(), UserFactory()
    for one in (follower, author):
        member_in(group, one)
    hidden = bot_of(author)
    type(hidden).objects.filter(pk=hidden.pk).update(author_alias="Red", alias_group=group)
    hidden.refresh_from_db()
    follow(follower, "person", SimpleNamespace(slug=author.username))
    finished_cup(group.created_by, [hidden, bot_of(UserFactory())], audience="group", group=group)
    assert notices_of(follower) == []


def test_followers_of_a_league_get_seasons_and_those_of_a_bot_its_new_version() -> None:
    person, fan, author = UserFactory.create_batch(3)
    league = open_league(name="Ladder")
    bot = member_of(league, bot=bot_of(author)).bot
    follow(person, "league", league)
    for one in (fan, author):
        follow(one, "bot", bot)
    season = season_of(league)
    season_entries_sync(season_id=season.pk)
    bot.current = BotVersionFactory(bot=bot, number=2)
    bot.save()
    for _ in range(2):
        season_entries_sync(season_id=season.pk)
    assert notices_of(fan) == [f"{bot.name} plays with its new version 2 in Ladder."]
    assert notices_of(author) == []  # it is theirs
    season_end(league=league)
    assert notices_of(person) == ["Ladder: season 1 is over."]
    season = season_start(league=league)
    type(season).objects.filter(pk=season.pk).update(
        starts_at=timezone.now() - timedelta(days=2), ends_at=timezone.now() - timedelta(seconds=1)
    )
    season_end(league=league)
    season_start(league=league)
    # One for end and begin.
    assert notices_of(person)[1:] == ["Ladder: season 2 has begun.", "Ladder: season 3 has begun."]


def test_deleted_objects_have_no_followers() -> None:
    person, captain = UserFactory(), UserFactory()
    bot, series, team = BotFactory(), series_of(), team_of(captain)
    follow(person, "bot", bot)
    follow(person, "series", series)
    follow(person, "team", team)
    bot_delete(bot=bot)
    series_delete(series=series)
    team_member_leave(team=team, person=captain)
    assert not Follow.objects.exists()
    assert followed_of(person, "bot", bot.slug) is None


def test_a_thousand_followers_take_as_many_queries_as_ten(django_assert_max_num_queries: Any) -> None:
    cup = TournamentFactory(state=TournamentState.OPEN)
    people = UserFactory._meta.model.objects.bulk_create(
        [UserFactory._meta.model(username=f"fan{number}") for number in range(1001)]
    )
    Follow.objects.bulk_create([Follow(person=one, kind="tournament", target=cup.pk) for one in people])
    assert len(followers_of("tournament", [cup.pk])[cup.pk]) == 1001
    with transaction.atomic(), django_assert_max_num_queries(45):
        tournament_cancel(tournament=cup)
    assert Notice.objects.filter(kind="tournament.finished").count() == 1002  # and the organiser
