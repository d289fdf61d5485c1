"""A Swiss whose rounds wait, and what its rounds look like."""

from matches.models import Seat
from tests.arena.factories import UserFactory
from tests.tournaments.factories import finish_matches, running_tournament
from tournaments.tasks import tournament_match_finished_task


def swiss(entries=6, **fields):
    return running_tournament(entries, format="swiss", rounds=2, **fields)


def states_of(cup, number):
    return set(cup.fixtures.filter(round__number=number).values_list("match__state", flat=True))


def play_round(cup):
    tournament_match_finished_task(finish_matches(cup)[-1])
    cup.refresh_from_db()


def seating(cup):
    tables = cup.fixtures.filter(round__number=1).prefetch_related("match__seats")
    return [[seat.version_id for seat in fixture.match.seats.all()] for fixture in tables]


def entry_at(cup, number, table):
    seat = Seat.objects.filter(match__fixture__round__number=number, match__fixture__table=table).first()
    return cup.entries.get(version=seat.version_id)


def reader_of(cup, kind):
    return {
        "nobody": lambda: None,
        "outsider": UserFactory,
        "entrant": lambda: cup.entries.first().bot.owner,
        "organiser": lambda: cup.organiser,
        "staff": lambda: UserFactory(is_staff=True),
    }[kind]()
