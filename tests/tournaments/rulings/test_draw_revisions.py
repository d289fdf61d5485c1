"""Whatever changes what a round is drawn from makes the tournament's revision another one."""

from typing import Any

import pytest
from django.core.cache import caches
from django.db import transaction
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.examples import examples
from tests.tournaments.factories import finish_matches
from tests.tournaments.rulings.test_reversal import cup_of
from tests.tournaments.rulings.test_snapshots_agree import EVENTS, happen
from tournaments import services
from tournaments.models import Entry, Tournament
from tournaments.selectors.rounds.stage_draws import stage_draw_position_of
from tournaments.services import rounds

pytestmark = pytest.mark.django_db(transaction=True)
MORE = ("finish", "finish", "apart", "meet", "leave", "return")
STEPS = st.lists(st.tuples(st.sampled_from((*EVENTS, *MORE)), st.integers(0, 30), st.integers(0, 2)), max_size=12)


def act(cup: Tournament, event: str, place: int, score: int) -> None:
    """What cannot happen now does not."""
    entries = list(Entry.objects.filter(tournament=cup).order_by("pk"))
    entry, pairs = entries[place % len(entries)], list(cup.forbidden_pairs.all())
    try:
        if event == "finish":
            finish_matches(cup)
        elif event == "apart":
            services.forbidden_pair_create(tournament=cup, one=entry, other=entries[score])
        elif event == "meet" and pairs:
            services.forbidden_pair_remove(pair=pairs[place % len(pairs)])
        elif event == "leave":
            services.entry_withdraw(entry=entry, by=cup.organiser)
        elif event == "return":
            services.entry_create(tournament=cup, bot=entry.bot, by=entry.bot.owner)
        else:
            happen(cup, event, place, score)
    except ValueError:
        return


@pytest.mark.parametrize(
    "shape", ["swiss", *(pytest.param(one, marks=pytest.mark.exhaustive) for one in ("knockout", "two stages"))]
)
def test_one_revision_and_the_same_entrants_give_one_position(shape: str) -> None:
    @examples(3, suppress_health_check=list(HealthCheck))
    @given(steps=STEPS)
    def is_one(steps: list[tuple[Any, ...]]) -> None:
        known: dict[Any, Any] = {}
        caches["optional"].clear()  # what another example kept has the same key: the stage began at the same time
        with transaction.atomic():
            cup = Tournament.objects.get(pk=played)
            for step in [("draw", 0, 0), *steps]:
                stage = rounds._due(Tournament.objects.filter(pk=cup.pk))
                if stage is not None:
                    present = list(rounds._present(stage))
                    position = stage_draw_position_of(stage, present)
                    assert known.setdefault((stage.tournament.revision, *present), position) == position, steps
                act(cup, *step)
            transaction.set_rollback(True)

    with transaction.atomic():
        cup = cup_of(shape)
        finish_matches(cup)
        played = cup.pk
        is_one()
        transaction.set_rollback(True)
