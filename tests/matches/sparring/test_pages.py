"""Sparring by page, API and ``peck``: private, and within bounds."""

import re
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.tokens import token_create
from bots.models import BotVersion
from matches.models import Match, MatchState, Sparring
from matches.selectors import matches_listed
from matches.sparring.views import SparringForm
from peck import compete
from peck.__main__ import main
from tests.arena.factories import UserFactory
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.matches.factories import CRASHES, FinishedMatchFactory
from tests.matches.sparring.sparring import client_of, played, refused, spar

pytestmark = pytest.mark.django_db


def test_nobody_else_sees_it_and_no_list_has_it(new: BotVersion, old: BotVersion) -> None:
    match = played(spar(new, old))
    owner, staff, other = new.bot.owner, UserFactory(is_staff=True), BotVersionFactory().bot.owner
    organiser = UserFactory(is_organiser=True)
    for name in ("matches:detail", "matches:cells", "matches:embed", "matches:file", "api-matches:detail"):
        address = reverse(name, args=[match.pk])
        for person in (None, other, organiser):
            assert client_of(person).get(address).status_code == 404, name
        if not name.startswith("api"):
            assert {client_of(one).get(address).status_code for one in (owner, staff)} == {200}
    address, again = reverse("matches:detail", args=[match.pk]), reverse("bots:spar", args=[new.bot.slug])
    assert f'href="{again}"' in client_of(owner).get(address).content.decode()
    assert f'href="{again}"' not in client_of(staff).get(address).content.decode()
    assert not matches_listed().filter(pk=match.pk).exists()
    of_bot = reverse("bots:detail", args=[new.bot.slug])
    for address in ("/matches/", of_bot, "/watch/", "/"):
        for person in (None, staff, other, *((owner,) if address != of_bot else ())):
            assert f"/matches/{match.pk}/" not in client_of(person).get(address).content.decode(), address
    assert client_of(other).get(reverse("bots:spar", args=[new.bot.slug])).status_code == 404
    assert client_of(staff).get(reverse("bots:spar", args=[new.bot.slug])).status_code == 404
    assert f"/matches/{match.pk}/" in client_of(owner).get(reverse("bots:spar", args=[new.bot.slug])).content.decode()
    assert (
        "private match"
        not in client_of(None).get(reverse("matches:detail", args=[FinishedMatchFactory().pk])).content.decode()
    )


def test_what_it_has_shown_comes_first_on_its_page_and_on_that_of_the_bot(new: BotVersion, old: BotVersion) -> None:
    match = spar(new, old, blocks=30)
    owner, verdict = client_of(new.bot.owner), f"{new.bot.name} v2 is better than {new.bot.name} v1."
    addresses = [reverse("matches:detail", args=[match.pk]), reverse("bots:detail", args=[new.bot.slug])]
    pages = [owner.get(address).content.decode() for address in addresses]
    assert all("No answer yet" in page and verdict not in page for page in pages)
    played(match)
    page, bot = (owner.get(address).content.decode() for address in addresses)
    assert page.index(verdict) < page.index('id="replay"')
    assert 'id="match-first"' in owner.get(reverse("matches:cells", args=[match.pk])).content.decode()
    assert f'href="{addresses[1]}"' in page[page.index('id="sparring"') : page.index('id="replay"')]
    assert bot.index(verdict) < bot.index("<h2", bot.index("<main"))
    assert f'href="{addresses[0]}"' in bot
    Match.objects.filter(pk=match.pk).update(created_at=timezone.now() - timedelta(days=8))
    assert verdict not in owner.get(addresses[1]).content.decode()


def test_the_games_that_an_own_bot_did_not_win_are_a_click_away(new: BotVersion, old: BotVersion) -> None:
    match = played(spar(old, new, blocks=30, stopping={}))
    seat = match.seats.order_by("index")[0]
    seat.places = [1, 2] * 30
    seat.save()
    page = client_of(new.bot.owner).get(reverse("matches:detail", args=[match.pk])).content.decode()
    assert 'href="?game=2#replay" data-replay-game="1">watch a game that it lost' in " ".join(page.split())
    listed = page[page.index("did not win:") :]
    assert re.findall(r'data-replay-game="(\d+)"', listed)[:12] == [str(number) for number in range(1, 24, 2)]
    assert "and 18 more" in listed
    assert (
        "did not win:"
        not in client_of(UserFactory(is_staff=True)).get(reverse("matches:detail", args=[match.pk])).content.decode()
    )


