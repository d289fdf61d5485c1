"""A match that is not everyone's is streamed to readers of its page, by the ticket in it, and to nobody else."""

import json
import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.signing import TimestampSigner
from django.urls import reverse

from live import hub_announce
from live.consumers import CLOSE_FORBIDDEN
from matches.live import match_reader
from matches.live.match_reader import match_reader_ticket
from matches.live.match_stream import CLOSE_UNKNOWN
from matches.models import Audience, Match
from tests.arena.factories import UserFactory
from tests.groups.factories import GroupFactory
from tests.matches.live.stories import log_write, match_begin
from tests.matches.test_visibility import MAY_LOOK, READERS, sign_in

pytestmark = pytest.mark.django_db(transaction=True)

PLAYER = re.compile(r'<script id="replay-data"[^>]*>(.*?)</script>')


@sync_to_async
def begin(audience: Audience) -> Match:
    match = match_begin()
    log_write(match, actions=10)
    group = GroupFactory() if audience == Audience.GROUP else None
    Match.objects.filter(pk=match.pk).update(audience=audience, organiser=UserFactory(), group=group)
    match.refresh_from_db()
    return match


@sync_to_async
def ticket_in_the_page(client: Any, match: Match, reader: str) -> str | None:
    """What the page of ``reader`` holds; None if there is no page for it."""
    sign_in(client, reader, match)
    response = client.get(reverse("matches:detail", args=[match.pk]))
    found = PLAYER.search(response.content.decode())
    return str(json.loads(found[1])["ticket"]) if found else None


@sync_to_async
def set_audience(match: Match, audience: Audience) -> None:
    Match.objects.filter(pk=match.pk).update(audience=audience)
    hub_announce(f"match.{match.pk}")


def address(match: Match, of: str) -> str:
    return f"/ws/matches/{match.pk}/?ticket={of}"


@pytest.mark.parametrize("audience", Audience)
@pytest.mark.parametrize("reader", READERS)
async def test_only_readers_of_the_page_get_the_stream(
    client: Any, visit: Any, audience: Audience, reader: str
) -> None:
    match = await begin(audience)
    found = await ticket_in_the_page(client, match, reader)
    assert (found is not None) == (reader in MAY_LOOK[audience])
    viewer = await visit(address(match, found or ""))
    if found is None:
        assert await viewer.closed_with() == CLOSE_UNKNOWN
    else:
        assert "frames" in [message["type"] for message in await viewer.hear_until(type="state")]


async def test_a_smaller_audience_ends_the_streams_of_the_excluded(visit: Any) -> None:
    match = await begin(Audience.AUTHORS)
    viewer = await visit(address(match, match_reader_ticket(match)))
    await viewer.hear_until(type="state")
    await set_audience(match, Audience.ORGANISER)
    assert await viewer.closed_with() == CLOSE_UNKNOWN


async def test_a_match_shown_to_everyone_streams_on_to_those_who_had_a_ticket(visit: Any) -> None:
    match = await begin(Audience.AUTHORS)
    viewer = await visit(address(match, match_reader_ticket(match)))
    await viewer.hear_until(type="state")
    await set_audience(match, Audience.EVERYONE)
    assert await viewer.hears_nothing()


async def test_an_expired_ticket_gets_an_error_that_says_reload(visit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await begin(Audience.AUTHORS)
    found = match_reader_ticket(match)
    monkeypatch.setattr(match_reader, "LIFE_SECONDS", -1)
    viewer = await visit(address(match, found))
    answer = await viewer.hear()
    assert answer["error"] == "ticket_expired"
    assert "reload" in answer["detail"]
    assert await viewer.closed_with() == CLOSE_FORBIDDEN


async def test_tickets_of_other_matches_other_makers_and_other_purposes_are_refused(visit: Any) -> None:
    match, other = await begin(Audience.AUTHORS), await begin(Audience.AUTHORS)
    forged = {
        "of another match": match_reader_ticket(other),
        "changed": match_reader_ticket(match).replace("authors", "organiser"),
        "signed for something else": TimestampSigner().sign(f"{match.pk}.authors"),
        "rubbish": "%00:::",
        "long": "x" * 5000,
    }
    for what, one in forged.items():
        viewer = await visit(address(match, one))
        assert (await viewer.hear())["error"] == "bad_ticket", what
        assert await viewer.closed_with() == CLOSE_FORBIDDEN, what
