"""Pages that anonymous visitors share, and that nobody gets a page of somebody else.

The whole site is behind the page cache here, so that each answer is what a visitor would see.
"""

import re
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse

from arena.accounts.models import User
from leagues.models import League
from matches.models import Audience, Match
from matches.pages.choices import SHOWN
from matches.pages.views import IN_STEP_SECONDS
from tests.arena.cached_site import WholeSite, _fresh, cookies, cup_of, site, things
from tests.arena.test_every_address import NAMES, VISITORS, address, visit
from tests.bots.test_permissions import token_of
from tests.matches.airing.on_air import match_on_air
from tests.matches.factories import MatchFactory, games_of, leased, written
from tournaments.models import Tournament
from web.page_cache import CLOCK, OVER_SECONDS, PLAYED_SECONDS, _topic_of
from web.topics import SHARED, SHARED_SECONDS

__all__ = ["_fresh", "site", "things"]

pytestmark = pytest.mark.django_db
# What answers a stranger and is not shared: forms with a token, what a secret link opens, files, what is asked for upon
# an announcement of anything, and what is kept by other means or depends on more.
NOT_SHARED: Final = {
    *("watch:timetable", "playground-worker", "playground-kit", "peck", "house-bot", "packages"),
    *("notices:push-worker", "notices:web-app"),
    *(
        "account_login",
        "account_signup",
        "account_inactive",
        "socialaccount_login_cancelled",
        "groups:join",
        "api-groups:list",
        "account_email_verification_sent",
    ),
    *("account_reset_password", "account_confirm_email", "account_reset_password_from_key"),
    *("account_reset_password_from_key_done", "account_reset_password_done"),
    *("matches:cells", "matches:file", "matches:game-frames", "matches:game-notes", "matches:record", "bots:verdict"),
    *(
        "api-schema",
        "api-teams:team",
        "api:bot",
        "api:versions",
        "api:records",
        "api:version",
        "api-matches:detail",
        "api-matches:games",
    ),
    *("api-matches:notes", "api-matches:record", "api-matches:record-bytes"),
}


def test_every_anonymous_page_is_cached_and_sets_no_cookie_but_the_named_ones(things: dict[str, Any]) -> None:
    not_shared, with_cookie = set(), set()
    for name in NAMES:
        answer = visit("stranger", things).get(address(name, things))
        if answer.status_code != 200:
            continue
        start = {"status": 200, "headers": [(key.encode(), value.encode()) for key, value in answer.items()]}
        if answer.cookies:
            with_cookie.add(name)
        elif b"csrfmiddlewaretoken" in getattr(answer, "content", b""):
            with_cookie.add(f"{name}, with a token")
        if not _topic_of(start)[0]:
            not_shared.add(name)
    assert with_cookie == {"account_login", "account_signup", "account_reset_password", "groups:join"}
    assert sorted(not_shared) == sorted(NOT_SHARED)
    assert SHARED in Client().get(reverse("javascript-catalog"))


@pytest.mark.parametrize(
    "visitor", [pytest.param(one, marks=() if one == "organiser" else pytest.mark.exhaustive) for one in VISITORS[1:]]
)
def test_a_signed_in_user_neither_gets_nor_stores_a_shared_page(
    visitor: str, things: dict[str, Any], site: WholeSite
) -> None:
    wrong = []
    person = User.objects.get(username=things["people"][visitor])
    for name in NAMES:
        path = address(name, things)
        if name == "account_logout":
            continue
        for _ in range(2):
            outsider = site.fetch(path)
        given = site.is_given(path)
        before = site.made
        headers = {"cookie": cookies(visit(visitor, things))}
        if name.startswith("api") and name != "api-docs":  # a page with the header of the site, for browsers
            headers = {"authorization": f"Token {token_of(person)}"}
        _status, _sent, body = site.fetch(path, headers)
        if site.made != before + 1:
            wrong.append(f"{name}: {visitor} was given what was kept")
        if "<html" in body and 'class="site-header"' in body and person.username not in body:
            wrong.append(f"{name}: {visitor} is not named")
        if given and (site.fetch(path)[2] != outsider[2] or not site.is_given(path)):
            wrong.append(f"{name}: a stranger is told something else after {visitor}")
        if "account_logout" in outsider[2] or reverse("account_logout") in outsider[2]:
            wrong.append(f"{name}: a stranger is signed in")
    assert wrong == []


PAGES: Final = (
    "home",
    "watch:all",
    "tournaments:detail",
    "leagues:detail",
    "bots:detail",
    "matches:detail",
    "docs-bots",
)


@pytest.mark.parametrize("name", PAGES)
def test_language_theme_results_host_and_scheme_are_cached_separately(
    name: str, things: dict[str, Any], site: WholeSite
) -> None:
    path = address(name, things)
    rows: list[dict[str, Any]] = [
        {},
        {"headers": {"accept-language": "de"}},
        {"headers": {"cookie": "django_language=fr"}},
        {"headers": {"cookie": "theme=dark"}},
        {"headers": {"cookie": "theme=light; django_language=it"}},
        {"headers": {"cookie": f"results={SHOWN}"}},
        {"headers": {"host": "localhost"}},
        {"scheme": "https"},
    ]
    for _ in range(3):
        found = [site.fetch(path, **one) for one in rows]
    before = site.made
    again = [site.fetch(path, **one) for one in rows]
    assert site.made == before, "all of them are kept"
    assert [one[2] for one in again] == [one[2] for one in found]
    languages = [re.findall(r'<html lang="(\w+)"', one[2]) for one in again]
    assert languages == [["en"], ["de"], ["fr"], ["en"], ["it"], ["en"], ["en"], ["en"]]
    themes = [re.findall(r'<html[^>]*data-theme="(\w+)"', one[2]) for one in again]
    assert themes == [[], [], [], ["dark"], ["light"], [], [], []]
    assert [one[1]["content-language"] for one in again] == [one[0] for one in languages]


