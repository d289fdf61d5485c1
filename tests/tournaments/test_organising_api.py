"""The operations of organisers and arbiters over the API: who may, and what is refused, by name."""

from collections.abc import Iterable
from typing import Any, Final

import pytest
from django.db import transaction
from django.test import Client

from tests.arena.factories import UserFactory
from tests.arena.openapi import as_described
from tests.arena.test_who_sees_what import snapshot
from tests.bots.test_permissions import token_of
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of, finish_matches
from tournaments.formats.registry import FORMATS
from tournaments.models import Tournament
from tournaments.services import forbidden_pair_create, tournament_lock, tournament_pause, tournament_start

pytestmark = pytest.mark.django_db

# "author" has nothing to do with the tournaments, "owner" has a bot in each that takes some, "arbiter" rules in each.
ROLES: Final = ("nobody", "author", "owner", "arbiter", "organiser", "staff")
DAILY: Final = ("arbiter", "swiss")  # the others are slow
NEW: Final = {"name": "Harvest Cup", "game": "pickomino"}
PAIR: Final = {"one": "owned", "other": "bird-1"}
VOID: Final = {"kind": "void", "round": 1, "table": 1}
RIGHTS: Final = """
401 403 403 403 201 201
    post /tournaments/
401 404 404 404 200 200
    get draft/settings/ patch draft/settings/ post draft/open/
401 403 403 403 200 200
    get open/settings/ patch open/settings/ post open/lock/ post open/start/ post open/cancel/ post locked/reopen/
    put open/publication/ get open/arbiters/ post waiting/rounds/1/start/ post waiting/rounds/1/swap/
401 403 403 200 200 200
    post waiting/pause/ post paused/resume/ post waiting/release/ post played/rulings/preview/
401 403 403 403 201 201
    post waiting/forbidden-pairs/ post open/arbiters/
401 403 403 403 204 204
    delete waiting/forbidden-pairs/PAIR/ delete open/arbiters/judge/
401 409 201 201 201 201
    post locked/luck/
401 403 403 201 201 201
    post played/rulings/
200 200 200 200 200 200
    get waiting/forbidden-pairs/ get played/export/tournament.json get played/export/standings.csv
    get played/export/fixtures.csv get played/export/rulings.csv get played/export/ratings.csv
    get played/export/ratings.json get played/export/stage-1.trf
403 403 403 200 200 200
    get hidden/export/tournament.json get hidden/export/standings.csv get hidden/export/fixtures.csv
    get hidden/export/rulings.csv get hidden/export/ratings.csv get hidden/export/ratings.json
    get hidden/export/stage-1.trf
404 404 404 404 404 404
    get played/export/proof.zip
"""
BODIES: Final[dict[str, Any]] = {
    "/tournaments/": NEW,
    "settings/": {"description": "Every autumn."},
    "publication/": {"publication": "hidden"},
    "swap/": {**PAIR, "despite": ["Bird and Owned are kept apart.", "Owned and Bird are kept apart."]},
    "arbiters/": {"username": "ada"},
    "forbidden-pairs/": PAIR,
    "luck/": {"text": "dice: 3 1 6"},
    "preview/": VOID,
}


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def rights() -> dict[str, list[str]]:
    table, answers = {}, []
    for line in RIGHTS.strip().splitlines():
        if line[0].isdigit():
            answers = line.split()
        else:
            words = line.split()
            table |= {f"{method} {at}": answers for method, at in zip(words[::2], words[1::2], strict=True)}
    return table


def daily(every: Iterable[str]) -> list[Any]:
    """All of them, but ``make test`` takes a share."""
    return [pytest.param(one, marks=() if one in DAILY else pytest.mark.slow) for one in every]


