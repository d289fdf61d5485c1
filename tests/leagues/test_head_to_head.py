"""What the bots of a season won of each other: the matrix, and two bots side by side."""

import json
import random
from time import time
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bots.models import Bot, BotVersion
from leagues.models import LeagueMatch, Membership, Season, SeasonEntry
from leagues.selectors import comparing, shares
from leagues.selectors.bots import league_bot_record
from leagues.selectors.comparing import season_compared_bot, season_comparison_matrix_of, season_comparison_of
from leagues.selectors.ladder import ladder_of
from leagues.selectors.shares import season_shares_snapshot
from leagues.services import league_bot_leave, season_refit, season_schedule
from leagues.tasks import season_shares_refresh_task
from matches.models import Broadcast, Match, MatchState
from peck.__main__ import main
from tests.arena.pages import assert_clean_page
from tests.groups.factories import GroupFactory
from tests.leagues.factories import LeagueFactory, member_of, open_league, play, season_of, worker_up
from web.models import Snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh() -> None:
    caches["optional"].clear()


def played_season(bots: int = 4, rounds: int = 6, **fields: Any) -> Season:
    league = open_league(bots=bots, **fields)
    worker_up()
    season = season_of(league)
    strengths = {one.bot_id: 0.5 * number for number, one in enumerate(league.memberships.all())}
    for _ in range(rounds):
        season_schedule(season_id=season.pk)
        play(season, strengths, random.Random(3))
    return refitted(season)


def refitted(season: Season) -> Season:
    season_refit(season_id=season.pk)
    season.refresh_from_db()
    return season


def played_on(season: Season) -> Season:
    season_schedule(season_id=season.pk)
    play(season, {one.bot_id: 0.0 for one in season.league.memberships.all()}, random.Random(4))
    return refitted(season)


def games_counted(season: Season) -> int:
    return sum(games for games, _won in season_shares_snapshot(season).by_pair.values())


def address(season: Season, name: str, **query: Any) -> str:
    pairs = "&".join(f"{key}={value}" for key, value in query.items())
    return f"{reverse(f'leagues:{name}', args=[season.league.slug, season.number])}?{pairs}"


@pytest.mark.parametrize("seats", [2, 3])
def test_the_matrix_says_what_records_of_the_bots_say(seats: int) -> None:
    season = played_season(players_per_table=seats)
    matrix = season_comparison_matrix_of(season)
    rows = matrix.rows(matrix.order)
    assert [one.number for one in rows] == [1, 2, 3, 4]
    for row in rows:
        record = {met.slug: tally for met, tally in league_bot_record(season, row.bot).opponents}
        cells = {cell.bot.slug: cell.share for cell in row.cells if cell.share}
        assert {slug: (one.games, one.won) for slug, one in cells.items()} == {
            slug: (tally.games, tally.won + tally.level / 2) for slug, tally in record.items()
        }
        assert [cell.share for cell in row.cells if cell.is_itself] == [None]
        assert row.total is not None
        assert row.total.games == sum(tally.games for tally in record.values())


def test_one_query_reads_the_results_however_many_bots(django_assert_max_num_queries: Any) -> None:
    counts = []
    for bots in (4, 8):
        season = played_season(bots)
        with CaptureQueriesContext(connection) as queries:
            matrix = season_comparison_matrix_of(season)
            matrix.rows(matrix.order)
        counts.append(len(queries))
        with django_assert_max_num_queries(counts[0] - 2):  # the results are cached
            season_comparison_matrix_of(season).rows([])
    assert counts[0] == counts[1]


def test_only_the_newest_matches_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    season = played_season()
    every = games_counted(season)
    Snapshot.objects.all().delete()
    monkeypatch.setattr(shares, "MATCHES_MOST", 2)
    assert games_counted(season) == 4 < every


def test_readers_of_a_short_season_have_every_refit_and_compute_it_once(
    django_assert_num_queries: Any,
) -> None:
    season = played_season()
    before = games_counted(season)
    season = played_on(season)
    assert games_counted(season) > before
    caches["optional"].clear()
    with django_assert_num_queries(2):  # the revision, and what is stored
        season_shares_snapshot(season)


