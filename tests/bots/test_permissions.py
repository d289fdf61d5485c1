"""Who may do what: every page and every address of the API, for everyone."""

from copy import deepcopy
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from knox.models import get_token_model

from bots.models import Bot, BotVersion
from tests.arena.openapi import MEMBERS
from tests.bots.factories import SOURCE, AuthorFactory, BotFactory, BotVersionFactory

pytestmark = pytest.mark.django_db

PEOPLE = ("anonymous", "stranger", "owner", "organiser", "staff")
LOGIN = "login"
NEW = {"name": "Rooster", "game": "pickomino", "blurb": ""}


def upload() -> SimpleUploadedFile:
    return SimpleUploadedFile("bot.py", SOURCE)


@pytest.fixture(scope="module")
def module_bot(module_rows: None) -> Bot:
    first = BotVersionFactory.create(report={"detail": "only for the author"})
    BotVersionFactory.create(bot=first.bot)
    return first.bot


@pytest.fixture(scope="module")
def module_people(module_bot: Bot) -> dict[str, Any]:
    bot = module_bot
    return {
        "stranger": BotFactory.create().owner,
        "owner": bot.owner,
        "organiser": AuthorFactory.create(is_organiser=True),
        "staff": AuthorFactory.create(is_staff=True, is_superuser=True),
    }


@pytest.fixture
def bot(module_bot: Bot, module_people: dict[str, Any]) -> Bot:
    """Two accepted versions, the second current."""
    return deepcopy(module_bot)


@pytest.fixture
def people(module_people: dict[str, Any]) -> dict[str, Any]:
    cache.clear()  # the throttle counts by person
    return deepcopy(module_people)


PAGES = [
    # method, name, with version, form, and the status for each of PEOPLE
    ("get", "list", False, None, (LOGIN, 200, 200, 200, 200)),
    ("get", "create", False, None, (LOGIN, 200, 200, 200, 200)),
    ("post", "create", False, NEW, (LOGIN, 302, 302, 302, 302)),
    ("get", "detail", False, None, (200, 200, 200, 200, 200)),
    ("get", "edit", False, None, (LOGIN, 404, 200, 404, 404)),
    ("post", "edit", False, {"name": "Other"}, (LOGIN, 404, 302, 404, 404)),
    ("get", "upload", False, None, (LOGIN, 404, 200, 404, 404)),
    ("post", "upload", False, {}, (LOGIN, 404, 302, 404, 404)),
    ("get", "failures", False, None, (LOGIN, 404, 200, 404, 404)),
    ("get", "costliest", False, None, (LOGIN, 404, 200, 404, 200)),
    ("get", "drill", False, None, (LOGIN, 404, 302, 404, 302)),
    ("get", "version", True, None, (200, 200, 200, 200, 200)),
    ("get", "verdict", True, None, (200, 200, 200, 200, 200)),
    ("post", "make-current", True, None, (LOGIN, 404, 302, 404, 404)),
    ("get", "make-current", True, None, (LOGIN, 405, 405, 405, 405)),
    ("get", "source", True, None, (LOGIN, 404, 200, 404, 404)),
    ("get", "code", True, None, (LOGIN, 404, 200, 404, 404)),
    ("get", "changes", True, None, (LOGIN, 404, 404, 404, 404)),  # the first one
]


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize(("method", "name", "of_version", "form", "statuses"), PAGES)
def test_a_page_is_for_its_roles_only(
    who: str,
    method: str,
    name: str,
    of_version: bool,
    form: dict[str, Any] | None,
    statuses: tuple[int | str, ...],
    bot: Bot,
    people: dict[str, Any],
    client: Client,
) -> None:
    if who != "anonymous":
        client.force_login(people[who])
    args = [] if name in ("list", "create") else [bot.slug, 1] if of_version else [bot.slug]
    data = {**form, "file": upload()} if form is not None and name in ("create", "upload") else form
    before = _written(bot)
    response = getattr(client, method)(reverse(f"bots:{name}", args=args), data)
    expected = statuses[PEOPLE.index(who)]
    if expected == LOGIN:
        assert response.status_code == 302
        assert response["Location"].startswith(reverse("account_login"))
    else:
        assert response.status_code == expected
    if method == "get" or response.status_code != 302 or expected == LOGIN:
        assert _written(bot) == before
    else:
        assert _written(bot) != before


def _written(bot: Bot) -> tuple[Any, ...]:
    return (Bot.objects.count(), BotVersion.objects.count(), *Bot.objects.values_list("name", "current").get(pk=bot.pk))