class Scene:
    """A tournament in each state that an operation needs."""

    def __init__(self) -> None:
        self.people = {role: UserFactory(is_organiser=role == "organiser") for role in ROLES[1:]}
        self.people["staff"].is_staff = True
        self.people["staff"].save()
        UserFactory(username="ada")
        self.judge = UserFactory(username="judge")
        self.bot = bot_of(self.people["owner"], slug="owned", name="Owned")
        self.rival = bot_of(UserFactory(), slug="bird-1", name="Bird")
        self.made: dict[str, Tournament] = {}

    def cup(self, name: str) -> Tournament:
        """The tournament of that name, made when it is first needed."""
        if name not in self.made:
            self.made[name] = self._make(name)
            if name != "draft":
                self.made[name].arbiters.add(self.people["arbiter"], self.judge)
        return self.made[name]

    def _make(self, name: str) -> Tournament:
        swiss = {"format": "swiss", "rounds": 2}
        if name == "draft":
            return TournamentFactory(organiser=self.people["organiser"], state="draft")
        if name == "open":
            return self._cup()
        if name == "locked":
            return tournament_lock(tournament=self._cup())
        cup = tournament_start(
            tournament=self._cup(
                **swiss,
                has_round_review=name == "waiting",
                publication="hidden" if name == "hidden" else "everyone",
            )
        )
        if name == "paused":
            tournament_pause(tournament=cup)
        if name == "played":
            finish_matches(cup)
        if name == "waiting":
            one, other = (cup.entries.get(bot__slug=slug) for slug in ("owned", "bird-1"))
            self.pair = forbidden_pair_create(tournament=cup, one=one, other=other)
        return cup

    def _cup(self, **fields: Any) -> Tournament:
        cup: Tournament = TournamentFactory(organiser=self.people["organiser"], entries=3, **fields)
        for bot in (self.bot, self.rival):
            EntryFactory(tournament=cup, bot=bot)
        return cup

    def call(self, role: str, operation: str, body: Any = None, **headers: str) -> Any:
        method, at = operation.split()
        name, _slash, rest = at.partition("/")
        address = f"/api/tournaments/{self.cup(name).slug}/{rest}" if name else f"/api{at}"
        if role != "nobody":
            headers["authorization"] = f"Token {token_of(self.people[role])}"
        if method == "patch" and "if-match" not in headers and role in ("organiser", "staff"):
            headers["if-match"] = Client().get(address, headers=headers)["ETag"]
        send = getattr(Client(), method)
        address = address.replace("PAIR", str(self.pair.pk)) if "PAIR" in address else address
        if method == "get":
            return send(address, headers=headers)
        if body is None:
            body = next((sent for end, sent in BODIES.items() if at.endswith(end)), {})
        return send(address, body, content_type="application/json", headers=headers)


@pytest.mark.parametrize("role", daily(ROLES))
def test_only_those_may_who_may_on_the_pages(role: str) -> None:
    scene = Scene()
    found = {}
    for operation, wanted in rights().items():
        status = wanted[ROLES.index(role)]
        if at := operation.split()[1].partition("/")[0]:
            scene.cup(at)
        before = snapshot()
        with transaction.atomic():
            body = None
            if operation == "post played/rulings/":
                basis = scene.call(role, "post played/rulings/preview/", VOID).json().get("basis", "none")
                body = {**VOID, "reason": "Noise.", "basis": basis}
            answer = scene.call(role, operation, body)
            if "json" in answer.get("Content-Type", ""):
                as_described(answer)
            if answer.status_code != int(status):
                found[operation, role] = answer.status_code, answer.getvalue()[:300]
            if int(status) >= 400 or operation.startswith("get"):
                assert snapshot() == before, (operation, role)
            transaction.set_rollback(True)
    assert found == {}


