"""Every address of the site, requested by every kind of visitor: none fails, and every page is clean."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from arena.accounts.models import User
from groups.models import Group
from leagues.services import season_schedule
from tests.announcements.factories import announced, question_of
from tests.arena.factories import UserFactory
from tests.arena.pages import complaints
from tests.arena.test_pages import POLICY, policy_of
from tests.arena.visitors import Visitors
from tests.assignments.factories import whole_assignment
from tests.groups.factories import whole_group
from tests.hooks.factories import delivery_of, hook_of
from tests.leagues.factories import member_of, open_league, season_of, worker_up
from tests.matches.factories import FinishedMatchFactory
from tests.puzzles.factories import puzzle_of
from tests.series.factories import series_of
from tests.teams.factories import team_of
from tests.tournaments.factories import finish_matches, running_tournament
from tournaments.services import ceremony_announce, forbidden_group_create, forbidden_pair_create
from tournaments.template_settings import template_settings_save

pytestmark = pytest.mark.django_db

VISITORS = ["stranger", "author", "organiser", "staff"]
OTHERS = {"admin", "javascript-catalog"}  # Django's own pages, with their own looks


def named_patterns(
    resolver: Any = None, prefix: str = "", outer: tuple[str, ...] = ()
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every (name to reverse, converters by argument) of the address plan."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            space = f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix
            if pattern.namespace not in OTHERS:
                yield from named_patterns(pattern, space, (*outer, *pattern.pattern.regex.groupindex))
        elif isinstance(pattern, URLPattern) and pattern.name and pattern.name not in OTHERS:
            yield f"{prefix}{pattern.name}", dict.fromkeys((*outer, *pattern.pattern.regex.groupindex))


NAMES = dict(named_patterns())


@pytest.fixture
def site() -> dict[str, Any]:
    return whole_site()


def whole_site() -> dict[str, Any]:
    """A site with something at every address: arguments by name, and the people."""
    organiser = UserFactory(username="organiser", is_organiser=True)
    cup = running_tournament(entries=3, format="swiss", rounds=2, organiser=organiser)
    finish_matches(cup, most=1)
    entry = cup.entries.select_related("bot__owner", "bot__current").order_by("pk")[0]
    pair = forbidden_pair_create(tournament=cup, one=entry, other=cup.entries.order_by("pk")[1])
    ceremony_announce(tournament=cup, planned_at=None)
    group = forbidden_group_create(tournament=cup, entries=cup.entries.all())
    membership = member_of(league := open_league(bots=1), bot=entry.bot)
    worker_up()
    season_schedule(season_id=season_of(league).pk)
    match = FinishedMatchFactory(seats=[entry.bot.current, entry.bot.current])
    delivery = delivery_of(hook_of(entry.bot.owner))
    of_group = whole_group(organiser, entry.bot.owner)
    of_class = whole_assignment(Group.objects.get(slug=of_group["slug"]), entry.bot.owner)
    UserFactory(username="staff", is_staff=True, is_superuser=True)
    return {
        "visitors": Visitors(),
        "people": {"author": entry.bot.owner.username, "organiser": "organiser", "staff": "staff", "stranger": ""},
        "slugs": {
            **dict.fromkeys(("tournaments", "api-tournaments"), cup.slug),
            **dict.fromkeys(("leagues", "api-leagues", "cups", "api-cups"), league.slug),
            **dict.fromkeys(("bots", "api"), entry.bot.slug),
            **dict.fromkeys(("announcements", "api-announcements"), cup.slug),
            **dict.fromkeys(("groups", "api-groups", "assignments"), of_group["slug"]),
            **dict.fromkeys(("series", "api-series"), series_of(organiser, cup).slug),
            **dict.fromkeys(("teams", "api-teams"), team_of(entry.bot.owner).slug),
        },
        "actions": {"tournaments": "pause", "leagues": "end-season", "hooks": "pause"},
        "hook": delivery.hook_id,
        "assignment": of_class["pk"],
        "announcement": announced(cup).pk,
        "puzzle": puzzle_of().pk,
        "arguments": {
            "subject": "tournament",
            "template_id": template_settings_save(tournament=cup, by=organiser, name="Template", group=None).pk,
            "question_id": question_of(cup, entry.bot.owner).pk,
            "tournament": cup.slug,
            "pk": match.pk,
            "delivery": delivery.pk,
            "other_id": entry.bot.owner_id,
            "reference_id": of_class["reference_id"],
            "row_id": of_group["row_id"],
            "batch": of_group["batch"],
            "number": entry.bot.current.number,
            "stage": "mirror",
            "act": "start",
            "index": 0,
            "seat": 0,
            "step": 1,
            "part": "standings",
            "entry_id": entry.pk,
            "bot_id": entry.bot_id,
            "username": entry.bot.owner.username,
            "bot": entry.bot.slug,
            "other": league.memberships.exclude(bot=entry.bot).get().bot.slug,
            "membership_id": membership.pk,
            "pair_id": pair.pk,
            "group_id": group.pk,
            "link_id": 1,
            "challenge_id": 1,
            "stage_number": 1,
            "place": 1,
            "kind": "void",
            "user_id": entry.bot.owner_id,
            "match_number": 1,
            "version": 1,
            "name": "pickomino",
            "guide": "how-to/spar",
            "guides": "how-to",
            "form": "json",
            "digest": "0",
            "file": "fat-crow.py",
            "uidb36": "1",
            "provider_id": "sso",
            "key": "forged",
            "token": "forged",
        },
    }


def address(name: str, site: dict[str, Any]) -> str:
    room = name.partition(":")[0]
    of_hooks = {"pk": site["hook"]} if room.endswith("hooks") else {}
    of_hooks |= {"pk": site["assignment"]} if room.endswith("assignments") else {}
    of_hooks |= {"pk": site["announcement"]} if room.endswith("announcements") else {}
    of_hooks |= {"pk": site["puzzle"]} if room.endswith("puzzles") else {}
    arguments = (
        site["arguments"] | of_hooks | {"slug": site["slugs"].get(room, "none"), "action": site["actions"].get(room)}
    )
    return reverse(name, kwargs={argument: arguments[argument] for argument in NAMES[name]})


def visit(visitor: str, site: dict[str, Any]) -> Client:
    username = site["people"][visitor]
    return site["visitors"].client(User.objects.get(username=username) if username else None)


def troubles(answer: Any, *, framed: bool) -> list[str]:
    """What is wrong with an answer; ``framed``: meant for other sites' frames."""
    if answer.status_code >= 500:
        return [f"status {answer.status_code}"]
    if not answer.headers["Content-Type"].startswith("text/html") or answer.status_code in (301, 302):
        return []
    if answer.headers.get("Content-Disposition", "").startswith("attachment"):
        return []  # to keep, with a policy of its own: tests/matches/replay/test_one_file.py
    found = complaints(answer.content.decode()) if b"<html" in answer.content else []
    policy = policy_of(answer)
    strict = POLICY.items() - ({("frame-ancestors", "'none'")} if framed else set())
    return found + [f"policy {name} {policy.get(name)}" for name, value in strict if policy.get(name) != value]


