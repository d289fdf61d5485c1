"""A season's ratings less luck: beside the ladder, from the matches that are analysed, and never deciding its order."""

import json
import random

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from leagues import services
from leagues.models import Season, SeasonEntry
from leagues.selectors import fitting
from leagues.selectors.ladder import ladder_of, ladder_revision
from luck import UNIT, luck_value_of
from matches.models import Analysis, Game, Match
from tests.leagues.factories import open_league, play, season_of, worker_up

pytestmark = pytest.mark.django_db
VALUE = "pickomino/1-v1"


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def played_season(rounds: int = 2, **fields: object) -> Season:
    """Four bots that are equally strong; games are stored as rows, without a record."""
    league = open_league(bots=4, **fields)
    season = season_of(league)
    worker_up(slots=4)
    Season.objects.filter(pk=season.pk).update(secret=bytes(32))  # who meets whom follows from it
    rng = random.Random(3)
    for _ in range(rounds):
        services.season_schedule(season_id=season.pk)
        matches = play(season, {member.bot_id: 0.0 for member in league.memberships.all()}, rng)
        Game.objects.bulk_create(game for match in matches for game in games_of(match))
        services.season_refit(season_id=season.pk)
    season.refresh_from_db()
    return season


def games_of(match: Match) -> list[Game]:
    places = zip(*(seat.places for seat in match.seats.order_by("index")), strict=True)
    return [
        Game(match=match, attempt=1, index=index, record=b"", points=[0, 0], places=list(own), reason="")
        for index, own in enumerate(places)
    ]


def analyse(season: Season, luck: float = 0.0) -> None:
    """Say of every game that was ordered that its winner was so lucky."""
    for one in Analysis.objects.filter(game__match__league_match__season=season, sums__isnull=True):
        own = one.game.places if one.game.index % 2 == 0 else one.game.places[::-1]  # by position at the table
        one.sums = {"luck": [round((luck if place == 1 else -luck) * UNIT) for place in own]}
        one.digest = "0" * 32
        one.save()


def refit(season: Season) -> bool:
    found = services.season_luck_adjusted_refit(season_id=season.pk)
    season.refresh_from_db()
    return found


def test_there_is_no_value_before_games_are_analysed_and_then_one_for_all_who_played(client: Client) -> None:
    season = played_season()
    league = season.league
    assert season.luck_value == luck_value_of(league.ruleset) == VALUE
    assert not refit(season)
    matches = Match.objects.filter(league_match__season=season).count()
    assert Analysis.objects.filter(value=VALUE).count() == Game.objects.count() > 0, "they are ordered"
    assert all(row.less_luck is None for row in ladder_of(season).rows)
    before, order = ladder_revision(season), [row.entry.pk for row in ladder_of(season).rows]
    analyse(season)
    assert refit(season)
    assert season.less_luck_matches == matches
    assert ladder_revision(season) != before, "a cached page is made again"
    rows = ladder_of(season).rows
    assert [row.entry.pk for row in rows] == order
    for row in rows:  # luck that is nought takes nothing off: it is the same fit of the same games
        assert row.less_luck is not None
        assert row.less_luck.points == pytest.approx(row.points, abs=0.01)
        assert row.less_luck.within == pytest.approx(row.within, rel=0.01)
    assert not refit(season), "nothing is new"
    page = client.get(reverse("leagues:detail", args=[league.slug])).content.decode()
    cell = page.partition(f'id="m{rows[0].entry.membership_id}-less-luck"')[2].partition("</td>")[0]
    assert f"{round(rows[0].less_luck.points)} <span" in cell  # type: ignore[union-attr]
    assert VALUE in page
    answer = client.get(reverse("api-leagues:ladder", args=[league.slug, 1])).json()["results"]
    by_bot = {one["bot"]["name"]: one["less_luck"]["rating"] for one in answer}
    assert by_bot == {row.entry.version.bot.name: row.less_luck.points for row in rows}  # type: ignore[union-attr]
    data = json.loads(client.get(reverse("leagues:export", args=[league.slug, 1, "season.json"])).getvalue())
    assert (data["luck_value"], data["less_luck_matches"]) == (VALUE, matches)
    assert data["ladder"][0]["less_luck"] == round(rows[0].less_luck.points, 1)  # type: ignore[union-attr]


def test_luck_that_explains_who_won_brings_equals_closer_together() -> None:
    season = played_season(rounds=6)
    refit(season)
    analyse(season, luck=0.5)
    refit(season)
    rows = ladder_of(season).rows
    spread = max(row.points for row in rows) - min(row.points for row in rows)
    assert spread > 20
    less = [row.less_luck.points for row in rows if row.less_luck]
    assert len(less) == 4
    assert max(less) - min(less) < spread / 3


def test_a_match_with_a_game_that_cannot_be_analysed_is_left_out() -> None:
    season = played_season()
    refit(season)
    analyse(season)
    failed = Match.objects.filter(league_match__season=season).order_by("pk")[0]
    Analysis.objects.filter(game__match=failed, game__index=0).update(sums=None)
    refit(season)
    assert season.less_luck_matches == Match.objects.filter(league_match__season=season).count() - 1


def test_games_are_ordered_of_the_newest_matches_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    season = played_season()
    monkeypatch.setattr(fitting, "NEWEST", 1)
    refit(season)
    newest = Match.objects.filter(league_match__season=season).order_by("-league_match__number")[0]
    assert set(Analysis.objects.values_list("game__match", flat=True)) == {newest.pk}


def test_of_two_concurrent_refits_one_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    season = played_season()
    refit(season)
    analyse(season)
    fitted = fitting.fitted_ladder_luck_adjusted

    def overtaken(read: Season) -> fitting.SeasonLuckAdjusted:
        monkeypatch.setattr("leagues.services.ladders.fitted_ladder_luck_adjusted", fitted)
        assert services.season_luck_adjusted_refit(season_id=read.pk)
        return fitted(read)

    monkeypatch.setattr("leagues.services.ladders.fitted_ladder_luck_adjusted", overtaken)
    assert not refit(season)
    assert season.less_luck_matches == Match.objects.filter(league_match__season=season).count()


def test_a_season_that_was_there_before_and_a_game_without_a_value_have_no_such_column(client: Client) -> None:
    season = played_season()
    Season.objects.filter(pk=season.pk).update(luck_value="")
    assert not refit(season)
    assert not Analysis.objects.exists()
    page = client.get(reverse("leagues:detail", args=[season.league.slug])).content.decode()
    assert "-less-luck" not in page
    other = season_of(open_league(ruleset="karteneck/2"))
    assert other.luck_value == luck_value_of("karteneck/2")


def test_seasons_that_run_and_that_have_just_ended_are_looked_after() -> None:
    season = played_season()
    services.league_close(league=season.league)
    assert services.leagues_luck_adjusted_refit() == 0
    analyse(season)
    assert services.leagues_luck_adjusted_refit() == 1


def test_a_rating_less_luck_has_a_spread() -> None:
    season = played_season(rounds=1)
    entry = SeasonEntry.objects.filter(season=season)[0]
    for wrong in ({"less_luck_mean": 1.0}, {"less_luck_se": 1.0}, {"less_luck_mean": 1.0, "less_luck_se": -1.0}):
        with pytest.raises(IntegrityError), transaction.atomic():
            SeasonEntry.objects.filter(pk=entry.pk).update(**wrong)
