"""A version's life: uploaded once, checked by one attempt, current when accepted."""

from datetime import timedelta
from hashlib import sha256
from typing import Any
from unittest.mock import patch

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from bots import checks, services
from bots.models import CHECK_FAULTS_AT_MOST, Bot, BotVersion, VersionState
from bots.upload_errors import Problem, UploadError
from tests.arena.factories import UserFactory
from tests.bots.factories import SOURCE, AuthorFactory, BotFactory, BotVersionFactory

pytestmark = pytest.mark.django_db


def begun(version: BotVersion) -> int:
    attempt = checks.version_check_begin(version_id=version.pk)
    assert attempt is not None
    return attempt


def test_an_upload_becomes_version_one_and_is_sent_to_be_checked(
    django_capture_on_commit_callbacks: Any,
) -> None:
    bot = BotFactory.create()
    with patch("bots.checks.current_app.send_task") as send, django_capture_on_commit_callbacks(execute=True):
        version, is_new = services.version_upload(bot=bot, filename="clever.py", data=SOURCE)
    assert (version.number, version.state, is_new) == (1, VersionState.QUEUED, True)
    send.assert_called_once_with("matches.qualify_version", expires=checks.STALE)
    assert version.files() == {"bot.py": SOURCE}


def test_the_same_content_is_the_version_it_was() -> None:
    bot = BotFactory.create()
    first, _new = services.version_upload(bot=bot, filename="a.py", data=SOURCE)
    services.version_upload(bot=bot, filename="a.py", data=SOURCE + b"\n")
    again, is_new = services.version_upload(bot=bot, filename="renamed.py", data=SOURCE)
    assert (again.pk, is_new) == (first.pk, False)
    assert bot.versions.count() == 2


def test_an_upload_of_an_earlier_file_changes_nothing_unasked() -> None:
    first = BotVersionFactory.create(sha256=sha256(SOURCE).hexdigest())
    current = BotVersionFactory.create(bot=first.bot)
    assert services.version_upload(bot=first.bot, filename="bot.py", data=SOURCE) == (first, False)
    assert Bot.objects.get().current == current


def test_two_bots_may_hold_the_same_content() -> None:
    for bot in BotFactory.create_batch(2):
        assert services.version_upload(bot=bot, filename="a.py", data=SOURCE)[1]


def test_a_refused_upload_writes_nothing() -> None:
    bot = BotFactory.create()
    with pytest.raises(UploadError):
        services.version_upload(bot=bot, filename="a.py", data=b"def act(:")
    assert not BotVersion.objects.exists()


def test_the_stored_file_name_is_the_last_part() -> None:
    bot = BotFactory.create()
    version, _new = services.version_upload(bot=bot, filename="C:\\my\r\nbots/" + "x" * 300 + ".PY", data=SOURCE)
    assert version.filename == "x" * 90 + ".PY"
    assert version.files() == {"bot.py": SOURCE}


def test_an_author_with_too_many_waiting_versions_waits() -> None:
    bot = BotFactory.create()
    BotVersionFactory.create_batch(services.MAX_WAITING, bot=bot, open=True)
    with pytest.raises(UploadError) as caught:
        services.version_upload(bot=bot, filename="a.py", data=SOURCE)
    assert caught.value.code is Problem.TOO_MANY_WAITING
    held = {"check_faults": CHECK_FAULTS_AT_MOST, "report": {"game_fault": "ValueError", "game_code": "pig 0"}}
    BotVersion.objects.filter(pk=bot.versions.first().pk).update(**held)
    assert services.version_upload(bot=bot, filename="a.py", data=SOURCE)[1]


def test_only_one_worker_takes_a_version() -> None:
    version = BotVersionFactory.create(open=True)
    assert checks.version_check_begin(version_id=version.pk) == 1
    assert checks.version_check_begin(version_id=version.pk) is None


def test_the_first_accepted_version_becomes_current() -> None:
    version = BotVersionFactory.create(open=True)
    assert checks.version_check_accept(version_id=version.pk, attempt=begun(version), report={"games": 4})
    version.refresh_from_db()
    assert (version.state, version.report, version.lease_expires_at) == (VersionState.ACCEPTED, {"games": 4}, None)
    assert Bot.objects.get().current == version


