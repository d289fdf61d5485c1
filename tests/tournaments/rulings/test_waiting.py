"""A round that is drawn and waits, when somebody is shut out of it, leaves it or comes back."""

import pytest

from matches.models import Match, MatchState, Seat
from tests.arena.factories import UserFactory
from tests.tournaments.factories import bot_of, finish_matches, running_tournament
from tests.tournaments.rulings.rule import preview, rule, take_back
from tournaments import services
from tournaments.models import Tournament, Withdrawal
from tournaments.selectors.rounds.stage_draws import waiting_round_drawn
from tournaments.services.leaving import _withdraw_forfeiter

pytestmark = pytest.mark.django_db(transaction=True)


def waiting(entries=8, rounds=3, **fields):
    """The second round of a Swiss is drawn and waits for the organiser."""
    fields = {"format": "swiss", "tie_breaks": ["buchholz", "lot"], **fields}
    cup = running_tournament(entries, rounds=rounds, has_round_review=True, **fields)
    services.waiting_round_start(played=cup.rounds.get(number=1))
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)
    return Tournament.objects.get(pk=cup.pk)


def tables_of(cup, number=2):
    return waiting_round_drawn(cup.rounds.get(number=number))


def seatings(seated):
    return [seating for seating, _ in seated.tables], [entry for entry, _, _ in seated.byes]


def rows_of(cup):
    """Everything that the round is made of."""
    fixtures = cup.fixtures.filter(round__number=2).order_by("table")
    seats = Seat.objects.filter(match__fixture__round__number=2).order_by("match", "index")
    return (
        list(fixtures.values_list("table", "match", "attempt", "luck", "reasons", "match__secret", "match__state")),
        list(seats.values_list("match", "index", "version", "has_forfeited")),
        list(cup.byes.filter(round__number=2).values_list("entry", "points", "reasons")),
    )


# Each day every pair of these; the full product is slow.
@pytest.mark.parametrize(
    ("kind", "entries", "annul"),
    [
        pytest.param(
            kind, entries, annul, marks=() if (kind == "dutch") ^ (entries == 7) == annul else pytest.mark.slow
        )
        for kind in ("swiss", "dutch")
        for entries in (6, 7)
        for annul in (False, True)
    ],
)
def test_a_disqualification_that_is_taken_back_leaves_a_waiting_round_as_it_was_and_both_bots_get_their_game(
    kind, entries, annul
):
    cup = waiting(entries, format=kind)
    before, (seating, _) = rows_of(cup), tables_of(cup).tables[0]
    out, other = seating
    rule(cup, "disqualify", entry=cup.entries.get(pk=out), annul=annul)
    now = tables_of(cup)
    assert out not in now.field
    assert now.field == {one.pk for one in cup.entries.filter(is_withdrawn=False)}
    assert len(now.byes) == (entries - 1) % 2
    assert not Seat.objects.filter(match__fixture__round__number=2, has_forfeited=True).exists()
    take_back(cup)
    assert rows_of(cup) == before
    services.waiting_round_start(played=cup.rounds.get(number=2))
    match = Match.objects.get(fixture__round__number=2, seats__version=cup.entries.get(pk=out).version_id)
    versions = {entry.version_id for entry in cup.entries.filter(pk__in=[out, other])}
    assert {seat.version_id for seat in match.seats.all()} == versions
    assert (match.state, {seat.has_forfeited for seat in match.seats.all()}) == (MatchState.QUEUED, {False})


def test_the_preview_names_every_table_and_bye_that_changes_and_the_ruling_does_just_that():
    cup = waiting(7)
    out = tables_of(cup).tables[0][0][0]
    shown = preview(cup, "disqualify", entry=cup.entries.get(pk=out))
    assert (shown.redraw.played.number, shown.redraw.before) == (2, tables_of(cup))
    assert (shown.called_off, shown.barred) == ((), ())
    rule(cup, "disqualify", entry=cup.entries.get(pk=out))
    assert seatings(tables_of(cup)) == seatings(shown.redraw.after)
    back = preview(cup, "take_back", ruling=cup.rulings.get())
    assert seatings(back.redraw.after) == seatings(shown.redraw.before)


def test_an_organiser_gains_nothing_by_drawing_a_round_again_and_again():
    cup = waiting(8)
    first, second = (seating for seating, _ in tables_of(cup).tables[:2])
    rule(cup, "disqualify", entry=cup.entries.get(pk=first[0]))
    without = rows_of(cup)
    for _ in range(2):
        take_back(cup, cup.rulings.filter(kind="disqualify").order_by("-number").first())
        rule(cup, "disqualify", entry=cup.entries.get(pk=second[0]))
        take_back(cup)
        rule(cup, "disqualify", entry=cup.entries.get(pk=first[0]))
        assert rows_of(cup) == without


