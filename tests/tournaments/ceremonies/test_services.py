"""The ceremony: what is revealed when, what two clicks do, what a ruling does, and how it ends."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from matches.models import Audience, Match
from matches.visibility import matches_visible
from tests.arena.factories import UserFactory
from tests.tournaments.ceremonies.ceremony import all_drawn, begun, ceremony_in, make_due, ranks_shown, sealed, step
from tests.tournaments.factories import running_tournament
from tests.tournaments.rulings.rule import played, rule
from tournaments.errors import CeremonyChanged, CeremonyRefused, WrongState
from tournaments.models import Ceremony, Publication, Tournament
from tournaments.selectors.pages.ceremony import (
    ceremony_ranks_in,
    ceremony_ranks_of,
    ceremony_shown,
    is_ceremony_outdated,
)
from tournaments.services import (
    ceremonies_tend,
    ceremony_accept,
    ceremony_advance,
    ceremony_announce,
    ceremony_cancel,
    ceremony_pace_set,
    ceremony_start,
    ceremony_tend,
    tournament_cancel,
    tournament_publish,
    tournament_resume,
    tournaments_tend,
)
from tournaments.standings import standings_table
from tournaments.standings.results import ScoredBye

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]
NOW = timezone.now()


def publication_of(cup: Tournament) -> str:
    return Tournament.objects.values_list("publication", flat=True).get(pk=cup.pk)


def test_ranks_are_revealed_from_the_last_place_up_and_the_first_publishes_the_results() -> None:
    cup = sealed(4)
    best = [row.entrant for [row] in ([one.row for one in rank] for rank in reversed(ceremony_ranks_of(cup)))]
    assert begun(cup).left == 4
    for place in (4, 3, 2):
        assert step(cup).left == place - 1
        assert ranks_shown(cup)[-1] == (place, [best[place - 1]])
        assert publication_of(cup) == Publication.HIDDEN
        assert not matches_visible(UserFactory()).exists()
    ended = step(cup)
    ceremony_advance(tournament=cup, place=1)  # a second click
    assert (ended.left, ended.due_at) == (0, None)
    assert ended.ended_at is not None
    assert publication_of(cup) == Publication.EVERYONE
    assert set(Match.objects.values_list("audience", flat=True)) == {Audience.EVERYONE}


def test_those_who_share_a_rank_are_revealed_together() -> None:
    cup = all_drawn(4)
    begun(cup)
    assert step(cup).ended_at is not None
    [(rank, entries)] = ranks_shown(cup)
    assert (rank, len(entries)) == (1, 4)
    assert ceremony_shown(ceremony_in(cup)).ranks[0].is_shared


@given(st.dictionaries(st.integers(1, 99), st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=12))
def test_every_bot_is_revealed_once_and_the_next_place_reveals_nothing(bots: dict[int, tuple[int, bool]]) -> None:
    """Of any points and anyone disqualified, with shared ranks."""
    byes = [ScoredBye(one, points) for one, (points, _) in bots.items()]
    out = frozenset(one for one, (_, is_out) in bots.items() if is_out)
    ranks = ceremony_ranks_in([standings_table(list(bots), [], ["shared", "lot"], b"secret", byes, out)])
    assert sorted(one.entrant for rank in ranks for one in rank) == sorted(bots)
    left = len(bots)
    for rank in ranks:
        left -= len(rank)
        assert {one.row.disqualified for one in rank} == {rank is ranks[0] and bool(out)}
        assert {one.rank for one in rank} == {left + 1}
        assert len({one.row.points for one in rank}) == 1


def test_a_place_that_was_revealed_stays_so_and_no_place_is_skipped() -> None:
    cup = sealed(5)
    begun(cup)
    for _ in range(2):  # two clicks, both of which name place 5
        ceremony_advance(tournament=cup, place=5)
    assert ceremony_in(cup).left == 4
    with pytest.raises(CeremonyRefused, match="Place 4"):
        ceremony_advance(tournament=cup, place=3)
    assert ceremony_in(cup).left == 4


def test_the_lower_places_can_be_revealed_at_once() -> None:
    cup = sealed(6)
    begun(cup)
    ceremony_advance(tournament=cup, place=6, to=3)
    assert [rank for rank, _ in ranks_shown(cup)] == [6, 5, 4]
    assert ceremony_in(cup).left == 3


def test_it_starts_once_and_only_when_the_tournament_is_over() -> None:
    running = running_tournament(3)
    with pytest.raises(WrongState):
        ceremony_start(tournament=running)
    assert not Ceremony.objects.exists()
    cup = sealed(4)
    began = begun(cup).started_at
    step(cup)
    assert begun(cup).started_at == began
    assert ceremony_in(cup).left == 3


def test_no_step_without_a_ceremony() -> None:
    cup = sealed(3)
    acts = ((ceremony_advance, {"place": 3}), (ceremony_pace_set, {"pace": 8}), (ceremony_accept, {}))
    for act, arguments in acts:
        with pytest.raises(CeremonyRefused):
            act(tournament=cup, **arguments)


def test_a_ceremony_that_was_announced_begins_by_itself_when_all_is_played(sent: list[Any]) -> None:
    cup = running_tournament(3, publication=Publication.HIDDEN)
    ceremony_announce(tournament=cup, planned_at=NOW + timedelta(hours=1), pace=12)
    ceremony_announce(tournament=cup, planned_at=NOW + timedelta(hours=1), pace=12)
    tournaments_tend()
    assert not ceremony_in(cup).is_on
    Ceremony.objects.update(planned_at=NOW)
    tournaments_tend()
    assert not ceremony_in(cup).is_on
    played(cup)
    tournaments_tend()
    on = ceremony_in(cup)
    assert (on.is_on, on.pace, on.left) == (True, 12, 3)
    tournaments_tend()
    assert ceremony_in(cup).left == 3
    for left in (2, 1, 0):
        make_due(cup)
        ceremony_tend(tournament_id=cup.pk)
        ceremony_tend(tournament_id=cup.pk)
        assert ceremony_in(cup).left == left
    assert publication_of(cup) == Publication.EVERYONE


def test_the_clock_waits_longer_before_the_podium(sent: list[Any]) -> None:
    cup = sealed(5)
    begun(cup, pace=10)
    waits = []
    while (on := step(cup)).is_on:
        waits.append(round((on.due_at - timezone.now()).total_seconds()))
    assert waits == [10, 20, 20, 20]


def test_autoplay_is_switched_on_and_off() -> None:
    cup = sealed(5)
    assert begun(cup).pace == 0
    ceremony_pace_set(tournament=cup, pace=5)
    on = ceremony_in(cup)
    assert on.pace == 5
    assert on.due_at < timezone.now() + timedelta(seconds=6)
    ceremony_pace_set(tournament=cup, pace=0)
    assert ceremony_in(cup).due_at > timezone.now() + timedelta(minutes=59)
    for pace in (1, 2, 121, -1):
        with pytest.raises(CeremonyRefused):
            ceremony_pace_set(tournament=cup, pace=pace)


def test_one_with_which_nobody_goes_on_publishes_the_results_after_an_hour() -> None:
    cup = sealed(4)
    begun(cup)
    step(cup)
    ceremonies_tend()
    assert ceremony_in(cup).is_on
    make_due(cup)
    ceremonies_tend()
    assert not ceremony_in(cup).is_on
    assert publication_of(cup) == Publication.EVERYONE


def test_one_of_a_tournament_that_is_called_off_ends_and_publishes_nothing() -> None:
    cup = sealed(4)
    begun(cup)
    rule(cup, "reopen")
    tournament_cancel(tournament=Tournament.objects.get(pk=cup.pk))
    make_due(cup)
    ceremonies_tend()
    assert ceremony_in(cup).ended_at is not None
    assert publication_of(cup) == Publication.HIDDEN


def test_to_publish_the_results_ends_the_ceremony() -> None:
    cup = sealed(4)
    begun(cup)
    tournament_publish(tournament=cup, publication=Publication.PARTICIPANTS)
    assert ceremony_in(cup).is_on
    tournament_publish(tournament=cup, publication=Publication.EVERYONE)
    assert ceremony_in(cup).ended_at is not None
    with pytest.raises(CeremonyRefused):
        ceremony_advance(tournament=cup, place=4)


def test_a_tournament_whose_results_are_public_may_have_one() -> None:
    cup = sealed(3, publication=Publication.EVERYONE)
    assert begun(cup).is_on
    for _ in range(3):
        step(cup)
    assert ceremony_in(cup).ended_at is not None


def reopened(cup: Tournament, *, disqualified: int) -> None:
    """Rule in the middle of the ceremony that a bot is disqualified; the tournament is over again then."""
    rule(cup, "reopen")
    rule(cup, "disqualify", entry=cup.entries.get(pk=disqualified))
    tournament_resume(tournament=Tournament.objects.get(pk=cup.pk))
    played(cup)


def test_while_the_tournament_is_played_again_the_ceremony_waits() -> None:
    cup = sealed(4)
    begun(cup, pace=5)
    rule(cup, "reopen")
    with pytest.raises(WrongState):
        ceremony_advance(tournament=cup, place=4)
    make_due(cup)
    ceremonies_tend()
    on = ceremony_in(cup)
    assert (on.is_on, on.pace, on.left) == (True, 0, 4)
    assert publication_of(cup) == Publication.HIDDEN


def test_a_ruling_that_changes_revealed_ranks_stops_it_until_they_are_corrected() -> None:
    cup = sealed(5)
    begun(cup, pace=5)
    step(cup)
    step(cup)
    before = ranks_shown(cup)
    [winner] = ceremony_ranks_of(cup)[-1]
    reopened(cup, disqualified=winner.entrant)
    assert is_ceremony_outdated(ceremony_in(cup), ceremony_ranks_of(cup))
    with pytest.raises(CeremonyChanged):
        ceremony_advance(tournament=cup, place=3)
    make_due(cup)
    ceremonies_tend()
    assert (ceremony_in(cup).pace, ranks_shown(cup)) == (0, before)
    ceremony_accept(tournament=cup)
    assert ranks_shown(cup)[0] == (5, [winner.entrant])
    assert ceremony_in(cup).left == 3
    assert ceremony_shown(ceremony_in(cup)).ranks[-1].is_out
    while ceremony_in(cup).is_on:
        step(cup)
    assert len({entry for _, bots in ranks_shown(cup) for entry in bots}) == 5


def test_a_ruling_above_the_revealed_ranks_just_holds() -> None:
    cup = sealed(5)
    begun(cup)
    step(cup)
    ruled = ceremony_ranks_of(cup)
    [second], [first] = ruled[-2], ruled[-1]
    rule(cup, "reopen")
    of_both = cup.fixtures.filter(match__seats__version__entries=first.entrant)
    fixture = of_both.get(match__in=Match.objects.filter(seats__version__entries=second.entrant))
    rule(cup, "replace", fixture=fixture, scores={first.entrant: 0, second.entrant: 2})
    tournament_resume(tournament=Tournament.objects.get(pk=cup.pk))
    played(cup)
    assert not is_ceremony_outdated(ceremony_in(cup), ceremony_ranks_of(cup))
    while ceremony_in(cup).is_on:
        step(cup)
    assert ranks_shown(cup)[-1][1] == [second.entrant]


def test_it_is_moved_and_called_off_until_it_begins() -> None:
    cup = sealed(3)
    for when in (NOW - timedelta(minutes=1), NOW + timedelta(days=1000)):
        with pytest.raises(CeremonyRefused):
            ceremony_announce(tournament=cup, planned_at=when)
    ceremony_cancel(tournament=cup)
    ceremony_announce(tournament=cup, planned_at=NOW + timedelta(hours=2))
    ceremony_announce(tournament=cup, planned_at=None, pace=20)
    assert ceremony_in(cup).planned_at is None
    ceremony_cancel(tournament=cup)
    assert not Ceremony.objects.exists()
    begun(cup)
    with pytest.raises(CeremonyRefused):
        ceremony_announce(tournament=cup, planned_at=NOW + timedelta(hours=3))
    with pytest.raises(CeremonyRefused):
        ceremony_cancel(tournament=cup)


def test_a_knockout_reveals_those_who_went_out_together() -> None:
    cup = sealed(8, format="single_elimination")
    begun(cup)
    while ceremony_in(cup).is_on:
        step(cup)
    assert [(rank, len(bots)) for rank, bots in ranks_shown(cup)] == [(5, 4), (3, 2), (2, 1), (1, 1)]
    assert ceremony_in(cup).revealed[0]["bots"][0]["points"] is None
