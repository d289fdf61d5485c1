"""Creating, holding, releasing and calling off matches."""

from itertools import pairwise
from typing import Any
from unittest.mock import patch

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from bots.models import VersionState
from games.catalogue import UnknownRuleset
from games.protocol import LimitError, Limits
from games.ruleset import OptionError, SeatError
from matches.models import Match, MatchLog, MatchState, Seat
from matches.services import (
    PlannedMatch,
    match_cancel,
    match_hold,
    match_release,
    match_seats_forfeit,
)
from matches.services.creating import MatchError
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.matches.creating import match_of, matches_of
from tests.matches.factories import SECRET, MatchFactory

pytestmark = pytest.mark.django_db


def wanted(**changes: Any) -> dict[str, Any]:
    """What a match is made from, with changes."""
    data = {"ruleset": "pickomino", "options": {}, "blocks": 2, "limits": {}, "secret": SECRET}
    if "versions" not in changes:
        data["versions"] = [BotVersionFactory(), BotVersionFactory()]
    return {**data, **changes}


def sent(capture: Any, act: Any) -> list[str]:
    """The tasks that ``act`` sends once it is committed."""
    nothing_waits = patch("matches.queue.dispatch._messages_waiting", return_value=0)
    with nothing_waits, patch("matches.queue.dispatch.current_app.send_task") as send, capture(execute=True):
        act()
        assert not send.called, "sent before the commit"
    return [call.args[0] for call in send.call_args_list]


def test_a_new_match_is_complete_and_its_task_is_sent_after_the_commit(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    asked = wanted(limits={"act_cpu": 0.5}, min_action_ms=300)
    tasks = sent(django_capture_on_commit_callbacks, lambda: match_of(**asked))
    match = Match.objects.get()
    assert tasks == ["matches.play"]
    assert match.state == MatchState.QUEUED
    assert match.ruleset == "pickomino/1"
    assert match.options
    assert match.limits == Limits(act_cpu=0.5).to_dict()
    assert [seat.version for seat in match.seats.all()] == asked["versions"]


def test_many_matches_are_made_in_order_with_few_queries(django_assert_max_num_queries: Any) -> None:
    bots = [BotVersionFactory() for _ in range(6)]
    pairings = [PlannedMatch((a, b), SECRET[:31] + bytes([n])) for n, (a, b) in enumerate(pairwise(bots))]
    with django_assert_max_num_queries(16):
        matches = matches_of(ruleset="pickomino/1", options={}, pairings=pairings, blocks=1, limits={})
    assert [tuple(match.seats.values_list("version", flat=True)) for match in matches] == [
        (a.pk, b.pk) for a, b in pairwise(bots)
    ]
    assert [bytes(match.secret)[-1] for match in matches] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"ruleset": "chess"}, UnknownRuleset),
        ({"ruleset": "pickomino/99"}, UnknownRuleset),
        ({"options": {"no such": 1}}, OptionError),
        ({"limits": {"act_cpu": -1}}, LimitError),
        ({"blocks": 0}, MatchError),
        ({"blocks": 10**9}, MatchError),
        ({"min_action_ms": -1}, MatchError),
        ({"stopping": {"effect": 2}, "blocks": 20}, MatchError),
        ({"secret": b"short"}, MatchError),
        ({"secret": bytes(33)}, MatchError),
        ({"versions": []}, SeatError),
    ],
)
def test_a_match_that_cannot_be_is_refused_and_nothing_is_written(change: dict[str, Any], error: type) -> None:
    with pytest.raises(error):
        match_of(**wanted(**change))
    assert not Match.objects.exists()
    assert not Seat.objects.exists()


def test_only_accepted_versions_for_this_game_may_play() -> None:
    refused = BotVersionFactory(state=VersionState.REFUSED)
    outsider = BotVersionFactory(bot=BotFactory(game="other"))
    for version in (refused, outsider):
        with pytest.raises(MatchError, match=version.bot.name):
            match_of(**wanted(versions=[version, BotVersionFactory()]))


