"""Which matches in force are called off, played after all, or played by the stand-in, under rulings that would hold."""

from matches.models import UNDECIDED, MatchState
from matches.models import Seat as MatchSeat
from tournaments.models import Fixture, Tournament
from tournaments.selectors.entering.versions import entry_by_version
from tournaments.selectors.rulings.corrections import shut_out_of
from tournaments.selectors.rulings.ruling_drafts import Proposal
from tournaments.standings import Corrections, RulingCode

REVERSING = (RulingCode.TAKE_BACK, RulingCode.REINSTATE)
NOT_BEGUN = (MatchState.HELD, MatchState.QUEUED)
BEGUN = (MatchState.RUNNING, MatchState.ON_AIR)


class Seats:
    """See ``Consequences``. A match between two one of whom is annulled is not played by points: it would count for
    nobody. Only what reverses a ruling lets matches go that were called off."""

    def __init__(self, tournament: Tournament, proposal: Proposal, held: Corrections) -> None:
        fixtures = Fixture.objects.filter(round__tournament=tournament).select_related("round__stage", "match")
        fixtures = fixtures.filter(match__state__in=(*UNDECIDED, MatchState.CANCELLED)).order_by(
            "round__number", "table"
        )
        entries = entry_by_version(tournament)
        sitting: dict[int, list[MatchSeat]] = {}
        for seat in MatchSeat.objects.filter(match__fixture__in=fixtures).order_by("index"):
            sitting.setdefault(seat.match_id, []).append(seat)
        out = self._out(tournament, proposal, held)
        called_off: list[Fixture] = []
        released: list[Fixture] = []
        barred: list[Fixture] = []
        admitted: list[Fixture] = []
        for fixture in fixtures:
            seats = sitting.get(fixture.match_id, [])
            state, players = fixture.match.state, [entries[seat.version_id] for seat in seats]
            if self._not_played(fixture, players, held):
                called_off += [fixture] if state != MatchState.CANCELLED else []
                continue
            if state == MatchState.CANCELLED:
                released += [fixture] if proposal.kind in REVERSING else []
            if state not in NOT_BEGUN or fixture.match.blocks_kept:
                continue
            forfeits = [(player in out, seat.has_forfeited) for player, seat in zip(players, seats, strict=True)]
            barred += [fixture] if (True, False) in forfeits else []
            admitted += [fixture] if (False, True) in forfeits else []
        self.called_off, self.released = tuple(called_off), tuple(released)
        self.barred, self.admitted = tuple(barred), tuple(admitted)

    @staticmethod
    def _out(tournament: Tournament, proposal: Proposal, held: Corrections) -> frozenset[int]:
        out = shut_out_of(tournament, held)
        if (
            proposal.kind is RulingCode.REINSTATE
            and proposal.entry is not None
            and proposal.entry.pk not in held.disqualified
        ):
            return out - {proposal.entry.pk}
        named = proposal.ruling
        if named is not None and named.kind == RulingCode.REINSTATE and named.data.get("because"):
            assert named.entry_id is not None  # noqa: S101  it lets somebody in
            return out | {named.entry_id}
        return out

    @staticmethod
    def _not_played(fixture: Fixture, players: list[int], held: Corrections) -> bool:
        if fixture.match_id in held.void or fixture.match_id in held.given:
            return True
        stage = fixture.round.stage
        duel = not stage.kind.has_bracket and stage.players_per_table == 2 and fixture.match.state not in BEGUN
        return duel and any(held.annulled(player) for player in players)
