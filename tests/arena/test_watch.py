"""The watch page: which match it chooses, what it shows of it, and what comes next."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any
from urllib.parse import parse_qsl

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from arena.site.tasks import FEATURED_GAMES, site_featured_analyses_order
from arena.watch.selectors import watch_match_worth, watch_schedule
from arena.watch.timetable import Coming, timetable_calendar_file, timetable_coming_events
from games.catalogue import GAMES, current
from leagues.services import season_refit
from matches.airing.channel import SLOT_MS, channel_shows
from matches.models import Analysis, Audience, Match
from matches.selectors import matches_with_seats
from tests.arena.pages import assert_clean_page
from tests.bots.factories import BotVersionFactory
from tests.leagues.factories import open_league, season_of
from tests.matches.airing.on_air import air, match_on_air
from tests.matches.factories import BRISK, FinishedMatchFactory, MatchFactory
from tests.tournaments.factories import TournamentFactory, running_tournament
from tournaments.models import FINAL, Publication, Round, Stage, TournamentState
from tournaments.services import round_plan_premiere_set, round_plan_set, tournament_start

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture(autouse=True)
def _cold() -> None:
    caches["optional"].clear()


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert_clean_page(answer)
    return answer.content.decode()


def finished(hours: float = 0, scores: tuple[float, float] = (1, 1), **fields: Any) -> Match:
    match: Any = FinishedMatchFactory(**fields)
    Match.objects.filter(pk=match.pk).update(finished_at=NOW - timedelta(hours=hours))
    for seat, score in zip(match.seats.all(), scores, strict=True):
        seat.score = score
        seat.save()
    return matches_with_seats(Match.objects.filter(pk=match.pk)).get()


def test_the_first_games_of_shown_matches_are_analysed_in_advance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    shown = [finished(hours=hours, blocks=2) for hours in range(3)]
    assert all(match.games.count() > FEATURED_GAMES for match in shown)
    karteneck = [BotVersionFactory(bot__game="karteneck") for _ in range(2)]
    finished(seats=karteneck, ruleset="karteneck/2", options={})
    MatchFactory(running=True)
    assert site_featured_analyses_order() == sum(min(match.games.count(), FEATURED_GAMES) for match in shown) == 6
    assert set(Analysis.objects.values_list("game__match", flat=True)) == {match.pk for match in shown}
    assert all(Analysis.objects.values_list("is_ordered", flat=True))
    assert site_featured_analyses_order() == 0


def test_a_site_without_a_match_says_what_is_to_come(client: Client) -> None:
    html = page(client, reverse("watch:all"))
    assert "No matches yet. The first one" in html
    assert "No upcoming events." in html


def test_closeness_strength_and_freshness_each_make_a_match_worth_more() -> None:
    plain, far = finished(), finished(scores=(2, 0))
    old = finished(hours=12)
    version = plain.seats.all()[0].version_id
    assert watch_match_worth(plain, {}, NOW) > watch_match_worth(far, {}, NOW)
    assert watch_match_worth(plain, {}, NOW) == pytest.approx(4 * watch_match_worth(old, {}, NOW), rel=0.01)
    assert (
        watch_match_worth(plain, {version: 2.0}, NOW)
        > watch_match_worth(plain, {version: 0.0}, NOW)
        > watch_match_worth(plain, {version: -2.0}, NOW)
    )
    live: Any = MatchFactory(running=True)
    assert watch_match_worth(live, {}, NOW) > watch_match_worth(plain, {}, NOW)


def test_one_board_plays_and_six_stand_beside_it_whatever_there_is(client: Client) -> None:
    for hours in range(9):
        finished(hours)
    html = page(client, reverse("watch:all"))
    assert html.count("<watch-stage") == 1
    assert html.count('class="mini-board"') == 7
    assert html.count("<svg xmlns") == 7


def test_a_replay_of_last_week_is_shown_rather_than_nothing(client: Client) -> None:
    finished(hours=24 * 7)
    assert "<watch-stage" in page(client, reverse("watch:all"))


def test_a_channel_has_the_matches_of_its_game_only(client: Client) -> None:
    other = current("karteneck")
    pick, kart = finished(), finished(ruleset=other.id, options=other.validate(2, {}), seats=_cards())
    for name, shown in (("pickomino", pick), ("karteneck", kart)):
        html = page(client, reverse("watch:channel", args=[name]))
        assert set(re.findall(r'href="/matches/(\d+)/"', html)) == {str(shown.pk)}
    assert watch_schedule("laghetti").boards == []
    assert client.get(reverse("watch:channel", args=["chess"])).status_code == 404
    assert set(GAMES) == set(re.findall(r'href="/watch/(\w+)/"', html))


def test_the_page_of_a_game_has_its_leaderboard_and_the_way_to_its_rules(client: Client) -> None:
    league = open_league(bots=3)
    season_refit(season_id=season_of(league).pk)
    html = page(client, reverse("watch:channel", args=["pickomino"]))
    assert f'href="{reverse("docs-rules", args=["pickomino"])}"' in html
    board = html.partition('id="leaderboard"')[2]
    assert all(escape(one.bot.name) in board for one in league.memberships.select_related("bot"))
    assert 'id="leaderboard"' not in page(client, reverse("watch:channel", args=["laghetti"]))


def test_the_stage_shows_the_channel_from_the_same_moment_for_everyone(client: Client) -> None:
    shown = finished(hours=1)
    for address in (reverse("watch:all"), reverse("watch:channel", args=["pickomino"]), reverse("home")):
        html = page(client, address)
        on = channel_shows("pickomino")
        assert on is not None
        stage = re.search(r'data-match="(\d+)"\s+data-src="([^"]+)"\s+data-left="(\d+)"', html)
        assert stage is not None
        assert stage[1] == str(shown.pk)
        query = dict(parse_qsl(unescape(stage[2]).partition("?")[2]))
        assert int(query["since"]) in (on.starts, on.starts - SLOT_MS)
        assert (query["tempo"], query["autoplay"], query["controls"]) == ("story", "1", "0")
        assert 0 < int(stage[3]) <= SLOT_MS


def test_the_first_match_of_a_site_is_on_as_soon_as_it_is_finished(client: Client) -> None:
    first = finished()
    Match.objects.filter(pk=first.pk).update(finished_at=timezone.now())
    on = channel_shows("pickomino")
    assert on is not None
    assert on.match == first
    assert f'data-match="{first.pk}"' in page(client, reverse("watch:all"))


def test_games_take_turns_among_the_boards() -> None:
    other = current("karteneck")
    for _ in range(3):
        finished()
    kart = finished(hours=4, ruleset=other.id, options=other.validate(2, {}), seats=_cards())
    assert [board.match.pk for board in watch_schedule().boards].index(kart.pk) == 1


def test_no_result_is_shown(client: Client) -> None:
    shown = finished(scores=(2, 0))
    html = page(client, reverse("watch:all")).partition("<main")[2].partition("</main>")[0]
    assert html.count(escape(shown.seats.all()[0].version.bot.name)) >= 3
    assert "The game is over." not in html
    assert "best" not in html
    assert 'class="number' not in html


def test_private_matches_are_not_shown() -> None:
    finished()
    Match.objects.update(audience=Audience.AUTHORS)
    assert watch_schedule() == watch_schedule("karteneck")


def test_names_are_never_markup(client: Client) -> None:
    names = ("<script>x</script>", "</svg><b>&amp;")
    finished(seats=[BotVersionFactory(bot__name=name, source=BRISK) for name in names])
    html = page(client, reverse("watch:all"))
    assert "<script>x" not in html
    assert "</svg><b>" not in html


@pytest.mark.parametrize(
    ("name", "arguments", "most"),
    [("watch:all", [], 9), ("watch:channel", ["pickomino"], 8), ("watch:timetable", [], 1)],
)
def test_it_takes_as_many_queries_for_many_as_for_few(
    client: Client, name: str, arguments: list[str], most: int
) -> None:
    counts = []
    for _ in range(2):
        for _ in range(3):
            finished()
            MatchFactory(running=True)
        caches["optional"].clear()
        with CaptureQueriesContext(connection) as queries:
            assert client.get(reverse(name, args=arguments)).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= most


def test_the_timetable_has_deadlines_and_rounds_that_everyone_may_know(client: Client) -> None:
    soon, later = NOW + timedelta(hours=1), NOW + timedelta(hours=2)
    open_ = TournamentFactory(
        name="Spring Cup", state=TournamentState.OPEN, entries_close_at=soon, first_round_at=later
    )
    TournamentFactory(name="Draft", state=TournamentState.DRAFT, first_round_at=later)
    TournamentFactory(name="Over", state=TournamentState.OPEN, first_round_at=NOW - timedelta(hours=1))
    cup = running_tournament(entries=3, name="Waiting Cup")
    Round.objects.filter(tournament=cup).update(started_at=None, starts_at=later + timedelta(hours=1))
    assert [(one.name, one.label) for one in timetable_coming_events()] == [
        ("Spring Cup", "Entries close"),
        ("Spring Cup", "Round 1 begins"),
        *(("Waiting Cup", f"Round {number} begins") for number in (1, 2, 3)),
    ]
    assert "Spring Cup" in page(client, reverse("watch:all"))
    type(cup).objects.filter(pk=cup.pk).update(publication=Publication.HIDDEN)
    type(open_).objects.filter(pk=open_.pk).update(state=TournamentState.CANCELLED)
    assert timetable_coming_events() == []


def test_a_premiere_is_on_the_timetable_until_it_begins_and_then_on_the_stage(client: Client) -> None:
    match = match_on_air(elapsed=-300.0)
    Match.objects.update(premieres_at=match.airs_at)
    assert [(one.label, one.address) for one in timetable_coming_events()] == [("Premiere", f"/matches/{match.pk}/")]
    assert "<watch-stage" not in page(client, reverse("watch:all"))
    air(match, 10.0)
    Match.objects.update(premieres_at=timezone.now() - timedelta(seconds=10))
    assert timetable_coming_events() == []
    html = page(client, reverse("watch:all"))
    assert f'data-match="{match.pk}"' in html
    assert html.count("live-badge") == 1


def test_the_premiere_of_a_round_is_on_the_timetable_as_soon_as_it_is_planned(client: Client) -> None:
    cup = TournamentFactory(state=TournamentState.OPEN, entries=4, format="swiss", rounds=3, name="Cup")
    Stage.objects.create(tournament=cup, number=2, format="single_elimination", entrants=4)
    for stage, place, days in ((1, 2, 2), (2, 1, 3), (2, FINAL, 4)):
        when = NOW + timedelta(days=days)
        round_plan_set(tournament=cup, stage=stage, place=place, premieres_at=when, tempo="story")
    labels = ["Premiere of round 2", "Premiere of round 1 of stage 2", "Premiere of the final"]
    assert [one.label for one in timetable_coming_events()] == labels
    assert "Premiere of the final" in page(client, reverse("watch:all"))
    assert "Cup: Premiere of the final" in client.get(reverse("watch:timetable")).content.decode()
    round_plan_set(tournament=cup, stage=1, place=2)
    assert [one.label for one in timetable_coming_events()] == labels[1:]
    for hidden in (Publication.PARTICIPANTS, Publication.HIDDEN):
        type(cup).objects.filter(pk=cup.pk).update(publication=hidden)
        assert timetable_coming_events() == []


def test_a_planned_premiere_is_listed_once_after_its_round_is_drawn_and_moves_with_it() -> None:
    cup = TournamentFactory(state=TournamentState.OPEN, entries=4, format="swiss", rounds=3, has_round_review=True)
    later, planned = NOW + timedelta(days=5), NOW + timedelta(days=2)
    round_plan_set(tournament=cup, stage=1, place=1, premieres_at=planned, tempo="story")
    assert [(one.key, one.when) for one in timetable_coming_events()] == [(f"tournament-{cup.pk}-premiere-1", planned)]
    tournament_start(tournament=cup)
    assert [(one.key, one.when) for one in timetable_coming_events()] == [(f"tournament-{cup.pk}-premiere-1", planned)]
    round_plan_premiere_set(played=cup.rounds.get(), premieres_at=later, tempo="story")
    assert [one.when for one in timetable_coming_events()] == [later]
    assert cup.plans.get().premieres_at == later
    round_plan_premiere_set(played=cup.rounds.get(), premieres_at=None)
    assert timetable_coming_events() == []


def test_the_timetable_can_be_subscribed_to(client: Client) -> None:
    TournamentFactory(name="Cup, the; first\\", state=TournamentState.OPEN, first_round_at=NOW + timedelta(days=1))
    answer = client.get(reverse("watch:timetable"))
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    text = answer.content.decode()
    assert "SUMMARY:Cup\\, the\\; first\\\\: Round 1 begins\r\n" in text
    assert re.search(r"UID:tournament-\d+-round-1@testserver\r\n", text)
    assert text.startswith("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
    assert text.endswith("END:VEVENT\r\nEND:VCALENDAR\r\n")


def test_a_calendar_can_be_of_one_tournament(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.watch.timetable.LISTED", 1)
    monkeypatch.setattr("arena.watch.views.LISTED", 1)  # of all tournaments together
    for name in ("Dawn Cup", "Dusk Cup"):
        TournamentFactory(name=name, slug=name.replace(" ", "-"), first_round_at=NOW + timedelta(days=1))
    for name in ("Dawn", "Dusk"):
        text = client.get(reverse("watch:timetable") + f"?tournament={name}-Cup").content.decode()
        assert re.findall(r"SUMMARY:(.*)\r\n", text) == [f"{name} Cup: Round 1 begins"]
    for slug, status in (("D", 200), ("dusk-cup", 200), ("Dusk-Cup/", 404), ("%00", 404), ("%EF%BC%A4", 404)):
        answer = client.get(reverse("watch:timetable") + f"?tournament={slug}")
        assert (answer.status_code, b"VEVENT" in answer.content) == (status, False)


@pytest.mark.parametrize(
    "far", [datetime(9999, 12, 31, 23, 59, tzinfo=UTC), datetime(9999, 12, 31, 23, 31, tzinfo=UTC)]
)
def test_a_distant_event_does_not_hide_others_in_the_calendar(client: Client, far: datetime) -> None:
    TournamentFactory(name="Far Cup", state=TournamentState.OPEN, entries_close_at=far, first_round_at=far)
    TournamentFactory(name="Near Cup", state=TournamentState.OPEN, first_round_at=NOW + timedelta(days=1))
    for address in ("watch:timetable", "watch:all", "home"):
        answer = client.get(reverse(address))
        assert answer.status_code == 200
        assert "Near Cup" in answer.content.decode()
    text = client.get(reverse("watch:timetable")).content.decode()
    assert text.count("BEGIN:VEVENT") == text.count("END:VEVENT") == 1


def test_lines_of_a_calendar_are_folded_between_characters() -> None:
    one = Coming(datetime(2026, 5, 1, 18, tzinfo=UTC), "t-1", "ü\n" * 60, "begins", "/t/")
    text = timetable_calendar_file([one], host="h", origin="http://h", now=NOW)
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert ("ü " * 60).strip() in text.replace("\r\n ", "")
    assert "DTSTART:20260501T180000Z" in text


def _cards() -> list[Any]:
    return [BotVersionFactory(bot__game="karteneck", source=BRISK) for _ in range(2)]