# What an author is answered is also seen in test_who_sees_what.py.
@pytest.mark.parametrize(
    "visitor", [pytest.param(one, marks=() if one == "stranger" else pytest.mark.exhaustive) for one in VISITORS]
)
def test_no_address_breaks_and_every_page_is_clean(visitor: str, site: dict[str, Any]) -> None:
    found = {}
    may_compile = []  # WebAssembly
    for name in NAMES:
        # A new client for each: one of the addresses signs out, another shows a message once.
        answer = visit(visitor, site).get(address(name, site))
        if "eval" in answer.headers.get("Content-Security-Policy", ""):
            may_compile.append(name)
        if trouble := troubles(answer, framed=name.endswith(":embed")):
            found[name] = trouble
    assert found == {}
    assert may_compile == ["playground-worker"]


@pytest.mark.parametrize("visitor", ["stranger", pytest.param("organiser", marks=pytest.mark.exhaustive)])
def test_an_empty_form_posted_anywhere_is_answered(visitor: str, site: dict[str, Any]) -> None:
    answers = {name: visit(visitor, site).post(address(name, site)).status_code for name in NAMES}
    assert {name: status for name, status in answers.items() if status >= 500} == {}


def test_a_form_posted_without_its_token_is_refused_everywhere(site: dict[str, Any]) -> None:
    client = Client(enforce_csrf_checks=True)
    # The API takes no cookies, so there is nothing to forge.
    forms = [name for name in NAMES if not name.startswith("api")]
    elsewhere = {"origin": "https://evil.example"}  # for the three whose pages have no token
    answers = {name: client.post(address(name, site), headers=elsewhere).status_code for name in forms}
    assert {name: status for name, status in answers.items() if status not in (403, 404, 405)} == {}
    without = {name for name in forms if client.post(address(name, site)).status_code not in (403, 404, 405)}
    assert without == {"set_language", "theme", "matches:results"}
