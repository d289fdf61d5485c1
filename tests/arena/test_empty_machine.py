"""The commands of the page on deploying without containers, typed unchanged on a minimal Debian."""

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from tests.arena.empty_machine import EmptyMachine, commands_under, what_lacks
from tests.arena.production_site import Visitor
from tests.arena.test_production_journey import PASSWORD, confirm_by_email, set_up_second_factor
from tests.arena.test_second_factor import lasting_code_of
from tests.mail_catcher import MailCatcher, mail_caught
from tests.waiting import eventually

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]
ANSWERS = {
    "Do you want to continue? [Y/n]": "",
    "Username:": "ada",
    "Email address:": "ada@example.org",
    "Password:": PASSWORD,
    "Password (again):": PASSWORD,
}
QUEUES = ("matches", "checks", "books", "housekeeping", "hooks")
UNITS = ["pecking-order-web", "pecking-order-clock", *(f"pecking-order-worker@{queue}" for queue in QUEUES)]
PLAYED = "from matches.models import Match; print(Match.objects.filter(state='finished').count())"
USERS = "__import__('arena.accounts.models').accounts.models.User.objects"
PORT = 8000


@pytest.fixture
def mail() -> Iterator[MailCatcher]:
    """What answers at ``mail.example.org``, which is this machine to the empty one."""
    with mail_caught(25) as catcher:
        yield catcher


@pytest.fixture
def machine() -> Iterator[EmptyMachine]:
    if lacking := what_lacks():
        pytest.skip(lacking)
    directory = Path(tempfile.mkdtemp(prefix="machine-"))
    machine = EmptyMachine(directory / "root")
    try:
        machine.make()
        with machine.running():
            yield machine
    finally:
        shutil.rmtree(directory)


def is_ready(machine: EmptyMachine) -> bool:
    """Whether pages are served."""
    probe = f"import urllib.request as r; print(r.urlopen('http://127.0.0.1:{PORT}/readyz').status)"
    return machine.output_of(f'.venv/bin/python -c "{probe}" 2>/dev/null || true') == "200"


def all_run(machine: EmptyMachine) -> bool:
    """Whether every unit of the target is up, and none had to be started again."""
    states = machine.output_of(f"systemctl is-active {' '.join(UNITS)} || true").split()
    again = machine.output_of(f"systemctl show --property=NRestarts --value {' '.join(UNITS)}").split()
    return set(states) == {"active"} and set(again) == {"0"}


def test_every_command_of_the_page_makes_a_site_that_plays(
    machine: EmptyMachine, mail: MailCatcher, capsys: pytest.CaptureFixture[str]
) -> None:
    """Installed, administered, joined, played, backed up, upgraded, and restored into an empty database."""
    install, upgrade, restore = commands_under("On one machine: systemd")
    took: dict[str, float] = {}

    def typed(what: str, script: str) -> str:
        began = monotonic()
        output = machine.types(script, ANSWERS)
        took[what] = monotonic() - began
        with capsys.disabled():
            print(f"{what}: {took[what]:.0f} s", flush=True)
        return output

    assert "took the letter" in typed("install", install)
    assert eventually(lambda: bool(mail.messages))
    assert eventually(lambda: is_ready(machine))
    assert eventually(lambda: all_run(machine))
    ada = Visitor(PORT)
    assert ada.sign_in("ada", PASSWORD) == "/accounts/2fa/"
    secret = set_up_second_factor(ada)
    assert "Operations" in ada.go("/operations/")

    author = Visitor(PORT)
    author.go("/accounts/signup/")
    details = {"username": "Łukasz", "email": "lukasz@example.org", "password1": PASSWORD, "password2": PASSWORD}
    author.go("/accounts/signup/", **details)
    confirm_by_email(author, mail, "lukasz@example.org")
    author.sign_in("łukasz", PASSWORD)
    assert author.is_signed_in

    shown = typed("demo", "pecking-order demo")
    assert "Yard Ladder is open" in shown
    assert eventually(lambda: int(machine.output_of(f'pecking-order shell --no-imports -c "{PLAYED}"')) > 3, every=2)

    typed("upgrade", upgrade)
    assert eventually(lambda: is_ready(machine))
    assert eventually(lambda: all_run(machine))
    assert "Last backup" in " ".join(ada.go("/operations/").split())
    assert re.fullmatch(r"\S+\.backup", machine.output_of("ls /var/lib/pecking-order-backups"))

    machine.output_of(f"pecking-order shell --no-imports -c \"{USERS}.create(username='later')\"")
    typed("restore", restore)
    assert eventually(lambda: is_ready(machine))
    assert eventually(lambda: all_run(machine))
    ada = Visitor(PORT)
    assert ada.sign_in("ada", PASSWORD) == "/accounts/2fa/authenticate/"
    ada.go("/accounts/2fa/authenticate/", code=lasting_code_of(secret))
    assert "Operations" in ada.go("/operations/")
    author = Visitor(PORT)
    author.sign_in("lukasz@example.org", PASSWORD)
    assert author.is_signed_in
    shown = machine.output_of(
        f"pecking-order shell --no-imports -c \"print({USERS}.filter(username='later').exists())\""
    )
    assert shown == "False"
