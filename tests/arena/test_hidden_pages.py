"""What is hidden, deleted or blocked leaves the page cache at once."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from arena.accounts.deletion import account_delete
from arena.accounts.models import User
from bots.deletion import bot_delete
from matches.models import Match
from tests.arena.cached_site import WholeSite, _fresh, cookies, cup_of, site, things
from tests.arena.test_every_address import address, visit
from tournaments.models import Publication
from tournaments.services import tournament_publish

__all__ = ["_fresh", "site", "things"]

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("publication", [Publication.HIDDEN, Publication.PARTICIPANTS])
def test_a_hidden_page_leaves_the_cache_at_once(
    publication: Publication, things: dict[str, Any], site: WholeSite, django_capture_on_commit_callbacks: Any
) -> None:
    cup = cup_of(things)
    match = Match.objects.filter(fixture__round__tournament=cup, state="finished")[0]
    paths = [
        reverse("matches:detail", args=[match.pk]),
        reverse("matches:embed", args=[match.pk]),
        reverse("tournaments:ratings", args=[cup.slug]),
        reverse("tournaments:pairings", args=[cup.slug, 1]),
    ]
    for path in paths:
        site.warm(path)
    with django_capture_on_commit_callbacks(execute=True):
        tournament_publish(tournament=cup, publication=publication)
    assert [site.fetch(path)[0] for path in paths] == [404, 404, 403, 403]


def test_a_deleted_page_leaves_the_cache_at_once(
    things: dict[str, Any], site: WholeSite, django_capture_on_commit_callbacks: Any
) -> None:
    author = User.objects.get(username=things["people"]["author"])
    bot = author.bots.get(slug=things["slugs"]["bots"])
    paths = [address(name, things) for name in ("bots:detail", "accounts:profile", "bots:version", "matches:detail")]
    # These are made again as well. What is kept of their boards, for everybody, goes by clocks of its own.
    boards = [address(name, things) for name in ("tournaments:detail", "leagues:detail")]
    search = f"{reverse('search')}?q={bot.name}"
    assert all(bot.name in site.warm(path) for path in [*paths, *boards])
    assert paths[0] in site.warm(search)
    with django_capture_on_commit_callbacks(execute=True):
        bot_delete(bot=bot)
    assert site.fetch(paths[0])[0] == 404
    assert [path for path in paths if bot.name in site.page(path)] == []
    assert paths[0] not in site.page(search)
    assert not any(site.is_given(path) for path in boards)
    site.warm(paths[1])
    with django_capture_on_commit_callbacks(execute=True):
        account_delete(person=author)
    assert site.fetch(paths[1])[0] == 404


def test_a_blocked_page_leaves_the_cache_at_once(things: dict[str, Any], site: WholeSite) -> None:
    path = address("accounts:profile", things)
    site.warm(path)
    outsider, staff = Client(), visit("staff", things)
    outsider.post(reverse("admin:login"), {"username": "x", "password": "x"})
    assert site.is_given(path), "nobody else makes the site forget"
    User.objects.filter(username=things["people"]["author"]).update(is_active=False)
    staff.post(reverse("admin:accounts_user_changelist"))
    assert site.fetch(path)[0] == 404


def test_a_page_opened_by_a_secret_link_is_not_cached_for_others(things: dict[str, Any], site: WholeSite) -> None:
    path = address("tournaments:detail", things)
    cached = site.warm(path)
    client = visit("stranger", things)
    session = client.session
    session["invited"] = {"1": "x"}
    session.save()
    client.cookies["sessionid"] = session.session_key
    assert not site.is_given(path, cookie=cookies(client))
    assert site.page(path) == cached
