"""E-mails about a bot in a contest, to the people who own it."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise

from contests.audience import WithAudience, may_know
from teams.selectors import people_of
from web.email import email_send


def owner_email_send(
    *, contest: WithAudience, bot: Any, subject: Promise, text: Promise, values: Mapping[str, Any]
) -> None:
    """Write to the owner of ``bot``, each member of a team, as ``web.email.email_send`` does; ``values`` get their name
    as ``person`` and ``author``. Who may not know of the contest gets none.

    Raises:
        OSError: the mail server does not take one; the others are sent.
    """
    failed: OSError | None = None
    for person in people_of(bot.owner):
        if may_know(person, contest):
            name = person.get_username()
            try:
                email_send(to=person, subject=subject, text=text, values={**values, "author": name, "person": name})
            except OSError as error:
                failed = error
    if failed is not None:
        raise failed
