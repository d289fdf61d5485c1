"""Random events, rulings and reversals of a tournament: its chain records each, and its proof holds."""

from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import transaction
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.examples import examples
from tests.tournaments.proof.at_random import EVENTS, SHAPES, Event
from tests.tournaments.proof.test_verify import proof_file
from tournaments.models import NewVersions
from tournaments.proof.verify import proof_verify

pytestmark = pytest.mark.django_db
STEPS = st.lists(st.tuples(st.sampled_from(EVENTS), st.integers(0, 30), st.integers(0, 3)), min_size=4, max_size=20)
SHARE = ("knockout",)


@pytest.mark.parametrize(
    "shape", [pytest.param(one, marks=() if one in SHARE else pytest.mark.exhaustive) for one in SHAPES]
)
def test_the_chain_records_every_event_and_the_proof_holds(shape: str, tmp_path: Path) -> None:
    @examples(2 if shape in SHARE else 6, suppress_health_check=list(HealthCheck))
    @given(
        entries=st.integers(4, 9),
        new_versions=st.sampled_from(NewVersions.values),
        has_round_review=st.booleans(),
        steps=STEPS,
    )
    def holds(entries: int, new_versions: str, has_round_review: bool, steps: list[tuple[str, int, int]]) -> None:
        cache.clear()  # what another example kept has the same key
        with transaction.atomic():
            event = Event(shape, entries, new_versions=new_versions, has_round_review=has_round_review)
            event.agree()
            for step in steps:
                event.happen(*step)
                event.agree()
            event.play_out()
            event.agree()
            proved = proof_verify(proof_file(event.cup, tmp_path / "proof.zip"))
            assert (proved.ended, proved.rulings) == (event.cup.state == "finished", event.cup.rulings.count())
            transaction.set_rollback(True)

    holds()


LEFT_BEFORE = (
    *(("update", 23, 0), ("replace", 17, 0), ("advance", 12, 0), ("play all", 19, 1), ("delete bot", 15, 3)),
    *(("replay", 24, 3), ("advance", 12, 3), ("take back", 8, 2), ("resume", 8, 1), ("update", 8, 0)),
    *(("advance", 15, 3), ("reopen", 8, 2), ("withdraw", 22, 0), ("update", 8, 0), ("disqualify", 24, 1)),
)


def test_a_ruling_on_a_waiting_round_of_a_bracket_agrees_although_a_bot_has_left_it_before() -> None:
    for _luck in range(12):  # it depends on who meets whom: in one of three
        cache.clear()
        with transaction.atomic():
            event = Event("double elimination", 7, new_versions="never", has_round_review=True)
            for step in LEFT_BEFORE:
                event.happen(*step)
                event.agree()
            transaction.set_rollback(True)
