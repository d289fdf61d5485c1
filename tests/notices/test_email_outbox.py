"""Every email about an event is a notice: written with its cause, or not at all."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SENDS = re.compile(r"\bemail_message\(|EmailMessage\(|EmailMultiAlternatives\(|\bsend_mail\(")
NO_EVENTS = {
    "platform/arena/accounts/account_email.py",
    "platform/arena/accounts/adapter.py",
    "platform/groups/services/emails.py",
    "platform/notices/emails.py",
    "platform/web/email.py",
}


def test_only_account_and_invitation_emails_bypass_the_outbox() -> None:
    found = {
        str(path.relative_to(ROOT))
        for room in ("platform", "tournaments", "bots")
        for path in (ROOT / room).rglob("*.py")
        if SENDS.search(path.read_text(encoding="utf-8"))
    }
    assert found == NO_EVENTS
