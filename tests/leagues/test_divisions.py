"""Promotion and relegation: the rule for any ladder, and seasons of a league that follow each other."""

import json
import random
import re
from itertools import groupby

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from bots.models import Bot
from leagues import services
from leagues.divisions import DivisionStanding, DivisionTerms, league_divisions_formed
from leagues.errors import SeasonRunning
from leagues.models import League, LeagueMatch, Season, SeasonEntry
from leagues.selectors.fitting import Agreement, fitted_ladder_agreement_of
from leagues.selectors.ladder import ladder_line, ladder_of, ladder_paged, ladder_top
from leagues.selectors.seasons import season_division_moves_of, season_podiums
from leagues.services import lifecycle
from notices.models import Notice
from peck import listings
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.examples import examples
from tests.leagues.factories import member_of, open_league, play, season_of, worker_up


@st.composite
def ladders(draw, most=4):
    """Any final ladder of up to 40 bots in up to so many divisions of any size, with newcomers and terms."""
    size = draw(st.integers(2, 8))
    terms = DivisionTerms(draw(st.integers(1, most)), size, draw(st.integers(1, size // 2)))
    rows, member = [], 0
    for division in range(1, draw(st.integers(1, most)) + 1):
        rank = count = 1
        for _ in range(draw(st.integers(0, 12))):
            rank = draw(st.sampled_from([rank, count]))
            unplayed = draw(st.integers(0, 9)) == 0
            rows.append(DivisionStanding(member, division, None if unplayed else rank, draw(st.integers(0, 9)) == 0))
            member, count = member + 1, count + 1
    return rows, list(range(member, member + draw(st.integers(0, 5)))), terms


@examples(150)
@given(ladders())
def test_nobody_is_lost_or_doubled_and_sizes_are_bounded(drawn):
    rows, new, terms = drawn
    formed = league_divisions_formed(rows, new, terms)
    assert formed.division.keys() == {*(one.member for one in rows), *new}
    assert set(formed.division.values()) <= set(range(1, formed.count + 1))
    sizes = [list(formed.division.values()).count(number) for number in range(1, formed.count + 1)]
    assert all(terms.least <= count <= terms.full for count in sizes[:-1])
    assert formed.count == 1 or sizes[-1] >= terms.least
    assert formed.before.keys() == {one.member for one in rows}
    assert league_divisions_formed(rows, new, DivisionTerms(formed.count, terms.size, terms.moves)) == formed, (
        "as an export"
    )
    if len(new) < terms.least and formed.count < terms.most:
        assert len(rows) + len(new) < (formed.count + 1) * terms.full, "as many divisions as there are bots for"


@examples(150)
@given(ladders())
def test_a_rank_is_parted_only_where_it_is_too_large_for_a_division(drawn):
    rows, new, terms = drawn
    formed = league_divisions_formed(rows, new, terms)
    for _shared, alike in groupby(sorted(rows, key=lambda one: str(one.shares)), key=lambda one: one.shares):
        members = [one.member for one in alike]
        if len({formed.division[one] for one in members}) > 1:
            assert len(members) > terms.full - terms.least + 1


@examples(150)
@given(st.data())
def test_between_full_divisions_whole_ranks_go_up_and_as_many_come_down(data):
    size = data.draw(st.integers(2, 8))
    terms = DivisionTerms(2, size, data.draw(st.integers(1, size // 2)))
    rows = []
    for division in (1, 2):
        rank = 1
        for place in range(1, size + 1 + data.draw(st.integers(0, 4)) * (division - 1)):
            rank = data.draw(st.sampled_from([rank, place]))
            rows.append(DivisionStanding(division * 100 + place, division, rank))
    formed = league_divisions_formed(rows, [999], terms)
    up = [one for one in rows if formed.division[one.member] < one.division]
    down = [one for one in rows if formed.division[one.member] > one.division]
    assert len(down) <= len(up) <= terms.moves
    assert formed.division[999] == 2
    for moved, division in ((up, 2), (down, 1)):
        stayed = [one.rank for one in rows if one.division == division and one not in moved]
        assert not {one.rank for one in moved} & set(stayed), "of one rank all go, or nobody"
        if moved and stayed:
            assert (max if division == 2 else min)(one.rank for one in moved) != stayed[0] or size == len(moved)
    assert all(one.rank < min([o.rank for o in rows if o.division == 2 and o not in up], default=99) for one in up)
    assert all(one.rank > max([o.rank for o in rows if o.division == 1 and o not in down], default=0) for one in down)
    first = next(len(list(alike)) for _rank, alike in groupby(one.rank for one in rows if one.division == 2))
    assert bool(up) == (first <= terms.moves)


def spread(league):
    """Strengths of its bots, so far apart that a few matches separate them."""
    bots = league.memberships.order_by("pk").values_list("bot", flat=True)
    return {bot: -1.5 * number for number, bot in enumerate(bots)}


def played(league, strengths, rounds=12):
    """Play the running season, and return it with its ladder."""
    season = season_of(league)
    for _ in range(rounds):
        services.season_schedule(season_id=season.pk)
        play(season, strengths, random.Random(7))
    services.season_refit(season_id=season.pk)
    season.refresh_from_db()
    return season


def followed(league):
    services.season_end(league=league)
    return services.season_start(league=league)


def exported(season):
    address = reverse("leagues:export", args=[season.league.slug, season.number, "season.json"])
    return json.loads(b"".join(Client().get(address).streaming_content))


def placed_in(season):
    return dict(SeasonEntry.objects.filter(season=season).values_list("membership", "division"))


@pytest.fixture
def league(db, monkeypatch):
    """In its second season, in which it has two divisions of four and one of the rest."""
    monkeypatch.setattr(lifecycle.secrets, "token_bytes", bytes)  # the same luck in every run
    worker_up(slots=8)
    league = open_league(bots=13, divisions=3, division_size=4, division_moves=1, players_per_table=2)
    played(league, spread(league))
    followed(league)
    return league


def test_divisions_are_formed_from_the_ladder_and_bots_meet_only_within_theirs(league, client):
    first, second = Season.objects.order_by("number")
    assert (first.divisions, second.divisions) == (1, 3)
    order = [row.entry.membership_id for row in ladder_of(first).rows]
    division = placed_in(second)
    assert [division[one] for one in order] == sorted(division.values()), "in the order of the ladder"
    assert not SeasonEntry.objects.exclude(division_before=None).exists(), "nobody was promoted into the first ones"
    late = member_of(league)
    assert placed_in(second)[late.pk] == 3
    season = played(league, spread(league), 6)
    entries = dict(SeasonEntry.objects.filter(season=season).values_list("version", "division"))
    tables = [
        {entries[seat.version_id] for seat in one.match.seats.all()}
        for one in LeagueMatch.objects.filter(season=season).select_related("match")
    ]
    assert {len(table) for table in tables} == {1}
    assert {one for table in tables for one in table} == {1, 2, 3}, "each of them plays"
    assert fitted_ladder_agreement_of(season) is Agreement.AGREES
    ladder = ladder_of(season)
    assert [row.entry.division for row in ladder.rows] == sorted(row.entry.division for row in ladder.rows)
    for row in ladder.rows:
        peers = [one for one in ladder.rows if one.entry.division == row.entry.division]
        assert row.rank is None or row.rank <= len(peers)
    assert {row.entry.division for row, *_drawn in ladder_top(season, 20)} == {1}
    assert [row.entry.pk for row in ladder_paged(season, 2)] == [
        row.entry.pk for row in ladder.rows if row.entry.division == 2
    ]
    lower = [ladder.rows[at] for at in ladder.by_rating if ladder.rows[at].entry.division == 2]
    number = ladder_line(season, lower[1].entry.membership).number
    assert number == 2 or lower[1].rank is None, "numbers begin in each division"
    services.season_end(league=league)
    [podium] = season_podiums([season.pk]).values()
    assert {placed_in(season)[league.memberships.get(bot=bot).pk] for _rank, bot in podium} == {1}
    api = client.get(reverse("api-leagues:ladder", args=[league.slug, 2]), {"division": 2}).json()
    assert [one["division"] for one in api["results"]] == [2] * api["count"]
    lines = [listings.ladder_line(one) for one in api["results"]]
    assert all(line.startswith("division 2, ") for line in lines)
    numbers = [one["number"] for one in api["results"]]
    assert numbers == [*range(1, len(numbers) - numbers.count(None) + 1), *[None] * numbers.count(None)]
    assert [line.split()[2] for line in lines] == [f"{one}." if one else "–" for one in numbers]  # noqa: RUF001
    assert client.get(reverse("api-leagues:ladder", args=[league.slug, 2]), {"division": 0}).status_code == 400


def test_the_page_opens_the_division_of_the_reader_s_best_bot(league, client):
    def shown(**query):
        page = client.get(reverse("leagues:detail", args=[league.slug]), query).content.decode()
        nav = re.search(r'<nav class="tabs".*?</nav>', page, re.DOTALL).group()
        [chosen] = re.findall(r'aria-current="page">Division (\d)', nav)
        return int(chosen), re.findall(r'href="(\?[^#"]*)#ladder-title"', nav), page

    middle, low = (SeasonEntry.objects.filter(season__number=2, division=one).first().membership for one in (2, 3))
    Bot.objects.filter(pk=low.bot_id).update(owner=middle.bot.owner)
    assert shown()[:2] == (1, ["?", "?division=2", "?division=3"])
    client.force_login(middle.bot.owner)
    number, links, page = shown()
    assert (number, links) == (2, ["?division=1", "?", "?division=3"])
    assert f'id="m{middle.pk}"' in page
    assert shown(division=1)[0] == 1
    assert shown(division=9)[0] == 3
    assert f'id="m{middle.pk}"' in client.get(reverse("leagues:live", args=[league.slug])).content.decode()
    client.force_login(UserFactory())
    assert shown()[0] == 1


def test_promotion_and_relegation_follow_from_the_exports_and_are_notified_once(league, client):
    bottom = SeasonEntry.objects.get(season__number=2, division=1, membership__bot=worst_of(league, 1)).membership
    left = SeasonEntry.objects.filter(season__number=2, division=2).last().membership
    services.league_bot_leave(membership=left, by=left.bot.owner)
    strengths = spread(league)
    top = SeasonEntry.objects.filter(season__number=2, division=2).exclude(membership=left).first().membership
    strengths |= {top.bot_id: 30.0, bottom.bot_id: -30.0}
    for _ in range(8):  # until games have told them apart from all others
        last = played(league, strengths, 8)
        shared = [row.entry.division * 100 + row.rank for row in ladder_of(last).rows if row.rank]
        ranks = {row.entry.membership_id: row.entry.division * 100 + (row.rank or 0) for row in ladder_of(last).rows}
        if shared.count(ranks[top.pk]) == shared.count(ranks[bottom.pk]) == 1 and ranks[top.pk] == 201:
            break
    page = client.get(reverse("leagues:detail", args=[league.slug])).content.decode()
    assert "Division 3" in page
    services.season_end(league=league)
    services.season_start(league=league)
    with pytest.raises(SeasonRunning):
        services.season_start(league=league)
    season = season_of(league)
    now, before = placed_in(season), placed_in(last)
    assert left.pk not in now
    assert (now[top.pk], now[bottom.pk]) == (1, 2)
    assert 'data-move="up"' not in page, "the first division shows who goes down"
    assert 'data-move="down"' in row_of(page, bottom)
    then = client.get(reverse("leagues:season", args=[league.slug, 2]), {"division": "2"}).content.decode()
    assert 'title="Promoted"' in row_of(then, top)

    was, became = exported(last), exported(season)
    rows = [
        DivisionStanding(row["bot"], row["division"], row["rank"], row["benched"])
        for row in was["ladder"]
        if row["bot"] != left.bot.name
    ]
    terms = DivisionTerms(became["divisions"], became["division_size"], was["division_moves"])
    formed = league_divisions_formed(rows, [], terms)
    assert formed.division == {row["bot"]: row["division"] for row in became["ladder"]}
    assert formed.before == {row["bot"]: row["division_before"] for row in became["ladder"]}

    moved = {one for one in now if now[one] != before[one]}
    notices = [one.data for one in Notice.objects.filter(kind="league.moved")]
    bots = dict(league.memberships.values_list("bot__slug", "pk"))
    assert sorted(bots[one["bot"]] for one in notices) == sorted(moved)
    assert {(bots[one["bot"]], one["division_before"], one["division"]) for one in notices} == {
        (one, before[one], now[one]) for one in moved
    }
    BotVersionFactory(bot=top.bot, number=2)
    services.season_entries_sync(season_id=season.pk)
    entry = SeasonEntry.objects.get(season=season, membership=top, state="playing")
    assert (entry.version.number, entry.division, entry.is_promoted) == (2, 1, True)
    services.league_bot_leave(membership=top, by=top.bot.owner)
    member_of(league, top.bot)
    assert SeasonEntry.objects.get(season=season, membership=top, state="playing").division == 1, "the season's"


def worst_of(league, division):
    entries = SeasonEntry.objects.filter(season__number=2, division=division).select_related("membership")
    strengths = spread(league)
    return min((one.membership.bot_id for one in entries), key=lambda bot: strengths[bot])


def row_of(page, member):
    return re.search(rf'<tr id="m{member.pk}".*?</tr>', page, re.DOTALL)[0]


def test_a_start_that_is_cut_off_leaves_nothing_and_another_number_holds_from_the_next_season(league, monkeypatch):
    services.league_edit(league=league, divisions=2, division_size=6, division_moves=3)
    played(league, spread(league), 8)
    season = season_of(league)
    assert (season.divisions, season.division_size, season.division_moves) == (3, 4, 1)
    services.season_end(league=league)

    def killed(_season):
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(lifecycle, "division_moves_event_publish", killed)
        with pytest.raises(SystemExit):
            services.season_start(league=league)
    assert not Season.objects.filter(number=3).exists()
    assert not Notice.objects.filter(kind="league.moved").exists()
    season = services.season_start(league=League.objects.get())
    upper = list(placed_in(season).values()).count(1)
    assert season.divisions == 2
    assert 6 <= upper <= 9, "its size, and the moves where ranks are whole"
    services.league_edit(league=league, divisions=1)
    assert followed(league).divisions == 1
    assert not SeasonEntry.objects.filter(season__number=4).exclude(division=1).exists()
    for _ in range(3):
        leaving = league.memberships.filter(state="active").last()
        services.league_bot_leave(membership=leaving, by=leaving.bot.owner)


@pytest.mark.django_db
def test_a_league_without_divisions_shows_none_and_queries_none(django_assert_num_queries, client):
    worker_up(slots=8)
    league = open_league(bots=4)
    season = played(league, spread(league), 2)
    page = client.get(reverse("leagues:detail", args=[league.slug])).content.decode()
    assert "Division" not in page
    assert "▲" not in page
    rows = ladder_of(season).rows
    with django_assert_num_queries(0):
        assert season_division_moves_of(season, rows) == {}