def test_holding_touches_only_what_waits(django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> None:
    waiting, playing = MatchFactory(), MatchFactory(running=True)
    assert match_hold(matches=Match.objects.all()) == 1
    waiting.refresh_from_db()
    playing.refresh_from_db()
    assert (waiting.state, playing.state) == (MatchState.HELD, MatchState.RUNNING)
    tasks = sent(django_capture_on_commit_callbacks, lambda: match_release(matches=Match.objects.all()))
    assert tasks == ["matches.play"]
    waiting.refresh_from_db()
    assert waiting.state == MatchState.QUEUED


def test_a_held_match_is_not_sent(django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> None:
    assert sent(django_capture_on_commit_callbacks, lambda: match_of(**wanted(held=True))) == []
    assert Match.objects.get().state == MatchState.HELD


def test_release_forgives_the_faults_of_the_platform() -> None:
    match = MatchFactory(state=MatchState.HELD, platform_faults=5, workers_lost=2, last_platform_fault="worn out")
    match_release(matches=Match.objects.filter(pk=match.pk))
    match.refresh_from_db()
    assert (match.platform_faults, match.workers_lost, match.last_platform_fault) == (0, 0, "")


def test_calling_off_ends_all_that_is_open_and_clears_the_log() -> None:
    playing = MatchFactory(running=True)
    MatchLog.objects.create(match=playing, attempt=1, game=0, seed=b"s")
    finished = MatchFactory()
    Match.objects.filter(pk=finished.pk).update(state=MatchState.FINISHED, finished_at=finished.created_at)
    MatchFactory(state=MatchState.HELD)
    assert match_cancel(matches=Match.objects.all()) == 2
    assert not MatchLog.objects.exists()
    assert Match.objects.get(pk=finished.pk).state == MatchState.FINISHED
    assert match_cancel(matches=Match.objects.all()) == 0


def test_a_sequential_match_keeps_its_rule_complete() -> None:
    match = match_of(**wanted(blocks=50, stopping={"error": 0.1}))
    assert match.stopping == {"rule": "gsprt/2", "effect": 0.05, "error": 0.1}
    assert match_of(**wanted()).stopping == {}


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"stopping": {"rule": "coin"}}, "stopping", "gsprt/1"),
        ({"stopping": {"effect": 0.9}}, "stopping", "effect: 0.9 is not allowed; allowed: a number from 0.01 to 0.25"),
        ({"stopping": {"effect": 0.2}, "blocks": 9}, "blocks", "at least 10 deals"),
        ({"stopping": {"effect": 0.02}, "blocks": 19}, "blocks", "at least 20 deals"),
        ({"stopping": {"rule": "gsprt/1", "effect": 0.02}, "blocks": 36}, "blocks", "at least 37 deals"),
        ({"stopping": {"effect": 0.1}, "seats": 3}, "stopping", "a table of 3 seats"),
        ({"stopping": {"rule": "gsprt/3", "value": "pickomino/1-v0"}}, "stopping", "allowed: pickomino/1-v1"),
    ],
)
def test_a_rule_that_cannot_be_is_refused_by_the_name_of_its_field(
    change: dict[str, Any], field: str, words: str
) -> None:
    versions = [BotVersionFactory() for _ in range(change.pop("seats", 2))]
    with pytest.raises(MatchError) as refused:
        match_of(**wanted(**{"blocks": 20, "versions": versions, **change}))
    assert refused.value.field == field
    assert words in refused.value.detail
    assert not Match.objects.exists()


def test_seats_are_barred_from_matches_that_have_not_begun() -> None:
    version = BotVersionFactory()
    matches = [MatchFactory(seats=[version, BotVersionFactory()]) for _ in range(2)]
    running = MatchFactory(running=True, seats=[version, BotVersionFactory()])
    held = MatchFactory(state=MatchState.HELD, seats=[BotVersionFactory(), version])
    barred = Seat.objects.filter(version=version)
    assert match_seats_forfeit(seats=barred) == 3
    assert match_seats_forfeit(seats=barred) == 0
    assert {seat.match for seat in Seat.objects.filter(has_forfeited=True)} == {*matches, held}
    assert not running.seats.filter(has_forfeited=True).exists()