@pytest.mark.parametrize("code", daily([code for code, one in FORMATS.items() if one.is_offered]))
def test_what_is_decided_is_read_back_and_sent_again_changes_nothing(code: str) -> None:
    scene = Scene()
    wanted: dict[str, Any] = {**NEW, "format": code, "players_per_table": max(2, min(FORMATS[code].tables or {2}))}
    if FORMATS[code].takes_rounds:
        wanted |= {"rounds": 4, "final": "single_elimination", "final_entrants": 4, "final_blocks": 2}
    wanted |= {"limits": {"memory": 128 * 2**20}, "tie_breaks": ["wins"], "tempo": "story", "round_minutes": 5}
    made = as_described(scene.call("organiser", "post /tournaments/", wanted))
    assert made.status_code == 201, made.content
    scene.made["made"] = Tournament.objects.get(slug=made.json()["slug"])
    assert made["Location"] == f"/api/tournaments/{made.json()['slug']}/"
    first = as_described(scene.call("organiser", "get made/settings/"))
    data = first.json()
    assert {name: data[name] for name in wanted if name != "limits"} == {
        name: value for name, value in wanted.items() if name != "limits"
    }
    assert data["limits"]["memory"] == 128 * 2**20
    again = scene.call("organiser", "patch made/settings/", data, **{"if-match": first["ETag"]})
    assert (again.status_code, again.json(), again["ETag"]) == (200, data, first["ETag"])


@pytest.mark.parametrize(
    ("body", "status", "field", "code"),
    [
        ({}, 400, "name", "required"),
        ({**NEW, "format": "swiss", "rounds": 0}, 400, "rounds", "min_value"),
        ({**NEW, "format": "nonsense"}, 400, "format", "invalid_choice"),
        ({**NEW, "blocs": 3}, 400, "blocs", "unknown_field"),
        ({**NEW, "options": {"steel": 1}}, 400, "options.steel", "unknown_option"),
        ({**NEW, "options": {"steal": "always"}}, 400, "options.steal", "invalid"),
        ({**NEW, "limits": {"act_cpu": -1}}, 400, "limits.act_cpu", "min_value"),
        ({**NEW, "limits": {"memory": 1}}, 400, "limits.memory", "invalid"),
        ({**NEW, "limits": {"memroy": 1}}, 400, "limits.memroy", "unknown_field"),
        ({**NEW, "tie_breaks": ["wins", "wins"]}, 400, "tie_breaks.1", "invalid"),
        ({**NEW, "players_per_table": 9}, 400, "players_per_table", "invalid"),
        ({**NEW, "entries_close_at": "2001-01-01T00:00:00Z"}, 400, "entries_close_at", "over"),
        ({**NEW, "entries_close_at": "9999-12-31T23:59:59Z"}, 400, "entries_close_at", "too_late"),
        ({**NEW, "first_round_at": "9999-12-31T23:59:59-12:00"}, 400, "first_round_at", "overflow"),
        ([], 400, "", "invalid"),
    ],
)
def test_a_tournament_that_cannot_be_names_the_field(body: Any, status: int, field: str, code: str) -> None:
    scene = Scene()
    before = snapshot()
    answer = as_described(scene.call("organiser", "post /tournaments/", body))
    assert (answer.status_code, answer.json()["field"], answer.json()["code"]) == (status, field, code)
    assert snapshot() == before


def test_an_edit_of_what_has_changed_meanwhile_or_is_fixed_is_refused() -> None:
    scene = Scene()
    tag = scene.call("organiser", "get open/settings/")["ETag"]
    change = {"description": "Mine."}
    without = scene.call("organiser", "patch open/settings/", change, **{"if-match": ""})
    assert (without.status_code, without.json()["code"]) == (428, "if_match")
    assert scene.call("organiser", "patch open/settings/", change, **{"if-match": tag}).status_code == 200
    stale = as_described(scene.call("staff", "patch open/settings/", {"description": "Ours."}, **{"if-match": tag}))
    assert (stale.status_code, stale.json()["code"]) == (412, "stale")
    scene.cup("open").refresh_from_db()
    assert scene.cup("open").description == "Mine."
    fixed = scene.call("organiser", "patch open/settings/", {"blocks": 3})
    assert (fixed.status_code, fixed.json()["code"], fixed.json()["field"]) == (409, "fixed", "blocks")
    assert scene.call("organiser", "patch waiting/settings/", change).json()["description"] == "Mine."
    begun = scene.call("organiser", "patch waiting/settings/", {"name": "Other"})
    assert (begun.status_code, begun.json()["code"], begun.json()["field"]) == (409, "fixed", "name")


