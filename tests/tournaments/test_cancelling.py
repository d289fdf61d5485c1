"""Cancelling a tournament: its page, the API and the notices say who did it, when and why."""

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from hooks.kinds import hook_kinds_known
from notices.models import Notice
from tests.arena.factories import UserFactory
from tests.arena.openapi import as_described
from tests.bots.test_permissions import token_of
from tests.tournaments.factories import TournamentFactory, finish_matches, running_tournament
from tournaments import services
from tournaments.models import Tournament, TournamentState

pytestmark = pytest.mark.django_db

WHY = "The room is <b>not</b> free."


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def page(cup: Tournament, client: Client | None = None) -> str:
    answer = (client or Client()).get(reverse("tournaments:detail", args=[cup.slug]))
    return " ".join(answer.content.decode().split())


def test_the_page_says_who_cancelled_it_when_and_why(client: Client) -> None:
    cup = running_tournament(4)
    client.force_login(cup.organiser)
    assert 'name="reason"' in page(cup, client)
    address = reverse("tournaments:act", args=[cup.slug, "cancel"])
    assert client.post(address, {"reason": "x" * 301}).status_code == 422
    assert Tournament.objects.get(pk=cup.pk).state == TournamentState.RUNNING
    assert client.post(address, {"reason": f" {WHY}\n"}).status_code == 302
    cup.refresh_from_db()
    assert (cup.cancelled_by, cup.cancelled_reason) == ("organiser", WHY)
    html = page(cup)
    assert "Cancelled by the organiser on" in html
    assert "Reason: The room is &lt;b&gt;not&lt;/b&gt; free." in html
    assert "It had not begun." not in html
    assert "again" in page(cup, client)  # an organiser may hold it again
    assert client.post(address, {"reason": "Another."}).status_code == 302, "there is nothing left to do"
    assert Tournament.objects.get(pk=cup.pk).cancelled_reason == WHY


def test_without_a_reason_none_is_shown_and_staff_are_named_as_such(client: Client) -> None:
    cup = TournamentFactory(entries=3)
    client.force_login(UserFactory(is_staff=True))
    assert client.post(reverse("tournaments:act", args=[cup.slug, "cancel"])).status_code == 302
    html = page(cup)
    assert "Cancelled by staff of this site on" in html
    assert "It had not begun." in html
    assert "Reason" not in html


def test_one_that_an_earlier_release_cancelled_still_has_a_page() -> None:
    cup = services.tournament_cancel(tournament=TournamentFactory(entries=3))
    Tournament.objects.filter(pk=cup.pk).update(cancelled_at=None, cancelled_by="")
    assert "The tournament was cancelled." in page(cup)


@pytest.mark.parametrize(("played", "offered"), [(False, False), (True, True)])
def test_only_what_was_played_can_be_watched_again(*, played: bool, offered: bool) -> None:
    cup = running_tournament(4)
    if played:
        finish_matches(cup)
    services.tournament_cancel(tournament=cup)
    assert ("Watch again" in page(cup)) == offered


def test_the_api_takes_and_returns_the_reason(client: Client) -> None:
    cup = running_tournament(4)
    address = f"/api/tournaments/{cup.slug}/"
    data = as_described(client.get(address)).json()
    assert (data["cancelled_at"], data["cancelled_by"], data["cancelled_reason"]) == (None, "", "")
    for person, status in ((UserFactory(), 403), (cup.organiser, 200)):
        headers = {"authorization": f"Token {token_of(person)}"}
        values = {"reason": WHY}
        answer = client.post(f"{address}cancel/", values, content_type="application/json", headers=headers)
        assert answer.status_code == status
    data = as_described(client.get(address)).json()
    assert (data["state"], data["cancelled_by"], data["cancelled_reason"]) == ("cancelled", "organiser", WHY)
    assert data["cancelled_at"]


def test_the_notices_carry_the_reason() -> None:
    cup = running_tournament(4)
    services.tournament_cancel(tournament=cup, reason=WHY)
    author = cup.entries.first().bot.owner
    notice = Notice.objects.filter(person=author, kind="tournament.finished").get()
    assert notice.data["cancelled_reason"] == WHY
    sentence = hook_kinds_known()[notice.kind].sentence
    assert sentence(notice.data) == f"{cup.name} was cancelled: {WHY}"
    before = {key: value for key, value in notice.data.items() if key != "cancelled_reason"}
    assert sentence(before) == f"{cup.name} was cancelled.", "as an earlier release published it"


def test_no_other_tournament_has_a_reason() -> None:
    cup = running_tournament(4)
    with pytest.raises(IntegrityError, match="tournament_cancelled_alone_says_so"), transaction.atomic():
        Tournament.objects.filter(pk=cup.pk).update(cancelled_reason=WHY)
    with pytest.raises(IntegrityError, match="tournament_cancelled_by_known"), transaction.atomic():
        Tournament.objects.filter(pk=cup.pk).update(state="cancelled", cancelled_by="nobody")


def test_a_paused_tournament_says_that_its_matches_wait_until_it_is_resumed() -> None:
    cup = services.tournament_pause(tournament=running_tournament(4))
    html = page(cup)
    assert "wait until the tournament is resumed" in html
    assert " held" not in html
