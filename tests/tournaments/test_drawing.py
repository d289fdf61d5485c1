"""Rounds are drawn while nobody waits for the database, and hold only if nothing has changed meanwhile."""

import pytest
from django.db import connection

from arena.accounts.deletion import account_delete
from bots.deletion import bot_delete, version_delete
from tests.bots.factories import BotVersionFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of, finish_matches
from tests.tournaments.rulings.rule import fixture_at, rule, take_back
from tournaments import services
from tournaments.formats.draw_position import draw_position_next_rounds
from tournaments.formats.swiss import format as swiss
from tournaments.models import ForbiddenPair, Round
from tournaments.selectors.rounds.stage_draws import stage_draw_position_before
from tournaments.selectors.rulings.corrections import ruling_corrections_of
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


def last_entry(cup):
    return cup.entries.order_by("pk").last()


def withdraw(cup):
    return services.entry_withdraw(entry=last_entry(cup), by=cup.organiser)


def come_back(cup):
    entry = cup.entries.filter(is_withdrawn=True).get()
    return services.entry_create(tournament=cup, bot=entry.bot, by=entry.bot.owner)


def join(cup):
    return services.entry_create(tournament=cup, bot=bot_of(cup.organiser), by=cup.organiser)


def keep_apart(cup):
    one, other = cup.entries.order_by("pk")[4:6]
    return services.forbidden_pair_create(tournament=cup, one=one, other=other)


def let_meet(cup):
    services.forbidden_pair_remove(pair=cup.forbidden_pairs.get())


def void(cup):
    return rule(cup, "void", fixture=fixture_at(cup, 1, 1))


def replace(cup):
    fixture = fixture_at(cup, 1, 1)
    weaker, stronger = sorted(cup.entries.filter(version__seats__match=fixture.match).values_list("pk", flat=True))
    return rule(cup, "replace", fixture=fixture, scores={weaker: 2, stronger: 0})


def disqualify(cup):
    return rule(cup, "disqualify", entry=last_entry(cup))


def annul(cup):
    return rule(cup, "disqualify", entry=last_entry(cup), annul=True)


def take_out(cup):
    return rule(cup, "withdraw", entry=last_entry(cup))


def delete_bot(cup):
    assert bot_delete(bot=last_entry(cup).bot)


def delete_version(cup):
    entry = last_entry(cup)
    BotVersionFactory(bot=entry.bot)  # another one is current
    assert version_delete(version=entry.version)


def delete_account(cup):
    account_delete(person=last_entry(cup).bot.owner)


@pytest.mark.parametrize(
    ("before", "change"),
    [
        *[(None, one) for one in (withdraw, join, keep_apart, void, replace, disqualify, annul, take_out)],
        *[(None, one) for one in (delete_bot, delete_version, delete_account)],
        *[(one, take_back) for one in (void, replace, disqualify, annul, take_out)],
        (withdraw, come_back),
        (keep_apart, let_meet),
    ],
)
def test_a_draw_that_is_overtaken_is_made_again_from_what_holds_now(during, before, change):
    cup = swiss_after_a_round()
    if before is not None:
        before(cup)
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
    (drawn,) = draw_position_next_rounds(
        stage_draw_position_before(
            Round.objects.get(tournament=cup, number=2), sorted(playing), ruling_corrections_of(cup)
        )
    )
    assert tables == [table.seating for table in drawn.tables]


def test_a_replay_that_is_ruled_meanwhile_lets_the_round_wait_for_its_result(during):
    cup = swiss_after_a_round()
    draws = during(lambda: rule(cup, "replay", fixture=fixture_at(cup, 1, 1)))
    assert not services.tournament_advance(tournament_id=cup.pk)
    assert (len(draws), cup.rounds.count()) == (1, 1)
    finish_matches(cup)
    assert services.tournament_advance(tournament_id=cup.pk)
    assert (len(draws), cup.rounds.count()) == (2, 2)


@pytest.mark.parametrize("act", [lambda _cup: EntryFactory(), lambda cup: BotVersionFactory(bot=last_entry(cup).bot)])
def test_what_has_no_say_in_a_round_does_not_overtake_it(during, act):
    cup = swiss_after_a_round()
    draws = during(lambda: act(cup))
    assert services.tournament_advance(tournament_id=cup.pk)
    assert len(draws) == 1


@pytest.mark.parametrize("move", [services.tournament_pause, services.tournament_cancel])
def test_a_draw_in_a_tournament_that_stops_meanwhile_is_thrown_away(during, move):
    cup = swiss_after_a_round()
    during(lambda: move(tournament=cup))
    assert not services.tournament_advance(tournament_id=cup.pk)
    assert cup.rounds.count() == 1


def test_of_two_concurrent_draws_one_writes_the_round(during):
    cup = swiss_after_a_round()
    results = []
    during(lambda: results.append(services.tournament_advance(tournament_id=cup.pk)))
    assert services.tournament_advance(tournament_id=cup.pk) is False
    assert results == [True]
    assert (cup.rounds.count(), cup.fixtures.filter(round__number=2).count(), cup.stage.drawn) == (2, 3, 2)


def test_a_killed_draw_leaves_nothing_and_the_next_one_is_the_same(during):
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
