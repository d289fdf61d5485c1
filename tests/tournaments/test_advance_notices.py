"""Owners are notified whether their bot is through or out: in brackets after each round, and where a stage is followed
by another; never while results are sealed."""

from collections import Counter
from typing import Any

import pytest

from notices.models import Notice
from notices.selectors import notice_line_of
from tests.arena.factories import UserFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of, finish_matches
from tournaments.models import Publication, Stage, Tournament
from tournaments.services import tournament_advance, tournament_start

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def played(drawn: int, entries: int, *, final: int = 0, **fields: Any) -> Tournament:
    """Of a cup after so many rounds; with a knockout of the best ``final`` as a second stage."""
    cup = TournamentFactory(**{"players_per_table": 2, **fields})
    if final:
        Stage.objects.create(
            tournament=cup, number=2, format="single_elimination", players_per_table=2, entrants=final, blocks=1
        )
    for _ in range(entries):
        EntryFactory(tournament=cup, bot=bot_of(UserFactory()))
    cup = tournament_start(tournament=cup)
    for _ in range(drawn):
        finish_matches(cup)
        tournament_advance(tournament_id=cup.pk)
        tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    return cup


def notified() -> Counter[bool]:
    return Counter(one.data["is_through"] for one in Notice.objects.filter(kind="tournament.advanced"))


def test_after_a_round_of_a_knockout_half_are_through_and_half_are_out() -> None:
    cup = played(1, 4, format="single_elimination")
    assert notified() == {True: 2, False: 2}
    playing = {
        seat.version.bot.owner_id
        for fixture in cup.stage.played.get(number=2).fixtures.all()
        for seat in fixture.match.seats.select_related("version__bot")
    }
    assert {one.person_id for one in Notice.objects.filter(data__is_through=True)} == playing
    for notice in Notice.objects.filter(data__is_through=False):
        assert notice_line_of(notice).text == f"{notice.data['bot_name']} is out of {cup.name}."


def test_entrants_of_the_third_place_match_are_not_notified() -> None:
    played(1, 4, format="single_elimination", has_third_place=True)
    assert notified() == {True: 2}


def test_with_two_defeats_nobody_is_out_after_the_first_round() -> None:
    played(1, 4, format="double_elimination")
    assert notified() == {True: 4}


def test_where_a_stage_ends_the_best_are_through_and_the_rest_are_out() -> None:
    cup = played(2, 5, final=2, format="swiss", rounds=2)
    assert cup.stage.number == 2
    assert notified() == {True: 2, False: 3}
    through = set(Notice.objects.filter(data__is_through=True).values_list("person", flat=True))
    assert through == set(cup.stage.seeds.values_list("entry__bot__owner", flat=True))


def test_nobody_is_notified_of_a_stage_twice() -> None:
    cup = played(2, 4, final=2, format="swiss", rounds=2)
    tournament_advance(tournament_id=cup.pk)
    assert sum(notified().values()) == 4


@pytest.mark.parametrize(("publication", "count"), [(Publication.HIDDEN, 0), (Publication.PARTICIPANTS, 4)])
def test_while_results_are_sealed_nobody_is_notified(publication: str, count: int) -> None:
    played(1, 4, format="single_elimination", publication=publication)
    assert sum(notified().values()) == count


def test_after_a_round_of_heats_eliminated_entrants_are_notified() -> None:
    cup = played(1, 8, format="heats", players_per_table=4, smallest_table=3)
    playing = cup.stage.played.get(number=2).fixtures.values_list("match__seats__version__bot__owner", flat=True)
    assert notified() == {True: 4, False: 4}
    assert set(Notice.objects.filter(data__is_through=True).values_list("person", flat=True)) == set(playing)
