"""/ws/matches/<id>/: every viewer gets every frame once, however late it comes and however often it is cut off."""

import asyncio
import json
from typing import Any
from unittest.mock import AsyncMock

import pytest
from asgiref.sync import sync_to_async

from games.frames import frames
from games.record import Record
from live import hub_announce
from live.consumers import CLOSE_GARBAGE, CLOSE_TROUBLE
from live.hub import hub_layer
from matches.live import match_reader, match_stream
from matches.live.match_reader import match_reader_snapshot
from matches.live.match_stream import CLOSE_OVER, CLOSE_UNKNOWN, START, MatchStream, match_stream_watched
from matches.models import Audience, Match, MatchState
from tests.matches.live.conftest import Viewer
from tests.matches.live.stories import log_write, match_begin, match_end, played

pytestmark = pytest.mark.django_db(transaction=True)

begin, write, end = sync_to_async(match_begin), sync_to_async(log_write), sync_to_async(match_end)


async def announce(match: Match) -> None:
    await sync_to_async(hub_announce)(f"match.{match.pk}")


def shown(messages: list[Any]) -> dict[tuple[int, int], tuple[str, dict[str, Any]]]:
    """Action and view by game and frame, put together as the page does it; fails on a gap or a repeat."""
    seen: dict[tuple[int, int], tuple[str, dict[str, Any]]] = {}
    for message in messages:
        if message["type"] != "frames":
            continue
        game = message["game"]
        for n, (_, action, _, _, _, changes) in enumerate(message["frames"], message["first"]):
            assert (game, n) not in seen
            view = seen[game, n - 1][1] if n and (game, n - 1) in seen else {}
            seen[game, n] = (action, {**view, **changes})
    return seen


def expected_frames(record: Record, game: int = 0) -> dict[tuple[int, int], tuple[str, dict[str, Any]]]:
    return {(game, frame.n): (frame.action, frame.view) for frame in frames(record)}


async def test_a_viewer_who_comes_late_gets_the_whole_attempt_and_then_what_follows(visit: Any) -> None:
    match = await begin()
    await write(match, game=0)
    await write(match, game=1, actions=10)
    viewer = await visit(f"/ws/matches/{match.pk}/")
    messages = await viewer.hear_until(type="state")
    assert messages[0] == {"type": "attempt", "attempt": 1}
    await write(match, game=1)
    await announce(match)
    messages.append(await viewer.hear())
    assert shown(messages) == expected_frames(played(0), 0) | expected_frames(played(1), 1)


async def test_a_viewer_who_was_cut_off_gets_exactly_the_missing_frames(visit: Any) -> None:
    match = await begin()
    await write(match, game=0)
    await write(match, game=1, actions=40)
    last = len(shown(await (await visit(f"/ws/matches/{match.pk}/")).hear_until(type="state"))) - 1
    total = len(expected_frames(played(0)))
    viewer = await visit(f"/ws/matches/{match.pk}/?since=1.0.{total - 8}")
    frames_sent = [m for m in await viewer.hear_until(type="state") if m["type"] == "frames"]
    assert [(m["game"], m["first"]) for m in frames_sent] == [(0, total - 7), (1, 0)]
    assert len(frames_sent[0]["frames"]) == 7
    up_to_date = await visit(f"/ws/matches/{match.pk}/?since=1.1.{last}")
    assert [m["type"] for m in await up_to_date.hear_until(type="state")] == ["attempt", "state"]


async def test_a_new_attempt_starts_over_and_old_frames_do_not_count(visit: Any) -> None:
    match = await begin()
    await write(match, actions=30)
    viewer = await visit(f"/ws/matches/{match.pk}/")
    await viewer.hear_until(type="state")
    await sync_to_async(Match.objects.filter(pk=match.pk).update)(attempt=2)
    await write(match, actions=5, attempt=2)
    await announce(match)
    messages = await viewer.hear_until(type="state")
    assert messages[0] == {"type": "attempt", "attempt": 2}
    returned = await visit(f"/ws/matches/{match.pk}/?since=1.0.30")
    assert shown(await returned.hear_until(type="state")) == shown(messages)


