"""The demo's league: the same however often, and wherever, it was interrupted; and what the home page shows of it."""

import pytest
from django.test import Client

from arena.demo import (
    LADDERS,
    DemoLadder,
    demo_account_ensure,
    demo_house_bots_ensure,
    demo_house_bots_settle,
    demo_league_ensure,
)
from arena.site.selectors import LADDER_ROWS
from bots.checks import version_check_accept, version_check_begin
from leagues.models import League, LeagueState, Membership
from tests.arena.pages import assert_clean_page

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def _uploaded(module_rows: None) -> None:
    demo_house_bots_ensure(house=demo_account_ensure())


@pytest.mark.usefixtures("_uploaded")
@pytest.mark.parametrize(
    "ladder",
    [LADDERS[0], *(pytest.param(one, marks=pytest.mark.exhaustive) for one in LADDERS[1:])],
    ids=lambda ladder: ladder.ruleset,
)
def test_a_ladder_is_open_with_every_bot_in_it_and_only_once(client: Client, ladder: DemoLadder) -> None:
    house = demo_account_ensure()
    versions = [version for version in demo_house_bots_ensure(house=house) if version.bot.game == ladder.ruleset]
    for version in versions:
        attempt = version_check_begin(version_id=version.pk)
        assert attempt is not None
        assert version_check_accept(version_id=version.pk, attempt=attempt, report={})
    bots = demo_house_bots_settle(versions)
    league = demo_league_ensure(ladder=ladder, organiser=house, bots=bots[:2])
    assert demo_league_ensure(ladder=ladder, organiser=house, bots=bots) == league
    assert League.objects.get().state == LeagueState.OPEN
    assert Membership.objects.count() == len(bots)

    page = client.get("/")
    assert_clean_page(page)
    html = page.content.decode()
    assert f'href="/leagues/{league.slug}/"' in html
    assert sum(f"/bots/{bot.slug}/" in html for bot in bots) == LADDER_ROWS
