"""The documented set-up of a site in production, from the settings of the page to a restored backup."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena.production_site import HOST, Installed, Visitor, released
from tests.arena.test_second_factor import lasting_code_of
from tests.brokers import Broker
from tests.browser.running import data_directory
from tests.databases import own_database
from tests.mail_catcher import MailCatcher, mail_caught
from tests.upgrade.release_before import checked_out
from tests.waiting import eventually

pytestmark = [pytest.mark.processes, pytest.mark.postgres, pytest.mark.timeout(1800)]
PASSWORD = "correct horse 42"


@pytest.fixture
def mail() -> Iterator[MailCatcher]:
    with mail_caught() as catcher:
        yield catcher


def confirm_by_email(visitor: Visitor, mail: MailCatcher, to: str) -> None:
    assert eventually(lambda: any(message["To"] == to for message in mail.messages))
    [message] = [message for message in mail.messages if message["To"] == to]
    [text] = [one for one in message.walk() if one.get_content_type() == "text/plain"]
    [path] = re.findall(rf"https://{HOST}(/accounts/confirm-email/\S+/)", str(text.get_payload(decode=True), "utf-8"))
    visitor.go(path)
    visitor.go(path, confirm="")


def set_up_second_factor(visitor: Visitor) -> str:
    visitor.go("/accounts/2fa/totp/activate/")
    visitor.go(visitor.path + "?next=/accounts/2fa/totp/activate/", password=PASSWORD)
    [secret] = re.findall(r'<output class="secret">(\w+)</output>', visitor.go("/accounts/2fa/totp/activate/"))
    visitor.go("/accounts/2fa/totp/activate/", code=lasting_code_of(secret))
    return str(secret)


def test_a_site_is_upgraded_administered_joined_backed_up_and_restored(mail: MailCatcher, tmp_path: Path) -> None:
    """The previous release locked out the first administrator, who never got the email."""
    before, now = tmp_path / "before", released(tmp_path / "srv")
    before.mkdir()
    backup = tmp_path / "backups"
    backup.mkdir()
    (tmp_path / "first").mkdir()
    (tmp_path / "second").mkdir()
    with (
        data_directory() as var,
        Broker(tmp_path / "first.sock"),
        own_database(tmp_path / "first", empty=True) as database,
    ):
        stores = {"DATABASE_URL": database, "REDIS_URL": f"unix://{tmp_path / 'first.sock'}"}
        old = Installed(checked_out(before), var, mail, stores)
        old.manage("migrate", "--verbosity=0")
        made = {"DJANGO_SUPERUSER_PASSWORD": PASSWORD}
        old.manage("createsuperuser", "--noinput", "--username=ada", "--email=ada@example.org", **made)

        site = Installed(now, var, mail, stores)
        site.manage("collectstatic", "--noinput", "--verbosity=0")
        site.manage("migrate", "--verbosity=0")
        site.manage("check", "--deploy", "--fail-level=ERROR")
        assert "took the letter" in site.manage("sendtestemail", "ada@example.org")
        sent = len(mail.messages)
        with site.running():
            ada = Visitor(site.port)
            assert ada.sign_in("ADA", PASSWORD) == "/accounts/2fa/"
            assert len(mail.messages) == sent
            secret = set_up_second_factor(ada)
            assert "Operations" in ada.go("/operations/")

            author = Visitor(site.port)
            author.go("/accounts/signup/")
            typed = {"username": "Łukasz", "email": "lukasz@example.org", "password1": PASSWORD, "password2": PASSWORD}
            author.go("/accounts/signup/", **typed)
            assert not author.is_signed_in
            confirm_by_email(author, mail, "lukasz@example.org")
            author.sign_in("łukasz", PASSWORD)
            assert author.is_signed_in
            output = site.manage("backup", backup, "--keep", 1)
            assert "Last backup" in " ".join(ada.go("/operations/").split())
        [file] = backup.iterdir()
    [digest] = re.findall(r"SHA-256 (\w{64})", output)

    with (
        data_directory() as var,
        Broker(tmp_path / "second.sock"),
        own_database(tmp_path / "second", empty=True) as database,
    ):
        stores = {"DATABASE_URL": database, "REDIS_URL": f"unix://{tmp_path / 'second.sock'}"}
        again = Installed(now, var, mail, stores)
        again.manage("restore", file, "--sha256", digest)
        again.manage("migrate", "--verbosity=0")
        with again.running():
            ada = Visitor(again.port)
            assert ada.sign_in("ada", PASSWORD) == "/accounts/2fa/authenticate/"
            ada.go("/accounts/2fa/authenticate/", code=lasting_code_of(secret))
            assert "Operations" in ada.go("/operations/")
            author = Visitor(again.port)
            author.sign_in("lukasz@example.org", PASSWORD)
            assert author.is_signed_in
