"""What is on air, over HTTP and by the socket: never more than has been shown, and the same to everyone."""

import time
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games.replay import RecordError
from live import hub_announce
from matches.airing.selectors import OnAir, broadcast_frames_aired, broadcast_read
from matches.airing.services import broadcast_end, broadcast_premiere_move
from matches.airing.timetable import broadcast_game_times, timetable_slots
from matches.live import match_reader, match_stream
from matches.live.match_reader import AirShow
from matches.live.match_stream import CLOSE_OVER
from matches.models import Audience, Game, Match, MatchState
from matches.services import match_cancel
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.matches.airing.on_air import air, match_on_air
from tests.matches.factories import BRISK, FinishedMatchFactory
from tests.matches.live.conftest import APPLICATION as APPLICATION
from tests.matches.live.conftest import visit as visit

pytestmark = pytest.mark.django_db(transaction=True)

on_air_match, move, end, cancel = map(sync_to_async, (match_on_air, air, broadcast_end, match_cancel))


def frames_of(match: Match, game: int = 0, **query: Any) -> Any:
    return Client().get(f"/matches/{match.pk}/games/{game}/frames.json", query)


async def announce(match: Match) -> None:
    await sync_to_async(hub_announce)(f"match.{match.pk}")


def whole(match: Match, game: int = 0) -> Any:
    return broadcast_game_times(match.pk, game, match.tempo)


def shown_at(match: Match, elapsed: float, game: int = 0) -> Any:
    air(match, elapsed)
    show = broadcast_read(match.pk, Audience.EVERYONE)
    assert show is not None
    return broadcast_frames_aired(show, game)


def test_frames_come_over_http_as_far_as_they_have_been_on_air() -> None:
    match = match_on_air(elapsed=20)
    times = whole(match)
    answer = frames_of(match)
    data = answer.json()
    beats = times.beats_by(data["now"] - round(match.airs_at.timestamp() * 1000))
    assert 3 < beats < len(times.at)
    assert len(data["beats"]) == beats
    assert len(data["frames"]) == data["beats"][-1][0] + 1
    assert data["air"] == list(times.at[: len(data["beats"])])
    assert answer.headers["Cache-Control"] == "no-store"
    assert frames_of(match, 1).status_code == 404
    assert frames_of(match, 7).status_code == 404
    assert Client().get(f"/matches/{match.pk}/games/0/record.json").status_code == 404
    assert Client().get(f"/api/matches/{match.pk}/games/").json()["results"] == []


def test_a_late_viewer_requests_missing_frames() -> None:
    match = match_on_air(elapsed=20)
    first = frames_of(match).json()
    rest = frames_of(match, **{"from": 9}).json()
    assert rest["first"] == 9
    known = first["frames"][9:]  # there may be more by now
    assert known
    assert rest["frames"][: len(known)] == known
    lacking = [beat for beat in first["beats"] if beat[0] >= 9]
    assert lacking == rest["beats"][: len(lacking)]
    beyond = frames_of(match, **{"from": 900_000}).json()
    assert (beyond["frames"], beyond["beats"]) == ([], [])
    for wrong in ("-1", "x", "1.5", "9" * 30, "%D9%A1", "\u0661"):
        assert frames_of(match, **{"from": wrong}).status_code == 400


def test_the_range_of_a_finished_game_may_be_cached_forever() -> None:
    match = FinishedMatchFactory()
    all_of_it = frames_of(match).json()
    answer = frames_of(match, edition="2.1", **{"from": 10})
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.json()["frames"] == all_of_it["frames"][10:]
    assert answer.json()["beats"] == [beat for beat in all_of_it["beats"] if beat[0] >= 10]
    assert answer.headers["ETag"] != frames_of(match).headers["ETag"]
    assert "air" not in all_of_it


def test_nothing_is_shown_before_the_premiere_or_while_it_is_computed() -> None:
    match = match_on_air(elapsed=-60)
    assert frames_of(match).status_code == 404
    Match.objects.filter(pk=match.pk).update(state=MatchState.QUEUED)  # as between two slices, with its games kept
    assert frames_of(match).status_code == 404


