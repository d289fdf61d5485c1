"""Rounds that wait, for their time or for the organiser, and results that are shown in steps."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from matches.models import MatchState, Seat
from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import TournamentFactory, finish_match, finish_matches, running_tournament
from tests.tournaments.rulings.rule import rule
from tests.tournaments.test_pages import text_of
from tests.tournaments.waiting_rounds import entry_at, play_round, seating, states_of, swiss
from tournaments import services
from tournaments.errors import WrongState
from tournaments.selectors.rounds.fixtures import fixture_progress_of
from tournaments.selectors.standings.ranking import standings_of
from tournaments.services.waiting_rounds import RoundStarted, SwapRefused
from tournaments.tasks import tournament_match_finished_task, tournaments_tend_task

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]


# --- waiting ---------------------------------------------------------------------------------------------------------


def test_a_round_waits_for_its_time_and_then_begins_once(sent):
    cup = swiss(first_round_at=timezone.now() + timedelta(hours=1))
    assert (states_of(cup, 1), sent) == ({MatchState.HELD}, [])
    tournaments_tend_task()
    assert states_of(cup, 1) == {MatchState.HELD}
    cup.rounds.update(starts_at=timezone.now() - timedelta(seconds=1))
    tournaments_tend_task()
    tournaments_tend_task()
    assert states_of(cup, 1) == {MatchState.QUEUED}
    assert cup.rounds.get().started_at


def test_rounds_begin_so_many_minutes_after_each_other():
    cup = running_tournament(4, round_minutes=30)
    first, second, third = cup.rounds.all()
    assert states_of(cup, 1) == {MatchState.QUEUED}
    assert states_of(cup, 2) == states_of(cup, 3) == {MatchState.HELD}
    assert second.starts_at - first.starts_at == third.starts_at - second.starts_at == timedelta(minutes=30)


def test_a_pause_holds_rounds_that_wait_and_the_resume_lets_only_begun_ones_go():
    cup = running_tournament(4, round_minutes=30)
    services.tournament_pause(tournament=cup)
    cup.rounds.update(starts_at=timezone.now())
    tournaments_tend_task()
    assert states_of(cup, 1) == states_of(cup, 2) == {MatchState.HELD}
    with pytest.raises(WrongState):
        services.waiting_round_start(played=cup.rounds.get(number=2))
    services.tournament_resume(tournament=cup)
    assert (states_of(cup, 1), states_of(cup, 2)) == ({MatchState.QUEUED}, {MatchState.HELD})
    tournaments_tend_task()
    assert states_of(cup, 2) == {MatchState.QUEUED}


def test_reviewed_rounds_wait_for_the_organiser_whatever_the_time():
    cup = swiss(has_round_review=True, round_minutes=1)
    cup.rounds.update(starts_at=timezone.now())
    tournaments_tend_task()
    assert states_of(cup, 1) == {MatchState.HELD}
    services.waiting_round_start(played=cup.rounds.get())
    assert states_of(cup, 1) == {MatchState.QUEUED}
    with pytest.raises(RoundStarted):
        services.waiting_round_start(played=cup.rounds.get())
    play_round(cup)
    assert states_of(cup, 2) == {MatchState.HELD}
    services.waiting_round_start(played=cup.rounds.get(number=2))
    play_round(cup)
    assert cup.state == "finished"


def test_a_tournament_with_rounds_that_wait_is_not_over():
    cup = running_tournament(3, has_round_review=True)
    services.waiting_round_start(played=cup.rounds.get(number=1))
    finish_matches(cup, most=1)
    assert not services.tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    assert cup.state == "running"


# --- changing places -------------------------------------------------------------------------------------------------


def test_two_bots_change_places_and_the_reasons_of_their_tables_are_removed():
    cup = swiss(has_round_review=True)
    (a, b), (c, d), other = seating(cup)
    entry = {one.version_id: one for one in cup.entries.all()}
    services.waiting_round_places_swap(by=cup.organiser, played=cup.rounds.get(), one=entry[a], other=entry[d])
    assert seating(cup) == [[d, b], [c, a], other]
    assert [fixture.reasons is None for fixture in cup.fixtures.all()] == [True, True, False]
    (noted,) = cup.rulings.all()
    assert (noted.kind, noted.by) == ("note", cup.organiser)
    assert f"{entry[a].bot.name} and {entry[d].bot.name} changed places" in noted.reason


@pytest.mark.parametrize("entries", [3, 5])
def test_a_bye_counts_when_its_round_begins_and_not_before(client, entries):
    cup = swiss(entries, has_round_review=True)
    waiting = {row.entrant: (row.points, row.byes) for row in standings_of(cup.stage)}
    assert set(waiting.values()) == {(0, 0)}
    services.waiting_round_start(played=cup.rounds.get())
    idle = cup.byes.get().entry_id
    assert {row.entrant: (row.points, row.byes) for row in standings_of(cup.stage)} == waiting | {idle: (1, 1)}
    for match_id in finish_matches(cup):
        tournament_match_finished_task(match_id)
    cup.refresh_from_db()
    assert cup.byes.count() == 2
    after = {row.entrant: row.points for row in standings_of(cup.stage)}
    assert after[idle] == 1
    assert sum(after.values()) == cup.fixtures.filter(round__number=1).count() + 1


@pytest.mark.parametrize(("annul", "cancelled"), [(False, 0), (True, 1)])
def test_matches_that_were_called_off_are_none_to_be_played(client, annul, cancelled):
    cup = swiss(5, has_round_review=True)
    services.waiting_round_start(played=cup.rounds.get())
    play_round(cup)
    services.waiting_round_start(played=cup.rounds.get(number=2))
    rule(cup, "disqualify", entry=entry_at(cup, 2, 1), annul=annul, reason="It cheated.")
    for fixture in cup.fixtures.filter(match__state=MatchState.QUEUED):
        tournament_match_finished_task(finish_match(fixture.match, [1, 0]).pk)
    cup.refresh_from_db()
    called_off = cup.fixtures.filter(match__state=MatchState.CANCELLED).count()
    progress = fixture_progress_of(cup)
    assert (cup.state, called_off) == ("finished", cancelled)
    assert progress.finished == progress.total == cup.fixtures.count() - cancelled
    assert f"{4 - cancelled} of {4 - cancelled} matches finished" in text_of(
        client.get(reverse("tournaments:detail", args=[cup.slug]))
    )


def test_a_bot_takes_the_bye_of_another():
    cup = swiss(5, has_round_review=True)
    bye = cup.byes.get()
    entry = {one.version_id: one for one in cup.entries.all()}
    seated = entry[seating(cup)[0][0]]
    services.waiting_round_places_swap(by=cup.organiser, played=cup.rounds.get(), one=bye.entry, other=seated)
    assert seating(cup)[0][0] == bye.entry.version_id
    assert cup.byes.get().entry == seated
    services.waiting_round_start(played=cup.rounds.get())
    with pytest.raises(RoundStarted):
        services.waiting_round_places_swap(by=cup.organiser, played=cup.rounds.get(), one=bye.entry, other=seated)


def test_the_page_of_a_round_says_what_the_organiser_arranged_and_hides_no_table(client):
    cup = swiss(7, has_round_review=True)
    bye, entry = cup.byes.get(), {one.version_id: one for one in cup.entries.all()}
    (a, _), (c, _), _ = seating(cup)
    for one, other in ((entry[a], entry[c]), (bye.entry, entry[a])):
        services.waiting_round_places_swap(by=cup.organiser, played=cup.rounds.get(), one=one, other=other)
    services.waiting_round_start(played=cup.rounds.get())
    page = client.get(reverse("tournaments:pairings", args=[cup.slug, 1]))
    assert_clean_page(page)
    text = page.content.decode()
    assert all(entry.bot.name in text for entry in cup.entries.all())
    assert text.count("let bots change places here") == 3  # two tables and the bye
    assert text.count("Score group") == 1
    sheet = client.get(reverse("tournaments:export", args=[cup.slug, "fixtures.csv"])).getvalue().decode()
    assert cup.byes.get().entry.bot.name in sheet


def test_nobody_changes_places_in_a_knockout(client):
    cup = running_tournament(entries=4, format="single_elimination", has_round_review=True)
    one, other = cup.entries.all()[:2]
    with pytest.raises(SwapRefused, match="bracket"):
        services.waiting_round_places_swap(by=cup.organiser, played=cup.rounds.get(), one=one, other=other)
    client.force_login(cup.organiser)
    page = client.get(reverse("tournaments:arrange", args=[cup.slug, 1]))
    assert_clean_page(page)
    assert "Change places" not in page.content.decode()


def test_absent_bots_cannot_change_places():
    cup = swiss(has_round_review=True)
    one, two, _leaver = cup.entries.all()[:3]
    outsider = TournamentFactory(entries=1).entries.get()
    for other in (one, outsider):
        with pytest.raises(SwapRefused):
            services.waiting_round_places_swap(by=cup.organiser, played=cup.rounds.get(), one=one, other=other)
    before = seating(cup)
    services.waiting_round_places_swap(by=cup.organiser, played=cup.rounds.get(), one=one, other=two)
    services.waiting_round_places_swap(by=cup.organiser, played=cup.rounds.get(), one=two, other=one)
    assert seating(cup) == before


def test_a_replacement_of_a_disqualified_bot_plays_and_the_other_forfeits_in_any_seat():
    """In a round robin, whose rounds are drawn once and for all."""
    cup = running_tournament(6, has_round_review=True)
    seats = Seat.objects.filter(match__fixture__round__number=1).order_by("match", "index")
    first, *_, last = seats
    out, newcomer = (cup.entries.get(version=seat.version_id) for seat in (first, last))
    rule(cup, "disqualify", entry=out)
    services.waiting_round_places_swap(by=cup.organiser, played=cup.rounds.get(number=1), one=out, other=newcomer)
    forfeited = dict(seats.values_list("version", "has_forfeited"))
    assert [version for version, lost in forfeited.items() if lost] == [out.version_id]
    assert seats.get(version=out.version_id).match_id == last.match_id
