"""The analysis of a game: made once by a worker, for those who may look at the game, and not too many at a time."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from arena.accounts.models import User
from bots.models import VersionState
from games.record import Record
from luck import luck_analyse
from matches.analysis import services
from matches.analysis.selectors import analysis_of
from matches.models import Analysis, Audience, Contest, Game, Match
from matches.services import match_publish
from matches.tasks import matches_analyse_task as analyse_task
from matches.tasks import matches_sweep_task
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import FinishedMatchFactory, MatchFactory

pytestmark = pytest.mark.django_db
STEADY = b"""
def act(view):
    if view["phase"] == "decide" and view["sum"] > 21 and view["aside"]["W"]:
        return "stop"
    return next((one for one in view["actions"] if one in ("take W", "take 5", "take 4", "roll")), view["actions"][0])
"""
CAREFUL = STEADY.replace(b"> 21", b"> 23")


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    messages: list[tuple[Any, ...]] = []
    monkeypatch.setattr("celery.Celery.send_task", lambda _app, *message, **_kwargs: messages.append(message))
    monkeypatch.setattr("matches.queue.dispatch._messages_waiting", lambda: 0)  # what other tests have sent
    return messages


@pytest.fixture
def match() -> Match:
    return FinishedMatchFactory(seats=[BotVersionFactory(source=source) for source in (STEADY, CAREFUL)])


def get_luck(client: Client, match: Match, index: int = 0, query: str = "") -> Any:
    return client.get(reverse("matches:game-luck", args=[match.pk, index]) + query)


def test_a_worker_computes_it_on_request(
    client: Client,
    match: Match,
    sent: list[tuple[Any, ...]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        waiting = get_luck(client, match)
    assert (waiting.status_code, waiting.json(), waiting["Retry-After"]) == (202, {"state": "pending"}, "2")
    ((task, (number,)),) = sent
    assert task == analyse_task.name
    analyse_task(number)
    answer = get_luck(client, match)
    record = Record.decode(bytes(match.games.get(index=0).record))
    assert answer.json() == json.loads(json.dumps(luck_analyse(record).to_dict()))
    row = Analysis.objects.get()
    assert (row.digest, row.value) == (record.digest.hex(), "pickomino/1-v1")
    assert row.sums is not None
    assert row.sums["luck"] == answer.json()["luck"]
    assert sum(row.sums["decisions"]) == len(answer.json()["decisions"])
    assert answer["Cache-Control"] == "no-cache"
    assert "immutable" in get_luck(client, match, query=f"?edition=pickomino/1-v1.{match.attempt}")["Cache-Control"]


def test_shares_are_rounded_to_the_digits_that_are_requested_and_nothing_else_is(client: Client, match: Match) -> None:
    row = services.analysis_request(game=first_game(match), value=analysis_of(match), user_id=None)
    services.analysis_make(analysis_id=row.pk)
    exact, rounded = get_luck(client, match).json(), get_luck(client, match, query="?digits=4").json()
    compared = Counter(_compared("", exact, rounded))
    assert compared["equal"] > 100
    assert compared["rounded"] > 100
    for refused in ("0", "9", "44", "four", "-1", "²"):
        assert get_luck(client, match, query=f"?digits={refused}").json() == exact


def _compared(name: str, exact: Any, rounded: Any) -> Iterator[str]:
    assert type(exact) is type(rounded)
    if isinstance(exact, dict):
        assert exact.keys() == rounded.keys()
        for key, one in exact.items():
            yield from _compared(key, one, rounded[key])
    elif isinstance(exact, list):
        assert len(exact) == len(rounded)
        for one, other in zip(exact, rounded, strict=True):
            yield from _compared(name, one, other)
    elif exact == rounded:
        yield "equal"
    else:
        assert rounded % 100_000 == 0
        assert abs(exact - rounded) <= 50_000
        assert name not in {"step", "seat", "turn", "total", "left", "tile", "bust"}
        yield "rounded"


def test_a_message_that_comes_twice_makes_nothing_twice(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    row = services.analysis_request(game=first_game(match), value=analysis_of(match), user_id=None)
    services.analysis_make(analysis_id=row.pk)
    monkeypatch.setattr(services, "luck_analyse", lambda record: pytest.fail("made twice"))
    services.analysis_make(analysis_id=row.pk)
    services.analysis_make(analysis_id=row.pk + 1)  # of a game that is gone


def test_a_lost_message_is_sent_again_on_the_next_request(
    match: Match, sent: list[tuple[Any, ...]], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    for times in (1, 1, 2):  # at once it waits for the first
        if times == 2:
            Analysis.objects.update(claimed_at=timezone.now() - 2 * services.LOST)
        with django_capture_on_commit_callbacks(execute=True):
            services.analysis_request(game=first_game(match), value=analysis_of(match), user_id=None)
        assert len(sent) == times


def test_one_person_may_request_a_limited_number_of_new_ones_and_any_old_one(
    client: Client, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "REQUESTS_MOST", 1)
    assert get_luck(client, match, 0).status_code == 202
    refused = get_luck(client, match, 1)
    assert (refused.status_code, refused["Retry-After"]) == (429, "60")
    assert get_luck(client, match, 0).status_code == 202
    client.force_login(UserFactory())
    assert get_luck(client, match, 1).status_code == 202
    Analysis.objects.update(requested_at=timezone.now() - 2 * services.REQUESTS_WITHIN)
    assert Analysis.objects.count() == 2


def test_equal_records_are_analysed_once(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    twin = FinishedMatchFactory(seats=[seat.version for seat in match.seats.all()])
    first, second = (
        services.analysis_request(game=first_game(one), value=analysis_of(one), user_id=None) for one in (match, twin)
    )
    services.analysis_make(analysis_id=first.pk)
    monkeypatch.setattr(services, "luck_analyse", lambda record: pytest.fail("made twice"))
    services.analysis_make(analysis_id=second.pk)
    rows = Analysis.objects.values_list("digest", "sums")
    assert rows[0] == rows[1]


def test_the_database_holds_one_for_a_game_and_sums_only_of_readable_ones(match: Match) -> None:
    common: dict[str, Any] = {"game": first_game(match), "claimed_at": timezone.now()}
    Analysis.objects.create(value="a/1-v1", **common)
    for wrong in ({"value": "a/1-v1"}, {"value": "b", "sums": {"luck": [0, 0]}}, {"value": "b", "told": b"{}"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Analysis.objects.create(**common, **wrong)


def test_a_contest_has_all_games_analysed_while_nobody_waits(
    match: Match, sent: list[tuple[Any, ...]], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    matches = Match.objects.filter(pk=match.pk)
    with django_capture_on_commit_callbacks(execute=True):
        assert services.analyses_order(matches=matches, value="pickomino/1-v1") == match.games.count() == 2
        assert services.analyses_order(matches=matches, value="pickomino/1-v1") == 0
    assert sent == []
    matches_sweep_task()
    assert (analyse_task.name, []) in sent
    analyse_task()
    assert not services.analyses_wait()
    assert not Analysis.objects.filter(told__isnull=True).exists()
    with django_capture_on_commit_callbacks(execute=True):  # it costs nobody's allowance
        assert services._recent_requests(None) == 0


def ordered(match: Match) -> int:
    """Order the analyses of the match; how many wait."""
    services.analyses_order(matches=Match.objects.filter(pk=match.pk), value="pickomino/1-v1")
    return waiting()


def waiting() -> int:
    return Analysis.objects.filter(told__isnull=True).count()


def test_a_long_order_continues_with_the_next_sweep(
    match: Match, sent: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ordered(match) == 2
    times = iter([0.0, 0.0, services.SLICE])
    monkeypatch.setattr(services.time, "monotonic", lambda: next(times))
    analyse_task()
    assert (waiting(), sent) == (1, [])
    monkeypatch.undo()


def result_to_process(match: Match) -> None:
    Contest.objects.create(name="tournament.1", news_at=timezone.now())


def match_to_play(match: Match) -> None:
    MatchFactory()


def upload_to_check(match: Match) -> None:
    BotVersionFactory(state=VersionState.QUEUED)


@pytest.mark.parametrize("work", [result_to_process, match_to_play, upload_to_check])
@pytest.mark.usefixtures("sent")
def test_what_was_ordered_waits_while_anything_else_does(match: Match, work: Callable[[Match], None]) -> None:
    assert ordered(match) == 2
    work(match)
    analyse_task()
    assert waiting() == 2


@pytest.mark.parametrize(("work", "made"), [(result_to_process, 0), (match_to_play, 1), (upload_to_check, 1)])
@pytest.mark.usefixtures("sent")
def test_what_has_waited_long_is_made_one_at_a_time_but_never_before_a_result(
    match: Match, work: Callable[[Match], None], made: int
) -> None:
    ordered(match)
    Analysis.objects.update(requested_at=timezone.now() - 2 * services.OVERDUE)
    work(match)
    analyse_task()
    assert waiting() == 2 - made


def test_after_an_analysis_matches_are_played_again(match: Match, sent: list[tuple[Any, ...]]) -> None:
    row = services.analysis_request(game=first_game(match), value=analysis_of(match), user_id=None)
    MatchFactory()
    analyse_task(row.pk)
    assert waiting() == 0
    assert sent == [("matches.play",)]


def test_what_a_worker_took_and_lost_is_taken_again(match: Match) -> None:
    services.analyses_order(matches=Match.objects.filter(pk=match.pk), value="pickomino/1-v1")
    first = services._next()
    assert first is not None
    assert services._next() not in (first, None)
    assert services._next() is None
    Analysis.objects.filter(pk=first).update(claimed_at=timezone.now() - 2 * services.LOST)
    assert services._next() == first


@pytest.mark.parametrize(("ruleset", "code"), [("karteneck/2", "too_little"), ("heckmeck/1", "no_value")])
def test_a_game_without_a_value_gets_the_reason_and_no_analysis(client: Client, ruleset: str, code: str) -> None:
    versions = [BotVersionFactory(bot__game=ruleset.partition("/")[0]) for _ in range(2)]
    match = FinishedMatchFactory(seats=versions, ruleset=ruleset, options={})
    answer = get_luck(client, match)
    assert (answer.status_code, answer.json()["code"]) == (200, code)
    assert "luck_later" not in client.get(reverse("matches:detail", args=[match.pk])).content.decode()  # no tab
    assert not Analysis.objects.exists()


def test_the_reason_is_stored_for_a_game_that_cannot_be_analysed(client: Client) -> None:
    """Bots that always play the last action never win a tile: the platform ends their game."""
    match = FinishedMatchFactory()
    row = services.analysis_request(game=first_game(match), value=analysis_of(match), user_id=None)
    services.analysis_make(analysis_id=row.pk)
    assert get_luck(client, match).json()["state"] == "none"
    row.refresh_from_db()
    assert row.sums is None


def test_it_is_for_readers_of_the_finished_game(client: Client, match: Match) -> None:
    assert get_luck(client, MatchFactory(running=True)).status_code == 404
    assert get_luck(client, match, 9).status_code == 404
    match_publish(matches=Match.objects.filter(pk=match.pk), audience=Audience.ORGANISER)
    assert get_luck(client, match).status_code == 404
    client.force_login(User.objects.create(username="staff", is_staff=True))
    row = services.analysis_request(game=first_game(match), value=analysis_of(match), user_id=None)
    services.analysis_make(analysis_id=row.pk)
    assert get_luck(client, match, query=f"?edition=pickomino/1-v1.{match.attempt}")["Cache-Control"] == "private"


def first_game(match: Match) -> Game:
    game: Game = match.games.get(index=0)
    return game
