"""Rounds are drawn while nobody waits for the database, and hold only if nothing has changed meanwhile."""

import pytest
from django.db import connection

from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of, finish_matches
from tournaments import services
from tournaments.formats.swiss import format as swiss
from tournaments.models import ForbiddenPair
from tournaments.services import rounds

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_broker(monkeypatch):
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


@pytest.fixture
def during(monkeypatch):
    """``during(act, ...)``: the first draws of a Swiss are made to do these; how many draws there were."""
    draws, draw = [], swiss.swiss_round

    def let(*acts):
        waiting = list(acts)

        def drawn(*args, **named):
            draws.append(args)
            if waiting:
                waiting.pop(0)()
            return draw(*args, **named)

        monkeypatch.setattr(swiss, "swiss_round", drawn)
        return draws

    return let


def swiss_after_a_round(entries=6):
    cup = services.tournament_start(tournament=TournamentFactory(entries=entries, format="swiss", rounds=3))
    finish_matches(cup)
    return cup


def seated(cup, number):
    """The entries of each table of a round, in seat order."""
    entry_of = dict(cup.entries.values_list("version", "pk"))
    return [
        tuple(entry_of[seat.version_id] for seat in fixture.match.seats.all())
        for fixture in cup.fixtures.filter(round__number=number)
    ]


def withdraw(cup):
    return services.entry_withdraw(entry=cup.entries.order_by("pk").last(), by=cup.organiser)


def join(cup):
    return services.entry_create(tournament=cup, bot=bot_of(cup.organiser), by=cup.organiser)


def keep_apart(cup):
    one, other = cup.entries.order_by("pk")[4:6]
    return services.pair_keep_apart(tournament=cup, one=one, other=other)


@pytest.mark.parametrize("change", [withdraw, join, keep_apart])
def test_a_draw_that_is_overtaken_is_made_again_from_what_holds_now(during, change):
    cup = swiss_after_a_round()
    draws = during(lambda: change(cup))
    assert services.tournament_advance(tournament_id=cup.pk)
    assert len(draws) == 2
    tables = seated(cup, 2)
    playing = set(cup.entries.filter(is_withdrawn=False).values_list("pk", flat=True))
    idle = set(cup.byes.filter(round__number=2).values_list("entry", flat=True))
    assert {entry for table in tables for entry in table} | idle == playing
    assert not any(
        {pair.one_id, pair.other_id} <= set(table) for pair in ForbiddenPair.objects.all() for table in tables
    )


def test_what_has_no_say_in_a_round_does_not_overtake_it(during):
    cup = swiss_after_a_round()
    draws = during(EntryFactory)
    assert services.tournament_advance(tournament_id=cup.pk)
    assert len(draws) == 1


@pytest.mark.parametrize("move", [services.tournament_pause, services.tournament_cancel])
def test_a_draw_in_a_tournament_that_stops_meanwhile_is_thrown_away(during, move):
    cup = swiss_after_a_round()
    during(lambda: move(tournament=cup))
    assert not services.tournament_advance(tournament_id=cup.pk)
    assert cup.rounds.count() == 1


def test_of_two_who_draw_at_once_one_writes_the_round(during):
    cup = swiss_after_a_round()
    told = []
    during(lambda: told.append(services.tournament_advance(tournament_id=cup.pk)))
    assert services.tournament_advance(tournament_id=cup.pk) is False
    assert told == [True]
    assert (cup.rounds.count(), cup.fixtures.filter(round__number=2).count(), cup.stage.drawn) == (2, 3, 2)


def test_whoever_is_killed_while_drawing_leaves_nothing_and_the_next_one_draws_the_same(during):
    cup = swiss_after_a_round()

    def killed():
        raise KeyboardInterrupt

    draws = during(killed)
    with pytest.raises(KeyboardInterrupt):
        services.tournament_advance(tournament_id=cup.pk)
    assert (cup.rounds.count(), cup.stage.drawn) == (1, 1)
    assert services.tournament_advance(tournament_id=cup.pk)
    first, second = draws
    assert first == second
    assert len(seated(cup, 2)) == 3


def test_a_draw_that_is_overtaken_again_and_again_is_left_to_the_next_call(during):
    cup = swiss_after_a_round()
    draws = during(*[lambda: join(cup)] * rounds.STEPS)
    cup.entries_per_author = 20
    cup.save()
    assert not services.tournament_advance(tournament_id=cup.pk)
    assert (len(draws), cup.rounds.count()) == (rounds.STEPS, 1)
    assert services.tournament_advance(tournament_id=cup.pk)
    assert cup.rounds.count() == 2


def test_a_start_whose_first_round_was_never_drawn_is_made_good_by_the_sweep(monkeypatch):
    cup = TournamentFactory(entries=4, format="swiss", rounds=2)
    with monkeypatch.context() as killed:
        killed.setattr("tournaments.services.lifecycle.tournament_advance", lambda **_named: False)
        services.tournament_start(tournament=cup)
    assert not cup.rounds.exists()
    assert services.tournaments_tend() == 1
    assert cup.fixtures.count() == 2


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_the_database_while_a_round_is_drawn(during):
    cup = swiss_after_a_round()
    locked = []
    during(lambda: locked.append(connection.in_atomic_block))
    assert services.tournament_advance(tournament_id=cup.pk)
    assert locked == [False]