def test_the_second_game_follows_when_the_first_is_over() -> None:
    match = match_on_air(elapsed=0)
    length = match.games.get(index=0).air_ms
    assert shown_at(match, length / 1000 - 1, game=1) is None
    second = shown_at(match, length / 1000 + 0.1, game=1)
    assert [beat.kind for beat in second.beats] == ["start"]
    assert second.air == (length,)
    assert shown_at(match, length / 1000 + 0.1, game=0).frames == whole(match, 0).batch.frames


@pytest.mark.parametrize("tempo", ["highlights", "story", "every"])
def test_a_process_that_starts_in_the_middle_shows_the_same_beat(tempo: str) -> None:
    """Shown bit by bit by one process, all at once by another, and over HTTP: the same frames at the same time."""
    match = match_on_air(tempo=tempo, elapsed=0)
    begins = round(match.airs_at.timestamp() * 1000)
    lengths = list(match.games.values_list("index", "air_ms"))

    def show_at(elapsed: int) -> OnAir:
        return OnAir(match.pk, 1, tempo, begins, begins + elapsed, timetable_slots(lengths))

    now = 0.0

    def clock() -> float:
        return now

    steady = AirShow(show_at(0), 12, clock)
    steady.prepare(show_at(0))
    seen = list(steady.due())
    while now < sum(length for _, length in lengths) / 1000 + 1:
        pause = steady.seconds_to_next()
        now += 4.0 if pause is None else min(pause, 4.0)
        steady.prepare(show_at(int(now * 1000)))
        seen += steady.due()
        late = AirShow(show_at(int(now * 1000)), 12, clock)
        late.prepare(show_at(int(now * 1000)))
        at_once = {shot.game: len(shot.frames) for shot in late.due()}
        bit_by_bit: dict[int, int] = {}
        for shot in seen:
            assert shot.first == bit_by_bit.get(shot.game, 0)
            bit_by_bit[shot.game] = shot.first + len(shot.frames)
        assert at_once == bit_by_bit
    for game in (0, 1):
        assert sum(len(shot.frames) for shot in seen if shot.game == game) == len(whole(match, game).batch.frames)


class HurriedShow(AirShow):
    """Goes on forty times as fast once it is followed."""

    def __init__(self, show: OnAir, games_read: int) -> None:
        began = time.monotonic()
        super().__init__(show, games_read, lambda: began + 40 * (time.monotonic() - began))

    def seconds_to_next(self) -> float | None:
        pause = super().seconds_to_next()
        return pause and pause / 40


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.live.match_reader.AirShow", HurriedShow)
    monkeypatch.setattr(match_stream, "LOOK_AGAIN_SECONDS", 3600.0)
    monkeypatch.setattr(match_reader, "AHEAD_MS", 3_600_000)


@pytest.mark.usefixtures("hurried")
async def test_beats_come_by_the_socket_when_they_are_due_in_order_and_once(visit: Any) -> None:
    match = await on_air_match(elapsed=0)
    early = await visit(f"/ws/matches/{match.pk}/")
    received = await early.hear_until(type="state")
    assert received[-1] == {"type": "state", "state": "on_air", "airs": round(match.airs_at.timestamp() * 1000)}
    while len([one for one in received if one["type"] == "frames"]) < 12:
        received.append(await early.hear())
    batches = [one for one in received if one["type"] == "frames"]
    at = 0
    for batch in batches:
        assert batch["first"] == at
        assert len(batch["beats"]) == len(batch["air"]) >= 1
        at += len(batch["frames"])
    last = batches[-1]["first"] + len(batches[-1]["frames"]) - 1
    late = await visit(f"/ws/matches/{match.pk}/?since=1.0.{last}")
    messages = [await late.hear() for _ in range(3)]
    assert all(one["first"] > last for one in messages if one["type"] == "frames")