async def test_the_end_brings_the_last_frames_and_the_result_and_closes(visit: Any) -> None:
    match = await begin()
    await write(match, game=0, actions=20)
    viewer = await visit(f"/ws/matches/{match.pk}/")
    messages = await viewer.hear_until(type="state")
    await end(match, [played(0), played(1)])
    await announce(match)
    messages += await viewer.hear_until(type="finished")
    assert shown(messages) == expected_frames(played(0), 0) | expected_frames(played(1), 1)
    assert messages[-1]["url"] == f"/matches/{match.pk}/"
    assert await viewer.closed_with() == CLOSE_OVER


async def test_a_match_that_waits_is_followed_until_it_is_cancelled(visit: Any) -> None:
    match = await begin(state=MatchState.QUEUED, attempt=0)
    viewer = await visit(f"/ws/matches/{match.pk}/")
    assert await viewer.hear_until(type="state") == [
        {"type": "attempt", "attempt": 0},
        {"type": "state", "state": "queued"},
    ]
    await sync_to_async(Match.objects.filter(pk=match.pk).update)(state=MatchState.CANCELLED)
    await announce(match)
    assert await viewer.hear() == {"type": "state", "state": "cancelled"}
    assert await viewer.closed_with() == CLOSE_OVER


async def test_a_lost_announcement_is_made_up_for(visit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_stream, "LOOK_AGAIN_SECONDS", 0.1)
    match = await begin()
    await write(match, actions=3)
    viewer = await visit(f"/ws/matches/{match.pk}/")
    await viewer.hear_until(type="state")
    await write(match, actions=4)
    assert (await viewer.hear())["type"] == "frames"


