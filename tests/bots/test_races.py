"""Limits of an author under simultaneous requests, with a database connection each."""

import pytest
from celery import current_app
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.deletion import account_delete
from bots import checks
from bots.checks import version_check_accept
from bots.deletion import BotDeleted, bot_delete, version_delete
from bots.models import Bot, BotVersion, VersionState
from bots.services import MAX_WAITING, version_make_current, version_upload
from bots.upload_errors import Problem, UploadError
from tests.bots.factories import SOURCE, AuthorFactory, BotFactory, BotVersionFactory
from tests.bots.test_api import a_file
from tests.bots.test_permissions import token_of
from tests.racing import after_waiting, at_once, on_postgres

pytestmark = [on_postgres, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(current_app, "send_task", lambda *_given, **_named: None)
    cache.clear()


@pytest.fixture
def _unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are parsed one by one, which separates uploads: here all come to the database at the same moment."""
    monkeypatch.setattr("bots.services.uploads.upload_unpack", lambda *_given, **_named: None)


@pytest.mark.usefixtures("_unpacked")
def test_no_more_uploads_of_an_author_wait_than_may_though_they_come_at_once_and_for_several_bots() -> None:
    author = AuthorFactory.create()
    bots = [BotFactory.create(owner=author) for _ in range(4)]
    BotVersionFactory.create_batch(MAX_WAITING - 3, bot=bots[0], open=True)

    def upload(number: int) -> str:
        try:
            version_upload(bot=bots[number % 4], filename="bot.py", data=SOURCE + b"# %d\n" % number)
        except UploadError as error:
            return error.code
        return "kept"

    outcomes = at_once(upload, 12)
    assert outcomes.count("kept") == 3
    assert outcomes.count(Problem.TOO_MANY_WAITING) == 9
    assert BotVersion.objects.count() == MAX_WAITING


@pytest.mark.usefixtures("_unpacked")
def test_uploads_of_one_bot_at_once_get_numbers_of_their_own() -> None:
    bot = BotFactory.create()
    at_once(lambda number: version_upload(bot=bot, filename="bot.py", data=SOURCE + b"# %d\n" % number), 8)
    assert sorted(bot.versions.values_list("number", flat=True)) == list(range(1, 9))


@pytest.mark.usefixtures("_unpacked")
def test_the_rate_limit_of_uploads_holds_for_simultaneous_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    bot: Bot = BotFactory.create()
    headers = {"authorization": f"Token {token_of(bot.owner)}"}
    monkeypatch.setattr("rest_framework.throttling.ScopedRateThrottle.THROTTLE_RATES", {"upload": "5/hour"})
    where = reverse("api:versions", args=[bot.slug])
    answers = at_once(lambda n: Client().post(where, a_file(SOURCE + b"# %d" % n), headers=headers).status_code, 10)
    assert sorted(answers) == [201] * 5 + [429] * 5


def test_workers_that_claim_at_once_take_each_version_once_and_one_of_each_author() -> None:
    for author in AuthorFactory.create_batch(3):
        BotVersionFactory.create_batch(4, bot=BotFactory(owner=author), open=True)
    claims = [claim for claim in at_once(lambda _number: checks.version_claim(), 8) if claim is not None]
    assert all(attempt == 1 for _version, attempt in claims)
    checked = BotVersion.objects.filter(state=VersionState.CHECKING)
    assert sorted(version for version, _attempt in claims) == sorted(checked.values_list("pk", flat=True))
    owners = list(checked.values_list("bot__owner", flat=True))
    assert len(owners) == len(set(owners)) >= 1


def test_a_bot_is_deleted_while_a_check_of_it_ends_and_neither_waits_for_the_other() -> None:
    for _ in range(20):
        version = BotVersionFactory.create(open=True, state=VersionState.CHECKING, check_attempt=1)
        BotVersion.objects.filter(pk=version.pk).update(lease_expires_at=timezone.now())

        def act(number: int, version: BotVersion = version) -> bool:
            if number:
                return bot_delete(bot=version.bot)
            return version_check_accept(version_id=version.pk, attempt=1, report={})

        assert True in at_once(act, 2)
        version.refresh_from_db()
        assert version.state == VersionState.DELETED
        assert version.bot.current is None


@pytest.mark.usefixtures("_unpacked")
def test_a_file_that_arrives_while_its_account_is_deleted_is_dropped() -> None:
    for number in range(10):
        bot = BotFactory.create()

        def act(place: int, bot: Bot = bot, number: int = number) -> str:
            try:
                if place:
                    account_delete(person=bot.owner)
                else:
                    version_upload(bot=bot, filename="bot.py", data=SOURCE + b"# %d" % number)
            except BotDeleted:
                return "deleted"
            return "done"

        at_once(act, 2)
        assert set(BotVersion.objects.filter(bot=bot).values_list("state", flat=True)) <= {VersionState.DELETED}


def test_a_version_that_was_just_deleted_does_not_become_current() -> None:
    current = BotVersionFactory.create()
    other = BotVersionFactory.create(bot=current.bot)
    Bot.objects.filter(pk=current.bot_id).update(current=current)
    assert not after_waiting(lambda: version_make_current(version=other), lambda: version_delete(version=other))
    assert Bot.objects.get(pk=current.bot_id).current == current
