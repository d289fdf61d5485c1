"""A POST that is sent twice with one key is done once."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, OperationalError, transaction
from django.test import Client
from django.utils import timezone

from bots import services
from bots.models import Bot, BotVersion
from tests.arena.factories import UserFactory
from tests.arena.openapi import as_described
from tests.bots.factories import SOURCE, BotFactory
from tests.bots.test_permissions import token_of
from tests.tournaments.factories import TournamentFactory
from web.models import KeptAnswer
from web.tasks import web_forget_answers

pytestmark = pytest.mark.django_db
HEN = {"name": "Hen", "game": "pickomino"}


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


class Sender:
    """Somebody who posts with a key."""

    def __init__(self) -> None:
        self.person = UserFactory(is_organiser=True)
        self._token = token_of(self.person)

    def post(self, body: Any = HEN, key: str = "one", at: str = "bots/", **more: Any) -> Any:
        headers = {"authorization": f"Token {self._token}", "idempotency-key": key}
        kind = {} if more.pop("as_form", False) else {"content_type": "application/json"}
        return as_described(Client(**more).post(f"/api/{at}", body, headers=headers, **kind))


def refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_the_same_twice_is_done_once_and_answered_the_same() -> None:
    sender = Sender()
    first, again = sender.post(), sender.post()
    assert (first.status_code, again.status_code) == (201, 201)
    assert (again.json(), again["Location"]) == (first.json(), first["Location"])
    assert again["Idempotency-Replayed"] == "true"
    assert Bot.objects.count() == 1


def test_an_upload_is_known_by_its_bytes_not_by_how_its_parts_are_delimited() -> None:
    sender = Sender()
    BotFactory(owner=sender.person, slug="hen")
    files = [{"file": SimpleUploadedFile("bot.py", content)} for content in (SOURCE, SOURCE, SOURCE + b"#")]
    answers = [sender.post(file, at="bots/hen/versions/", as_form=True) for file in files]
    assert [answer.status_code for answer in answers] == [201, 201, 422]  # without a key the second would be 200
    assert BotVersion.objects.count() == 1


def test_another_request_with_the_same_key_is_refused() -> None:
    sender = Sender()
    sender.post()
    assert refusal(sender.post({**HEN, "name": "Cock"})) == (422, "key_reused")
    cup = TournamentFactory(organiser=sender.person, state="draft")
    assert refusal(sender.post({}, at=f"tournaments/{cup.slug}/open/")) == (422, "key_reused")
    assert Bot.objects.count() == 1


def test_keys_are_each_persons_own() -> None:
    one, other = Sender(), Sender()
    assert [one.post().status_code, other.post().status_code] == [201, 201]
    assert Bot.objects.count() == 2


def test_one_of_two_simultaneous_requests_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    sender, create, seconds = Sender(), services.bot_create, []

    def create_while_it_comes_again(**fields: Any) -> Bot:
        seconds.append(sender.post())
        return create(**fields)

    monkeypatch.setattr("bots.services.bot_create", create_while_it_comes_again)
    assert sender.post().status_code == 201
    assert [refusal(one) for one in seconds] == [(409, "in_progress")]
    assert Bot.objects.count() == 1


def test_a_refused_request_may_be_sent_again_with_its_key() -> None:
    sender = Sender()
    taken = BotFactory(owner=sender.person, name="Hen")
    assert refusal(sender.post()) == (409, "name_taken")
    taken.delete()
    assert sender.post().status_code == 201


def test_an_interrupted_request_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    sender = Sender()
    with monkeypatch.context() as broken:
        broken.setattr("bots.services.bot_create", lambda **_fields: (_ for _ in ()).throw(OperationalError("gone")))
        assert sender.post().status_code == 503
    assert refusal(sender.post()) == (409, "in_progress")
    assert not Bot.objects.exists()
    assert sender.post(key="two").status_code == 201


def test_a_key_is_forgotten_after_a_day() -> None:
    sender = Sender()
    sender.post()
    KeptAnswer.objects.update(created_at=timezone.now() - timedelta(days=1, seconds=1))
    assert refusal(sender.post()) == (409, "name_taken")  # it is a new request
    sender.post({**HEN, "name": "Cock"}, key="two")
    KeptAnswer.objects.update(created_at=timezone.now() - timedelta(days=1, seconds=1))
    web_forget_answers()
    assert not KeptAnswer.objects.exists()


@pytest.mark.parametrize("key", ["", "x" * 256, "ä", "a\tb"])
def test_a_key_that_is_none_is_refused(key: str) -> None:
    answer = Sender().post(key=key)
    assert (*refusal(answer), answer.json()["field"]) == (400, "invalid", "Idempotency-Key")
    assert not Bot.objects.exists()


def test_an_invitation_link_is_not_stored() -> None:
    sender = Sender()
    cup = TournamentFactory(organiser=sender.person, admission="invited")
    made = sender.post({"number": 0}, at=f"tournaments/{cup.slug}/invitation/")
    assert made.status_code == 201
    assert not KeptAnswer.objects.exists()
    assert sender.post({"number": 0}, at=f"tournaments/{cup.slug}/invitation/").status_code == 409


def test_the_database_has_one_answer_for_a_key() -> None:
    person = UserFactory()
    KeptAnswer.objects.create(user=person, key="one", digest="0" * 64)
    with pytest.raises(IntegrityError), transaction.atomic():
        KeptAnswer.objects.create(user=person, key="one", digest="1" * 64)