async def test_a_match_that_is_read_no_more_sends_its_viewers_away_and_they_may_return(
    visit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await begin()
    await write(match, actions=3)
    viewers = [await visit(f"/ws/matches/{match.pk}/") for _ in range(3)]
    for viewer in viewers:
        messages = await viewer.hear_until(type="state")
    with monkeypatch.context() as broken:
        broken.setattr(MatchStream, "_look", AsyncMock(side_effect=asyncio.CancelledError))
        await announce(match)
        assert [await viewer.closed_with() for viewer in viewers] == [CLOSE_TROUBLE] * 3
    await write(match, actions=4)
    back = await visit(f"/ws/matches/{match.pk}/?since=1.0.{len(shown(messages)) - 1}")
    assert len(shown(messages + await back.hear_until(type="state"))) > len(shown(messages))


async def test_a_fault_of_the_stream_closes_the_socket(visit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MatchStream, "follow", AsyncMock(side_effect=ValueError))
    viewer = await visit(f"/ws/matches/{(await begin()).pk}/")
    assert await viewer.closed_with() == CLOSE_TROUBLE


async def test_without_a_working_channel_layer_a_match_is_still_watched(
    visit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hangs(topic: str, channel: str) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(match_stream, "LOOK_AGAIN_SECONDS", 0.1)
    monkeypatch.setattr("live.hub.ANSWER_SECONDS", 0.1)
    monkeypatch.setattr(hub_layer(), "group_add", hangs)
    match = await begin()
    await write(match, actions=3)
    viewer = await visit(f"/ws/matches/{match.pk}/")
    await viewer.hear_until(type="state")
    await write(match, actions=4)
    assert (await viewer.hear())["type"] == "frames"


async def test_many_viewers_cost_one_read_and_one_encoding(visit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await begin()
    await write(match, actions=30)
    reads = []
    read = match_reader_snapshot
    monkeypatch.setattr("matches.live.match_reader.match_reader_snapshot", lambda **kw: reads.append(kw) or read(**kw))
    viewers = [await visit(f"/ws/matches/{match.pk}/") for _ in range(50)]
    for viewer in viewers:
        await viewer.hear_until(type="state")
    assert len(reads) == 1
    await write(match)
    await announce(match)
    for viewer in viewers:
        assert (await viewer.hear())["type"] == "frames"
    assert len(reads) == 2


async def test_nothing_is_held_in_memory_for_a_match_that_nobody_watches(visit: Any) -> None:
    match = await begin()
    viewer = await visit(f"/ws/matches/{match.pk}/")
    await viewer.hear_until(type="state")
    streams = match_stream._streams[asyncio.get_running_loop()]
    assert [key[0] for key in streams] == [match.pk]
    await viewer.leave()
    assert not streams


async def test_only_the_last_games_of_a_long_match_are_streamed(visit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_reader, "GAMES_KEPT", 2)
    monkeypatch.setattr("matches.live.match_reader.GAMES_KEPT", 2)
    monkeypatch.setattr(match_stream, "GAMES_KEPT", 2)
    match = await begin(blocks=3)
    await write(match, game=0)
    await write(match, game=1)
    first = await visit(f"/ws/matches/{match.pk}/")
    await first.hear_until(type="state")
    for game in (2, 3):
        await write(match, game=game)
        await announce(match)
        await first.hear_until(type="frames", game=game)
    late = await visit(f"/ws/matches/{match.pk}/")
    messages = await late.hear_until(type="frames", game=3)
    assert {m["game"] for m in messages if m["type"] == "frames"} == {2, 3}


async def test_a_slow_viewer_delays_nobody_and_continues_with_the_last_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match_stream, "GAMES_KEPT", 1)
    match = await begin(blocks=3)
    await write(match, game=0)
    reads, arrived = asyncio.Event(), asyncio.Event()
    sent: dict[str, list[Any]] = {"slow": [], "fast": []}

    async def slow(event: Any) -> None:
        sent["slow"].append(json.loads(event["text"]))
        arrived.set()
        await reads.wait()

    async def fast(event: Any) -> None:
        sent["fast"].append(json.loads(event["text"]))
        arrived.set()

    async def until(who: str, *, game: int) -> None:
        async with asyncio.timeout(30):
            while not any(one["type"] == "frames" and one["game"] == game for one in sent[who]):
                arrived.clear()
                await arrived.wait()

    async with match_stream_watched(match.pk, Audience.EVERYONE) as show:
        following = [asyncio.create_task(show.follow(send, START)) for send in (slow, fast)]
        for game in (1, 2):
            await until("fast", game=game - 1)
            await write(match, game=game)
            await announce(match)
        await until("fast", game=2)
        assert len(sent["slow"]) == 1
        reads.set()
        await until("slow", game=2)
        assert shown(sent["slow"]) == expected_frames(played(2), 2)
        for task in following:
            task.cancel()


async def test_a_match_that_does_not_exist_gets_an_error(visit: Any) -> None:
    assert await (await visit("/ws/matches/999999/")).closed_with() == CLOSE_UNKNOWN
    assert await (await visit(f"/ws/matches/{10**30}/")).closed_with() == CLOSE_UNKNOWN
    assert await (await visit(f"/ws/matches/{10**120}/")).closed_with() == CLOSE_UNKNOWN


@pytest.mark.parametrize("address", ["/", "/ws/", "/ws/matches/x/", "/ws/matches/-1/", f"/ws/matches/{'9' * 5000}/"])
async def test_a_socket_to_any_other_address_is_refused_without_a_fuss(address: str) -> None:
    assert await Viewer(address).refused()


@pytest.mark.parametrize("since", ["x", "1.2", "1.2.3.4", "-1.0.0", "1.0.9999999999", "%00"])
async def test_a_position_that_makes_no_sense_is_refused(visit: Any, since: str) -> None:
    viewer = await visit(f"/ws/matches/1/?since={since}")
    assert (await viewer.hear())["error"] == "bad_position"
    assert await viewer.closed_with() == CLOSE_GARBAGE


async def test_viewers_have_nothing_to_say(visit: Any) -> None:
    match = await begin()
    viewer = await visit(f"/ws/matches/{match.pk}/")
    await viewer.hear_until(type="state")
    await viewer.say({"since": 1})
    assert (await viewer.hear())["error"] == "unknown_request"
