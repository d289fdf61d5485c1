"""Who may rule: every page and button, for every kind of visitor."""

from copy import deepcopy

import pytest
from django.test import Client
from django.urls import reverse

from tests.arena.factories import UserFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of, finish_matches
from tournaments import services
from tournaments.models import Ruling, Tournament

pytestmark = pytest.mark.django_db

VISITORS = ("anonymous", "author", "entrant", "arbiter", "organiser", "staff")
LOGIN = "to sign in"
RULES = (LOGIN, 403, 403, 200, 200, 200)
OWNS = (LOGIN, 403, 403, 403, 200, 200)
# (method, address, data, state): what each visitor gets; 200 stands for what is shown or done.
DOORS = {
    "the log": ("get", "rulings", [], {}, (200,) * 6),
    "its sheet": ("get", "rulings-export", [], {}, (200,) * 6),
    "a ruling": ("get", "rule", ["void"], {"round": 1, "table": 1, "look": 1}, RULES),
    "a note": ("post", "rule", ["note"], {"reason": "So be it."}, RULES),
    "pause": ("post", "act", ["pause"], {}, RULES),
    "release": ("post", "act", ["release"], {}, RULES),
    "withdraw": ("post", "withdraw", ["entry"], {}, (LOGIN, 403, 200, 200, 200, 200)),
    "cancel": ("post", "act", ["cancel"], {}, OWNS),
    "publish": ("post", "publish", [], {"publication": "hidden"}, OWNS),
    "arbiters": ("get", "arbiters", [], {}, OWNS),
    "a new arbiter": ("post", "arbiters", [], {"username": "wren"}, OWNS),
    "one arbiter less": ("post", "dismiss", ["arbiter"], {}, OWNS),
}


class Scene:
    """A Swiss that runs, and the six kinds of visitor; the entrant has a bot in it."""

    def __init__(self):
        names = ("author", "entrant", "arbiter", "organiser")
        self.people = {**{name: UserFactory() for name in names}, "staff": UserFactory(is_staff=True)}
        UserFactory(username="wren")
        self.cup = TournamentFactory(entries=3, organiser=self.people["organiser"], format="swiss", rounds=3)
        self.entry = EntryFactory(tournament=self.cup, bot=bot_of(self.people["entrant"]))
        self.cup.arbiters.add(self.people["arbiter"])
        services.tournament_start(tournament=self.cup)
        finish_matches(self.cup, most=1)

    def knock(self, visitor, door):
        method, name, args, data, _ = DOORS[door]
        ids = {"entry": self.entry.pk, "arbiter": self.people["arbiter"].pk}
        client = Client()
        if visitor in self.people:
            client.force_login(self.people[visitor])
        where = reverse(f"tournaments:{name}", args=[self.cup.slug, *(ids.get(one, one) for one in args)])
        if name == "rule" and method == "post":
            shown = client.get(where)
            data = {**data, "basis": shown.context["basis"] if shown.context and "basis" in shown.context else ""}
        return getattr(client, method)(where, data)


@pytest.fixture(scope="module")
def shared_scene(module_rows):
    return Scene()


@pytest.fixture
def scene(shared_scene):
    return deepcopy(shared_scene)


@pytest.mark.parametrize("visitor", VISITORS)
@pytest.mark.parametrize("door", DOORS)
def test_doors(visitor, door, scene):
    response = scene.knock(visitor, door)
    wanted = DOORS[door][4][VISITORS.index(visitor)]
    if wanted == LOGIN:
        assert response.url.startswith(reverse("account_login"))
    elif wanted == 200:
        assert response.status_code in (200, 302)
        assert not (response.status_code == 302 and response.url.startswith(reverse("account_login")))
    else:
        assert response.status_code == wanted
    done = wanted == 200
    if door == "a note":
        assert Ruling.objects.exists() == done
    if door == "cancel":
        assert (Tournament.objects.get().state == "cancelled") == done
    if door == "a new arbiter":
        assert scene.cup.arbiters.filter(username="wren").exists() == done
    if door == "withdraw":
        scene.entry.refresh_from_db()
        assert scene.entry.is_withdrawn == done


@pytest.mark.parametrize("visitor", VISITORS)
def test_the_log_of_unpublished_results_is_for_those_who_may_see_them(visitor, scene):
    Tournament.objects.update(publication="hidden")
    response = scene.knock(visitor, "the log")
    assert response.status_code == (200 if visitor in ("arbiter", "organiser", "staff") else 403)


@pytest.mark.parametrize("visitor", VISITORS)
def test_each_sees_the_buttons_that_are_theirs(visitor, scene):
    client = Client()
    if visitor in scene.people:
        client.force_login(scene.people[visitor])
    html = client.get(reverse("tournaments:detail", args=[scene.cup.slug])).content.decode()
    for name, args, sees in [
        ("act", ["pause"], ("arbiter", "organiser", "staff")),
        ("act", ["cancel"], ("organiser", "staff")),
        ("publish", [], ("organiser", "staff")),
        ("arbiters", [], ("organiser", "staff")),
    ]:
        assert (reverse(f"tournaments:{name}", args=[scene.cup.slug, *args]) in html) == (visitor in sees)