def test_a_newer_accepted_version_becomes_current_and_an_older_one_does_not() -> None:
    old = BotVersionFactory.create(bot=BotFactory.create(is_house=True), open=True)  # two at once
    new = BotVersionFactory.create(bot=old.bot, open=True)
    slow, quick = begun(old), begun(new)
    checks.version_check_accept(version_id=new.pk, attempt=quick, report={})
    checks.version_check_accept(version_id=old.pk, attempt=slow, report={})
    assert Bot.objects.get().current == new


def test_a_second_verdict_changes_nothing() -> None:
    version = BotVersionFactory.create(open=True)
    attempt = begun(version)
    assert checks.version_check_refuse(version_id=version.pk, attempt=attempt, report={"verdict": "crashed"})
    assert not checks.version_check_accept(version_id=version.pk, attempt=attempt, report={})
    version.refresh_from_db()
    assert (version.state, version.report) == (VersionState.REFUSED, {"verdict": "crashed"})
    assert Bot.objects.get().current is None


def test_an_attempt_that_lost_its_lease_cannot_decide() -> None:
    version = BotVersionFactory.create(open=True)
    lost = begun(version)
    assert checks.version_check_requeue(version_id=version.pk, attempt=lost)
    assert begun(version) == 2
    assert not checks.version_check_beat(version_id=version.pk, attempt=lost)
    assert not checks.version_check_requeue(version_id=version.pk, attempt=lost)
    assert not checks.version_check_refuse(version_id=version.pk, attempt=lost, report={})
    assert checks.version_check_beat(version_id=version.pk, attempt=2)


def test_a_version_that_keeps_failing_us_waits_before_the_next_check(django_capture_on_commit_callbacks: Any) -> None:
    version = BotVersionFactory.create(open=True)
    sent = []
    for _ in range(checks.QUICK_RETRIES + 1):
        with patch("bots.checks.current_app.send_task") as send, django_capture_on_commit_callbacks(execute=True):
            assert checks.version_check_requeue(version_id=version.pk, attempt=begun(version))
        sent.append(send.call_count)
    assert sent == [1] * checks.QUICK_RETRIES + [0]
    assert checks.version_claim() is None
    BotVersion.objects.update(lease_expires_at=timezone.now() - timedelta(seconds=1))
    assert checks.version_claim() == (version.pk, checks.QUICK_RETRIES + 2)


@pytest.mark.parametrize("how", ["void", "silent", "in turns"])
def test_a_version_that_keeps_failing_us_is_held_until_staff_have_looked(how: str, client: Any) -> None:
    version = BotVersionFactory.create(open=True)
    for number in range(CHECK_FAULTS_AT_MOST):
        claim = checks.version_claim()
        assert claim is not None, number
        if how == "void" or (how == "in turns" and number % 2):
            assert checks.version_check_requeue(version_id=version.pk, attempt=claim[1])
        else:
            BotVersion.objects.update(lease_expires_at=timezone.now() - timedelta(minutes=5))
            assert checks.version_checks_expire() == 1
        BotVersion.objects.update(lease_expires_at=None)
    version.refresh_from_db()
    assert (version.state, version.is_held) == (VersionState.QUEUED, True)
    assert checks.version_claim() is None
    assert checks.version_checks_wake() == 0
    later = BotVersionFactory.create(open=True, bot=version.bot)
    assert checks.version_claim() == (later.pk, 1), "its author may go on with another one"
    client.force_login(version.bot.owner)
    page = client.get(reverse("bots:version", args=[version.bot.slug, version.number])).content.decode()
    assert "Its check failed five times because of a problem on our side" in page
    assert "appears here automatically" not in page
    data = client.get(reverse("api:version", args=[version.bot.slug, version.number])).json()
    assert (data["state"], data["is_held"]) == ("queued", True)

    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    listed = reverse("admin:bots_botversion_changelist")
    assert ">5<" in client.get(listed, {"check_faults": 5}).content.decode()
    values = {"action": "check_again", "_selected_action": [version.pk, later.pk], "confirmed": "yes"}
    text = client.post(listed, values, follow=True).content.decode()
    assert "Its check is not held" in text
    assert checks.version_check_accept(version_id=later.pk, attempt=1, report={})
    assert checks.version_claim() == (version.pk, CHECK_FAULTS_AT_MOST + 1)