def test_readers_of_a_long_season_have_the_last_shares_until_a_worker_has_refreshed_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr("celery.Celery.send_task", lambda _app, *task, **_options: sent.append(task))
    monkeypatch.setattr(shares, "AT_ONCE", 0)
    season = played_season()
    before = games_counted(season)
    season = played_on(season)
    monkeypatch.setattr("web.snapshots.time", lambda: time() + 60)
    assert [games_counted(season) for _ in range(3)] == [before] * 3
    assert sent.count((shares.REFRESH_TASK, [season.pk])) == 1
    season_shares_refresh_task(season.pk)
    assert games_counted(season) > before
    season_shares_refresh_task(0)  # of a season that is gone


def test_results_that_are_sealed_are_not_counted() -> None:
    season = played_season()
    before = games_counted(season)
    match = LeagueMatch.objects.order_by("-number")[0].match
    Match.objects.filter(pk=match.pk).update(
        state=MatchState.ON_AIR,
        tempo=Broadcast.STORY,
        airs_at=match.created_at,
        air_ends_at=match.created_at,
        finished_at=None,
    )
    Snapshot.objects.all().delete()
    assert games_counted(season) == before - 2
    one, other = (seat.version.bot.slug for seat in match.seats.select_related("version__bot"))
    met = season_comparison_of(season, season_compared_bot(season, one), season_compared_bot(season, other)).met
    shown = season_shares_snapshot(season).of(
        *(season.league.memberships.get(bot__slug=slug).pk for slug in (one, other))
    )
    assert (met and met.games) == (shown and shown.games)


def test_the_page_of_the_matrix(client: Client) -> None:
    season = played_season()
    page = client.get(address(season, "head-to-head"))
    assert_clean_page(page)
    html = page.content.decode()
    first, second, *_ = season_comparison_matrix_of(season).rows(season_comparison_matrix_of(season).order)
    assert f"one={first.bot.slug}&amp;other={second.bot.slug}" in html
    assert html.count('class="self"') == 4
    assert (
        reverse("leagues:head-to-head", args=[season.league.slug, 1])
        in client.get(reverse("leagues:detail", args=[season.league.slug])).content.decode()
    )


def test_a_matrix_is_of_one_division(client: Client) -> None:
    season = played_season(8, divisions=2, division_size=4, division_moves=1)
    Season.objects.filter(pk=season.pk).update(divisions=2)
    low = list(season.season_entries.order_by("pk")[:3])
    for one in low:
        type(one).objects.filter(pk=one.pk).update(division=2)
    season.refresh_from_db()
    assert [len(season_comparison_matrix_of(season, number).order) for number in (1, 2)] == [5, 3]
    html = client.get(address(season, "head-to-head", division=2)).content.decode()
    assert html.count('class="rank">') == 4  # and the head
    api = reverse("api-leagues:head-to-head", args=[season.league.slug, 1])
    assert [client.get(api, {"division": one}).json()["count"] for one in (1, 2)] == [5, 3]


def test_a_season_in_which_nobody_plays_has_an_empty_matrix(client: Client) -> None:
    season = season_of(open_league())
    assert_clean_page(client.get(address(season, "head-to-head")))
    assert client.get(reverse("api-leagues:head-to-head", args=[season.league.slug, 1])).json()["results"] == []


def test_two_bots_side_by_side(client: Client) -> None:
    season = played_season(rounds=8)
    season_refit(season_id=season.pk)
    first, second = season_comparison_matrix_of(season).rows(season_comparison_matrix_of(season).order)[:2]
    page = client.get(address(season, "compare", one=first.bot.slug, other=second.bot.slug))
    assert_clean_page(page)
    found = season_comparison_of(
        season, season_compared_bot(season, first.bot.slug), season_compared_bot(season, second.bot.slug)
    )
    assert found.met == first.cells[1].share
    assert found.expected is not None
    assert found.expected > 0.5
    third = found.common[0].bot.slug
    own = {met.slug: tally for met, tally in league_bot_record(season, first.bot).opponents}
    assert found.common[0].one.games == own[third].games
    assert f"<h1>{first.bot.name} and {second.bot.name}</h1>" in page.content.decode()
    api = reverse("api-leagues:compare", args=[season.league.slug, 1, first.bot.slug, second.bot.slug])
    data = client.get(api).json()
    assert (data["one"]["bot"]["slug"], data["other"]["bot"]["slug"]) == (first.bot.slug, second.bot.slug)
    assert data["met"]["games"] == found.met.games
    assert [one["bot"]["slug"] for one in data["common"]] == [one.bot.slug for one in found.common]


