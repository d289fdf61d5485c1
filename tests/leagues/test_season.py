"""A whole season without workers: the scheduler chooses, matches end as the bots' strengths say, the ladder follows."""

import random
from collections import Counter
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from games.dealer import block_seed
from leagues import services
from leagues.errors import NoSeason
from leagues.models import LeagueMatch, Rating, Season, SeasonEntry, SeasonState
from leagues.selectors.fitting import fitted_ladder
from leagues.services import lifecycle
from leagues.services.lifecycle import season_refit
from matches.models import Match, MatchState, Seat
from matches.queue.claims import claim_account_for, claim_settle, claim_take
from tests.arena.factories import OrganiserFactory
from tests.leagues.factories import member_of, open_league, play, season_of, worker_up
from tests.matches.factories import MatchFactory

pytestmark = pytest.mark.django_db
CLOSE = 9  # digits: a refit begins where the ladder stood, and ends within rounding of one from scratch


def shown(season):
    """The ladder of the last refit, as rows that compare with a fit from scratch."""
    rows = Rating.objects.filter(snapshot__season=season, snapshot__number=season.refits)
    found = rows.values_list("entry", "mean", "se", "rank", "rank_low", "rank_high", "games", "score")
    return [(entry, round(mean, CLOSE), round(se, CLOSE), *rest) for entry, mean, se, *rest in found]


def from_scratch(season):
    rows = [(line.entry, line.standing, line.played) for line in fitted_ladder(season)]
    return [
        (
            one,
            round(its.mean, CLOSE),
            round(its.se, CLOSE),
            its.rank,
            its.rank_low,
            its.rank_high,
            played.games,
            played.score,
        )
        for one, its, played in rows
    ]


def rank_correlation(ladder, truth):
    """Spearman's, between two orders of the same bots."""
    place = {bot: number for number, bot in enumerate(sorted(truth, key=lambda bot: -truth[bot]))}
    n = len(ladder)
    return 1 - 6 * sum((number - place[bot]) ** 2 for number, bot in enumerate(ladder)) / (n * (n * n - 1))


@pytest.mark.simulation
def test_a_league_of_thirty_bots_finds_their_order():
    league = open_league(bots=30, blocks=2)
    season = season_of(league)
    Season.objects.update(secret=bytes(32))  # the same luck in every run
    season.refresh_from_db()
    rng = random.Random(30)
    truth = {member.bot_id: rng.gauss(0, 0.9) for member in league.memberships.all()}
    worker_up()
    worker_up("another@here")
    for number in range(50):
        assert services.season_schedule(season_id=season.pk) == 4
        play(season, truth, rng)
        if number % 10 == 9:
            assert services.season_refit(season_id=season.pk)
    season.refresh_from_db()

    finished = Match.objects.filter(league_match__season=season, state=MatchState.FINISHED)
    assert finished.count() == LeagueMatch.objects.count() == season.scheduled == 200
    assert shown(season) == from_scratch(season)
    bots = dict(SeasonEntry.objects.values_list("pk", "version__bot"))
    ladder = [bots[row[0]] for row in shown(season)]
    assert rank_correlation(ladder, truth) > 0.7
    assert sum(row[6] for row in shown(season)) == 200 * 4 * 2
    seats = Counter(Seat.objects.values_list("version__bot", flat=True))
    assert min(seats.values()) >= 4, "of 13 on average: a bot far from all others teaches less, but is not left out"
    assert max(seats.values()) <= 22


def test_the_scheduler_keeps_a_few_matches_waiting_and_no_more():
    season = season_of(open_league(bots=4))
    assert services.season_schedule(season_id=season.pk) == 0, "nobody could play them"
    worker_up()
    assert services.season_schedule(season_id=season.pk) == 2
    assert services.season_schedule(season_id=season.pk) == 0
    play(season, dict.fromkeys(SeasonEntry.objects.values_list("version__bot", flat=True), 0.0), random.Random(1))
    assert services.season_schedule(season_id=season.pk) == 2


