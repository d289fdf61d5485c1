"""Details of old analyses are dropped; their sums stay, and details are recomputed on request."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from matches.analysis import services
from matches.analysis.selectors import analysis_of
from matches.models import Analysis, Match
from matches.retention import retention_apply
from tests.bots.factories import BotVersionFactory
from tests.matches.analysis.test_services import CAREFUL, STEADY, first_game, get_luck
from tests.matches.factories import FinishedMatchFactory

pytestmark = pytest.mark.django_db
LONG_AGO = timezone.now() - services.STORED_FOR - timedelta(days=1)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    messages: list[tuple[Any, ...]] = []
    monkeypatch.setattr("celery.Celery.send_task", lambda _app, *message, **_kwargs: messages.append(message))
    return messages


@pytest.fixture
def match() -> Match:
    return FinishedMatchFactory(seats=[BotVersionFactory(source=source) for source in (STEADY, CAREFUL)])


def made(match: Match) -> Analysis:
    row = services.analysis_request(game=first_game(match), value=analysis_of(match), user_id=None)
    services.analysis_make(analysis_id=row.pk)
    return Analysis.objects.get(pk=row.pk)


@pytest.mark.usefixtures("sent")
def test_what_is_old_is_dropped_and_its_sums_stay(match: Match) -> None:
    row = made(match)
    retention_apply()
    row.refresh_from_db()
    assert row.told is not None
    Analysis.objects.update(claimed_at=LONG_AGO)
    retention_apply()
    dropped = Analysis.objects.get()
    assert (dropped.told, dropped.is_kept, dropped.sums) == (None, False, row.sums)
    assert not services.analyses_wait()
    assert services._next() is None


def test_it_is_recomputed_the_same_on_request(
    match: Match, client: Client, sent: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    row = made(match)
    page = get_luck(client, match).content
    Analysis.objects.update(claimed_at=LONG_AGO, requested_at=LONG_AGO)
    assert services.analyses_drop() == 1
    assert services.analyses_drop() == 0
    sent.clear()
    with django_capture_on_commit_callbacks(execute=True):
        assert get_luck(client, match).status_code == 202
        assert get_luck(client, match).status_code == 202
    assert sent == [(services.TASK, [row.pk])]
    again = Analysis.objects.get()
    assert again.sums == row.sums
    assert services._recent_requests(None) == 1  # it counts as asked for
    services.analysis_make(analysis_id=row.pk)
    assert get_luck(client, match).content == page


@pytest.mark.usefixtures("sent")
def test_the_reason_stays_for_a_game_that_cannot_be_analysed() -> None:
    row = made(FinishedMatchFactory())
    assert row.sums is None
    Analysis.objects.update(claimed_at=LONG_AGO)
    assert services.analyses_drop() == 0