def test_forbidden_sparring_partners_are_refused(new: BotVersion, old: BotVersion) -> None:
    author, outsider = new.bot.owner, BotVersionFactory()
    assert refused(author, new, outsider) == ("not_yours", "opponent")
    assert refused(outsider.bot.owner, new, old) == ("not_yours", "opponent")
    assert refused(author, outsider, new) == ("not_yours", "opponent")
    waiting = BotVersionFactory(bot=old.bot, open=True)
    assert refused(author, waiting, old) == ("not_accepted", "version")
    assert refused(author, old, waiting) == ("not_accepted", "opponent_version")
    cards = BotVersionFactory(bot=BotFactory(owner=author, game="karteneck"))
    assert refused(author, new, cards) == ("other_game", "opponent")
    for terms, field in (
        ({"blocks": 0}, "blocks"),
        ({"blocks": 501}, "blocks"),
        ({"players": 8}, "players"),
        ({"players": 1}, "players"),
        ({"ruleset": "nonsense/1"}, "ruleset"),
        ({"options": {"nonsense": 1}}, "options"),
        ({"blocks": 100, "players": 3, "stopping": {"effect": 0.1}}, "stopping"),
        ({"blocks": 100, "stopping": {"effect": 7}}, "stopping"),
        ({"blocks": 2, "stopping": {"effect": 0.1}}, "blocks"),
    ):
        assert refused(author, new, old, **terms) == ("invalid", field)
    assert refused(author, new, old, ruleset="karteneck/1") == ("other_game", "ruleset")
    assert not Match.objects.exists()
    assert not Sparring.objects.exists()


def test_its_page_makes_a_match_or_says_what_is_wrong(new: BotVersion, old: BotVersion) -> None:
    client, address = client_of(new.bot.owner), reverse("bots:spar", args=[new.bot.slug])
    shown = client.get(address).content.decode()
    assert f"{new.bot.name} v1" in shown
    options = {field.html_name: field.value() for field in client.get(address).context["form"].option_fields()}
    typed = options | {"version": new.pk, "opponent": old.pk, "players_per_table": 2, "blocks": 30, "effect": 0.1}
    typed["is_sequential"] = "on"
    answer = client.post(address, typed)
    assert answer.status_code == 302, answer.context["form"].errors
    made = Sparring.objects.get()
    assert answer["Location"] == reverse("matches:detail", args=[made.pk])
    assert made.match.stopping == {"rule": "gsprt/2", "effect": 0.1, "error": 0.05}
    assert made.match.blocks == 30
    fixed = client.post(address, {name: value for name, value in typed.items() if name != "is_sequential"})
    assert fixed.status_code == 302
    assert Match.objects.latest("pk").stopping == {}
    for wrong in (
        {"players_per_table": 9},
        {"blocks": 9999},
        {"blocks": ""},
        {"opponent": BotVersionFactory().pk},
        {"opponent": "x"},
        {"effect": "7"},
        {"option_start": "nonsense"},
    ):
        assert client.post(address, typed | wrong).status_code == 422, wrong
    client.post(reverse("bots:spar-stop", args=[made.pk]))
    made.match.refresh_from_db()
    assert made.match.state == MatchState.CANCELLED
    assert client_of(UserFactory()).post(reverse("bots:spar-stop", args=[made.pk])).status_code == 404


@pytest.mark.parametrize("players", [3, 7])
def test_its_form_as_it_comes_lets_more_than_two_play(new: BotVersion, old: BotVersion, players: int) -> None:
    client, address = client_of(new.bot.owner), reverse("bots:spar", args=[new.bot.slug])
    form = client.get(address).context["form"]
    preset = {field.html_name: field.value() for field in form if field.value() is not None}
    answer = client.post(address, preset | {"players_per_table": players})
    assert answer.status_code == 302, answer.context["form"].errors
    match = Sparring.objects.get().match
    assert (match.seats.count(), match.stopping) == (players, {})


