"""Organisers are notified once that their tournament or league does not go on by itself."""

from datetime import timedelta

import pytest
from django.core.cache import caches
from django.utils import timezone

from leagues.services import league_pause
from matches.models import Match, MatchState
from notices.models import Notice
from notices.selectors import notice_line_of
from tests.leagues.factories import open_league
from tests.tournaments.factories import TournamentFactory, running_tournament
from tournaments.models import Tournament
from tournaments.services import tournament_pause, tournament_start, tournaments_tend
from tournaments.services.sweep import tournament_held_notify, tournaments_start_due

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]
KINDS = ("tournament.stopped", "league.paused")


@pytest.fixture(autouse=True)
def _forgotten() -> None:
    caches["optional"].clear()


def notices() -> list[tuple[int, str]]:
    found = Notice.objects.filter(kind__in=KINDS).order_by("pk")
    return [(one.person_id, notice_line_of(one).text) for one in found]


def test_a_pause_because_of_the_game_is_notified_and_a_manual_one_is_not() -> None:
    cup, other = running_tournament(3), running_tournament(3)
    tournament_pause(tournament=other)
    for _ in range(2):
        tournament_pause(tournament=cup, because="the package is broken")
    tournament_pause(tournament=cup, because="it raised")
    start = f"{cup.name} is paused because of its game: "
    organiser = cup.organiser_id
    assert notices() == [(organiser, f"{start}the package is broken"), (organiser, f"{start}it raised")]
    assert Notice.objects.filter(kind=KINDS[0], email_at__isnull=False).count() == 2


def test_a_league_paused_because_of_its_game_notifies_its_organiser() -> None:
    league = open_league(bots=2)
    for _ in range(2):
        league_pause(league=league, because="it raised")
    assert notices() == [(league.organiser_id, f"{league.name} is paused because of its game: it raised")]


def test_a_refused_start_is_notified_once() -> None:
    cup = TournamentFactory(entries=3, ruleset="gone/1", first_round_at=timezone.now() - timedelta(seconds=1))
    for _ in range(3):
        assert tournaments_start_due() == 0
        caches["optional"].clear()
    [(person, text)] = notices()
    assert person == cup.organiser_id
    assert text.startswith(f"{cup.name} cannot continue: ")


def test_a_round_that_waits_for_approval_is_notified() -> None:
    cup = TournamentFactory(entries=4, format="swiss", rounds=2, has_round_review=True)
    tournament_start(tournament=cup)
    tournaments_tend()
    assert notices() == [(cup.organiser_id, f"{cup.name}: round 1 waits for your approval.")]


def test_many_matches_that_are_held_are_one_notice() -> None:
    cup, fine = running_tournament(4), running_tournament(3)
    Match.objects.filter(fixture__round__tournament=cup).update(state=MatchState.HELD, last_platform_fault="gone")
    for _ in range(2):
        tournament_held_notify()
        caches["optional"].clear()
    [(person, text)] = notices()
    assert person == cup.organiser_id != fine.organiser_id
    assert "on hold after errors of the platform" in text


def test_a_refused_pause_notifies_nobody() -> None:
    cup = TournamentFactory(entries=3)
    with pytest.raises(Exception, match="This needs a tournament"):
        tournament_pause(tournament=cup, because="it raised")
    assert notices() == []
    assert Tournament.objects.get().state == "open"
