"""Ladders of many bots: so many rows at a time (five here)."""

import random
import re

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from leagues.models import League, Season
from leagues.selectors.entry_ratings import rated_season_candidates_of
from leagues.selectors.ladder import (
    ladder_leaders_of,
    ladder_line,
    ladder_of,
    ladder_paged,
    ladder_revision,
    ladder_top,
    with_ladder_revision_counts,
)
from leagues.services import league_bot_join, league_bot_leave, season_refit, season_schedule
from ratings import rating_displayed
from tests.leagues.factories import member_of, open_league, play, season_of, worker_up
from web import boards

pytestmark = pytest.mark.django_db
ROWS, SIZE = 5, 8
ROW = re.compile(r'<tr id="m(\d+)"')


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.setattr(boards, "BOARD_ROWS", ROWS)
    caches["optional"].clear()


def played_league(bots: int) -> League:
    league = open_league(bots=bots)
    worker_up()
    season = season_of(league)
    season_schedule(season_id=season.pk)
    play(season, {one.bot_id: 0.3 * number for number, one in enumerate(league.memberships.all())}, random.Random(3))
    season_refit(season_id=season.pk)
    return league


def html_of(league: League, query: str = "", *, client: Client | None = None, name: str = "detail") -> str:
    answer = (client or Client()).get(reverse(f"leagues:{name}", args=[league.slug]) + query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def rows_of(html: str) -> list[int]:
    return [int(number) for number in ROW.findall(html)]


def test_the_pages_hold_every_bot_once() -> None:
    league = played_league(SIZE)
    first, second = rows_of(html_of(league)), rows_of(html_of(league, "?page=2"))
    assert (len(first), len(second)) == (ROWS, SIZE - ROWS)
    assert set(first + second) == set(league.memberships.values_list("pk", flat=True))
    assert rows_of(html_of(league, "?page=2", name="live")) == second


def test_joins_and_leaves_show_at_once_and_authors_find_their_bot() -> None:
    league = played_league(SIZE)
    html_of(league, "?page=2")
    member = member_of(league)
    client = Client()
    client.force_login(member.bot.owner)
    html = html_of(league, client=client)
    assert f"?page=2#m{member.pk}" in html
    assert f'<tr id="m{member.pk}" class="mine">' in html_of(league, "?page=2", client=client)
    assert f'<tr id="m{member.pk}">' in html_of(league, "?page=2")
    league_bot_leave(membership=member, by=member.bot.owner)
    assert f'id="m{member.pk}"' not in html_of(league, "?page=2")


def test_a_refit_shows_at_once_on_a_small_ladder() -> None:
    league = played_league(4)
    assert "ratings from 2 matches" in " ".join(html_of(league).split())
    season = season_of(league)
    season_schedule(season_id=season.pk)
    play(season, {one.bot_id: 0.0 for one in league.memberships.all()}, random.Random(4))
    season_refit(season_id=season.pk)
    assert "ratings from 4 matches" in " ".join(html_of(league).split())


def test_a_part_of_the_ladder_and_a_single_row_are_those_of_the_whole() -> None:
    league = played_league(SIZE)
    season = season_of(league)
    newcomers = [member_of(league), member_of(league)]
    rows = list(ladder_of(season).rows)
    assert [row.entry.membership_id for row in rows[-2:]] == [one.pk for one in newcomers]
    paged = ladder_paged(season)
    assert len(paged) == len(rows) == SIZE + 2
    assert [*paged[:3], *paged[3:9], *paged[9:50]] == rows
    by_rating = ladder_paged(season, by_rating=True)[:50]
    assert by_rating == [rows[at] for at in ladder_of(season).by_rating]
    assert [row.number for row in by_rating] == [ladder_line(season, row.entry.membership).number for row in by_rating]
    assert [ladder_line(season, one.entry.membership) for one in rows] == rows
    [at_hand] = with_ladder_revision_counts(Season.objects.filter(pk=season.pk))
    assert ladder_revision(at_hand) == ladder_revision(season)
    order = ladder_of(season).by_rating
    drawn = ladder_of(season).drawn(order)
    numbers = [ladder_line(season, rows[at].entry.membership).number for at in order]
    assert numbers == [number if rows[at].rank else None for number, at in enumerate(order, start=1)]
    for one in (season, at_hand):
        caches["optional"].clear()
        assert ladder_top(one, SIZE + 2) == ladder_top(one, SIZE + 2) == drawn, "newcomers too"
    assert ladder_top(at_hand, 3) == drawn[:3]
    leaving = rows[2].entry.membership
    league_bot_leave(membership=leaving, by=leaving.bot.owner)
    assert ladder_line(season, leaving) is None
    [left] = with_ladder_revision_counts(Season.objects.filter(pk=season.pk))
    assert ladder_revision(left) == ladder_revision(season) != ladder_revision(at_hand)
    assert list(ladder_paged(season)[:50]) == list(ladder_of(season).rows) == rows[:2] + rows[3:]


def test_the_api_reads_a_page_of_the_ladder_and_not_all_of_it() -> None:
    league = played_league(SIZE)
    address = reverse("api-leagues:ladder", args=[league.slug, 1])
    with CaptureQueriesContext(connection) as queries:
        answer = Client().get(f"{address}?page_size=2&page=2").json()
    ladder = ladder_of(season_of(league))
    assert [(one["number"], one["bot"]["slug"]) for one in answer["results"]] == [
        (number, ladder.rows[at].entry.version.bot.slug) for number, at in enumerate(ladder.by_rating[2:4], start=3)
    ]
    assert answer["count"] == SIZE
    people = [query["sql"] for query in queries.captured_queries if "accounts_user" in query["sql"]]
    assert all(" IN (" in sql for sql in people if "league_rating" in sql)


def test_a_readmitted_bot_has_its_old_rating_and_place_before_the_next_refit() -> None:
    league = played_league(SIZE)
    season = season_of(league)
    rows = list(ladder_of(season).rows)
    member = rows[2].entry.membership
    league_bot_leave(membership=member, by=league.organiser, reason="It plays two seats.")
    season_refit(season_id=season.pk)
    season.refresh_from_db()
    assert ladder_line(season, member) is None
    newcomer = member_of(league)
    league_bot_join(league=league, bot=member.bot, by=league.organiser)
    season.refresh_from_db()
    now = list(ladder_of(season).rows)
    assert [row.entry.membership_id for row in now[1:4]].count(member.pk) == 1, "at its place, or beside it"
    assert now[-1].entry.membership_id == newcomer.pk
    [back] = [row for row in now if row.entry.membership_id == member.pk]
    assert (back.points, back.rank, back.played) == (rows[2].points, rows[2].rank, rows[2].played)
    assert ladder_line(season, member) == back
    assert list(ladder_paged(season)[:50]) == now
    order = ladder_of(season).by_rating
    assert [row for row, _bar, _spark in ladder_top(season, SIZE)] == [now[at] for at in order[:SIZE]]
    place = 1 + [now[at] for at in order].index(back)
    assert ladder_line(season, member).number == (None if back.rank is None else place), (
        "only who has played has a number"
    )
    [candidate] = [one for one in rated_season_candidates_of(season) if one.id == back.entry.pk]
    assert rating_displayed(candidate.mean) == back.points
    season_refit(season_id=season.pk)
    season.refresh_from_db()
    assert ladder_line(season, member).points == pytest.approx(back.points, abs=1), "as the fit has it"


def test_a_card_of_the_list_names_the_three_who_lead(client: Client) -> None:
    empty = open_league(bots=2)
    season = season_of(played_league(4))
    assert set(ladder_leaders_of([season_of(empty), season])) == {season.pk}
    ladder = ladder_of(season)
    rows = [ladder.rows[at] for at in ladder.by_rating[:3]]
    best = [row.entry.version.bot.name for row in rows if row.rank]  # the others have not played
    assert best
    html = client.get(reverse("leagues:list")).content.decode()
    assert re.findall(r"</svg>([^<]+)</span></li>", html) == best
    assert empty.name in html