def test_the_last_of_two_rulings_need_not_be_the_first_to_be_taken_back():
    cup = waiting(8)
    before = rows_of(cup)
    one, other = (seating[0] for seating, _ in tables_of(cup).tables[:2])
    first = rule(cup, "disqualify", entry=cup.entries.get(pk=one))
    second = rule(cup, "disqualify", entry=cup.entries.get(pk=other))
    assert tables_of(cup).field == set(cup.entries.values_list("pk", flat=True)) - {one, other}
    take_back(cup, first)
    assert tables_of(cup).field == set(cup.entries.values_list("pk", flat=True)) - {other}
    take_back(cup, second)
    assert rows_of(cup) == before


def test_what_the_organiser_arranged_is_there_again_too():
    cup = waiting(6)
    (one, _), (other, _) = (seating for seating, _ in tables_of(cup).tables[:2])
    swapped = {"one": cup.entries.get(pk=one), "other": cup.entries.get(pk=other)}
    services.waiting_round_places_swap(by=cup.organiser, played=cup.rounds.get(number=2), **swapped)
    before = rows_of(cup)
    ruling = rule(cup, "disqualify", entry=swapped["one"])
    take_back(cup, ruling)
    assert rows_of(cup) == before


def test_withdrawn_bots_leave_their_table_and_return_to_it():
    cup = waiting(7, rounds=6)
    before, leaver = rows_of(cup), cup.entries.get(pk=tables_of(cup).tables[1][0][1])
    services.entry_withdraw(entry=leaver, by=leaver.bot.owner)
    assert leaver.pk not in tables_of(cup).field
    assert tables_of(cup).byes == ()
    services.entry_create(tournament=cup, bot=leaver.bot, by=leaver.bot.owner)
    assert rows_of(cup) == before
    rule(cup, "withdraw", entry=cup.entries.get(pk=leaver.pk))
    assert leaver.pk not in tables_of(cup).field
    take_back(cup)
    assert rows_of(cup) == before


def test_a_bot_that_the_rules_withdraw_leaves_the_round_that_waits(monkeypatch):
    cup = waiting(6)
    version = cup.entries.get(pk=tables_of(cup).tables[0][0][0]).version_id
    entry = cup.entries.get(version=version)
    before = rows_of(cup)
    monkeypatch.setattr("tournaments.services.leaving._forfeits", lambda *_given: {entry.bot_id: 2})
    assert _withdraw_forfeiter(entry)
    entry.refresh_from_db()
    assert (entry.withdrawn_because, entry.pk in tables_of(cup).field) == (Withdrawal.FORFEITS, False)
    ruling = rule(cup, "reinstate", entry=entry)
    assert rows_of(cup) == before
    take_back(cup, ruling)
    entry.refresh_from_db()
    assert (entry.is_withdrawn, entry.withdrawn_because) == (True, Withdrawal.FORFEITS)
    assert entry.pk not in tables_of(cup).field


def test_too_few_for_a_table_and_then_enough_again():
    cup = waiting(2, rounds=2)
    before = rows_of(cup)
    ruling = rule(cup, "disqualify", entry=cup.entries.first())
    cup.refresh_from_db()
    assert (tables_of(cup).field, cup.state) == (frozenset(), "finished")
    shown = preview(cup, "take_back", ruling=ruling)
    assert shown.redraw is None
    assert before


def test_matches_without_bots_are_deleted_once_the_round_begins():
    cup = waiting(8)
    for seating, _ in tables_of(cup).tables[:2]:
        rule(cup, "disqualify", entry=cup.entries.get(pk=seating[0]))
    assert Match.objects.filter(state=MatchState.CANCELLED).count() == 1
    services.waiting_round_start(played=cup.rounds.get(number=2))
    assert not Match.objects.filter(state=MatchState.CANCELLED).exists()
    assert cup.fixtures.filter(round__number=2).count() == 3
    assert cup.rounds.get(number=2).arrangements == []


def test_late_entries_join_the_next_round_even_if_the_waiting_one_is_redrawn():
    cup = waiting(6, rounds=6)
    owner = UserFactory()
    newcomer = services.entry_create(tournament=cup, bot=bot_of(owner), by=owner)
    rule(cup, "disqualify", entry=cup.entries.get(pk=tables_of(cup).tables[0][0][0]))
    assert newcomer.pk not in tables_of(cup).field
