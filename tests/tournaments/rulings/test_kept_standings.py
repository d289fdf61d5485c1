"""Standings that are kept are those that a fold from the start gives, whatever happens in between."""

from typing import Any

import pytest
from django.core.cache import caches
from django.db import transaction
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from bots.deletion import bot_delete
from matches.models import Match, MatchState
from tests.examples import examples
from tests.tournaments.factories import finish_match
from tests.tournaments.rulings.rule import take_back
from tests.tournaments.rulings.test_reversal import KINDS, cup_of, try_rule
from tournaments import services
from tournaments.errors import RulingRefused
from tournaments.models import Entry, Tournament
from tournaments.selectors.standings.results import standings_of

pytestmark = pytest.mark.django_db(transaction=True)
EVENTS = ("result", "result", "draw", "delete", "start", "take_back", *KINDS)
STEPS = st.lists(st.tuples(st.sampled_from(EVENTS), st.integers(0, 30), st.integers(0, 2)), min_size=2, max_size=8)


def happen(cup: Tournament, event: str, place: int, score: int) -> None:
    """What cannot happen now does not."""
    queued = Match.objects.filter(fixture__round__tournament=cup, state=MatchState.QUEUED).order_by("pk")
    if event == "result" and queued:
        finish_match(queued[place % len(queued)], [score / 2, 1 - score / 2])
    elif event == "draw":
        services.tournament_advance(tournament_id=cup.pk)
    elif event == "delete":
        entries = Entry.objects.filter(tournament=cup).order_by("pk")
        bot_delete(bot=entries[place % len(entries)].bot)
    elif event == "start":
        for played in cup.rounds.filter(started_at__isnull=True):
            services.round_start(played=played)
    elif event == "take_back":
        try:
            take_back(cup)
        except (RulingRefused, AttributeError):  # there is none, or it was taken back already
            return
    elif event in KINDS:
        try_rule(cup, event, place, score)


def kept_and_folded(cup: Tournament) -> tuple[list[Any], list[Any]]:
    """The standings of all stages: as whoever asks again is told them, and by a fold from the start."""
    stages = [stage for stage in Tournament.objects.get(pk=cup.pk).stages.all() if stage.started_at]
    kept = [standings_of(stage) for stage in stages]
    mine = dict(caches["optional"]._cache)  # type: ignore[attr-defined]  # of the cache in memory
    caches["optional"].clear()
    folded = [standings_of(stage) for stage in stages]
    caches["optional"]._cache.update(mine)  # type: ignore[attr-defined]
    return kept, folded


@pytest.mark.parametrize(
    "shape", ["swiss", *(pytest.param(one, marks=pytest.mark.exhaustive) for one in ("knockout", "double_elimination"))]
)
def test_what_is_kept_is_what_a_fold_from_the_start_gives(shape: str) -> None:
    @examples(3, suppress_health_check=list(HealthCheck))
    @example(steps=[("withdraw", 0, 0), ("take_back", 0, 0), ("delete", 1, 0)])
    @given(steps=STEPS)
    def is_kept(steps: list[tuple[str, int, int]]) -> None:
        caches["optional"].clear()
        with transaction.atomic():
            cup = Tournament.objects.get(pk=played)
            for step in steps:
                kept, folded = kept_and_folded(cup)
                assert kept == folded
                happen(cup, *step)
            kept, folded = kept_and_folded(cup)
            assert kept == folded, steps
            transaction.set_rollback(True)

    with transaction.atomic():
        played = cup_of(shape).pk
        is_kept()
        transaction.set_rollback(True)
