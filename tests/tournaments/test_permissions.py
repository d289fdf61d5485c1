"""Who may do what: every page and every button, for every kind of visitor."""

from copy import deepcopy

import pytest
from django.test import Client
from django.urls import reverse

from tests.arena.factories import OrganiserFactory, UserFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of
from tests.tournaments.test_forms import typed
from tournaments import services
from tournaments.models import Entry, Tournament
from tournaments.selectors.entering.editing import tournament_edit_basis

pytestmark = pytest.mark.django_db

VISITORS = ("anonymous", "author", "organiser", "other_organiser", "staff")
LOGIN = "to sign in"
# What each visitor gets for a button in the state it is meant for. 302: done, back to the page.
BUTTONS = {
    "open": ("draft", (LOGIN, 404, 302, 404, 302)),
    "edit": ("draft", (LOGIN, 404, 302, 404, 302)),
    "start": ("open", (LOGIN, 403, 302, 403, 302)),
    "enter": ("open", (LOGIN, 302, 302, 302, 302)),
    "withdraw": ("open", (LOGIN, 302, 302, 403, 302)),
    "pause": ("running", (LOGIN, 403, 302, 403, 302)),
    "release": ("running", (LOGIN, 403, 302, 403, 302)),
    "resume": ("paused", (LOGIN, 403, 302, 403, 302)),
    "cancel": ("running", (LOGIN, 403, 302, 403, 302)),
}
PAGES = ("detail", "live", "tie-breaks", "export", "edit")


@pytest.fixture(autouse=True)
def no_broker(monkeypatch):
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


class Scene:
    """A tournament in a state, and the five kinds of visitor; the author has a bot in it and one that is not."""

    def __init__(self, state):
        self.people = {
            "author": UserFactory(),
            "organiser": OrganiserFactory(),
            "other_organiser": OrganiserFactory(),
            "staff": UserFactory(is_staff=True),
        }
        self.cup = TournamentFactory(organiser=self.people["organiser"], state="draft", entries_per_author=9)
        if state != "draft":
            services.tournament_open(tournament=self.cup)
        EntryFactory.create_batch(2, tournament=self.cup)
        self.entry = EntryFactory(tournament=self.cup, bot=bot_of(self.people["author"]))
        self.cup.refresh_from_db()
        self.edit = {"basis": tournament_edit_basis(self.cup)}
        self.spare = {name: bot_of(person) for name, person in self.people.items()}
        if state in ("running", "paused"):
            services.tournament_start(tournament=self.cup)
        if state == "paused":
            services.tournament_pause(tournament=self.cup)

    def client(self, visitor):
        client = Client()
        if visitor in self.people:
            client.force_login(self.people[visitor])
        return client

    def press(self, visitor, button):
        name, args, data = {
            "edit": ("edit", [], typed(**self.edit)),
            "enter": ("enter", [], {"bot": self.spare[visitor].pk if visitor in self.spare else 0}),
            "withdraw": ("withdraw", [self.entry.pk], {}),
        }.get(button, ("act", [button], {}))
        return self.client(visitor).post(reverse(f"tournaments:{name}", args=[self.cup.slug, *args]), data)

    def snapshot(self):
        """Everything but the number by which pages know that something was done."""
        tournaments = [row | {"revision": 0} for row in Tournament.objects.values()]
        return tournaments, list(Entry.objects.order_by("pk").values())


@pytest.fixture(scope="module")
def shared_scenes(module_rows):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
        return {state: Scene(state) for state in ("draft", "open", "running", "paused")}


@pytest.fixture
def scene_in(shared_scenes):
    """``scene_in(state)``"""
    return lambda state: deepcopy(shared_scenes[state])


@pytest.mark.parametrize("visitor", VISITORS)
@pytest.mark.parametrize("button", BUTTONS)
def test_buttons(visitor, button, scene_in):
    state, answers = BUTTONS[button]
    scene = scene_in(state)
    before = scene.snapshot()
    response = scene.press(visitor, button)
    wanted = answers[VISITORS.index(visitor)]
    if wanted == LOGIN:
        assert response.status_code == 302
        assert response.url.startswith(reverse("account_login"))
    else:
        assert response.status_code == wanted
    done = wanted == 302
    assert (scene.snapshot() != before) == (done and button != "release")


@pytest.mark.parametrize("visitor", VISITORS)
@pytest.mark.parametrize("state", ["draft", "open", "running"])
@pytest.mark.parametrize("name", PAGES)
def test_pages(visitor, state, name, scene_in):
    scene = scene_in(state)
    args = [scene.cup.slug, *(["tournament.json"] if name == "export" else [])]
    response = scene.client(visitor).get(reverse(f"tournaments:{name}", args=args))
    runs = visitor in ("organiser", "staff")
    if name == "edit":
        if visitor == "anonymous":
            wanted = 302
        elif runs:
            wanted = 200
        else:
            wanted = 404 if state == "draft" else 403
    else:
        wanted = 200 if runs or state != "draft" else 404
    assert response.status_code == wanted


