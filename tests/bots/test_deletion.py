"""Deleting versions, bots and accounts; what stays stored, and for how long."""

from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from arena.accounts.deletion import HoldsForOthers, StillOrganises, account_delete
from arena.accounts.models import AccessToken, User
from bots.checks import version_check_accept, version_check_begin
from bots.deletion import NOBODY, BotDeleted, bot_delete, deleted_bots_account, version_delete
from bots.models import Bot, BotPackage, BotVersion, VersionState
from bots.packages import REFUSED_KEPT, package_bytes_stored
from bots.services import bot_update, version_make_current, version_upload
from bots.upload_errors import Problem, UploadError
from leagues.models import MembershipState
from leagues.services import leagues_tend
from matches.models import Fault, Seat
from matches.retention import FAULTS_KEPT_PER_VERSION, retention_apply
from tests.arena.factories import OrganiserFactory
from tests.bots.factories import SOURCE, AuthorFactory, BotFactory, BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.leagues.factories import member_of, open_league
from tests.matches.factories import CRASHES, FinishedMatchFactory
from tests.tournaments.factories import TournamentFactory, finish_matches
from tests.tournaments.proof.events import LAST, cup_of, play_out
from tournaments.models import Tournament, TournamentState, Withdrawal
from tournaments.proof.verify import proof_verify
from tournaments.selectors.pages.proof_and_luck import tournament_proof_of
from tournaments.services import tournament_cancel, tournament_chain_settle, tournament_start, tournaments_tend

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def test_a_deleted_bot_leaves_a_number_and_its_results(client: Client) -> None:
    version = BotVersionFactory(bot__name="Early Rooster", bot__blurb="mine", report={"detail": "SECRET"})
    rival, owner = BotVersionFactory(), version.bot.owner
    match = FinishedMatchFactory(seats=[version, rival])
    client.force_login(owner)
    address = reverse("bots:delete", args=[version.bot.slug])
    assert client.post(address, {"typed": "early rooster"}).status_code == 422
    assert client.post(address, {"typed": "Early Rooster"}).status_code == 302
    retention_apply()
    bot = Bot.objects.get(pk=version.bot_id)
    version.refresh_from_db()
    assert (bot.name, bot.slug, bot.blurb, bot.current) == (f"deleted bot {bot.pk}", f"deleted-bot-{bot.pk}", "", None)
    assert bot.owner.username == NOBODY
    assert not bot.owner.is_active
    assert (version.state, version.report, version.kept) == (VersionState.DELETED, {}, 0)
    assert not BotPackage.objects.filter(version=version).exists()
    assert version.sha256
    client = Client()
    page = client.get(reverse("matches:detail", args=[match.pk]))
    assert f"deleted bot {bot.pk}" in page.content.decode()
    others = [client.get(reverse("bots:detail", args=[slug])) for slug in (bot.slug, rival.bot.slug)]
    for shown in (page, *others):
        assert shown.status_code == 200
        assert "Early Rooster" not in shown.content.decode()
        assert f"people/{owner.username}" not in shown.content.decode()
    assert not bot_delete(bot=bot)


def test_results_of_a_deleted_bot_are_still_verifiable_and_do_not_name_it(tmp_path: Path) -> None:
    cup = play_out(cup_of([CRASHES, LAST, LAST]))
    entry = cup.entries.get(bot__name="Bot 1")
    entry.bot.refresh_from_db()
    bot_delete(bot=entry.bot)
    retention_apply()
    assert not Fault.objects.exclude(detail="", exception="", output="", view=None).exists()
    tournament_chain_settle(tournament=cup)
    (tmp_path / "proof.zip").write_bytes(b"".join(tournament_proof_of(cup)))
    proved = proof_verify(tmp_path / "proof.zip")
    assert (proved.matches, f"deleted bot {entry.bot_id}") == (3, proved.places[-1][1])
    with ZipFile(tmp_path / "proof.zip") as archive:
        assert not any(b"Bot 1" in archive.read(part) for part in archive.namelist())


def test_a_bot_in_a_running_tournament_withdraws_by_being_deleted() -> None:
    cup = tournament_start(tournament=TournamentFactory(entries=4))
    entry = cup.entries.first()
    assert entry is not None
    bot_delete(bot=entry.bot)
    retention_apply()
    entry.version.refresh_from_db()
    assert entry.version.kept, "its file was dropped while matches were still to play it"
    tournaments_tend()
    entry.refresh_from_db()
    assert (entry.is_withdrawn, entry.withdrawn_because) == (True, Withdrawal.DELETED)
    assert Seat.objects.filter(version=entry.version_id, has_forfeited=True).count() == 3
    finish_matches(cup, lambda seats: [float(len(seats) - at) for at in range(len(seats))])
    tournaments_tend()
    cup.refresh_from_db()
    assert cup.state == TournamentState.FINISHED
    retention_apply()
    entry.version.refresh_from_db()
    assert not entry.version.kept


