"""A channel: something is on, from the same T0 for everyone, and nothing has to run for it."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from games.beats import Tempo
from matches.airing.channel import SLOT_MS, channel_of
from matches.airing.timetable import game_length
from matches.models import Audience, Match
from tests.matches.airing.on_air import match_on_air
from tests.matches.factories import FinishedMatchFactory

pytestmark = pytest.mark.django_db


def at(slot: int, seconds: float = 0) -> datetime:
    return datetime.fromtimestamp(slot * SLOT_MS / 1000 + seconds, UTC)


def finished(ago: timedelta, now: datetime, **fields: object) -> Match:
    match = FinishedMatchFactory(**fields)
    Match.objects.filter(pk=match.pk).update(finished_at=now - ago)
    return match


SLOT = int(datetime(2026, 11, 22, tzinfo=UTC).timestamp() * 1000) // SLOT_MS


def test_a_channel_without_a_finished_match_shows_nothing() -> None:
    assert (channel_of("pickomino").now, channel_of("pickomino").next) == (None, None)
    assert channel_of("no such game").now is None


def test_finished_games_take_turns_each_from_the_beginning_of_its_slot() -> None:
    matches = {finished(timedelta(hours=hours), at(SLOT)).pk for hours in (1, 2, 3)}
    shown = [channel_of("pickomino", now=at(SLOT + slot, 1)).now for slot in range(6)]
    assert {one.match.pk for one in shown if one} == matches
    assert [one.starts for one in shown if one] == [(SLOT + slot) * SLOT_MS for slot in range(6)]
    assert {(one.match.pk, one.game) for one in shown if one} == {(pk, game) for pk in matches for game in (0, 1)}


def test_all_see_the_same_in_a_slot_whatever_is_finished_meanwhile() -> None:
    finished(timedelta(hours=1), at(SLOT))
    first = channel_of("pickomino", now=at(SLOT, 1)).now
    finished(timedelta(seconds=-60), at(SLOT))  # within the slot
    assert channel_of("pickomino", now=at(SLOT, 179)).now == first


def test_what_is_next_comes_on_next() -> None:
    for hours in (1, 2):
        finished(timedelta(hours=hours), at(SLOT))
    assert channel_of("pickomino", now=at(SLOT, 5)).next == channel_of("pickomino", now=at(SLOT + 1, 0)).now


def test_a_match_on_air_comes_first_and_its_end_is_not_told() -> None:
    finished(timedelta(hours=1), timezone.now())
    match = match_on_air(elapsed=10)
    now = channel_of("pickomino").now
    assert now is not None
    assert (now.match, now.is_rerun, now.ends) == (match, False, None)
    premiere = match_on_air(elapsed=-60)
    following = channel_of("pickomino").next
    assert following is not None
    assert following.match == premiere


def test_what_is_not_everyones_is_on_no_channel() -> None:
    finished(timedelta(hours=1), at(SLOT), audience=Audience.AUTHORS)
    match_on_air(elapsed=10, audience=Audience.ORGANISER)
    assert channel_of("pickomino").now is None


def test_a_game_fits_its_slot() -> None:
    match = FinishedMatchFactory()
    assert all(game_length(bytes(game.record), Tempo.STORY) < SLOT_MS for game in match.games.all())