async def test_a_late_viewer_gets_by_the_socket_what_has_been_on_air_and_no_more(visit: Any) -> None:
    match = await on_air_match(elapsed=30)
    viewer = await visit(f"/ws/matches/{match.pk}/")
    messages = await viewer.hear_until(type="state")
    received = sum(len(one["frames"]) for one in messages if one["type"] == "frames")
    over_http = await sync_to_async(lambda: frames_of(match).json())()
    assert 0 < received <= len(over_http["frames"]) < len((await sync_to_async(whole)(match)).batch.frames)


async def test_waiting_viewers_learn_that_a_premiere_was_moved_or_called_off(visit: Any) -> None:
    match = await on_air_match(elapsed=-600)
    viewer = await visit(f"/ws/matches/{match.pk}/")
    messages = await viewer.hear_until(type="state")
    assert [one["type"] for one in messages] == ["attempt", "state"]
    later = match.airs_at + timedelta(minutes=5)
    await sync_to_async(broadcast_premiere_move)(matches=Match.objects.filter(pk=match.pk), premieres_at=later)
    assert await viewer.hear() == {"type": "state", "state": "on_air", "airs": round(later.timestamp() * 1000)}
    await cancel(matches=Match.objects.filter(pk=match.pk))
    assert await viewer.hear() == {"type": "state", "state": "cancelled"}
    assert await viewer.closed_with() == CLOSE_OVER


async def test_the_end_of_a_broadcast_brings_the_rest_and_closes(visit: Any) -> None:
    match = await on_air_match(elapsed=10)
    viewer = await visit(f"/ws/matches/{match.pk}/")
    await viewer.hear_until(type="state")
    assert await end(match_id=match.pk, at_once=True)
    await announce(match)
    messages = await viewer.hear_until(type="finished")
    games = {one["game"] for one in messages if one["type"] == "frames"}
    assert games == {0, 1}
    assert await viewer.closed_with() == CLOSE_OVER


async def test_a_match_that_is_computed_for_a_broadcast_is_not_shown(visit: Any) -> None:
    match = await on_air_match(elapsed=-600)
    await Match.objects.filter(pk=match.pk).aupdate(state=MatchState.QUEUED)
    viewer = await visit(f"/ws/matches/{match.pk}/")
    assert [one["type"] for one in await viewer.hear_until(type="state")] == ["attempt", "state"]


def _damage(match: Match) -> None:
    record = bytes(match.games.get(index=0).record)
    Game.objects.filter(match=match, index=0).update(record=record[:-1] + bytes((record[-1] ^ 1,)))


async def test_a_record_that_fails_its_hash_is_not_shown_and_says_so(visit: Any) -> None:
    match = await on_air_match(elapsed=20)
    await sync_to_async(_damage)(match)
    viewer = await visit(f"/ws/matches/{match.pk}/")
    assert [one["type"] for one in await viewer.hear_until(type="state")] == ["attempt", "state"]
    answer = await sync_to_async(frames_of)(match)
    assert (answer.status_code, answer.json()["error"]) == (410, "damaged")
    with pytest.raises(RecordError):
        await sync_to_async(whole)(match)


def test_a_finished_game_with_a_damaged_record_says_so() -> None:
    match = FinishedMatchFactory()
    _damage(match)
    answer = frames_of(match)
    assert (answer.status_code, answer.json()["error"]) == (410, "damaged")
    assert Client().get(f"/matches/{match.pk}/").status_code == 200


def test_a_private_match_is_on_air_only_for_its_audience() -> None:
    author = UserFactory()
    own = BotVersionFactory(source=BRISK, bot__owner=author)
    match = match_on_air(elapsed=20, seats=[own, BotVersionFactory(source=BRISK)], audience=Audience.AUTHORS)
    assert frames_of(match).status_code == 404
    client = Client()
    client.force_login(author)
    assert client.get(f"/matches/{match.pk}/games/0/frames.json").status_code == 200
    assert broadcast_read(match.pk, Audience.EVERYONE) is None
