"""What other sites show of links to tournaments, leagues and bots: words and a picture, and nothing that is hidden."""

import re
from xml.etree.ElementTree import fromstring

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from tests.bots.factories import BotVersionFactory
from tests.leagues.factories import LeagueFactory, open_league
from tests.tournaments.factories import TournamentFactory, finish_matches, running_tournament
from tournaments.models import Publication, Tournament
from tournaments.services import tournament_advance
from web import previews
from web.previews import HEIGHT, WIDTH, PreviewCard, preview_card_svg, preview_png

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    caches["optional"].clear()


def head(client: Client, page: str) -> dict[str, str]:
    html = client.get(page).content.decode()
    return dict(re.findall(r'<meta property="og:([\w:]+)" content="(.*?)">', html))


def words(client: Client, monkeypatch: pytest.MonkeyPatch, address: str) -> str:
    """What the picture at that address says."""
    drawn: list[str] = []
    monkeypatch.setattr(previews, "preview_png", lambda svg: drawn.append(svg) or b"")
    previews._card_png.cache_clear()
    answer = client.get(address)
    assert answer.headers["Content-Type"] == "image/png"
    return " | ".join("".join(one.itertext()) for one in fromstring(drawn[0]) if one.tag.endswith("text"))


def finished() -> Tournament:
    cup = running_tournament(2, format="single_elimination")
    finish_matches(cup)
    tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    return cup


@pytest.mark.parametrize("room", ["tournaments", "leagues", "bots"])
def test_a_page_names_its_picture(client: Client, room: str) -> None:
    made = {"tournaments": TournamentFactory, "leagues": open_league, "bots": lambda: BotVersionFactory().bot}[room]()
    page = reverse(f"{room}:detail", args=[made.slug])
    found = head(client, page)
    assert found["title"] == made.name
    assert found["description"].startswith("Pickomino")
    assert found["url"] == f"http://testserver{page}"
    answer = client.get(found["image"].removeprefix("http://testserver"))
    assert answer.content.startswith(b"\x89PNG")
    size = answer.content[16:24]
    assert (int.from_bytes(size[:4]), int.from_bytes(size[4:])) == (WIDTH, HEIGHT)


def test_the_picture_of_a_tournament_says_who_won_it_if_everyone_may_know(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = finished()
    address = reverse("tournaments:preview", args=[cup.slug])
    assert words(client, monkeypatch, address).startswith("Pickomino · Single elimination | Cup")
    assert "Winner: " in words(client, monkeypatch, address)
    Tournament.objects.filter(pk=cup.pk).update(publication=Publication.HIDDEN)
    hidden = words(client, monkeypatch, address)
    assert "Winner" not in hidden
    assert "finished | 2 bots" in hidden
    client.force_login(cup.organiser)
    assert words(client, monkeypatch, address) == hidden


def test_a_draft_has_no_picture_for_others(client: Client) -> None:
    for address in (
        reverse("tournaments:preview", args=[TournamentFactory(state="draft").slug]),
        reverse("leagues:preview", args=[LeagueFactory(state="draft").slug]),
        reverse("bots:preview", args=["nobody"]),
    ):
        assert client.get(address).status_code == 404


@pytest.mark.parametrize("name", ["<b>Hen</b> & Co", "W" * 80, "鶏" * 80, "a " * 40, "\x00\x1b\u202e]]>", "-" * 80])
def test_any_name_fits_into_the_picture(name: str) -> None:
    svg = preview_card_svg(PreviewCard("Pickomino", name, (name, name, name)))
    texts = [one for one in fromstring(svg) if one.tag.endswith("text")]
    assert all(int(one.get("y", "0")) < HEIGHT for one in texts)
    assert max(len("".join(one.itertext())) for one in texts if one.get("font-size") == "64") <= 25
    assert preview_png(svg).startswith(b"\x89PNG")
    assert preview_png(svg) != preview_png(re.sub("<text.*</text>", "", svg)), "its letters are drawn"