@pytest.mark.parametrize("visitor", VISITORS)
def test_the_list_shows_drafts_to_their_organiser_and_staff(visitor, scene_in):
    scene = scene_in("draft")
    shown = scene.client(visitor).get(reverse("tournaments:list")).content.decode()
    assert (scene.cup.name in shown) == (visitor in ("organiser", "staff"))


@pytest.mark.parametrize("visitor", VISITORS)
def test_organisers_and_staff_may_create_a_draft(visitor, scene_in):
    scene = scene_in("open")
    client = scene.client(visitor)
    response = client.post(reverse("tournaments:create"), typed())
    made = Tournament.objects.filter(name="Harvest Cup")
    if visitor == "anonymous":
        assert response.url.startswith(reverse("account_login"))
        assert not made
    elif visitor == "author":
        assert response.status_code == 403
        assert reverse("organisers:ask") in response.content.decode()
        assert not made
    else:
        assert made.get().organiser == scene.people[visitor]


@pytest.mark.parametrize("visitor", VISITORS)
def test_only_who_runs_it_sees_the_organisers_bar(visitor, scene_in):
    scene = scene_in("open")
    html = scene.client(visitor).get(reverse("tournaments:detail", args=[scene.cup.slug])).content.decode()
    start = reverse("tournaments:act", args=[scene.cup.slug, "start"])
    assert (start in html) == (visitor in ("organiser", "staff"))


@pytest.mark.parametrize("button", BUTTONS)
def test_buttons_take_posts_with_a_token_only(button, scene_in):
    state, _ = BUTTONS[button]
    scene = scene_in(state)
    client = Client(enforce_csrf_checks=True)
    client.force_login(scene.people["organiser"])
    name, args = {"enter": ("enter", []), "edit": ("edit", []), "withdraw": ("withdraw", [scene.entry.pk])}.get(
        button, ("act", [button])
    )
    address = reverse(f"tournaments:{name}", args=[scene.cup.slug, *args])
    before = scene.snapshot()
    assert client.post(address).status_code == 403
    if button != "edit":
        assert client.get(address).status_code == 405
    assert scene.snapshot() == before


@pytest.mark.parametrize(("button", "state"), [("start", "draft"), ("pause", "open"), ("resume", "open")])
def test_a_button_of_another_state_answers_with_the_page_and_the_reason(button, state, scene_in):
    scene = scene_in(state)
    before = scene.snapshot()
    response = scene.press("organiser", button)
    assert response.status_code == 409
    assert "This needs a tournament that is" in response.content.decode()
    assert scene.snapshot() == before


@pytest.mark.parametrize(
    ("button", "state"), [("start", "running"), ("resume", "running"), ("open", "open"), ("pause", "paused")]
)
def test_a_second_press_is_shown_the_present_state(button, state, scene_in):
    scene = scene_in(state)
    before = scene.snapshot()
    response = scene.press("organiser", button)
    assert response.status_code == 302
    assert response.url == reverse("tournaments:detail", args=[scene.cup.slug])
    assert scene.snapshot() == before


def test_a_start_with_too_few_says_how_many_are_missing():
    cup = TournamentFactory(entries=2, players_per_table=5)
    client = Client()
    client.force_login(cup.organiser)
    response = client.post(reverse("tournaments:act", args=[cup.slug, "start"]))
    assert response.status_code == 409
    assert "A table needs 5 bots and 2 entered" in response.content.decode()


@pytest.mark.parametrize("bot", ["", "0", "rubbish", "9" * 40, "-1"])
def test_a_forged_bot_is_refused_beside_the_field(bot, scene_in):
    scene = scene_in("open")
    response = scene.client("author").post(reverse("tournaments:enter", args=[scene.cup.slug]), {"bot": bot})
    assert response.status_code == 422
    assert "bot" in response.context["page"].entry_form.errors


def test_another_authors_bot_is_refused_beside_the_field(scene_in):
    scene = scene_in("open")
    stolen = scene.spare["other_organiser"].pk
    response = scene.client("author").post(reverse("tournaments:enter", args=[scene.cup.slug]), {"bot": stolen})
    assert response.status_code == 422
    assert "not yours" in response.content.decode()
    assert not Entry.objects.filter(bot=stolen).exists()


def test_a_bot_too_many_is_refused_beside_the_field(scene_in):
    scene = scene_in("open")
    Tournament.objects.update(entries_per_author=1)
    response = scene.press("author", "enter")
    assert response.status_code == 422
    assert "may enter 1 here" in response.content.decode()


def test_nobody_enters_after_the_start(scene_in):
    scene = scene_in("running")
    assert scene.press("author", "enter").status_code == 409
    assert scene.press("author", "withdraw").status_code == 409


def test_an_entry_is_withdrawn_through_its_own_tournament_only(scene_in):
    scene, other = scene_in("open"), TournamentFactory()
    address = reverse("tournaments:withdraw", args=[other.slug, scene.entry.pk])
    assert scene.client("author").post(address).status_code == 404
    scene.entry.refresh_from_db()
    assert not scene.entry.is_withdrawn