API = [
    ("get", "bots", (), None, (401, 200, 200, 200, 200)),
    ("post", "bots", (), {"name": "Rooster", "game": "pickomino"}, (401, 201, 201, 201, 201)),
    ("post", "versions", ("slug",), {"file": True}, (401, 404, 201, 404, 404)),
    ("get", "bot", ("slug",), None, (200, 200, 200, 200, 200)),
    ("get", "versions", ("slug",), None, (200, 200, 200, 200, 200)),
    ("get", "results", ("slug",), None, (200, 200, 200, 200, 200)),
    ("get", "failures", ("slug",), None, (401, 404, 200, 404, 404)),
    ("get", "drill.jsonl", ("slug",), None, (401, 404, 404, 404, 404)),  # nobody has ordered it
    ("get", "version", ("slug", 1), None, (200, 200, 200, 200, 200)),
    ("post", "make-current", ("slug", 1), {}, (401, 404, 200, 404, 404)),
]


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize(("method", "name", "args", "form", "statuses"), API)
def test_the_api_is_for_its_roles_only(
    who: str,
    method: str,
    name: str,
    args: tuple[Any, ...],
    form: dict[str, Any] | None,
    statuses: tuple[int, ...],
    bot: Bot,
    people: dict[str, Any],
    client: Client,
) -> None:
    headers = {} if who == "anonymous" else {"authorization": f"Token {token_of(people[who])}"}
    url = reverse(f"api:{name}", args=[bot.slug if part == "slug" else part for part in args])
    data = {"file": upload()} if form and "file" in form else form
    before = _written(bot)
    response = getattr(client, method)(url, data, headers=headers)
    assert response.status_code == statuses[PEOPLE.index(who)], response.content
    if response.status_code >= 400:
        assert set(response.json()) == MEMBERS
    assert (_written(bot) != before) == (method == "post" and response.status_code < 400)


def token_of(person: Any) -> str:
    _stored, token = get_token_model().objects.create(user=person, has_hooks=True)
    return str(token)


@pytest.mark.parametrize("who", PEOPLE)
def test_only_the_owner_reads_report_and_file_name_through_the_api(
    who: str, bot: Bot, people: dict[str, Any], client: Client
) -> None:
    headers = {} if who == "anonymous" else {"authorization": f"Token {token_of(people[who])}"}
    answer = client.get(reverse("api:version", args=[bot.slug, 1]), headers=headers).json()
    mine = who == "owner"
    assert (answer["report"] is not None, answer["filename"] is not None) == (mine, mine)
    assert answer["sha256"]


@pytest.mark.parametrize(
    ("who", "report", "source"),
    [
        ("anonymous", False, False),
        ("stranger", False, False),
        ("owner", True, True),
        ("organiser", False, False),
        ("staff", True, False),
    ],
)
def test_a_failure_is_read_by_owner_and_staff_and_its_source_by_the_owner(
    who: str, report: bool, source: bool, bot: Bot, people: dict[str, Any], client: Client
) -> None:
    details = {"verdict": "crashed", "detail": "a private traceback", "line": 1, "view": {"grill": [21]}}
    refused = BotVersionFactory.create(bot=bot, refused=True, report=details, source=b"def act(view): boom()\n")
    if who != "anonymous":
        client.force_login(people[who])
    page = client.get(reverse("bots:version", args=[bot.slug, refused.number])).content.decode()
    assert ("a private traceback" in page, "def act(view): boom()" in page) == (report, source)
    assert refused.sha256 in page


def test_a_session_cookie_is_no_token(bot: Bot, client: Client) -> None:
    """The API takes no cookies, so a forged form cannot write through it."""
    client.force_login(bot.owner)
    assert client.post(reverse("api:versions", args=[bot.slug]), {"file": upload()}).status_code == 401


@pytest.mark.parametrize(
    ("name", "args", "form"),
    [
        ("create", [], NEW),
        ("edit", ["slug"], {"name": "Other"}),
        ("upload", ["slug"], {}),
        ("make-current", ["slug", 1], {}),
    ],
)
def test_a_forged_form_is_refused(name: str, args: list[Any], form: dict[str, Any], bot: Bot) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(bot.owner)
    before = _written(bot)
    url = reverse(f"bots:{name}", args=[bot.slug if part == "slug" else part for part in args])
    assert client.post(url, {**form, "file": upload()}).status_code == 403
    assert _written(bot) == before


@pytest.mark.parametrize("name", ["bot", "botversion"])
def test_the_admin_looks_without_changing_or_showing_sources(
    name: str, bot: Bot, people: dict[str, Any], client: Client
) -> None:
    client.force_login(people["staff"])
    version = bot.versions.get(number=1)
    pk = bot.pk if name == "bot" else version.pk
    assert client.get(reverse(f"admin:bots_{name}_changelist")).status_code == 200
    page = client.get(reverse(f"admin:bots_{name}_change", args=[pk]))
    assert page.status_code == 200
    assert b"only for the author" not in page.content
    assert client.post(reverse(f"admin:bots_{name}_change", args=[pk]), {}).status_code == 403
    assert client.post(reverse(f"admin:bots_{name}_delete", args=[pk]), {"post": "yes"}).status_code == 403
    assert client.get(reverse(f"admin:bots_{name}_add")).status_code == 403