def test_a_match_that_the_platform_failed_too_often_is_called_off_and_others_are_chosen():
    season = season_of(open_league(bots=4))
    worker_up()
    services.season_schedule(season_id=season.pk)
    Match.objects.update(state=MatchState.HELD)
    assert services.leagues_tend() == 2
    assert set(Match.objects.order_by("pk").values_list("state", flat=True)) == {"cancelled", "queued"}


def test_the_trouble_of_one_league_is_not_anothers():
    worker_up()
    broken = open_league(bots=2)
    type(broken).objects.update(ruleset="gone/7")
    sound = open_league(bots=2)
    assert services.leagues_tend() >= 1
    assert not broken.seasons.get().league_matches.exists()
    assert sound.seasons.get().league_matches.exists()


def test_the_ladders_of_others_are_fitted_though_one_cannot_be(monkeypatch):
    broken, sound = (season_of(open_league(bots=2)) for _ in range(2))
    fit = season_refit

    def fails(*, season_id):
        if season_id == broken.pk:
            raise RuntimeError("no such ladder")
        return fit(season_id=season_id)

    monkeypatch.setattr(lifecycle, "season_refit", fails)
    assert services.leagues_refit() == 1
    sound.refresh_from_db()
    assert sound.refits == 1


def test_a_league_goes_on_while_other_contests_wait():
    season = season_of(open_league(bots=4))
    worker_up()
    MatchFactory.create_batch(5)
    assert services.season_schedule(season_id=season.pk) == 2
    assert services.season_schedule(season_id=season.pk) == 0
    league = Match.objects.filter(league_match__season=season)
    assert set(league.values_list("account", "contest")) == {
        (f"leagues.{season.league.organiser_id}", f"season.{season.pk}")
    }


def test_all_leagues_of_an_organiser_have_one_share_of_the_workers_and_each_its_part_of_it():
    organiser, other = OrganiserFactory(), OrganiserFactory()
    worker_up()
    seasons_of_one = [season_of(open_league(bots=4, organiser=organiser)) for _ in range(4)]
    lone = season_of(open_league(bots=4, organiser=other))
    matches = MatchFactory.create_batch(12)
    paid_by = claim_account_for(f"organiser.{organiser.pk}", paced=False)
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(account=paid_by, state=MatchState.QUEUED)
    served, of_season = Counter(), Counter()
    for number in range(24):
        for season in (*seasons_of_one, lone):
            services.season_schedule(season_id=season.pk)
        claim = claim_take(f"worker:{number}")
        claim_settle(claim, seconds=10)
        served[claim.account] += 1
        ids = [match.pk for _, match in claim.work]
        of_season.update(LeagueMatch.objects.filter(match__in=ids).values_list("season", flat=True))
        Match.objects.filter(pk__in=ids).update(
            state=MatchState.FINISHED, finished_at=timezone.now(), lease_expires_at=None
        )
    assert set(served.values()) == {8}
    assert len(served) == 3
    assert [of_season[season.pk] for season in seasons_of_one] == [2, 2, 2, 2]


def test_from_the_revealed_secret_anyone_derives_the_secret_of_every_match():
    season = season_of(open_league(bots=4))
    worker_up()
    services.season_schedule(season_id=season.pk)
    secrets = {bytes(one.match.secret) for one in season.league_matches.all()}
    assert secrets == {block_seed(bytes(season.secret), "match", number) for number in (1, 2)}


def test_of_two_concurrent_schedulers_one_writes(monkeypatch):
    season = season_of(open_league(bots=4))
    worker_up()
    from leagues.services import scheduling

    choose = scheduling._choices

    def meanwhile(*args):
        monkeypatch.setattr(scheduling, "_choices", choose)
        assert services.season_schedule(season_id=season.pk) == 2
        return choose(*args)

    monkeypatch.setattr(scheduling, "_choices", meanwhile)
    assert services.season_schedule(season_id=season.pk) == 0
    assert LeagueMatch.objects.count() == Match.objects.count() == 2


