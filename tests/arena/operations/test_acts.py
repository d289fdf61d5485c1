"""Actions of staff in the admin: confirmed, bounded, done by services, logged for good, refused with a reason."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from unittest.mock import Mock

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from bots.deletion import NOBODY
from groups.models import Group
from leagues.models import League, Season
from leagues.services import season_schedule
from matches.models import Match, MatchState, WorkerPresence
from matches.queue.worker_status import worker_seen, workers_slots_up
from matches.worker.celery_worker import Taps
from tests.arena.factories import UserFactory
from tests.groups.factories import GroupFactory
from tests.leagues.factories import open_league, season_of, worker_up
from tests.matches.factories import MatchFactory
from tests.tournaments.factories import TournamentFactory, running_tournament
from tournaments.models import Tournament
from web.admin import ROWS_MOST

pytestmark = pytest.mark.django_db

LONG_AGO: Final = datetime(2026, 1, 1, tzinfo=UTC)
ADDRESSES: Final = {
    Match: "/admin/matches/match/",
    WorkerPresence: "/admin/matches/workerpresence/",
    Tournament: "/admin/tournaments/tournament/",
    League: "/admin/league/league/",
    User: "/admin/accounts/user/",
    Group: "/admin/groups/group/",
}
ACTS: Final = [
    (Match, "release"),
    (Match, "call_off"),
    (WorkerPresence, "forget"),
    (WorkerPresence, "drain"),
    (WorkerPresence, "resume"),
    (Tournament, "pause"),
    (Tournament, "resume"),
    (Tournament, "call_off"),
    (League, "pause"),
    (League, "resume"),
    (Group, "large_uploads_allow"),
    (Group, "large_uploads_end"),
    (User, "make_organisers"),
    (User, "end_organisers"),
    (User, "end_second_factor"),
    (User, "delete"),
]


@pytest.fixture
def staff(client: Client) -> User:
    person = UserFactory(username="staff", is_staff=True, is_superuser=True)
    client.force_login(person)
    return person


def act(client: Client, name: str, *rows: Any, sure: bool = True) -> str:
    """Do it to rows of one model, and read the page that follows."""
    typed: dict[str, Any] = {"action": name, "_selected_action": [row.pk for row in rows]}
    answer = client.post(ADDRESSES[type(rows[0])], typed | ({"confirmed": "1"} if sure else {}), follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def rows_of(model: type) -> Any:
    made: dict[type, Callable[[], Any]] = {
        Match: lambda: MatchFactory(),
        WorkerPresence: lambda: WorkerPresence.objects.create(name="barn", seen_at=timezone.now() - timedelta(hours=1)),
        Tournament: lambda: running_tournament(entries=3),
        League: lambda: open_league(bots=1),
        User: lambda: UserFactory(),
        Group: lambda: GroupFactory(),
    }
    return made[model]()


def stored_rows() -> list[Any]:
    return [list(model.objects.order_by("pk").values()) for model in ADDRESSES]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("model", "name"), ACTS)
def test_an_action_is_confirmed_and_hidden_from_staff_without_permission(
    model: type, name: str, client: Client, staff: User
) -> None:
    row = rows_of(model)
    before = stored_rows()
    page = act(client, name, row, sure=False)
    assert 'name="confirmed"' in page
    assert stored_rows() == before
    looks = UserFactory(username="looks-only", is_staff=True)
    looks.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(looks)
    before = stored_rows()
    answer = client.post(ADDRESSES[model], {"action": name, "_selected_action": [row.pk], "confirmed": "1"})
    assert answer.status_code in (200, 302)
    assert stored_rows() == before
    assert not LogEntry.objects.exists()


def test_each_row_that_was_changed_is_logged_with_who_and_what(client: Client, staff: User) -> None:
    cup = running_tournament(entries=3)
    page = act(client, "pause", cup, TournamentFactory(name="Open Cup"))
    assert "Done for 1 row." in page
    assert "Open Cup: " in page  # why it was not
    (entry,) = LogEntry.objects.all()
    assert (entry.user, entry.object_id, entry.change_message) == (staff, str(cup.pk), "pause")
    assert entry.get_edited_object() == cup
    text = client.get("/operations/").content.decode()
    assert "pause" in text
    assert str(cup) in text


def test_a_tournament_is_paused_resumed_and_called_off_as_on_its_pages(client: Client, staff: User) -> None:
    cup = running_tournament(entries=3)
    states = []
    for name in ("pause", "resume", "call_off", "resume"):
        page = act(client, name, cup)
        cup.refresh_from_db()
        states.append(cup.state)
    assert states == ["paused", "running", "cancelled", "cancelled"]
    assert "Done for" not in page
    assert set(Match.objects.filter(fixture__round__tournament=cup).values_list("state", flat=True)) == {"cancelled"}


def test_a_match_that_its_tournament_holds_is_not_let_go(client: Client, staff: User) -> None:
    match = MatchFactory()
    Match.objects.update(state=MatchState.HELD)
    assert "its tournament or league is paused" in act(client, "release", match)
    assert "Done for 1 row" in act(client, "call_off", match)
    assert "It is over already" in act(client, "call_off", match)


def test_a_group_gets_larger_uploads_and_loses_them(client: Client, staff: User) -> None:
    group = GroupFactory()
    assert "Done for 1 row." in act(client, "large_uploads_allow", group)
    assert "may upload larger bots already" in act(client, "large_uploads_allow", group)
    group.refresh_from_db()
    assert group.has_large_uploads
    act(client, "large_uploads_end", group)
    assert "may not upload larger bots" in act(client, "large_uploads_end", group)
    group.refresh_from_db()
    assert not group.has_large_uploads
    assert [entry.change_message for entry in LogEntry.objects.order_by("pk")] == [
        "large_uploads_allow",
        "large_uploads_end",
    ]


def test_the_page_of_a_group_shows_its_uploads_and_offers_the_act_that_fits(client: Client, staff: User) -> None:
    group = GroupFactory()
    address = f"{ADDRESSES[Group]}{group.pk}/change/"
    shown = client.get(address).content.decode()
    assert "Larger uploads" in shown
    assert 'value="large_uploads_allow"' in shown
    assert 'value="large_uploads_end"' not in shown
    typed = {"action": "large_uploads_allow", "_selected_action": [group.pk], "of_page": "1"}
    body = client.post(ADDRESSES[Group], typed).content.decode()
    assert 'name="of_page" value="1"' in body
    answer = client.post(ADDRESSES[Group], typed | {"confirmed": "1"})
    assert answer["Location"] == address
    assert 'value="large_uploads_end"' in client.get(address).content.decode()
    assert LogEntry.objects.get().change_message == "large_uploads_allow"
    looks = UserFactory(username="looks-only", is_staff=True)
    looks.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(looks)
    shown = client.get(address).content.decode()
    assert "Larger uploads" in shown
    assert "large_uploads_" not in shown


@pytest.mark.parametrize("model", sorted({model for model, _name in ACTS}, key=str))
def test_the_page_of_a_row_offers_its_acts(model: type, client: Client, staff: User) -> None:
    shown = client.get(f"{ADDRESSES[model]}{rows_of(model).pk}/change/").content.decode()
    assert any(f'value="{name}"' in shown for of, name in ACTS if of is model)


def test_no_match_of_a_paused_league_is_chosen(client: Client, staff: User) -> None:
    league = open_league(bots=3)
    worker_up()
    season = season_of(league)
    act(client, "pause", league)
    assert "paused already" in act(client, "pause", league)
    assert season_schedule(season_id=season.pk) == 0
    assert "paused" in client.get(f"/leagues/{league.slug}/").content.decode()
    act(client, "resume", league)
    assert "not paused" in act(client, "resume", league)
    assert season_schedule(season_id=season.pk) > 0
    assert Season.objects.get(pk=season.pk).scheduled > 0


def test_a_worker_that_is_there_is_not_forgotten(client: Client, staff: User) -> None:
    worker_seen(name="Here")
    absent = rows_of(WorkerPresence)
    page = act(client, "forget", absent, WorkerPresence.objects.get(name="Here"))
    assert "Here: It is still running" in page
    assert list(WorkerPresence.objects.values_list("name", flat=True)) == ["Here"]


def test_a_drained_worker_counts_no_more_until_it_goes_on(client: Client, staff: User) -> None:
    worker_seen(name="Here", slots=3)
    worker = WorkerPresence.objects.get()
    assert "Done for 1 row" in act(client, "drain", worker)
    assert "already draining" in act(client, "drain", worker)
    worker_seen(name="Here", slots=3)  # it goes on to say that it is there
    assert workers_slots_up() == 0
    assert "drained" in client.get("/operations/").content.decode()
    assert "Done for 1 row" in act(client, "resume", worker)
    assert workers_slots_up() == 3
    assert "not drained" in act(client, "resume", worker)
    assert "not running" in act(client, "drain", WorkerPresence.objects.create(name="gone", seen_at=LONG_AGO))


def test_a_drained_worker_takes_no_messages_and_retries_until_it_is_drained() -> None:
    ordered: list[Any] = []
    answers = [[], ["ok"], ["ok"]]

    class Control:
        def cancel_consumer(self, queue: str, **_: Any) -> list[str]:
            ordered.append(("cancel", queue))
            return answers.pop(0)

        def add_consumer(self, queue: str, **_: Any) -> list[str]:
            ordered.append(("add", queue))
            return answers.pop(0)

    taps = Taps(Control(), "w@host", ["matches"])
    for drained in (False, True, True, True, False, False):
        taps.turn(drained=drained)
    assert ordered == [("cancel", "matches"), ("cancel", "matches"), ("add", "matches")]


def test_a_deleted_person_leaves_the_log(client: Client, staff: User) -> None:
    organiser = UserFactory(username="henrietta", is_organiser=True)
    cup = TournamentFactory(organiser=organiser)
    assert "henrietta" in act(client, "delete", organiser, staff)
    assert User.objects.filter(username="henrietta").exists()
    act(client, "call_off", cup)
    act(client, "delete", organiser)
    assert not User.objects.filter(username="henrietta").exists()
    assert User.objects.filter(username="staff").exists()
    assert list(LogEntry.objects.order_by("pk").values_list("object_repr", "user__username")) == [
        (str(cup), "staff"),
        ("henrietta", "staff"),
    ]
    assert NOBODY


def test_a_second_factor_is_ended_and_that_is_logged(client: Client, staff: User) -> None:
    person = UserFactory()
    Authenticator.objects.create(user=person, type="totp", data={"secret": "x"})
    assert "Done for 1 row" in act(client, "end_second_factor", person)
    assert "There is none" in act(client, "end_second_factor", person)
    assert LogEntry.objects.get().change_message == "end_second_factor"
    assert client.get("/admin/mfa/authenticator/").status_code == 404


def test_too_many_rows_are_refused_whole(client: Client, staff: User) -> None:
    people = UserFactory.create_batch(ROWS_MOST + 1)
    typed = {"action": "make_organisers", "_selected_action": [people[0].pk], "select_across": "1", "confirmed": "1"}
    page = client.post(ADDRESSES[User], typed, follow=True).content.decode()
    assert f"Choose {ROWS_MOST} rows at most" in page
    assert not User.objects.filter(is_organiser=True).exists()


def test_nobody_changes_or_deletes_the_log(client: Client, staff: User) -> None:
    act(client, "make_organisers", UserFactory())
    entry = LogEntry.objects.get()
    log = "/admin/admin/logentry/"
    assert "make_organisers" in client.get(log).content.decode()
    assert client.get(f"{log}add/").status_code == 403
    assert client.post(f"{log}{entry.pk}/change/", {"object_repr": "forged"}).status_code == 403
    assert client.post(f"{log}{entry.pk}/delete/", {"post": "yes"}).status_code == 403
    client.post(log, {"action": "delete_selected", "_selected_action": [entry.pk], "post": "yes"})
    client.post(f"/admin/accounts/user/{staff.pk}/delete/", {"post": "yes"})
    remaining = LogEntry.objects.get()
    assert (remaining.pk, remaining.object_repr) == (entry.pk, entry.object_repr)


def test_an_action_that_cannot_be_logged_is_not_done(
    client: Client, staff: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    league = open_league(bots=1)
    monkeypatch.setattr(LogEntry.objects, "create", Mock(side_effect=DatabaseError))
    with pytest.raises(DatabaseError):
        act(client, "pause", league)
    league.refresh_from_db()
    assert league.paused_at is None