def test_bots_are_chosen_and_one_that_is_not_in_the_season_is_not_found(client: Client) -> None:
    season = played_season()
    bot = season.league.memberships.first().bot
    outsider = member_of(open_league()).bot.slug
    empty = client.get(address(season, "compare"))
    assert_clean_page(empty)
    assert empty.content.decode().count(f'<option\n    value="{bot.name}">') == 1
    top = ladder_of(season)
    first, second = (top.rows[place].entry.version.bot.slug for place in top.by_rating[:2])
    assert f'href="?one={first}&amp;other={second}"' in empty.content.decode()
    half = client.get(address(season, "compare", one=bot.slug)).content.decode()
    assert f'name="one" value="{bot.name}"' in half
    assert "errorlist" not in half
    same = client.get(address(season, "compare", one=bot.slug, other=bot.slug)).content.decode()
    assert "Choose two different bots." in same
    for nobody in ("nobody", outsider, "%00", "x" * 500, "%00nobody"):
        answer = client.get(address(season, "compare", one=bot.slug, other=nobody))
        assert_clean_page(answer)
        assert answer.status_code == 404
    for pair in ((bot.slug, outsider), (bot.slug, bot.slug)):
        assert client.get(reverse("api-leagues:compare", args=[season.league.slug, 1, *pair])).status_code == 404


def named(season: Season, *names: str) -> list[Bot]:
    """Give bots of the season these names, and return them."""
    bots = [member.bot for member in season.league.memberships.order_by("pk")[: len(names)]]
    for bot, name in zip(bots, names, strict=True):
        bot.name = name
        bot.save(update_fields=["name"])
    return bots


def test_a_bot_is_chosen_by_its_name_or_a_part_of_it_and_several_are_offered(client: Client) -> None:
    season = played_season()
    crow, owl, crown, _ = named(season, "Crow", "Straße", "Crown of Owls", "crow")

    def chosen(**query: str) -> list[str]:
        answer = client.get(address(season, "compare", **query))
        assert_clean_page(answer)
        return [one.bot.slug for one in answer.context["chosen"]]

    assert chosen(one="STRASSE", other="crown") == [owl.slug, crown.slug]
    assert chosen(one=crow.slug, other="of owls") == [crow.slug, crown.slug]
    several = client.get(address(season, "compare", one="Crow", other="strasse"))
    assert several.status_code == 200
    html = several.content.decode()
    assert "Which bot is “Crow”?" in html
    assert f'href="?one={crow.slug}&amp;other=strasse"' in html
    assert f"one={crown.slug}" not in html  # it has not that very name
    assert "No bot of this season" in " ".join(
        client.get(address(season, "compare", one="eagle")).content.decode().split()
    )


def test_what_the_form_shows_of_a_chosen_bot_chooses_it_once_more(client: Client) -> None:
    season = played_season()
    crow, *others = named(season, "Crow", "crow", "Raven", "Owl")

    def shown(**query: str) -> str:
        return str(client.get(address(season, "compare", **query)).context["form"].initial["one"])

    assert shown(one=crow.slug) == crow.slug  # another one's name differs in nothing but case
    assert shown(one="rav") == shown(one=others[1].slug) == "Raven"
    crow, *_ = named(season, others[1].slug)
    assert shown(one=crow.slug) == crow.slug  # it is named as the address of another one says


def test_the_page_of_many_bots_stays_small(client: Client) -> None:
    season = season_of(open_league())
    crowd(season, comparing.LISTED_MOST + 1)
    for query in ({}, {"one": "crowd"}, {"one": "crowd", "other": "crowd-7"}):
        answer = client.get(address(season, "compare", **query))
        assert answer.status_code == 200
        assert len(answer.content) < 60_000
    html = answer.content.decode()
    assert html.count('href="?one=crowd-') == comparing.CANDIDATES_MOST
    assert "Type more of the name." in html


def crowd(season: Season, count: int) -> None:
    people, game = get_user_model(), season.league.game
    authors = people.objects.bulk_create(people(username=f"author-{one}") for one in range(count))
    bots = Bot.objects.bulk_create(
        Bot(owner=author, name=f"Crowd {one}", slug=f"crowd-{one}", game=game) for one, author in enumerate(authors)
    )
    versions = BotVersion.objects.bulk_create(
        BotVersion(bot=bot, number=1, sha256=f"{bot.pk}", filename="bot.py", size=1, kept=0) for bot in bots
    )
    members = Membership.objects.bulk_create(Membership(league=season.league, bot=bot) for bot in bots)
    SeasonEntry.objects.bulk_create(
        SeasonEntry(season=season, membership=member, version=version)
        for member, version in zip(members, versions, strict=True)
    )


