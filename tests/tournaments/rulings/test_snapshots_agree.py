"""Snapshots of standings and ratings are what is computed from the database, whatever happens in between."""

import pytest
from django.core.cache import caches
from django.db import transaction
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from bots.deletion import bot_delete
from matches.models import Match, MatchState
from tests.examples import examples
from tests.tournaments.factories import finish_match, finish_matches, running_tournament
from tests.tournaments.rulings.rule import take_back
from tests.tournaments.rulings.test_reversal import KINDS, cup_of, try_rule
from tournaments import services
from tournaments.errors import RulingRefused
from tournaments.models import Entry, Tournament
from tournaments.selectors.standings.ranking import standings_of, standings_snapshot
from tournaments.selectors.standings.ratings import _fitted, tournament_ratings_of
from tournaments.services.leaving import entries_withdraw_deleted

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
        entries_withdraw_deleted()  # which the sweep does within ten seconds
    elif event == "start":
        for played in cup.rounds.filter(started_at__isnull=True):
            services.waiting_round_start(played=played)
    elif event == "take_back":
        try:
            take_back(cup)
        except (RulingRefused, AttributeError):  # there is none, or it was taken back already
            return
    elif event in KINDS:
        try_rule(cup, event, place, score)


def assert_agree(cup: Tournament, after: object) -> None:
    """Compare what readers get, computed or stored, with what follows from the database as it is, to the last digit."""
    cup = Tournament.objects.get(pk=cup.pk)
    for stage in cup.stages.all():
        if stage.started_at:
            folded = repr(standings_of(stage))
            assert [repr(tuple(standings_snapshot(stage).value)) for _ in range(2)] == [folded] * 2, after
    fitted = _fitted(cup)
    for _ in range(2):
        rated = tournament_ratings_of(cup)
        assert repr(tuple(rated.lines)) == repr(tuple(fitted.lines)), after
        assert (rated.places, rated.matches, rated.rulings) == (fitted.places, fitted.matches, fitted.rulings), after


def cup_with_a_play_off() -> Tournament:
    """Everybody is level after a round robin, so that all meet once more."""
    cup = running_tournament(4, tie_breaks=["wins", "play_off", "lot"])
    finish_matches(cup, lambda table: [0.5 for _ in table])
    services.tournament_advance(tournament_id=cup.pk)
    cup = Tournament.objects.get(pk=cup.pk)
    assert cup.stage.kind.is_play_off
    return cup


SHAPES = ("knockout", "double_elimination", "two stages", "swiss that waits", "play-off")


@pytest.mark.parametrize("shape", ["swiss", *(pytest.param(one, marks=pytest.mark.exhaustive) for one in SHAPES)])
def test_a_snapshot_equals_the_computation_from_the_database_after_any_events(shape: str) -> None:
    @examples(3, suppress_health_check=list(HealthCheck))
    @example(steps=[("withdraw", 0, 0), ("take_back", 0, 0), ("delete", 1, 0)])
    @given(steps=STEPS)
    def agree(steps: list[tuple[str, int, int]]) -> None:
        caches["optional"].clear()
        with transaction.atomic():
            cup = Tournament.objects.get(pk=played)
            assert_agree(cup, ())
            for number, step in enumerate(steps, start=1):
                happen(cup, *step)
                assert_agree(cup, steps[:number])
            transaction.set_rollback(True)

    with transaction.atomic():
        played = (cup_with_a_play_off() if shape == "play-off" else cup_of(shape)).pk
        agree()
        transaction.set_rollback(True)
