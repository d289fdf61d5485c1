"""The API as a whole: every address that can be read, by everyone, with everything one may write into a query."""

import json
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from drf_spectacular.views import SpectacularAPIView

from arena.site.api import SchemaView, _rendered
from groups.models import Group
from leagues.services import season_schedule
from matches.models import Challenge
from matches.sparring.services import sparring_create
from tests.announcements.factories import announced, question_of
from tests.arena.factories import UserFactory
from tests.arena.openapi import MEMBERS, broken_promises, description, parameters, readings
from tests.assignments.factories import whole_assignment
from tests.bots.factories import BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.groups.factories import whole_group
from tests.hooks.factories import delivery_of, hook_of
from tests.leagues.factories import member_of, open_league, season_of, worker_up
from tests.matches.factories import CRASHES, FinishedMatchFactory
from tests.puzzles.factories import puzzle_of
from tests.series.factories import series_of
from tests.teams.factories import team_of
from tests.tournaments.factories import finish_matches, running_tournament
from tournaments.services import ceremony_announce
from tournaments.template_settings import template_settings_save

pytestmark = pytest.mark.django_db

HOSTILE = [
    "",
    " ",
    "0",
    "-1",
    "1e9",
    "9" * 30,
    "9" * 5000,
    "a\0b",
    "\N{FULLWIDTH DIGIT ONE}",
    "٣",
    "nan",
    "null",
    "' OR 1=1 --",
]
HOSTILE += [b64encode(one).decode() for one in (b"p=x", b"p=%00", b"p=2026-99-99", b"p=" + b"9" * 40, b"o=-1", b"r=x")]
HOSTILE += ["../../etc/passwd", "<script>", "%00", "x" * 3000, "\u202e", "last", "none", "[]", "{}", "pickomino/1"]


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


@pytest.fixture
def site() -> dict[str, Any]:
    return a_site(format="swiss", rounds=2)


def a_site(size: int = 1, **cup: Any) -> dict[str, Any]:
    """Something at every address, and more of it in a larger site: its arguments by room, and who the people are."""
    organiser = UserFactory(is_organiser=True)
    cups = [running_tournament(entries=2 * size + 1, organiser=organiser, **cup) for _ in range(size)]
    finish_matches(cups[0], most=size)
    ceremony_announce(tournament=cups[0], planned_at=None)
    version = BotVersionFactory(source=CRASHES, refused=True, report={"verdict": "crashed", "line": 2})
    crashers = [BotVersionFactory(bot=version.bot, source=CRASHES) for _ in range(size)]
    matches = [FinishedMatchFactory(seats=[one, BotVersionFactory()], blocks=size) for one in crashers]
    leagues = [open_league(bots=2 * size - 1) for _ in range(size)]
    member_of(leagues[0], bot=version.bot)
    spars = [sparring_create(author=version.bot.owner, version=one, opponent=crashers[0], blocks=1) for one in crashers]
    challenges = [
        Challenge.objects.create(
            bot=version.bot,
            opponent=BotVersionFactory().bot,
            author=version.bot.owner,
            day=date(2026, 1, 1),
            turn=0,
            state="accepted",
            match_id=one.match_id,
        )
        for one in spars
    ]
    worker_up(slots=size * size)  # the leagues share the workers
    season_schedule(season_id=season_of(leagues[0]).pk)
    member = UserFactory()
    of_class = whole_assignment(Group.objects.get(slug=whole_group(organiser, member)["slug"]), member)
    announcements = [announced(cups[0]).pk for _ in cups]
    templates = [
        template_settings_save(tournament=one, by=organiser, name=f"Template {number}", group=None).pk
        for number, one in enumerate(cups)
    ]
    questions = [question_of(cups[0], None, text=str(one), answer="Yes.", is_published=True).pk for one in cups]
    return {
        "people": {"owner": version.bot.owner, "organiser": organiser, "staff": UserFactory(is_staff=True)},
        "bots": {
            "slug": version.bot.slug,
            "number": version.number,
            "id": matches[0].pk,
            "index": 0,
            "challenge_id": challenges[0].pk,
        },
        "announcements": {
            "subject": "tournament",
            "slug": cups[0].slug,
            "id": announcements[0],
            "question_id": questions[0],
        },
        "games": {"name": "karteneck", "version": 1},
        "matches": {"id": matches[0].pk, "index": 0, "form": "json"},
        "me": {},
        "organiser-request": {},
        "assignments": {"id": of_class["pk"], "username": member.username, "reference_id": of_class["reference_id"]},
        "groups": whole_group(organiser, version.bot.owner) | {"username": version.bot.owner.username},
        "series": {"slug": series_of(organiser, *cups).slug},
        "teams": {"slug": team_of(version.bot.owner).slug, "username": version.bot.owner.username},
        "hooks": {"id": delivery_of(hook_of(version.bot.owner)).hook_id},
        "notices": {},
        "sparring": {"id": spars[0].pk},
        "puzzles": {"id": next(puzzle_of().pk for _ in range(size))},
        "tournaments": {"slug": cups[0].slug, "number": 1, "bot": cups[0].entries.order_by("pk")[0].bot.slug}
        | {"stage_number": 1, "place": 1, "template_id": templates[0]},
        "leagues": {"slug": leagues[0].slug, "number": 1, "bot": version.bot.slug}
        | {"other": leagues[0].memberships.exclude(bot=version.bot)[0].bot.slug},
    }