def test_the_page_of_a_bot_leads_to_the_comparison_with_it_chosen(client: Client) -> None:
    season = played_on(played_season())
    bot = season.league.memberships.first().bot
    own_page, link = reverse("bots:detail", args=[bot.slug]), f'href="{address(season, "compare", one=bot.slug)}"'
    assert link in client.get(own_page).content.decode()
    type(season.league).objects.filter(pk=season.league_id).update(audience="group", group=(group := GroupFactory()))
    assert link not in client.get(own_page).content.decode()
    client.force_login(group.created_by)
    assert link in client.get(own_page).content.decode()


def test_a_bot_that_has_left_is_compared_by_what_it_played(client: Client) -> None:
    season = played_season()
    first, second = season_comparison_matrix_of(season).rows(season_comparison_matrix_of(season).order)[:2]
    member = season.league.memberships.get(bot=first.bot)
    league_bot_leave(membership=member, by=first.bot.owner)
    page = client.get(address(season, "compare", one=first.bot.slug, other=second.bot.slug))
    assert_clean_page(page)
    assert season_compared_bot(season, first.bot.slug).row is None
    content = client.get(
        reverse("api-leagues:compare", args=[season.league.slug, 1, first.bot.slug, second.bot.slug])
    ).json()
    assert (content["one"], content["expected"]) == (None, None)
    assert content["met"]["games"] == first.cells[1].share.games


def test_a_group_reveals_nothing_to_outsiders(client: Client) -> None:
    league = played_season().league
    one, other = (member.bot.slug for member in league.memberships.all()[:2])
    type(league).objects.filter(pk=league.pk).update(audience="group", group=(group := GroupFactory()))
    pages = [
        address(season_of(league), "head-to-head"),
        address(season_of(league), "compare", one=one, other=other),
        reverse("api-leagues:head-to-head", args=[league.slug, 1]),
        reverse("api-leagues:compare", args=[league.slug, 1, one, other]),
    ]
    assert [client.get(page).status_code for page in pages] == [404] * 4
    client.force_login(group.created_by)
    assert [client.get(page).status_code for page in pages[:2]] == [200] * 2


def test_peck_compares_two_bots_of_a_league(
    live_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    season = played_season(rounds=8)
    one, other, *_ = (
        row.bot.slug for row in season_comparison_matrix_of(season).rows(season_comparison_matrix_of(season).order)
    )
    elsewhere = member_of(open_league()).bot.slug
    monkeypatch.setenv("PECK_SITE", live_server.url)
    league = season.league.slug
    assert main(["head-to-head", league, one, other, "--json"]) == 0
    comparison = json.loads(capsys.readouterr().out)
    assert comparison.keys() >= {"one", "other", "met", "expected", "common", "one_common", "other_common"}
    assert comparison["one"]["bot"]["slug"] == one
    assert main(["head-to-head", league, one, other, "--most", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{one} - {other}: won {comparison['met']['share']:.0%} (")
    assert [line.split(": ")[0].split(". ")[1] for line in lines[1:3]] == [f"{one} v1", f"{other} v1"]
    assert lines[3].startswith("2 common opponents: ")
    assert lines[4].startswith(f"  {comparison['common'][0]['bot']['slug']}: ")
    assert len(lines) == 5
    for words, code, error in (
        ([one], 2, "OPPONENT: name two different bots, or none"),
        ([one, one], 2, "OPPONENT: name two different bots, or none"),
        ([one, other, "--division", "1"], 2, "--division: cannot be used when two bots are compared"),
        ([one, "nobody"], 4, "OPPONENT 'nobody': there is no such bot at"),
        (["nobody", one], 4, "BOT 'nobody': there is no such bot at"),
        ([one, elsewhere], 4, f"{league} has not had both on its ladder this season"),
    ):
        assert main(["head-to-head", league, *words]) == code
        assert error in capsys.readouterr().err
    assert main(["head-to-head", open_league().slug, one, other]) == 4
    draft = LeagueFactory(state="open")
    assert main(["head-to-head", draft.slug, one, other]) == 0
    assert capsys.readouterr().out == "nobody is on its ladder yet\n"