def test_an_act_twice_is_once_and_one_that_cannot_be_is_refused() -> None:
    scene = Scene()
    assert [scene.call("organiser", "post open/lock/").json()["state"] for _ in range(2)] == ["locked", "locked"]
    refused = as_described(scene.call("organiser", "post open/resume/"))
    assert (refused.status_code, refused.json()["code"]) == (409, "wrong_state")


@pytest.mark.slow
def test_rulings_of_every_kind_are_made_and_taken_back_over_the_api() -> None:
    scene = Scene()

    def rule(**sent: Any) -> Any:
        preview = as_described(scene.call("arbiter", "post played/rulings/preview/", sent))
        assert preview.status_code == 200, preview.content
        ruling = {**sent, "reason": "It was agreed.", "basis": preview.json()["basis"]}
        made = as_described(scene.call("arbiter", "post played/rulings/", ruling))
        assert made.status_code == 201, made.content
        again = scene.call("arbiter", "post played/rulings/", ruling)
        assert (again.status_code, again.json()) == (201, made.json())  # sent twice, it rules once
        return made.json()

    table = scene.call("arbiter", "get played/rounds/1/").json()["pairings"][0]
    bots = [seat["bot"]["slug"] for seat in table["seats"]]
    place = {"round": 1, "table": 1}
    scores = [{"bot": bot, "score": score} for bot, score in zip(bots, (2, 0), strict=True)]
    for ruling in (
        {"kind": "note"},
        {"kind": "void", **place},
        {"kind": "replace", **place, "scores": scores},
        {"kind": "replay", **place},
        {"kind": "disqualify", "bot": "owned", "annul": True},
        {"kind": "withdraw", "bot": "bird-1"},
    ):
        made = rule(**ruling)
        assert made["holds"], made
        if ruling["kind"] in ("void", "replace", "disqualify"):
            assert rule(kind="take_back", ruling=made["number"])["takes_back"] == made["number"]
    stale = {**VOID, "reason": "Late.", "basis": "0" * 64}
    assert scene.call("arbiter", "post played/rulings/", stale).json()["code"] == "stale"


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"kind": "void"}, "round"),
        ({"kind": "void", "round": 9, "table": 1}, "round"),
        ({"kind": "void", "round": 1, "table": 9}, "table"),
        ({"kind": "disqualify", "bot": "nobody"}, "bot"),
        ({"kind": "take_back", "ruling": 7}, "ruling"),
        ({"kind": "replace", "round": 1, "table": 1}, "scores"),
        ({"kind": "replace", "round": 1, "table": 1, "scores": [{"bot": "nobody", "score": 1}]}, "scores.0"),
        ({"kind": "guillotine"}, "kind"),
    ],
)
def test_a_ruling_that_cannot_be_names_the_field(given: dict[str, Any], field: str) -> None:
    answer = as_described(Scene().call("organiser", "post played/rulings/preview/", given))
    assert (answer.status_code, answer.json()["field"]) == (400, field)


def test_a_swap_that_breaks_a_rule_names_the_rule_and_can_be_forced() -> None:
    scene = Scene()
    cup = scene.cup("waiting")
    seats = [
        [seat["bot"]["slug"] for seat in table["seats"]]
        for table in scene.call("organiser", "get waiting/rounds/1/").json()["pairings"]
    ]
    (first, second), (third, _fourth) = seats
    for one, other in ((first, third), (second, third)):
        forbidden_pair_create(
            tournament=cup, one=cup.entries.get(bot__slug=one), other=cup.entries.get(bot__slug=other)
        )
    exchange = {"one": second, "other": third}
    refused = as_described(scene.call("organiser", "post waiting/rounds/1/swap/", exchange))
    assert (refused.status_code, refused.json()["code"]) == (409, "breaks_rules")
    despite = {**exchange, "despite": refused.json()["breaches"]}
    assert scene.call("organiser", "post waiting/rounds/1/swap/", despite).status_code == 200
    outsider = scene.call("organiser", "post waiting/rounds/1/swap/", {"one": first, "other": "nobody"})
    assert (outsider.status_code, outsider.json()["field"]) == (400, "other")
