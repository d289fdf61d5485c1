"""A contest says what kind it is of, and its kind says what follows from that."""

from unittest.mock import patch

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from leagues.models.season import SEASON
from matches.contest_kinds import ContestKey, ContestKind
from matches.models import Contest, Match
from matches.queue.dispatch import dispatch_result_on_commit
from tests.bots.factories import BotVersionFactory
from tests.matches.creating import match_of
from tests.matches.factories import SECRET
from tournaments.models.tournament import TOURNAMENT

pytestmark = pytest.mark.django_db

CUP = ContestKind("cup", finished_task="cups.result")
CUPS = ContestKind("cups", finished_task="cups.result", is_quiet=True)


def played_for(contest: ContestKey | None) -> Match:
    versions = [BotVersionFactory(), BotVersionFactory()]
    return match_of(
        ruleset="pickomino", options={}, versions=versions, blocks=1, limits={}, secret=SECRET, contest=contest
    )


def test_a_match_is_of_the_kind_of_its_contest_and_of_no_other() -> None:
    kinds = (CUP, CUPS, TOURNAMENT, SEASON)
    for kind in kinds:
        match = played_for(kind.numbered(5))
        assert [one for one in kinds if one.includes(match)] == [kind]
    assert not any(kind.includes(played_for(None)) for kind in kinds)


def test_the_kind_decides_which_task_gets_results(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    for contest, tasks in ((CUP.numbered(1), ["cups.result"]), (None, [])):
        match = played_for(contest)
        with (
            patch("matches.queue.dispatch.current_app.send_task") as send,
            django_capture_on_commit_callbacks(execute=True),
        ):
            dispatch_result_on_commit(match)
        assert [call.args[0] for call in send.call_args_list] == tasks


def test_the_kind_decides_whether_webhooks_get_each_match() -> None:
    played_for(CUP.numbered(1))
    played_for(CUPS.numbered(1))
    Contest.objects.create(name=str(CUPS.numbered(2)))  # of a release that knew of no quiet contests
    played_for(CUPS.numbered(2))
    quiet = dict(Contest.objects.values_list("name", "is_quiet"))
    assert quiet == {"cup.1": False, "cups.1": True, "cups.2": True}