def test_pages_with_and_without_results_are_cached_separately(things: dict[str, Any], site: WholeSite) -> None:
    path = address("matches:detail", things)
    hidden, shown = site.warm(path), site.warm(path, cookie=f"results={SHOWN}")
    assert ("data-concealed" in hidden, "data-concealed" in shown) == (True, False)
    assert (site.warm(path), site.warm(path, cookie=f"results={SHOWN}")) == (hidden, shown)


def test_a_message_is_shown_once_to_its_recipient(things: dict[str, Any], site: WholeSite) -> None:
    path = address("tournaments:list", things)
    cached = site.warm(path)
    client = visit("organiser", things)
    client.post(reverse("account_logout"))
    signed_out = cookies(client)
    assert "messages=" in signed_out
    page = site.page(path, cookie=signed_out)
    assert "You have signed out" in page
    assert site.warm(path) == cached
    assert "You have signed out" not in cached


def test_a_visitor_who_has_signed_out_is_anonymous(things: dict[str, Any], site: WholeSite) -> None:
    path = address("tournaments:detail", things)
    cached = site.warm(path)
    client = visit("organiser", things)
    own = site.page(path, cookie=cookies(client))
    assert reverse("account_logout") in own
    client.post(reverse("account_logout"))
    left = "; ".join(f"{name}={one.value}" for name, one in client.cookies.items() if name == "csrftoken")
    assert site.page(path, **({"cookie": left} if left else {})) == cached


def test_a_match_that_is_on_or_not_everyones_is_not_shared(things: dict[str, Any]) -> None:
    client = Client()

    def shared(match: Match) -> list[str]:
        answers = [client.get(reverse(name, args=[match.pk])) for name in ("matches:detail", "matches:embed")]
        return [answer.get(SHARED, "") for answer in answers]

    over = Match.objects.get(pk=things["arguments"]["pk"])
    assert shared(over) == [f"{CLOCK} {OVER_SECONDS}"] * 2
    in_step = client.get(reverse("matches:embed", args=[over.pk]), {"since": 1})
    assert in_step[SHARED] == f"{CLOCK} {IN_STEP_SECONDS}"
    played, on_air = MatchFactory(), match_on_air(elapsed=5)
    leased(played)
    for match in (played, on_air, match_on_air(), MatchFactory()):
        assert shared(match) == ["", ""]
    Match.objects.filter(pk=over.pk).update(audience=Audience.ORGANISER)
    assert shared(over) == ["", ""]


def test_a_given_page_is_counted_and_has_an_id_of_its_own(things: dict[str, Any], site: WholeSite) -> None:
    path = address("docs-bots", things)
    site.warm(path)
    ids = {site.fetch(path)[1]["x-request-id"] for _ in range(3)}
    assert len(ids) == 3
    etag = site.fetch(path)[1]["etag"]
    before = site.made
    assert [site.fetch(path, {"if-none-match": one})[0] for one in (etag, '"x"')] == [304, 200]
    assert site.made == before
    status, _headers, _body = site.fetch(path, method="HEAD")
    assert (status, site.made) == (200, before + 1)


def test_the_reason_of_a_pairing_is_cached_for_a_time_once_the_match_is_over(things: dict[str, Any]) -> None:
    path, season = address("leagues:match", things), address("leagues:season", things)
    of_league = Client().get(season)[SHARED]
    assert Client().get(path)[SHARED] == of_league == f"league.{League.objects.get().pk} {PLAYED_SECONDS}"
    for match in Match.objects.filter(league_match__isnull=False):
        assert written(leased(match), games_of(match))
    assert Client().get(path)[SHARED] == f"{CLOCK} {OVER_SECONDS}"


def test_boards_are_cached_briefly_while_any_may_be_on_air(things: dict[str, Any]) -> None:
    cup, path = cup_of(things), address("tournaments:boards", things)
    assert Client().get(path)[SHARED] == f"tournament.{cup.pk} {SHARED_SECONDS}"
    Tournament.objects.filter(pk=cup.pk).update(state="cancelled")
    assert Client().get(path)[SHARED] == f"tournament.{cup.pk} {OVER_SECONDS}"


def test_the_list_of_the_api_is_given_its_script(site: WholeSite) -> None:
    page = site.page("/api/docs/")
    (path,) = re.findall(r'src="(/api/docs/\?script=[^"]*)"', page)
    for _ in range(2):
        _status, headers, script = site.fetch(path)
        assert headers["content-type"].startswith("application/javascript")
        assert "SwaggerUIBundle" in script
    assert "<html" in site.page("/api/docs/")
