"""E-mails as they look: the same words as plain text and as HTML, with the site's name and address below."""

import re
from email.utils import formataddr, parseaddr
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

TEMPLATE: Final = "site/letter.html"
SIGNED: Final = "-- \n"  # as RFC 3676 has it, so that mail programs leave the rest out of a reply
_AFTER_LINK: Final = ".,;:)"


def letter(*, to: str, subject: str, text: str) -> EmailMultiAlternatives:
    """Return an e-mail that says ``text``, whose paragraphs are parted by an empty line.

    Links of this site can be followed. No other address becomes one: a bot or a tournament may be named like a site.
    """
    text = text.strip()
    host = urlsplit(settings.SITE_URL).netloc or "localhost"
    signed = f"{text}\n\n{SIGNED}{settings.SITE_NAME}\n{settings.SITE_URL or host}\n"
    message = EmailMultiAlternatives(subject, signed, _sender(), [to])
    paragraphs = [[_linked(line) for line in part.splitlines()] for part in re.split(r"\n\s*\n", text)]
    names = {"site_name": settings.SITE_NAME, "home": settings.SITE_URL, "host": host}
    html = render_to_string(TEMPLATE, {"subject": subject, "paragraphs": paragraphs, **names})
    message.attach_alternative(html, "text/html")
    return message


def _sender() -> str:
    """Return the site's address, under its name unless the settings give it another."""
    name, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    return formataddr((name or settings.SITE_NAME, address))


def _linked(line: str) -> SafeString:
    if not settings.SITE_URL:
        return format_html("{}", line)
    parts = re.split(rf"({re.escape(settings.SITE_URL)}/\S*)", line)
    return format_html_join("", "{}", ((_link(part) if at % 2 else part,) for at, part in enumerate(parts)))


def _link(found: str) -> SafeString:
    address = found.rstrip(_AFTER_LINK)
    return format_html('<a href="{}">{}</a>{}', address, address, found[len(address) :])