def address(path: str, site: dict[str, Any]) -> str:
    return path.format(**site.get(path.split("/")[2], {}))


def headers_of(person: Any) -> dict[str, str]:
    return {"authorization": f"Token {token_of(person)}"} if person else {}


def test_the_description_is_complete_in_every_language(capsys: pytest.CaptureFixture[str], client: Client) -> None:
    for language in ("en", "de"):
        answer = client.get(reverse("api-schema"), {"format": "json"}, headers={"accept-language": language})
        assert answer.status_code == 200
    assert capsys.readouterr().err == ""
    for path, methods in description()["paths"].items():
        for operation in methods.values():
            assert operation["summary"], path
            assert operation["tags"][0] in {group["name"] for group in description()["tags"]}, path
            assert {"200", "201", "204"} & set(operation["responses"]), path
            assert "401" in operation["responses"]


@pytest.mark.parametrize("kind", ["application/vnd.oai.openapi", "application/vnd.oai.openapi+json"])
def test_the_description_is_the_one_of_drf_spectacular_made_once(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    request = RequestFactory().get(reverse("api-schema"), headers={"accept": kind})
    own = SpectacularAPIView.as_view()(request)
    own.render()
    _rendered.cache_clear()
    with monkeypatch.context() as patched, ThreadPoolExecutor(8) as threads:
        generator = Mock(wraps=SchemaView.generator_class)
        patched.setattr(SchemaView, "generator_class", generator)
        answers = list(threads.map(lambda _: SchemaView.as_view()(request), range(8)))
    assert generator.call_count == 1
    for answer in answers:
        assert answer.content == own.content
        assert dict(answer.headers) == dict(own.headers)


@pytest.mark.parametrize("who", ["anonymous", "stranger", "owner", "organiser", "staff"])
def test_every_answer_is_as_it_is_described(who: str, site: dict[str, Any], client: Client) -> None:
    person = UserFactory() if who == "stranger" else site["people"].get(who)
    headers = headers_of(person)
    found, refused = {}, set()
    for path in readings():
        answer = client.get(address(path, site), headers=headers)
        if broken := broken_promises(answer):
            found[path] = broken
        if answer.status_code != 200:
            refused.add((path, answer.status_code))
    assert found == {}
    failures = "/api/bots/{slug}/failures/"
    of_season = {(f"/api/leagues/{{slug}}/seasons/{{number}}/{name}/", 403) for name in ("pairs", "near-copies")}
    of_author = ("/api/bots/{slug}/output/", "/api/bots/{slug}/timings/")  # to its author, and to staff
    own = {
        f"/api/tournaments/{{slug}}/{at}/"
        for at in ("invitation", "rounds/{number}/premiere", "settings", "arbiters", "answers", "timeline")
    }
    own |= {f"/api/tournaments/{{slug}}/plan/{at}" for at in ("", "{stage_number}/{place}/")}
    of_league = {"/api/leagues/{slug}/settings/", "/api/leagues/{slug}/cups/field/"}
    own |= of_league
    group = {f"/api/groups/{{slug}}/{at}" for at in ("", "members/")}
    of_group = {f"/api/groups/{{slug}}/{at}/" for at in ("members/{username}", "roster", "invitations")}
    of_assignment = {f"/api/assignments/{{id}}/{at}" for at in ("", "marks/")}
    absent = {("/api/tournaments/{slug}/export/proof.zip", 404)}  # neither is over
    absent |= {(f"/api/tournaments/{{slug}}/{at}", 404) for at in ("sources/", "sources/{bot}/file/")}
    absent |= {(f"/api/leagues/{{slug}}/{at}", 404) for at in ("seasons/{number}/export/proof.zip", "cups/weekly/")}
    spar, text, air = "/api/sparring/{id}/", "/api/organiser-request/", "/api/matches/{id}/broadcast/"
    mine = ("/api/bots/{slug}/versions/{number}/source/", "/api/bots/{slug}/failures/{id}/{index}/failure.zip")
    mine += ("/api/hooks/{id}/", "/api/hooks/{id}/deliveries/")
    challenge = "/api/bots/{slug}/challenges/{challenge_id}/"
    none_of_theirs = {(failures, 404), (spar, 404), *((one, 404) for one in (*of_author, *mine, challenge))}
    lists = ("/api/me/", "/api/me/export/", "/api/bots/", "/api/sparring/", "/api/hooks/", "/api/notices/")
    lists += ("/api/bots/{slug}/challenges/", "/api/notices/channels/", "/api/notices/following/")
    lists += ("/api/notices/devices/", "/api/assignments/", "/api/teams/")
    led = "/api/teams/{slug}/links/"  # by the owner, and staff
    expected = {
        "anonymous": {(path, 401) for path in (*lists, spar, challenge, failures, *of_author, *own, *mine, text, air)},
        "stranger": {*none_of_theirs, *((path, 403) for path in own)},
        "owner": {(path, 403) for path in own},
        "organiser": {*none_of_theirs, *((path, 403) for path in of_league)},
        "staff": {(failures, 404), (spar, 404), *((one, 404) for one in mine)},
    }
    of_check = "/api/bots/{slug}/versions/{number}/failure.zip"  # which has not failed
    expected["anonymous"] |= {
        ("/api/groups/{slug}/", 404),
        *((one, 401) for one in (*of_group, "/api/groups/{slug}/members/")),
    }
    if who not in ("organiser", "staff"):
        expected[who] |= {(one, 401 if who == "anonymous" else 404) for one in of_assignment}
    every, one = "/api/tournaments/new/templates/", "/api/tournaments/new/templates/{template_id}/"
    if who == "anonymous":
        expected[who] |= {(every, 401), (one, 401)}
    elif who != "organiser":
        expected[who] |= {(one, 404)} if who == "staff" else {(every, 403), (one, 404)}
    expected["anonymous"].add((led, 401))
    expected["stranger"].add((led, 403))
    expected["organiser"].add((led, 403))
    expected["stranger"] |= {(one, 404) for one in (*group, *of_group)}
    expected["owner"] |= {(one, 403) for one in of_group}  # a member
    expected[who] |= {(of_check, 401)} if who == "anonymous" else {(text, 404), (of_check, 404)}
    if who not in ("anonymous", "staff"):
        expected[who].add((air, 403))  # staff runs every match
    for unanswered in ("/api/tournaments/{slug}/entries/{bot}/answers/", "/api/puzzles/{id}/answer/"):
        expected[who].add((unanswered, 401 if who == "anonymous" else 404))
    if who in ("anonymous", "stranger", "owner"):
        expected[who].add(("/api/tournaments/{slug}/export/answers.csv", 403))
    for of in ("tournaments/{slug}", "leagues/{slug}/seasons/{number}"):
        for name in ("dataset", "dataset-parquet"):
            expected[who].add((f"/api/{of}/export/{name}.zip", 401 if who == "anonymous" else 404))
    for unprepared in ("tournaments/{slug}/export/sources.zip", "bots/{slug}/drill.jsonl"):
        expected[who].add((f"/api/{unprepared}", 401 if who == "anonymous" else 404))
    league = set() if who == "staff" else of_season  # nobody here runs the league
    assert refused == expected[who] | league | absent


@pytest.mark.exhaustive
def test_nothing_that_is_written_into_a_query_breaks_anything(site: dict[str, Any], client: Client) -> None:
    owner, staff = (headers_of(site["people"][who]) for who in ("owner", "staff"))
    broken = {}
    for path in readings():
        headers = staff if path.endswith("/cups/field/") else owner  # who runs the league asks for its field
        # Pages and what cannot be asked for are everywhere the same: three lists stand for all.
        listed = ("/api/games/", "/api/matches/", "/api/bots/{slug}/results/")
        everywhere = {"page", "cursor", "page_size", "nonsense"} if path not in listed else set()
        for name in {"nonsense", *parameters(path)} - everywhere:
            for value in HOSTILE:
                answer = client.get(address(path, site), {name: value}, headers=headers)
                if answer.status_code == 200:
                    continue
                complaint = answer.json()
                if answer.status_code not in (400, 404) or set(complaint) != MEMBERS:
                    broken[path, name, value] = answer.status_code
                elif complaint["field"] != name or not complaint["detail"]:
                    broken[path, name, value] = complaint
    assert broken == {}


@pytest.mark.parametrize(
    "path",
    ["/api/nowhere/", "/api/bots/ä/", "/api/matches/x/", "/api/matches/999999999999999999999999/",
     "/api/tournaments/no-cup/standings/", "/api/leagues/no-league/seasons/1/ladder/", "/api/games/chess/",
     "/api/bots/nobody/results/", "/api/matches/1/games/0/record.exe",
     "/api/%0A", "/api/games/%0A", "/api/x%0Ay/", "/api/bots/%0D%0A/",
     "/api/%0Agames"],
)  # fmt: skip
def test_an_address_that_is_none_is_answered_like_everything_else(path: str, client: Client) -> None:
    for method in (client.get, client.post):
        answer = method(path)
        assert answer.status_code in (401, 404, 405)
        assert set(answer.json()) == MEMBERS
    assert client.get(path).json()["code"] == "not_found"


def test_a_number_that_no_database_knows_is_not_found(site: dict[str, Any], client: Client) -> None:
    owner = headers_of(site["people"]["owner"])
    answers = {}
    for path in readings():
        for number in ("number", "id", "index"):
            if f"{{{number}}}" in path:
                room = {**site[path.split("/")[2]], number: 10**24}
                answers[path, number] = client.get(path.format(**room), headers=owner).status_code
    for name in ("pairs", "near-copies"):  # only its organiser may ask
        assert answers.pop((f"/api/leagues/{{slug}}/seasons/{{number}}/{name}/", "number")) == 403
    assert answers.pop(("/api/tournaments/{slug}/rounds/{number}/premiere/", "number")) == 403
    assert set(answers.values()) == {404}, answers


def test_an_address_without_its_slash_leads_to_the_one_with_it(client: Client) -> None:
    assert client.get("/api/games").headers["Location"] == "/api/games/"


def test_whatever_is_wished_for_is_json(client: Client) -> None:
    for wish in ("text/html", "application/xml", "nonsense"):
        answer = client.get("/api/games/", headers={"accept": wish})
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json")


def test_a_page_has_the_requested_length_up_to_a_hundred(client: Client) -> None:
    first = client.get("/api/games/", {"page_size": 3}).json()
    assert (first["count"], len(first["results"]), first["previous"]) == (4, 3, None)
    second = client.get(first["next"]).json()
    assert (len(second["results"]), second["next"]) == (1, None)
    for size in ("0", "101"):
        refused = client.get("/api/games/", {"page_size": size})
        assert (refused.status_code, refused.json()["field"]) == (400, "page_size")
    assert client.get("/api/games/", {"page": 2}).json()["field"] == "page"


def test_reading_is_not_slowed_down(client: Client) -> None:
    assert {client.get("/api/games/").status_code for _ in range(100)} == {200}


def test_a_game_is_described_for_authors_of_bots(client: Client) -> None:
    game = client.get("/api/games/karteneck/").json()
    assert (game["seats_least"], game["seats_most"], game["ruleset"]) == (2, 6, "karteneck/2")
    assert game["seats_with"][0]["seats"] == 6
    assert {"name", "title", "help", "default", "schema"} == set(game["options"][0])
    assert game["view_schema"]["type"] == "object"
    assert game["actions"]
    assert client.get("/api/games/karteneck/", headers={"accept-language": "de"}).json()["options"] != game["options"]


def test_an_answer_costs_the_same_number_of_queries_however_much_is_in_it(client: Client) -> None:
    def costs(site: dict[str, Any]) -> tuple[dict[str, int], dict[str, int]]:
        spent, lengths = {}, {}
        for path in readings():
            headers = headers_of(
                site["people"]["owner" if path.startswith(("/api/bots", "/api/sparring")) else "staff"]
            )
            for _warm in range(2):  # the second time with filled caches
                with CaptureQueriesContext(connection) as queries:
                    answer = client.get(address(path, site), headers=headers)
                    body = answer.getvalue()  # a file is made while it is sent
            spent[path] = len(queries)
            is_list = answer["Content-Type"].startswith("application/json")
            lengths[path] = len(json.loads(body).get("results", ())) if is_list else 0
        return spent, lengths

    few, short = costs(a_site(1))
    many, long = costs(a_site(3))
    assert many == few
    mine = "/api/me/export/"  # a query or two for each kind of thing that names a person
    whole = {path for path in many if "/export/" in path}  # a file of all that a tournament holds
    assert max(spent for path, spent in many.items() if path not in whole) <= 20
    assert max(many[path] for path in whole - {mine}) <= 22
    assert many[mine] <= 69
    lists = {path for path, length in short.items() if length}
    assert {path for path in lists if long[path] <= short[path]} == {
        "/api/bots/",  # the owner has one
        "/api/games/",
        "/api/leagues/{slug}/seasons/",
        *(f"/api/groups/{{slug}}/{name}/" for name in ("members", "roster", "invitations")),  # one group in both
        "/api/assignments/{id}/marks/",  # and one student
    }


def test_a_list_that_grows_while_it_is_read_gives_each_row_once(client: Client) -> None:
    bot = BotVersionFactory()
    for path in ("/api/matches/", f"/api/bots/{bot.bot.slug}/results/"):
        first = [FinishedMatchFactory(seats=[bot, BotVersionFactory()]).pk for _ in range(5)]
        page = client.get(path, {"page_size": 2}).json()
        assert "count" not in page
        rows = [one.get("id") or one["match"] for one in page["results"]]
        while page["next"]:
            FinishedMatchFactory(seats=[bot, BotVersionFactory()])  # it stands further up
            page = client.get(page["next"]).json()
            rows += [one.get("id") or one["match"] for one in page["results"]]
        assert rows[:5] == sorted(first, reverse=True)
        assert len(rows) == len(set(rows))
        back = client.get(page["previous"]).json()
        assert [one.get("id") or one["match"] for one in back["results"]] == rows[-4:-2] or len(rows) % 2


def test_the_index_names_every_address_that_needs_no_argument() -> None:
    response = Client().get("/api/")
    assert (response.status_code, broken_promises(response)) == (200, [])
    named = {address.removeprefix("http://testserver") for address in response.json().values()}
    readable = {path for path in readings() if "{" not in path}
    assert named - {"/api/docs/", "/api/schema/"} == readable - {"/api/"}
    assert {Client().get(address).status_code for address in named} <= {200, 401}
    assert Client().get("/api/?a=b").json()["code"] == "unknown_parameter"
    assert Client().post("/api/").status_code == Client().post("/api/games/").status_code