def test_a_bot_leaves_its_league_by_being_deleted() -> None:
    league = open_league(bots=3)
    member = member_of(league)
    bot_delete(bot=member.bot)
    leagues_tend()
    member.refresh_from_db()
    assert member.state == MembershipState.LEFT


def test_a_check_that_ends_after_the_deletion_changes_nothing() -> None:
    version = BotVersionFactory(open=True)
    attempt = version_check_begin(version_id=version.pk)
    assert attempt
    bot_delete(bot=version.bot)
    assert not version_check_accept(version_id=version.pk, attempt=attempt, report={})
    assert Bot.objects.get().current is None


@pytest.mark.parametrize("what", ["bot", "account"])
def test_data_that_arrives_while_a_bot_is_deleted_is_dropped(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """The bot is deleted while the file is read."""
    version = BotVersionFactory(bot__name="Early Rooster")
    author = version.bot.owner

    def meanwhile(*_given: Any, **_named: Any) -> None:
        if what == "bot":
            bot_delete(bot=version.bot)
        elif User.objects.filter(pk=author.pk).exists():
            account_delete(person=author)

    for name in ("uploads.upload_unpack", "bot_name_check"):
        monkeypatch.setattr(f"bots.services.{name}", meanwhile)
    stale = Bot.objects.get(pk=version.bot_id)
    with pytest.raises(BotDeleted):
        version_upload(bot=stale, filename="bot.py", data=SOURCE)
    with pytest.raises(BotDeleted):
        bot_update(bot=stale, name="Early Rooster", blurb="back")
    assert not version_make_current(version=version)
    bot = Bot.objects.get(pk=version.bot_id)
    assert (bot.name, bot.blurb, bot.current) == (f"deleted bot {bot.pk}", "", None)
    assert list(bot.versions.values_list("state", flat=True)) == [VersionState.DELETED]


@pytest.mark.parametrize("way", ["page", "api"])
def test_an_upload_to_a_bot_that_is_deleted_meanwhile_is_not_found(
    client: Client, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    bot = BotVersionFactory().bot
    monkeypatch.setattr("bots.services.uploads.upload_unpack", lambda *_given, **_named: bot_delete(bot=bot))
    file = {"file": SimpleUploadedFile("bot.py", SOURCE)}
    if way == "api":
        headers = {"authorization": f"Token {token_of(bot.owner)}"}
        answer = client.post(reverse("api:versions", args=[bot.slug]), file, headers=headers)
        assert answer.json()["code"] == "deleted"
    else:
        client.force_login(bot.owner)
        answer = client.post(reverse("bots:upload", args=[bot.slug]), file)
    assert answer.status_code == 404


def test_the_current_version_is_not_deleted_and_another_is() -> None:
    old = BotVersionFactory()
    new = BotVersionFactory(bot=old.bot)
    assert not version_delete(version=new)
    assert version_delete(version=old)
    assert not version_delete(version=old)
    retention_apply()
    old.refresh_from_db()
    assert (old.state, old.kept) == (VersionState.DELETED, 0)


def test_the_database_lets_no_deleted_bot_have_a_current_version() -> None:
    version = BotVersionFactory()
    bot_delete(bot=version.bot)
    with pytest.raises(IntegrityError), transaction.atomic():
        Bot.objects.filter(pk=version.bot_id).update(current=version)


def test_bots_and_versions_are_deleted_through_the_api_by_their_author_only(client: Client) -> None:
    old = BotVersionFactory()
    new = BotVersionFactory(bot=old.bot)
    mine, other = token_of(old.bot.owner), token_of(AuthorFactory())
    bot = reverse("api:bot", args=[old.bot.slug])
    addresses = [reverse("api:version", args=[old.bot.slug, one.number]) for one in (new, old)]

    def delete(address: str, token: str) -> int:
        return client.delete(address, headers={"authorization": f"Token {token}"}).status_code

    assert [delete(one, other) for one in (bot, *addresses)] == [404, 404, 404]
    assert client.delete(bot).status_code == 401
    assert [delete(one, mine) for one in (*addresses, bot)] == [409, 204, 204]
    assert Bot.objects.get().deleted_at


def test_an_author_has_so_much_room(settings: Any) -> None:
    bot = BotFactory()
    settings.AUTHOR_BYTES_MOST = 3 * len(SOURCE) + 20
    for number in range(3):
        version_upload(bot=bot, filename="bot.py", data=SOURCE + b"#%d\n" % number)
    assert package_bytes_stored(bot.owner_id) <= settings.AUTHOR_BYTES_MOST
    with pytest.raises(UploadError) as refused:
        version_upload(bot=BotFactory(owner=bot.owner), filename="bot.py", data=SOURCE + b"#4\n")
    assert refused.value.code == Problem.NO_ROOM
    version_upload(bot=BotFactory(), filename="bot.py", data=SOURCE)  # another author has room
    bot_delete(bot=bot)
    version_upload(bot=BotFactory(owner=AuthorFactory()), filename="bot.py", data=SOURCE)


def test_files_of_the_newest_refused_versions_are_stored(client: Client) -> None:
    bot = BotFactory()
    report = {"line": 1, "detail": "x"}
    refused = [BotVersionFactory(bot=bot, refused=True, report=report) for _ in range(REFUSED_KEPT + 2)]
    content = refused[0].package.content
    accepted = BotVersionFactory(bot=bot)
    retention_apply()
    stored = {one.number for one in BotVersion.objects.filter(kept__gt=0)}
    assert stored == {one.number for one in (*refused[-REFUSED_KEPT:], accepted)}
    client.force_login(bot.owner)
    assert client.get(reverse("bots:version", args=[bot.slug, 1])).status_code == 200
    assert client.get(reverse("bots:source", args=[bot.slug, 1])).status_code == 404
    same = BotVersion.objects.get(bot=bot, number=1)
    again, is_new = version_upload(bot=bot, filename="bot.py", data=content)
    assert (again.pk, is_new) == (same.pk, False)


def test_the_contents_of_old_faults_are_dropped(client: Client) -> None:
    version = BotVersionFactory(source=CRASHES)
    played = FAULTS_KEPT_PER_VERSION // 2 + 1
    for _ in range(played):
        FinishedMatchFactory(seats=[version, BotVersionFactory()])
    retention_apply()
    stored = Fault.objects.filter(is_kept=True)
    assert stored.count() == FAULTS_KEPT_PER_VERSION
    assert min(stored.values_list("pk", flat=True)) > max(
        Fault.objects.filter(is_kept=False).values_list("pk", flat=True)
    )
    emptied = Fault.objects.filter(is_kept=False)
    assert set(emptied.values_list("exception", "detail", "output", "answer", "view")) == {("", "", "", "", None)}
    assert all(fault.verdict for fault in emptied)
    client.force_login(version.bot.owner)
    assert client.get(reverse("bots:failures", args=[version.bot.slug])).status_code == 200


def test_a_deleted_account_leaves_nothing_that_names_it(client: Client) -> None:
    person = OrganiserFactory(username="rooster", email="rooster@example.org")
    version = BotVersionFactory(bot__owner=person, bot__name="Early Rooster")
    token_of(person)
    over = tournament_cancel(tournament=TournamentFactory(organiser=person))
    TournamentFactory(organiser=person, state="draft")
    FinishedMatchFactory(seats=[version, BotVersionFactory()])
    client.force_login(person)
    account_delete(person=person)
    assert not User.objects.filter(username="rooster").exists()
    assert not AccessToken.objects.exists()
    over.refresh_from_db()
    assert over.organiser.username == NOBODY
    assert Tournament.objects.count() == 1
    assert client.get(reverse("bots:list")).status_code == 302, "the session lived on"
    assert client.get(reverse("bots:detail", args=[f"deleted-bot-{version.bot_id}"])).status_code == 200


def test_an_organiser_ends_contests_before_deleting_the_account() -> None:
    person = OrganiserFactory()
    TournamentFactory(organiser=person, name="Backyard Cup")
    bot = BotVersionFactory(bot__owner=person).bot
    with pytest.raises(StillOrganises, match="Backyard Cup"):
        account_delete(person=person)
    bot.refresh_from_db()
    assert bot.deleted_at is None


@pytest.mark.parametrize("whose", ["house bots that played", "house bots", "nobody"])
def test_an_account_on_which_others_rely_stays(client: Client, whose: str) -> None:
    owner = deleted_bots_account() if whose == "nobody" else AuthorFactory()
    version = BotVersionFactory(bot__owner=owner, bot__is_house=whose != "nobody")
    if whose == "house bots that played":
        FinishedMatchFactory(seats=[version, BotVersionFactory()])
    with pytest.raises(HoldsForOthers):
        account_delete(person=owner)
    client.force_login(AuthorFactory(is_staff=True, is_superuser=True))
    chosen = {"action": "delete", "_selected_action": [owner.pk], "confirmed": "yes"}
    answer = client.post("/admin/accounts/user/", chosen, follow=True)
    assert "cannot be deleted" in answer.content.decode()
    assert Bot.objects.get(pk=version.bot_id).owner_id == owner.pk


def test_the_account_page_requires_the_password_and_the_name(client: Client) -> None:
    person = AuthorFactory(username="rooster")
    person.set_password("an early worm")
    person.save()
    client.force_login(person)
    address = reverse("accounts:delete")
    assert reverse("account_reauthenticate") in client.get(address)["Location"]
    client.post(f"{reverse('account_reauthenticate')}?next={address}", {"password": "an early worm"})
    assert client.get(address).status_code == 200
    assert client.post(address, {"typed": "hen"}).status_code == 422
    assert client.post(address, {"typed": "rooster"}).status_code == 302
    assert not User.objects.filter(username="rooster").exists()