def test_a_refit_without_new_results_changes_nothing():
    season = season_of(open_league(bots=3))
    assert services.season_refit(season_id=season.pk)
    assert not services.season_refit(season_id=season.pk)
    member_of(season.league)
    assert services.season_refit(season_id=season.pk)
    season.refresh_from_db()
    assert season.refits == 2
    assert [row[3] for row in shown(season)] == [1, 1, 1, 1]


def test_the_page_says_that_a_league_rests_only_if_every_rating_is_sure(client):
    league = open_league(bots=4)
    season = season_of(league)
    worker_up()
    services.season_schedule(season_id=season.pk)
    play(season, {member.bot_id: 0.0 for member in league.memberships.all()}, random.Random(1))
    services.season_refit(season_id=season.pk)
    page = reverse("leagues:detail", args=[league.slug])
    assert "idle until" not in client.get(page).content.decode()
    Rating.objects.update(is_provisional=False)
    caches["optional"].clear()  # a ladder is kept until its next refit
    assert "idle until" in client.get(page).content.decode()


def test_the_database_holds_one_running_season_per_league():
    league = open_league()
    with pytest.raises(IntegrityError), transaction.atomic():
        Season.objects.create(league=league, number=2, secret=bytes(32), starts_at=timezone.now())


def test_an_ended_season_keeps_its_ladder_and_the_next_starts_from_it():
    league = open_league(bots=3)
    season = season_of(league)
    strengths = {member.bot_id: float(number) for number, member in enumerate(league.memberships.all())}
    rng = random.Random(5)
    worker_up()
    for _ in range(20):
        services.season_schedule(season_id=season.pk)
        play(season, strengths, rng)
    services.season_schedule(season_id=season.pk)
    ended = services.season_end(league=league)
    assert ended.state == SeasonState.FINISHED
    final = shown(ended)
    assert not Match.objects.filter(state=MatchState.QUEUED).exists()
    assert final == from_scratch(ended)

    following = services.season_start(league=league)
    assert following.number == 2
    assert bytes(following.secret) != bytes(season.secret)
    means = dict(Rating.objects.filter(snapshot__number=ended.refits).values_list("entry__version", "mean"))
    assert means == {one.version_id: one.prior_mean for one in following.season_entries.all()}
    assert shown(Season.objects.get(pk=ended.pk)) == final


def over(season):
    """Its time is."""
    Season.objects.filter(pk=season.pk).update(starts_at=timezone.now() - timedelta(days=8), ends_at=timezone.now())


def test_of_two_concurrent_ends_of_a_season_the_later_does_not_touch_the_next():
    league = open_league(bots=2, season_days=7)
    stale = season_of(league)
    over(stale)
    services.leagues_tend()
    assert season_of(league).number == 2
    with pytest.raises(NoSeason):
        lifecycle._season_end_now(stale)
    assert season_of(league).number == 2


def test_the_next_season_begins_even_if_the_end_of_the_last_was_killed():
    league = open_league(bots=2, season_days=7)
    over(season_of(league))
    lifecycle._season_end_now(season_of(league))
    assert not Season.objects.filter(state=SeasonState.RUNNING).exists()
    services.leagues_tend()
    assert season_of(league).number == 2


def test_a_season_that_its_organiser_ends_before_its_time_is_followed_by_none():
    league = open_league(bots=2, season_days=7)
    services.season_end(league=league)
    services.leagues_tend()
    assert not Season.objects.filter(state=SeasonState.RUNNING).exists()


def test_a_season_whose_time_is_over_ends_and_the_next_begins():
    league = open_league(bots=2, season_days=7)
    season = season_of(league)
    assert services.leagues_tend() == 0
    over(season)
    services.leagues_tend()
    season.refresh_from_db()
    assert season.state == SeasonState.FINISHED
    assert season_of(league).number == 2
    assert SeasonEntry.objects.filter(season__number=2).count() == 2
