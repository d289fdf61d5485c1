"""A bot's record and the course of its rating, from games that are known."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from leagues import services
from leagues.models import LeagueMatch, RatingSnapshot
from leagues.selectors.bots import Point, RecordOpponent, league_bot_graph, league_bot_record
from matches.models import MatchState
from tests.arena.pages import assert_clean_page
from tests.leagues.factories import member_of, open_league, season_of, worker_up

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def points(*versions):
    return [Point(NOON + timedelta(hours=hour), 1500 + 10 * hour, 50, one) for hour, one in enumerate(versions)]


def test_a_course_marks_where_each_version_began_and_stays_in_its_frame():
    graph = league_bot_graph(points(1, 1, 2, 2, 1))
    assert [mark.text for mark in graph.versions] == ["v1", "v2", "v1"]
    assert [version for *_, version in graph.points] == [1, 1, 2, 2, 1]
    assert " ".join(f"{x},{y}" for x, y, *_ in graph.points) == graph.line
    assert [mark.at for mark in graph.versions] == sorted(mark.at for mark in graph.versions)
    for corner in (graph.line + " " + graph.band).split():
        x, y = map(float, corner.split(","))
        assert graph.left <= x <= graph.width
        assert graph.top <= y <= graph.floor
    assert {"1460", "1500", "1560"} & {mark.text for mark in graph.scale}


def test_there_is_no_course_of_one_point():
    assert league_bot_graph(points(1)) is None


@pytest.mark.django_db
def test_a_record_counts_each_opponent_and_the_position_at_the_table(client):
    league = open_league(bots=2, blocks=2, players_per_table=2)
    season, bot = season_of(league), league.memberships.first().bot
    worker_up()
    services.season_schedule(season_id=season.pk)
    row = LeagueMatch.objects.first()
    own, other = row.match.seats.get(version__bot=bot), row.match.seats.exclude(version__bot=bot).get()
    # Game 0 and 2 are played as seated, 1 and 3 with the seats changed: it wins whenever it moves first.
    first = [(own.index - game) % 2 == 0 for game in range(4)]
    own.places, other.places = [1 if one else 2 for one in first], [2 if one else 1 for one in first]
    own.score = other.score = 2
    own.save(), other.save()
    row.match.state, row.match.finished_at = MatchState.FINISHED, NOON
    row.match.save()

    record = league_bot_record(season, bot)
    [(opponent, tally)] = record.opponents
    met = RecordOpponent(other.version.bot.slug, other.version.bot.name)
    assert (opponent, tally.won, tally.level, tally.lost, tally.share) == (met, 2, 0, 2, 0.5)
    assert [(seat, tally.games, tally.share) for seat, tally in record.seats] == [(0, 2, 1.0), (1, 2, 0.0)]

    before = client.get(reverse("leagues:bot", args=[league.slug, bot.slug])).content.decode()
    assert "Version 1 has played its first games. Its rank and rating follow" in " ".join(before.split())
    assert "Games of this version" not in before
    assert "L in games</abbr>" in before
    assert "L in matches</abbr>" in client.get(reverse("bots:detail", args=[bot.slug])).content.decode()
    for _ in range(2):
        services.season_refit(season_id=season.pk)
        member_of(league)
    assert RatingSnapshot.objects.count() == 2
    after = client.get(reverse("leagues:bot", args=[league.slug, bot.slug])).content.decode()
    assert "Games of this version" in after
    assert "has played its first games" not in after
    page = client.get(reverse("leagues:bot", args=[league.slug, bot.slug]), {"opponent": opponent.slug, "version": 1})
    assert_clean_page(page)
    assert page.content.decode().count('id="l') == 2  # the finished match and one that waits
    nothing = client.get(reverse("leagues:bot", args=[league.slug, bot.slug]), {"version": "9", "opponent": "nobody"})
    assert nothing.status_code == 200


@pytest.mark.django_db
def test_the_page_of_a_pairing_says_why_and_calls_only_the_best_the_most_informative(client):
    league = open_league(bots=4, blocks=1, players_per_table=2)
    worker_up()
    services.season_schedule(season_id=season_of(league).pk)
    row = LeagueMatch.objects.first()
    page = reverse("leagues:match", args=[league.slug, 1, row.number])
    text = client.get(page).content.decode()
    assert "was the most informative opponent" in text
    assert re.search(r"rating was still uncertain \(1,?500 ± \d+\)\.", text)
    chosen, other, *more = row.reasons["rivals"]
    row.reasons["rivals"] = [chosen, [other[0], other[1], 2 * chosen[2]], *more]
    row.save()
    text = client.get(page).content.decode()
    assert "was the most informative opponent" not in text
    assert "was chosen because no two bots meet three times in a row" in text
    assert_clean_page(client.get(page))
