"""A channel: something is on, from the same T0 for everyone, and nothing has to run for it."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import F, Q
from django.utils import timezone

from games.beats import Tempo
from matches.airing.channel import (
    AGAIN_MOST,
    SLOT_MS,
    channel_matches_read,
    channel_of,
    channel_shows,
    channel_shows_of,
)
from matches.airing.timetable import airing_milliseconds, timetable_game_length
from matches.models import Audience, Match
from matches.visibility import matches_visible_to_everyone
from tests.matches.airing.on_air import match_on_air
from tests.matches.factories import FinishedMatchFactory, MatchFactory

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


def test_all_viewers_see_the_same_in_a_slot_despite_new_results() -> None:
    finished(timedelta(hours=1), at(SLOT))
    first = channel_of("pickomino", now=at(SLOT, 1)).now
    finished(timedelta(seconds=-60), at(SLOT))  # within the slot
    assert channel_of("pickomino", now=at(SLOT, 179)).now == first


def test_what_is_next_comes_on_next() -> None:
    for hours in (1, 2):
        finished(timedelta(hours=hours), at(SLOT))
    assert channel_of("pickomino", now=at(SLOT, 5)).next == channel_of("pickomino", now=at(SLOT + 1, 0)).now


def test_a_match_on_air_comes_first_and_its_end_is_hidden() -> None:
    finished(timedelta(hours=1), timezone.now())
    match = match_on_air(elapsed=10)
    now = channel_of("pickomino").now
    assert now is not None
    assert (now.match, now.is_rerun, now.ends) == (match, False, None)
    premiere = match_on_air(elapsed=-60)
    following = channel_of("pickomino").next
    assert following is not None
    assert following.match == premiere


def test_private_matches_are_on_no_channel() -> None:
    finished(timedelta(hours=1), at(SLOT), audience=Audience.AUTHORS)
    match_on_air(elapsed=10, audience=Audience.ORGANISER)
    assert channel_of("pickomino").now is None


def test_a_game_fits_its_slot() -> None:
    match = FinishedMatchFactory()
    assert all(timetable_game_length(bytes(game.record), Tempo.STORY) < SLOT_MS for game in match.games.all())


def by_the_book(game: str, now: datetime) -> tuple[int, int, int] | None:
    """What a channel shows, by one query for each of its rules: match, game, T0."""
    of = Match.objects.filter(ruleset__startswith=f"{game}/", audience=Audience.EVERYONE)
    live = of.filter(Q(state="on_air", airs_at__lte=now) | Q(state="running", tempo=""))
    order = (F("airs_at").asc(nulls_last=True), "-min_action_ms", "started_at", "pk")
    shown = live.order_by(*order).first()
    if shown and (shown.airs_at or shown.min_action_ms):
        return shown.pk, 0, airing_milliseconds(shown.airs_at or shown.started_at)
    slot = airing_milliseconds(now) // SLOT_MS
    over = of.filter(state="finished", games__index=0)
    before = over.filter(finished_at__lte=datetime.fromtimestamp(slot * SLOT_MS / 1000, UTC))
    if recent_only := list(before.order_by("-finished_at", "-pk")[:AGAIN_MOST]):
        match = recent_only[slot % len(recent_only)]
        return match.pk, slot // len(recent_only) % match.games.count(), slot * SLOT_MS
    if first := over.filter(finished_at__lte=now).order_by("finished_at", "pk").first():
        return first.pk, 0, airing_milliseconds(first.finished_at)
    return (shown.pk, 0, airing_milliseconds(shown.started_at)) if shown else None


def test_what_is_read_at_once_is_what_each_rule_by_itself_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.airing.channel.AGAIN_MOST", 3)
    monkeypatch.setattr("tests.matches.airing.test_channel.AGAIN_MOST", 3)
    rng, now = random.Random(5), at(SLOT, 100)
    over = [FinishedMatchFactory() for _ in range(5)]
    live = [MatchFactory(running=True) for _ in range(2)]
    aired = [match_on_air(elapsed=10) for _ in range(2)]
    found, seen = set(), ["everyone", "authors", "authors"]
    for _ in range(60):
        for match in over:
            ends = now - timedelta(seconds=rng.choice([-50, 20, 50, 200, 400, 600, 600]))
            Match.objects.filter(pk=match.pk).update(audience=rng.choice(seen), finished_at=ends)
        for match in live:
            fields = {"audience": rng.choice(seen), "min_action_ms": rng.choice([0, 0, 500])}
            Match.objects.filter(pk=match.pk).update(**fields, started_at=now - timedelta(seconds=rng.choice([5, 9])))
        for match in aired:
            airs = {
                "airs_at": now - timedelta(seconds=rng.choice([-20, 20, 30])),
                "air_ends_at": now + timedelta(hours=1),
            }
            Match.objects.filter(pk=match.pk).update(**airs, audience=rng.choice(seen))
        channel = channel_of("pickomino", now=now)
        shown = channel.now and (channel.now.match.pk, channel.now.game, channel.now.starts)
        assert shown == by_the_book("pickomino", now)
        alone = channel_shows("pickomino", now=now)
        among_all = channel_shows_of(
            "pickomino", channel_matches_read(matches_visible_to_everyone().values("pk")), now=now
        )
        assert channel.now == alone == among_all
        found.add(channel.now and (channel.now.match.state, channel.now.starts % SLOT_MS == 0))
    assert found == {None, ("running", False), ("on_air", False), ("finished", True), ("finished", False)}