def test_over_the_api(new: BotVersion, old: BotVersion) -> None:
    headers = {"authorization": f"Token {token_create(owner=new.bot.owner, name='x')}"}
    anonymous = {"authorization": f"Token {token_create(owner=UserFactory(), name='x')}"}
    client, address = Client(), reverse("api:sparrings")

    def post(**body: Any) -> Any:
        return client.post(address, body, content_type="application/json", headers=headers)

    made = post(bot=new.bot.slug, opponent_version=1, blocks=20)
    assert (made.status_code, made.json()["answer"], made.json()["version"]) == (201, "open", 2)
    one = reverse("api:sparring", args=[made.json()["match"]])
    assert client.get(one, headers=headers).json()["opponent_version"] == 1
    assert [client.get(one, headers=who).status_code for who in ({}, anonymous)] == [401, 404]
    assert [client.delete(one, headers=who).status_code for who in ({}, anonymous)] == [401, 404]
    assert client.get(address, headers=anonymous).json()["results"] == []
    assert [found["match"] for found in client.get(address, headers=headers).json()["results"]] == [
        made.json()["match"]
    ]
    played(Match.objects.get())
    data = client.get(one, headers=headers).json()
    assert data["answer"] in ("better", "undecided", "too_close")
    assert data["low"] <= data["share"] <= data["high"]
    assert client.delete(one, headers=headers).json()["state"] == "finished", "what is over stays"
    assert post(bot="nobody").json()["code"] == "unknown_bot"
    assert post(bot=new.bot.slug, version=9).json()["code"] == "no_version"
    assert post(bot=new.bot.slug, opponent=BotVersionFactory().bot.slug).status_code == 403
    assert post(bot=new.bot.slug, players=3).json()["field"] == "stopping"
    assert post(bot=new.bot.slug, options={"x": 1}).json()["field"] == "options"
    assert post(bot=new.bot.slug, effect=float(7)).json()["field"] == "stopping"
    limit = [post(bot=new.bot.slug).status_code for _ in range(4)]
    assert limit == [201, 201, 201, 429]
    assert post(bot=new.bot.slug).json()["code"] == "too_many"


def test_peck_spar_waits_for_the_answer(
    live_server: Any, new: BotVersion, old: BotVersion, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("PECK_SITE", live_server.url)
    monkeypatch.setenv("PECK_TOKEN", token_create(owner=new.bot.owner, name="x"))
    monkeypatch.setattr(compete, "sleep", lambda _seconds: played(Match.objects.latest("pk")))
    assert main(["spar", new.bot.slug, "--against", "1", "--blocks", "100"]) == 0
    output = capsys.readouterr()
    assert f"{new.bot.name} v2 is better than {new.bot.name} v1." in output.out
    assert f"/matches/{Match.objects.get().pk}/" in output.err
    assert main(["spar", new.bot.slug, "--version", "1", "--against", "2", "--blocks", "100", "--json"]) == 1
    assert '"answer": "worse"' in capsys.readouterr().out
    crasher = BotVersionFactory(bot=old.bot, source=CRASHES)
    assert (
        main(["spar", new.bot.slug, "--version", str(crasher.number), "--against", "1", "--fixed", "--blocks", "2"])
        == 3
    )
    assert main(["spar", new.bot.slug, "--no-wait"]) == 0
    assert "No answer yet" in capsys.readouterr().out
    assert main(["spar", new.bot.slug, "--option", "nonsense=1"]) == 2
    assert main(["spar", new.bot.slug, "nobody-at-all"]) == 2
    codes = [main(["spar", new.bot.slug, "--no-wait"]) for _ in range(3)]
    assert codes == [0, 0, 4], "there are three already"
    with patch("peck.site.Site._answer", lambda *_: (200, b"{}")):
        assert main(["spar", new.bot.slug]) == 4


def test_too_few_blocks_are_refused_in_the_language_of_the_author(new: BotVersion, old: BotVersion) -> None:
    client, address = client_of(new.bot.owner), reverse("bots:spar", args=[new.bot.slug])
    options = {field.html_name: field.value() for field in client.get(address).context["form"].option_fields()}
    typed = options | {"version": new.pk, "opponent": old.pk, "players_per_table": 2, "blocks": 10, "effect": 0.1}
    answer = client.post(address, typed | {"is_sequential": "on"}, HTTP_ACCEPT_LANGUAGE="de")
    assert answer.status_code == 422
    assert "braucht mindestens 12 Verteilungen" in str(answer.context["form"].errors["blocks"])


def test_the_form_begins_with_the_newest_version_against_the_one_before_or_a_house_bot() -> None:
    version = BotVersionFactory.create(number=1)
    house = BotVersionFactory.create(bot__is_house=True, bot__game=version.bot.game)
    house.bot.current = house
    house.bot.save()
    assert SparringForm(bot=version.bot).initial["opponent"] == house
    newer = BotVersionFactory.create(bot=version.bot, number=2)
    first = SparringForm(bot=version.bot).initial
    assert (first["version"], first["opponent"]) == (newer, version)
