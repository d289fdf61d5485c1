"""Who may do what in a league: every page and every button, for every kind of visitor."""

import json
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.test import Client
from django.urls import reverse

from contests.game_settings_form import game_settings_initial
from games.catalogue import current
from leagues import services
from leagues.models import League, Membership, Season, SeasonEntry
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.arena.pages import assert_clean_page
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.leagues.factories import LeagueFactory, member_of

pytestmark = pytest.mark.django_db

VISITORS = ("anonymous", "outsider", "owner", "organiser", "staff")
LOGIN = "to sign in"
# The state a button is meant for, and what each visitor gets there. 302: done, back to the page.
BUTTONS = {
    "edit": ("draft", (LOGIN, 404, 404, 302, 302)),
    "open": ("draft", (LOGIN, 404, 404, 302, 302)),
    "join": ("open", (LOGIN, 302, 302, 302, 302)),
    "leave": ("open", (LOGIN, 403, 302, 302, 302)),
    "end-season": ("open", (LOGIN, 403, 403, 302, 302)),
    "next-season": ("between", (LOGIN, 403, 403, 302, 302)),
    "pause": ("open", (LOGIN, 403, 403, 302, 302)),
    "resume": ("paused", (LOGIN, 403, 403, 302, 302)),
    "close": ("open", (LOGIN, 403, 403, 302, 302)),
}
PAGES = {
    "detail": (),
    "live": (),
    "bot": ("bot",),
    "season": (1,),
    "head-to-head": (1,),
    "compare": (1,),
    "export": (1, "season.json"),
}

DIVISIONS = {"divisions": 2, "division_size": 8, "division_moves": 2}


def typed(**changes):
    return {
        "name": "Another name",
        "players_per_table": 3,
        "blocks": 1,
        "min_action_ms": 0,
        "bots_per_author": 2,
        "season_days": 30,
        **DIVISIONS,
        **game_settings_initial(game="pickomino", options=current("pickomino").validate(3, {}), limits={}),
        **changes,
    }


class Scene:
    """A league in a state, with a bot of its owner in it (but for a draft), and a spare bot of everyone."""

    def __init__(self, state):
        self.people = {
            "outsider": OrganiserFactory(),
            "owner": UserFactory(),
            "organiser": OrganiserFactory(),
            "staff": UserFactory(is_staff=True),
        }
        self.league = LeagueFactory(organiser=self.people["organiser"])
        self.membership = None
        if state != "draft":
            services.league_open(league=self.league)
            self.membership = member_of(self.league, owner=self.people["owner"])
        if state == "between":
            services.season_end(league=self.league)
        if state == "paused":
            services.league_pause(league=self.league)
        self.spare = {name: BotVersionFactory(bot=BotFactory(owner=who)).bot.pk for name, who in self.people.items()}

    def client(self, visitor):
        client = Client()
        if visitor in self.people:
            client.force_login(self.people[visitor])
        return client

    def press(self, visitor, button):
        name, args, data = {
            "edit": ("edit", [], typed()),
            "join": ("join", [], {"bot": self.spare.get(visitor, 0)}),
            "leave": ("leave", [self.membership.pk if self.membership else 0], {"reason": "two accounts"}),
        }.get(button, ("act", [button], {}))
        return self.client(visitor).post(reverse(f"leagues:{name}", args=[self.league.slug, *args]), data)

    def snapshot(self):
        return [list(model.objects.order_by("pk").values()) for model in (League, Season, Membership, SeasonEntry)]


@pytest.mark.parametrize("button", BUTTONS)
def test_buttons(button):
    state, answers = BUTTONS[button]
    for visitor, wanted in zip(VISITORS, answers, strict=True):
        scene = Scene(state)
        before = scene.snapshot()
        response = scene.press(visitor, button)
        if wanted == LOGIN:
            assert response.status_code == 302
            assert response.url.startswith(reverse("account_login"))
        else:
            assert response.status_code == wanted, visitor
        assert (scene.snapshot() != before) == (wanted == 302), visitor


@pytest.mark.parametrize("button", ["open", "next-season"])
def test_a_button_pressed_too_late_is_refused_with_the_reason(button):
    scene = Scene("open")
    response = scene.press("organiser", button)
    assert response.status_code == 409
    assert_clean_page(response)
    assert b"Reload the page" in response.content or b"end it first" in response.content


def test_other_peoples_drafts_do_not_exist():
    scene = Scene("draft")
    for visitor in VISITORS:
        sees = visitor in ("organiser", "staff")
        page = scene.client(visitor).get(reverse("leagues:detail", args=[scene.league.slug]))
        assert page.status_code == (200 if sees else 404)
        assert (scene.league.name in scene.client(visitor).get("/leagues/").content.decode()) == sees


def test_everyone_reads_an_open_league():
    scene = Scene("open")
    arguments = {"bot": scene.membership.bot.slug}
    for visitor in VISITORS:
        for name, args in PAGES.items():
            address = reverse(f"leagues:{name}", args=[scene.league.slug, *(arguments.get(one, one) for one in args)])
            assert scene.client(visitor).get(address).status_code == 200, (visitor, name)
        edit = scene.client(visitor).get(reverse("leagues:edit", args=[scene.league.slug]))
        assert edit.status_code == {"anonymous": 302, "organiser": 200, "staff": 200}.get(visitor, 403)
        sent = {"description": f"By {visitor}.", "bots_per_author": 4, "season_days": 0, **DIVISIONS, "blocks": 40}
        scene.client(visitor).post(reverse("leagues:edit", args=[scene.league.slug]), sent)
        scene.league.refresh_from_db()
        edits = visitor in ("organiser", "staff")
        assert ((scene.league.description, scene.league.blocks == 40) == (f"By {visitor}.", False)) == edits


def test_the_secret_is_shown_once_the_season_is_over_and_its_hash_before():
    scene = Scene("open")
    season = Season.objects.get()
    secret = bytes(season.secret).hex()

    def pages():
        addresses = [
            reverse("leagues:detail", args=[scene.league.slug]),
            reverse("leagues:season", args=[scene.league.slug, 1]),
            reverse("leagues:export", args=[scene.league.slug, 1, "season.json"]),
        ]
        return [scene.client("staff").get(address).getvalue().decode() for address in addresses]

    proof = reverse("leagues:export", args=[scene.league.slug, 1, "proof.zip"])
    assert all(season.commitment in page and secret not in page for page in pages())
    assert scene.client("staff").get(proof).status_code == 404
    services.season_end(league=scene.league)
    assert all(season.commitment in page and secret in page for page in pages())
    with ZipFile(BytesIO(scene.client("anonymous").get(proof).getvalue())) as archive:
        assert json.loads(archive.read("proof.json"))["secrets"] == [secret]


def test_a_form_that_comes_back_keeps_what_was_typed_and_says_what_was_wrong():
    scene = Scene("open")
    client = scene.client("outsider")
    response = client.post("/leagues/new/", typed(name="Coop", players_per_table=9, season_days=-1))
    assert response.status_code == 422
    assert_clean_page(response)
    html = response.content.decode()
    assert 'value="Coop"' in html
    assert 'value="9"' in html
    assert "is played by 2 to 7" in html
    assert "visible characters only" in client.post("/leagues/new/", typed(name="C\u202eoop")).content.decode()
    assert client.post("/leagues/new/", typed(name="Coop")).status_code == 302
    league = League.objects.get(name="Coop")
    assert (league.slug, league.players_per_table, league.season_days, league.state) == ("coop", 3, 30, "draft")
    assert client.get("/leagues/coop/edit/").status_code == 200
