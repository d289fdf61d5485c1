"""Cells that sockets are sent: what a stranger is given by HTTP, and nothing once it is not everyone's any more."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import caches
from django.urls import reverse

from arena import cells_asked
from arena.cells_asked import CellsAsked
from arena.handler import BoundedHandler
from arena.logs.ids import id_header
from matches.live import announce, pushed_cells
from matches.live.pushed_cells import SiteBusyError, cells_answered_by
from tests.arena.asgi import asked
from tests.matches.live.conftest import visit  # noqa: F401  a fixture
from tests.tournaments.factories import finish_matches, running_tournament
from tournaments.models import Publication, Tournament, TournamentState
from web.page_cache import PageCache
from web.topics import SHARED, CellsRequest, topic_ticket

TOPIC = "tournament.5"
WANTED = CellsRequest(TOPIC, "/tournaments/c%75p/live/?page=2&bot=%20x", "de", "", None)
SOCKET = {
    "scheme": "wss",
    "client": ("10.1.2.3", 5),
    "headers": [
        (b"host", b"here"),
        (b"cookie", b"sessionid=x"),
        (b"authorization", b"Token x"),
        (b"x-forwarded-for", b"10.9.9.9"),
        (b"x-forwarded-proto", b"https"),
        (b"x-live-have", b"0" * 32),
    ],
}


class Site:
    """Gives one answer, and keeps the scopes of who asked."""

    def __init__(self, *headers: tuple[bytes, bytes], status: int = 200, pieces: tuple[bytes, ...] = (b"cells",)):
        self.start = {"type": "http.response.start", "status": status, "headers": list(headers)}
        self.pieces = pieces
        self.scopes: list[Any] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.scopes.append(scope)
        assert await receive() == {"type": "http.request", "body": b"", "more_body": False}
        await send(self.start)
        for number, piece in enumerate(self.pieces, 1):
            await send({"type": "http.response.body", "body": piece, "more_body": number < len(self.pieces)})


EVERYONES = (SHARED.encode(), b"tournament.5 2")


async def test_the_site_is_asked_as_by_a_stranger_of_the_same_address_and_nothing_else_is_told_of_the_socket() -> None:
    site = Site(EVERYONES, (b"X-Live-State", b"a" * 32), (b"X-Live-Again", b"7"), pieces=(b"c\xc3\xa9", b"lls"))
    answer = await CellsAsked(site)(WANTED, "b" * 32, SOCKET)
    assert answer == pushed_cells.CellsAnswer("a" * 32, 7, "célls")
    [scope] = site.scopes
    assert (scope["type"], scope["method"], scope["scheme"], scope["client"]) == (
        "http",
        "GET",
        "https",
        ("10.1.2.3", 5),
    )
    assert (scope["path"], scope["query_string"]) == ("/tournaments/cup/live/", b"page=2&bot=%20x")
    assert dict(scope["headers"]) == {
        b"host": b"here",
        b"x-forwarded-proto": b"https",
        b"x-forwarded-for": b"10.9.9.9",
        b"x-live-cells": b"1",
        b"accept-language": b"de",
        b"x-live-have": b"b" * 32,
    }
    await CellsAsked(site)(WANTED, "", SOCKET)
    assert b"x-live-have" not in dict(site.scopes[1]["headers"])


@pytest.mark.parametrize(
    "site",
    [
        Site(),
        Site((SHARED.encode(), b"tournament.6 2")),
        Site((SHARED.encode(), b"tournament.5")),
        Site(EVERYONES, status=404),
        Site(EVERYONES, pieces=(b"x" * cells_asked.PAGE_BYTES_MOST, b"x")),
        Site(EVERYONES, pieces=()),
    ],
    ids=["nobody's", "of another topic", "without seconds", "gone", "too large", "without an end"],
)
async def test_what_is_not_everyones_or_not_an_answer_is_not_sent(site: Site) -> None:
    assert await CellsAsked(site)(WANTED, "", SOCKET) is None


async def test_a_busy_site_is_told_from_one_without_an_answer() -> None:
    with pytest.raises(SiteBusyError):
        await CellsAsked(Site(EVERYONES, status=503))(WANTED, "", SOCKET)


@pytest.fixture
def cup(monkeypatch: pytest.MonkeyPatch) -> Tournament:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.setattr(pushed_cells, "NEWS_SECONDS", 0.0)
    monkeypatch.setattr(pushed_cells, "_asks", [])
    for name in ("default", "optional"):
        caches[name].clear()
    return running_tournament(4, format="swiss", rounds=3)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("hidden", [{"publication": Publication.HIDDEN}, {"state": TournamentState.DRAFT}])
async def test_a_viewer_is_sent_what_strangers_are_given_until_the_tournament_is_not_for_them_any_more(
    visit: Any,  # noqa: F811  the fixture
    cup: Tournament,
    hidden: dict[str, str],
) -> None:
    handler = BoundedHandler()
    cells_answered_by(CellsAsked(PageCache(handler, id_header)))
    topic, src = f"tournament.{cup.pk}", reverse("tournaments:live", args=[cup.slug])
    page = await visit("/ws/live/")
    await page.say({"subscribe": [topic_ticket(topic)]})
    await page.hear()
    wants = {"topic": topic_ticket(topic), "src": src, "language": "en", "due": 0}
    await page.say({"cells": [wants]})
    first = await page.hear()
    assert (first["src"], first["have"]) == (src, "")
    stranger = await asked(handler, src)
    assert stranger.headers[b"X-Live-State"].decode() == first["state"]
    assert sorted(stranger.body.decode().split()) == sorted(first["html"].split())

    await sync_to_async(finish_matches)(cup)
    await sync_to_async(announce)(topic)
    changed = await page.hear()
    assert changed["have"] == first["state"] != changed["state"]
    assert "<template>" in changed["html"]
    assert len(changed["html"]) < len(first["html"])

    await Tournament.objects.filter(pk=cup.pk).aupdate(**hidden)
    await sync_to_async(announce)(topic)
    assert await page.hear() == {"topic": topic}
    await page.say({"cells": [wants]})
    assert await page.hear() == {"topic": topic}
    await sync_to_async(announce)(topic)
    assert await page.hear() == {"topic": topic}
