"""A match that is broadcast: played at full speed, then on air, and its result sealed until the end."""

from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from games.beats import Tempo, beat_durations, beats_of
from games.catalogue import GAMES
from games.frames import frames
from games.record import Record
from matches.airing.services import (
    AHEAD_MOST,
    broadcast_announce,
    broadcast_end,
    broadcast_premiere_move,
    broadcasts_end,
)
from matches.models import Fault, Game, Match, MatchLog, MatchState
from matches.services import match_cancel, match_release
from matches.services.creating import MatchError
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.matches.airing.on_air import air, match_on_air, play
from tests.matches.creating import match_of
from tests.matches.factories import BRISK, CRASHES, SECRET, FinishedMatchFactory, MatchFactory, leased

pytestmark = pytest.mark.django_db

TOTALS = ("score", "points", "wins", "places", "faulty_games", "has_forfeited")


def totals(match: Match) -> list[tuple[Any, ...]]:
    return list(match.seats.order_by("index").values_list(*TOTALS))


def one(match: Match) -> Any:
    return Match.objects.filter(pk=match.pk)


def test_nobody_sees_results_until_the_broadcast_is_over(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    versions = [BotVersionFactory(source=BRISK), BotVersionFactory(source=CRASHES)]
    match = MatchFactory(tempo="story", seats=versions, blocks=2, of_contest=True, stopping={})
    with patch("matches.queue.dispatch._send") as sent, django_capture_on_commit_callbacks(execute=True):
        play(match)
    assert not sent.called
    assert match.state == MatchState.ON_AIR
    assert (match.finished_at, match.blocks_played, match.ending, match.llr) == (None, None, "", None)
    assert totals(match) == [(None, None, None, [], 0, False)] * 2
    assert match.games.count() == 4
    assert not MatchLog.objects.filter(match=match).exists()

    air(match, 100_000)
    with patch("matches.queue.dispatch._send") as sent, django_capture_on_commit_callbacks(execute=True):
        assert broadcasts_end() == 1
    sent.assert_called_once()
    match.refresh_from_db()
    plain = FinishedMatchFactory(seats=versions, blocks=2)
    assert totals(match) == totals(plain)
    assert (match.state, match.blocks_played, match.ending) == (MatchState.FINISHED, plain.blocks_played, plain.ending)
    assert match.finished_at is not None


def test_a_broadcast_is_as_long_as_the_beats_of_its_games() -> None:
    match = match_on_air(tempo="highlights")
    expected = 0
    for game in match.games.all():
        record = Record.decode(bytes(game.record))
        beats = beats_of(GAMES["pickomino"].mark, frames(record))
        assert game.air_ms == sum(beat_durations(beats, Tempo.HIGHLIGHTS))
        expected += game.air_ms
    assert match.airs_at is not None
    assert match.air_ends_at is not None
    assert match.air_ends_at - match.airs_at == timedelta(milliseconds=expected)


def test_a_broadcast_of_slices_is_as_long_as_all_their_games() -> None:
    match = MatchFactory(tempo="highlights", blocks=2)
    lease = leased(match)
    from matches.referee import series_games_play
    from matches.worker.playing import worker_playing_order
    from tests.matches.factories import written
    from tests.matches.in_process import InProcessCage

    all_games = list(series_games_play(worker_playing_order(match), InProcessCage(), lambda index, table: None))
    assert written(lease, all_games[:2])
    match.refresh_from_db()
    assert (match.state, match.airs_at) == (MatchState.QUEUED, None)
    assert written(leased(match), all_games[2:])
    match.refresh_from_db()
    assert match.state == MatchState.ON_AIR
    length = sum(match.games.values_list("air_ms", flat=True))
    assert match.airs_at is not None
    assert match.air_ends_at == match.airs_at + timedelta(milliseconds=length)


def test_a_broadcast_ends_once_and_not_before_its_time() -> None:
    match = match_on_air(elapsed=5)
    assert not broadcast_end(match_id=match.pk)
    assert broadcasts_end() == 0
    air(match, 100_000)
    assert [broadcast_end(match_id=match.pk) for _ in range(2)] == [True, False]
    finished = Match.objects.get(pk=match.pk).finished_at
    assert not broadcast_end(match_id=match.pk, at_once=True)
    assert Match.objects.get(pk=match.pk).finished_at == finished


def test_a_broadcast_may_be_ended_at_once() -> None:
    match = match_on_air(elapsed=-600)
    assert broadcast_end(match_id=match.pk, at_once=True)
    match.refresh_from_db()
    assert match.state == MatchState.FINISHED
    assert totals(match)[0][0] is not None


def test_a_match_that_is_not_broadcast_is_finished_at_once() -> None:
    match = FinishedMatchFactory()
    assert (match.state, match.airs_at, match.games.first().air_ms) == (MatchState.FINISHED, None, None)


def test_a_premiere_does_not_begin_before_its_time_and_a_late_one_as_soon_as_it_has_been_played() -> None:
    at = timezone.now() + timedelta(hours=2)
    match = MatchFactory()
    assert broadcast_announce(matches=one(match), tempo="story", premieres_at=at) == 1
    play(match)
    assert match.airs_at == at
    late = MatchFactory(tempo="story", premieres_at=timezone.now() - timedelta(hours=1))
    play(late)
    assert late.airs_at is not None
    assert abs(late.airs_at - timezone.now()) < timedelta(seconds=30)


def test_a_premiere_is_moved_before_it_begins_and_not_after() -> None:
    sooner, later = (timezone.now() + timedelta(minutes=minutes) for minutes in (10, 30))
    match = match_on_air(elapsed=-1200)
    assert match.air_ends_at is not None
    assert match.airs_at is not None
    length = match.air_ends_at - match.airs_at
    for at in (sooner, later):
        assert broadcast_premiere_move(matches=one(match), premieres_at=at) == 1
        match.refresh_from_db()
        assert (match.airs_at, match.air_ends_at) == (at, at + length)
    assert broadcast_premiere_move(matches=one(match), premieres_at=None) == 1
    match.refresh_from_db()
    assert abs(match.airs_at - timezone.now()) < timedelta(seconds=30)
    assert broadcast_premiere_move(matches=one(match), premieres_at=later) == 0
    queued = MatchFactory(tempo="story")
    assert broadcast_premiere_move(matches=one(queued), premieres_at=later) == 1
    assert Match.objects.get(pk=queued.pk).premieres_at == later
    assert broadcast_premiere_move(matches=one(MatchFactory()), premieres_at=later) == 0


def test_a_broadcast_that_is_called_off_leaves_nothing_of_its_games() -> None:
    for elapsed in (-600, 5):
        match = match_on_air(elapsed=elapsed)
        assert match_cancel(matches=one(match)) == 1
        match.refresh_from_db()
        assert (match.state, match.games.count()) == (MatchState.CANCELLED, 0)
        assert not broadcast_end(match_id=match.pk, at_once=True)
        assert totals(match) == [(None, None, None, [], 0, False)] * 2


def test_a_match_that_is_being_played_cannot_become_a_broadcast() -> None:
    running, begun, finished = (
        MatchFactory(running=True),
        MatchFactory(blocks=2, blocks_kept=1),
        FinishedMatchFactory(),
    )
    chosen = Match.objects.filter(pk__in=[running.pk, begun.pk, finished.pk])
    assert broadcast_announce(matches=chosen, tempo="story", premieres_at=None) == 0


@pytest.mark.parametrize("tempo", ["slow", "EVERY", "0", "every "])
def test_a_tempo_that_does_not_exist_is_refused(tempo: str) -> None:
    match = MatchFactory()
    with pytest.raises(MatchError, match="tempo"):
        broadcast_announce(matches=one(match), tempo=tempo, premieres_at=None)
    versions = [BotVersionFactory(), BotVersionFactory()]
    with pytest.raises(MatchError, match="tempo"):
        match_of(ruleset="pickomino", options={}, blocks=1, limits={}, secret=SECRET, versions=versions, tempo=tempo)
    with pytest.raises(IntegrityError), transaction.atomic():
        one(match).update(tempo=tempo)


def test_a_premiere_in_the_past_too_far_away_or_of_no_broadcast_is_refused() -> None:
    match = MatchFactory()
    now = timezone.now()
    for at in (now - timedelta(seconds=1), now + AHEAD_MOST + timedelta(hours=1)):
        with pytest.raises(MatchError, match="premiere"):
            broadcast_announce(matches=one(match), tempo="story", premieres_at=at)
        with pytest.raises(MatchError, match="premiere"):
            broadcast_premiere_move(matches=one(match), premieres_at=at)
    with pytest.raises(MatchError, match="premiere"):
        broadcast_announce(matches=one(match), tempo="", premieres_at=now + timedelta(hours=1))
    assert Match.objects.get(pk=match.pk).tempo == ""


def test_authors_see_no_faults_while_the_match_is_on_air() -> None:
    from matches.bot_history.selectors import bot_history_faults
    from matches.pages.match_page import match_page_faults_of

    crasher = BotVersionFactory(source=CRASHES)
    match = match_on_air(elapsed=3, seats=[crasher, BotVersionFactory(source=BRISK)])
    assert Fault.objects.filter(game__match=match).exists()
    author = crasher.bot.owner_id
    assert not bot_history_faults(crasher.bot).exists()
    assert not match_page_faults_of(match=match, owners={author}).exists()
    assert broadcast_end(match_id=match.pk, at_once=True)
    assert bot_history_faults(crasher.bot).exists()
    match.refresh_from_db()
    assert match_page_faults_of(match=match, owners={author}).exists()


def test_the_database_holds_a_match_on_air_to_its_times() -> None:
    match = match_on_air()
    for wrong in (
        {"airs_at": None},
        {"air_ends_at": None},
        {"tempo": ""},
        {"air_ends_at": match.airs_at - timedelta(1)},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            one(match).update(**wrong)


def test_a_damaged_record_holds_its_match_and_delays_no_other() -> None:
    damaged, sound = match_on_air(elapsed=100_000), match_on_air(elapsed=90_000)
    record = bytes(damaged.games.get(index=0).record)
    Game.objects.filter(match=damaged, index=0).update(record=record[:-1] + bytes((record[-1] ^ 1,)))
    assert broadcasts_end() == 1
    damaged.refresh_from_db()
    sound.refresh_from_db()
    assert (damaged.state, damaged.games.count(), damaged.attempt) == (MatchState.HELD, 0, 2)
    assert damaged.last_platform_fault.startswith("RecordError")
    assert sound.state == MatchState.FINISHED
    assert match_release(matches=one(damaged)) == 1


def test_the_organiser_of_a_match_announces_moves_and_ends_its_broadcast_on_its_page(client: Any) -> None:
    organiser = UserFactory(is_organiser=True)
    match = MatchFactory(organiser=organiser)
    page, address = f"/matches/{match.pk}/", f"/matches/{match.pk}/broadcast/"
    assert client.post(address).status_code == 302
    assert "login" in client.post(address)["Location"]
    client.force_login(UserFactory())
    assert client.post(address, {"tempo": "story"}).status_code == 403
    assert "Broadcast this match" not in client.get(page).content.decode()
    assert Match.objects.get(pk=match.pk).tempo == ""

    client.force_login(organiser)
    assert "Broadcast this match" in client.get(page).content.decode()
    at = (timezone.now() + timedelta(hours=3)).replace(second=0, microsecond=0)
    for typed, response in (
        ({"tempo": "slow"}, "not one of the available choices"),
        ({"tempo": "story", "premieres_at": "yesterday"}, "Enter a valid date/time"),
        ({"tempo": "story", "premieres_at": "2001-01-01T10:00"}, "in the future"),
        ({"tempo": "", "premieres_at": at.strftime("%Y-%m-%dT%H:%M")}, "Choose how the match is broadcast"),
    ):
        assert response in client.post(address, typed, follow=True).content.decode()
        assert Match.objects.get(pk=match.pk).tempo == ""
    response = client.post(address, {"tempo": "story", "premieres_at": at.strftime("%Y-%m-%dT%H:%M")}, follow=True)
    assert "The premiere is on" in response.content.decode()
    match.refresh_from_db()
    assert (match.tempo, match.premieres_at) == ("story", at)

    play(match)
    assert "The premiere begins on" in client.get(page).content.decode()
    later = at + timedelta(hours=1)
    client.post(address, {"premieres_at": later.strftime("%Y-%m-%dT%H:%M")})
    match.refresh_from_db()
    assert (match.state, match.airs_at) == (MatchState.ON_AIR, later)
    air(match, 4)
    assert "Live since" in client.get(page).content.decode()
    too_late = client.post(address, {"premieres_at": at.strftime("%Y-%m-%dT%H:%M")}, follow=True)
    assert "too late" in too_late.content.decode()
    assert "The broadcast was changed" in client.post(address, {"end": ""}, follow=True).content.decode()
    match.refresh_from_db()
    assert match.state == MatchState.FINISHED
    assert "too late" in client.post(address, {"end": ""}, follow=True).content.decode()


def test_a_premiere_that_was_called_off_says_so_on_its_page(client: Any) -> None:
    match = match_on_air(elapsed=-600)
    match_cancel(matches=one(match))
    page = client.get(f"/matches/{match.pk}/").content.decode()
    assert "premiere" not in page
    assert "cancelled" in page


def test_a_broadcast_is_bounded_and_then_the_result_is_shown(settings: Any) -> None:
    settings.BROADCAST_MINUTES_MOST = 1
    match = match_on_air(tempo="every", elapsed=0)
    assert match.airs_at is not None
    assert match.air_ends_at == match.airs_at + timedelta(minutes=1)
    assert sum(game.air_ms for game in match.games.all()) > 60_000
    broadcast_premiere_move(matches=Match.objects.filter(pk=air(match, -30).pk), premieres_at=None)
    match.refresh_from_db()
    assert match.air_ends_at - match.airs_at == timedelta(minutes=1)
    air(match, 61)
    assert broadcasts_end() == 1
    match.refresh_from_db()
    assert match.state == MatchState.FINISHED
    assert all(seat.points is not None for seat in match.seats.all())
