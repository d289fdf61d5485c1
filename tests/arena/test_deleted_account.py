"""An account that is deleted while its bots play: no address names it, and results of others stay."""

import io
import zipfile
from typing import Any

import pytest
from django.core.cache import caches

from arena.accounts.deletion import account_delete
from arena.accounts.models import User
from bots.models import Bot
from tests.arena.test_every_address import NAMES, address, visit, whole_site
from tests.tournaments.factories import finish_matches
from tournaments.models import Tournament
from tournaments.services import tournament_chain_results_append

pytestmark = pytest.mark.django_db


@pytest.fixture
def site() -> dict[str, Any]:
    return whole_site()


def text_of(answer: Any) -> str:
    """All that an answer says, packed or not."""
    data = b"".join(answer) if answer.streaming else answer.content
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            data = b"".join(one.filename.encode() + packed.read(one) for one in packed.infolist())
    return f"{answer.headers}{data.decode(errors='replace')}"


def naming(visitor: str, site: dict[str, Any], names: set[str]) -> dict[str, list[str]]:
    """Return the addresses whose pages have one of ``names``. The requested path does not count."""
    found = {}
    for name in NAMES:
        where = address(name, site)
        text = text_of(visit(visitor, site).get(where)).replace(where, "")
        if named := [one for one in names if one in text]:
            found[name] = named
    return found


@pytest.mark.parametrize("visitor", ["stranger", pytest.param("organiser", marks=pytest.mark.exhaustive), "staff"])
def test_no_address_names_a_deleted_user_whose_bots_played(visitor: str, site: dict[str, Any]) -> None:
    person = User.objects.get(username=site["people"]["author"])
    bot = Bot.objects.get(owner=person, slug=site["slugs"]["bots"])
    names = {f">{person.username}<", f'"{person.username}"', person.email, f">{bot.name}<", f'"{bot.name}"', bot.slug}
    before = naming(visitor, site, names)
    assert {"tournaments:detail", "bots:detail", "leagues:detail", "matches:detail"} <= set(before)
    account_delete(person=person)
    finish_matches(Tournament.objects.get(slug=site["slugs"]["tournaments"]))
    tournament_chain_results_append(tournament_id=Tournament.objects.get(slug=site["slugs"]["tournaments"]).pk)
    for cache in caches.all():  # of what is stored the guide says for how long a name may stay
        cache.clear()
    assert naming(visitor, site, names) == {}