def test_waiting_for_packages_or_a_new_worker_holds_no_version() -> None:
    version = BotVersionFactory.create(open=True)
    for _ in range(CHECK_FAULTS_AT_MOST + 1):
        assert checks.version_check_requeue(version_id=version.pk, attempt=begun(version), is_fault=False)
    version.refresh_from_db()
    assert not version.is_held
    assert not checks.version_check_repeat(version_id=version.pk)


def test_a_check_whose_worker_fell_silent_is_queued_and_sent_again(django_capture_on_commit_callbacks: Any) -> None:
    silent, busy = BotVersionFactory.create_batch(2, open=True)
    begun(silent)
    begun(busy)
    decided = BotVersionFactory.create()
    BotVersion.objects.filter(pk=silent.pk).update(lease_expires_at=timezone.now() - timedelta(minutes=5))
    with patch("bots.checks.current_app.send_task") as send, django_capture_on_commit_callbacks(execute=True):
        assert checks.version_checks_expire() == 1
    assert send.call_count == 1
    states = dict(BotVersion.objects.values_list("pk", "state"))
    assert states == {silent.pk: "queued", busy.pk: "checking", decided.pk: "accepted"}
    assert begun(silent) == 2
    assert checks.version_checks_expire() == 0


def test_only_an_accepted_version_can_be_made_current() -> None:
    old = BotVersionFactory.create()
    BotVersionFactory.create(bot=old.bot)
    refused = BotVersionFactory.create(bot=old.bot, refused=True)
    assert services.version_make_current(version=old)
    assert not services.version_make_current(version=refused)
    assert Bot.objects.get().current == old


def test_a_report_is_made_fit_for_every_database() -> None:
    version = BotVersionFactory.create(open=True)
    report = {"output": "a\0b\ud800" + "x" * 50_000, "cpu": float("nan"), "view": {"rolled": ["1", {"deep": (1,)}]}}
    checks.version_check_refuse(version_id=version.pk, attempt=begun(version), report=report)
    version.refresh_from_db()
    assert version.report["output"].startswith("a\N{REPLACEMENT CHARACTER}b?x")
    assert len(version.report["output"]) < 21_000
    assert version.report["cpu"] is None
    assert version.report["view"] == {"rolled": ["1", {"deep": [1]}]}


def test_an_author_cannot_have_two_bots_of_one_name() -> None:
    owner = AuthorFactory.create()
    bot = services.bot_create(owner=owner, name="Rooster", game="pickomino")
    with pytest.raises(services.NameTaken):
        services.bot_create(owner=owner, name="Rooster", game="pickomino")
    other = services.bot_create(owner=owner, name="Hen", game="pickomino")
    with pytest.raises(services.NameTaken):
        services.bot_update(bot=other, name="Rooster", blurb="")
    assert services.bot_update(bot=bot, name="Cockerel", blurb="up early").slug == "rooster"


def test_a_change_of_one_field_of_a_bot_keeps_what_others_have_changed_meanwhile() -> None:
    bot = BotFactory.create()
    read_before = Bot.objects.get(pk=bot.pk)
    services.bot_update(bot=bot, name="Cockerel", challenged_by="nobody", notes_shown=False)
    services.bot_update(bot=read_before, blurb="up early")
    bot.refresh_from_db()
    assert (bot.name, bot.blurb, bot.challenged_by, bot.notes_shown) == ("Cockerel", "up early", "nobody", False)


@pytest.mark.parametrize(
    ("name", "slugs"),
    [("Rooster", ["rooster", "rooster-2", "rooster-3"]), ("New", ["new-bot", "new-bot-2"]), ("鶏", ["bot"])],
)
def test_bots_of_one_name_get_addresses_of_their_own(name: str, slugs: list[str]) -> None:
    owners = AuthorFactory.create_batch(len(slugs))
    assert [services.bot_create(owner=owner, name=name, game="pickomino").slug for owner in owners] == slugs


def test_the_database_refuses_a_verdict_that_still_holds_a_lease() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        BotVersionFactory.create(lease_expires_at=timezone.now())


def test_the_house_may_have_any_number_of_bots_waiting() -> None:
    house = BotFactory(is_house=True)
    for number in range(services.MAX_WAITING + 2):
        other = BotFactory(owner=house.owner, is_house=True)
        _, is_new = services.version_upload(bot=other, filename="bot.py", data=SOURCE + b"# %d" % number)
        assert is_new
