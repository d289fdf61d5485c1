"""A tournament in the middle of its ceremony, read at every address twice: as it went, and as if the matches among bots
that are not revealed had gone the other way round. Nothing that can be read may differ."""

import re
from collections.abc import Sequence

import pytest

from tests.arena.factories import UserFactory
from tests.arena.test_what_is_sealed import WHO, Sealed, difference
from tests.tournaments.ceremonies.ceremony import begun, ranks_shown, step
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of
from tests.tournaments.rulings.rule import played
from tournaments.selectors.pages.ceremony import ceremony_ranks_of
from tournaments.services import tournament_start
from web.models import Snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600), pytest.mark.usefixtures("sent")]


class SealedRanks(Sealed):
    """A tournament that is over and in the middle of its ceremony: the places of some bots are revealed. The author's
    has won, and so far nobody is to know."""

    def __init__(self, steps: int) -> None:
        self.people = {who: UserFactory(username=who, is_organiser=True) for who in WHO[1:]}
        type(self.people["staff"]).objects.filter(username="staff").update(is_staff=True, is_superuser=True)
        organiser = self.people["organiser"]
        self.cup = TournamentFactory(organiser=organiser, entries=5, publication="hidden", format="round_robin")
        self.entry = EntryFactory(tournament=self.cup, bot=bot_of(self.people["author"]))
        self.cup = played(tournament_start(tournament=self.cup))
        self.match = self.cup.fixtures.filter(match__seats__version__entries=self.entry)[0].match
        begun(self.cup)
        for _step in range(steps):
            step(self.cup)
        self.revealed = [entry for _rank, entries in ranks_shown(self.cup) for entry in entries]

    def exchange(self) -> None:
        """Every match among bots that are not revealed ends the other way round."""
        for fixture in self.cup.fixtures.select_related("match"):
            seats = list(fixture.match.seats.order_by("index"))
            entries = self.cup.entries.filter(version__in=[seat.version_id for seat in seats])
            if entries.filter(pk__in=self.revealed).exists():
                continue
            results = [(seat.score, seat.points, seat.wins) for seat in seats]
            for seat, (score, points, wins) in zip(seats, results[::-1], strict=True):
                type(seat).objects.filter(pk=seat.pk).update(score=score, points=points, wins=wins)
        Snapshot.objects.all().delete()

    def may_read_results(self, who: str, name: str) -> bool:
        """Return whether ``who`` may read results there, and so is not compared: organisers and staff, except on the
        page of the ceremony, which a projector shows."""
        return who in ("organiser", "staff") and "ceremony" not in name


@pytest.mark.parametrize(
    ("steps", "people"),
    [(2, ("nobody", "author")), *(pytest.param(steps, WHO, marks=pytest.mark.exhaustive) for steps in (0, 2, 4))],
)
def test_no_byte_that_anybody_reads_depends_on_a_rank_before_it_is_revealed(steps: int, people: Sequence[str]) -> None:
    sealed = SealedRanks(steps)
    before = sealed.read(people)
    ranked = [[one.entrant for one in rank] for rank in ceremony_ranks_of(sealed.cup)]
    sealed.exchange()
    assert [[one.entrant for one in rank] for rank in ceremony_ranks_of(sealed.cup)][:steps] == ranked[:steps]
    assert [one.entrant for one in ceremony_ranks_of(sealed.cup)[-1]] != ranked[-1]
    after = sealed.read(people)
    differ = [key for key in before if before[key] != after[key] and not sealed.may_read_results(*key)]
    assert {key: difference(before[key], after[key]) for key in differ} == {}
    if "organiser" in people:
        assert before["organiser", "api-tournaments:standings"] != after["organiser", "api-tournaments:standings"]
    names = dict(sealed.cup.entries.values_list("pk", "bot__name"))
    for who in people:
        for name in ("tournaments:ceremony", "tournaments:ceremony-live", "api-tournaments:ceremony"):
            page = before[who, name]
            assert page.startswith("200")
            shown = {entry for entry, bot in names.items() if re.search(rf"\b{re.escape(bot)}\b", page)}
            assert shown == set(sealed.revealed), (who, name)
