"""The messages of a webhook: their body, as JSON for programs or in the format of a chat service, and their signature.

Chat services get the sentence of the event and a link. The sentence may contain hostile text, such as the name of a
bot. So it is escaped: it never becomes markup, a link or a mention. Formats: Discord's Execute Webhook, incoming
webhooks of Slack and Mattermost, and Adaptive Cards for workflows of Microsoft Teams.

Signatures follow the Standard Webhooks specification, https://github.com/standard-webhooks/standard-webhooks:
HMAC-SHA256 over ``id.timestamp.body``, in base64, after ``v1,``; several signatures are separated by spaces. A secret
is 32 bytes in base64 after ``whsec_``.
"""

import hmac
import json
import re
import secrets
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final
from urllib.parse import urlsplit

from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from hooks.kinds import TEST, hook_kinds_known
from hooks.models import Hook, MessageFormat
from web.email import email_language_of

MARKUP: Final = re.compile(r"([\\`*_~|<>#\[\]()@:+-])")
ZERO_WIDTH: Final = "\N{ZERO WIDTH SPACE}"
TEXT_MOST: Final = 1000  # characters of a sentence; Discord accepts 2,000 with the link
SERVICES: Final = {
    "discord.com": MessageFormat.DISCORD,
    "discordapp.com": MessageFormat.DISCORD,
    "hooks.slack.com": MessageFormat.SLACK,
    "webhook.office.com": MessageFormat.TEAMS,
    "logic.azure.com": MessageFormat.TEAMS,
    "api.powerplatform.com": MessageFormat.TEAMS,
}


def hook_message_body(hook: Hook, kind: str, data: Mapping[str, Any]) -> str:
    """Return the body of a message to ``hook`` about an event of ``kind``, as JSON, in its owner's language."""
    if hook.format == MessageFormat.JSON:
        body: dict[str, Any] = {"type": kind, "timestamp": timezone.now(), "data": data}
    else:
        with email_language_of(hook.owner):
            body = CHATS[MessageFormat(hook.format)](
                hook_event_sentence(kind, data)[:TEXT_MOST], str(data.get("page", ""))
            )
    return json.dumps(body, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))


def hook_test_body(hook: Hook) -> str:
    """Return the body of a test message to ``hook``."""
    return hook_message_body(hook, TEST, {"hook": hook.pk})


def hook_event_sentence(kind: str, data: Mapping[str, Any]) -> str:
    """Return the sentence about an event in the current language, on one line; "" for an unknown kind."""
    known = hook_kinds_known().get(kind)
    return " ".join(known.sentence(data).split()) if known is not None else ""


def hook_event_email_text(kind: str, data: Mapping[str, Any]) -> str:
    """Return the additional text of an email about an event, in the current language, or ""."""
    known = hook_kinds_known().get(kind)
    return known.email_more(data) if known is not None and known.email_more is not None else ""


def hook_format_expected(url: str) -> MessageFormat | None:
    """Return the format that the service at ``url`` needs, or None if it is no known chat service."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    return next((one for name, one in SERVICES.items() if host == name or host.endswith(f".{name}")), None)


def _discord(text: str, page: str) -> dict[str, Any]:
    content = MARKUP.sub(r"\\\1", text) + (f"\n<{page}>" if page else "")
    return {"content": content, "allowed_mentions": {"parse": []}}


def _slack(text: str, page: str) -> dict[str, Any]:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": f"{escaped} <{page}|{_('Open')}>" if page else escaped, "unfurl_links": False}


def _mattermost(text: str, page: str) -> dict[str, Any]:
    escaped = MARKUP.sub(r"\\\1", text).replace("@", f"@{ZERO_WIDTH}")
    return {"text": f"{escaped} [{_('Open')}]({page})" if page else escaped}


def _teams(text: str, page: str) -> dict[str, Any]:
    card: dict[str, Any] = {
        "type": "AdaptiveCard",
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "version": "1.4",
        "body": [{"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": text}]}],
    }
    if page:
        card["actions"] = [{"type": "Action.OpenUrl", "title": _("Open"), "url": page}]
    return {
        "type": "message",
        "attachments": [{"contentType": "application/vnd.microsoft.card.adaptive", "content": card}],
    }


CHATS: Final[Mapping[MessageFormat, Callable[[str, str], dict[str, Any]]]] = {
    MessageFormat.DISCORD: _discord,
    MessageFormat.SLACK: _slack,
    MessageFormat.MATTERMOST: _mattermost,
    MessageFormat.TEAMS: _teams,
}


PREFIX: Final = "whsec_"
SALT_BYTES: Final = 32


def hook_message_salt_new() -> str:
    """Return a new salt, from which a secret is derived."""
    return secrets.token_urlsafe(SALT_BYTES)


def hook_message_secret_of(salt: str) -> str:
    """Return the secret of a hook with ``salt``. It depends on the site's key, so a copy of the database is not enough
    to sign."""
    return PREFIX + b64encode(salted_hmac("hooks.secret", salt, algorithm="sha256").digest()).decode()


def hook_message_signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a message; ``timestamp`` is in seconds since the epoch.

    Raises:
        ValueError: ``secret`` is not a secret.
    """
    key = b64decode(secret.removeprefix(PREFIX), validate=True)
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + b64encode(hmac.new(key, signed, sha256).digest()).decode()


def hook_message_headers_signed(salts: Sequence[str], message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers of a message, signed with the secret of each of ``salts``."""
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(
            hook_message_signature(hook_message_secret_of(salt), message_id, timestamp, body) for salt in salts
        ),
    }
