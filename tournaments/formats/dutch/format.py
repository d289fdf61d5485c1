"""The formats that follow FIDE's Dutch system."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, Final

from games.contest_luck import contest_luck_lot
from tournaments.formats.draw_position import (
    Drawn,
    DrawPosition,
    StageFacts,
    StageTerms,
    draw_position_next_rounds,
    drawn_round_from_pairings,
)
from tournaments.formats.dutch.pairing import (
    LIBRARIES,
    MOST,
    DutchError,
    DutchFailure,
    Edition,
    dutch_is_installed,
    dutch_round,
)
from tournaments.formats.format import SOME_MEET
from tournaments.formats.pairings import RoundPairings
from tournaments.formats.swiss.format import DrawnByStandings, Swiss, swiss_position
from tournaments.trf import RoundPlayed

DUTCH_SECONDS: Final = 10  # seconds of processor time; a round of 100 entrants takes one second


@dataclass(frozen=True, slots=True)
class Dutch(DrawPosition):
    """The position from which a round by FIDE's rules is drawn.

    If the library fails, the site's own Swiss draws the round from the position ``own``, and the reason for the failure
    is stored with each table. If the rules allow no further round, the stage is over. ``colours`` is the luck that
    determines the first colour.
    """

    own: Swiss
    colours: bytes
    order: Sequence[int]
    played: Sequence[RoundPlayed]
    present: Collection[int]
    rounds: int
    edition: Edition = Edition.UNTIL_2026

    def draw(self) -> Drawn:
        try:
            return [drawn_round_from_pairings(self._by_the_rules())]
        except DutchError as error:
            if error.failure is DutchFailure.IMPOSSIBLE:
                return ()
            return self._by_our_own(error.failure.value)

    def drawn_again(self, claimed: Sequence[object] | None) -> tuple[Drawn, bool]:
        """Draw the round again to check a proof.

        The proof may claim that the library failed on the site. A failure cannot be reproduced, so this claim is
        trusted, and the round is drawn by the site's own Swiss.
        """
        if not dutch_is_installed(self.edition):
            raise ModuleNotFoundError(name=LIBRARIES[self.edition].replace("_", "-"))
        failure = _failure(claimed)
        return (draw_position_next_rounds(self), False) if failure is None else (self._by_our_own(failure), True)

    def _by_our_own(self, failure: str) -> Drawn:
        (drawn,) = self.own.draw()
        tables = [replace(one, reasons=(one.reasons or {}) | {"failure": failure}) for one in drawn.tables]
        return [replace(drawn, tables=tables)]

    def _by_the_rules(self) -> RoundPairings:
        """Return the round by FIDE's rules. Pairs that are kept apart meet only if the rules allow no other round."""
        first_white = contest_luck_lot(self.colours, "colour", 1) < contest_luck_lot(self.colours, "colour", 2)
        position = self.order, self.played, self.present, self.rounds, first_white
        draw = partial(dutch_round, *position, edition=self.edition)
        groups = [*self.own.apart, *(() if self.own.late else self.own.kin)]
        pairs = (pair for group in groups for pair in combinations(sorted(group & set(self.present)), 2))
        apart = list(dict.fromkeys(pairs))
        try:
            return draw(apart, seconds=DUTCH_SECONDS)
        except DutchError as error:
            if error.failure is not DutchFailure.IMPOSSIBLE or not apart:
                raise
            return draw(seconds=DUTCH_SECONDS)


def _failure(claimed: Sequence[object] | None) -> str | None:
    """Return why the library drew no round on the site, as the proof says; None if the library drew the round."""
    first = claimed[0] if claimed else None
    reasons = first.get("reasons") if isinstance(first, dict) else None
    failure = reasons.get("failure") if isinstance(reasons, dict) else None
    return failure if isinstance(failure, str) and failure in [one.value for one in DutchFailure] else None


@dataclass(frozen=True, kw_only=True)
class DutchFormat(DrawnByStandings):
    """A format that follows an ``edition`` of FIDE's rules. ``rules`` is the name of the edition."""

    edition: Edition
    rules: str

    @property
    def is_offered(self) -> bool:
        return dutch_is_installed(self.edition)

    def next_of(self, terms: StageTerms, known: StageFacts) -> DrawPosition:
        fixed = frozenset(known.present), terms.rounds, self.edition
        return Dutch(
            swiss_position(terms, known), known.first_luck, list(known.seeding()), known.rounds_played(), *fixed
        )

    def facts(self, terms: StageTerms) -> Mapping[str, Any]:
        return {"rules": self.rules}

    def texts(self) -> Iterator[str]:
        yield from super().texts()
        yield self.rules


def _dutch(code: str, label: str, summary: str, edition: Edition, rules: str) -> DutchFormat:
    return DutchFormat(
        code=code,
        label=label,
        summary=summary,
        family="dutch",
        edition=edition,
        rules=rules,
        tables=(2,),
        wrong_tables="%(format)s is played at tables of two: choose 2, or another format.",
        tie_breaks=SOME_MEET,
        entrants_most=MOST[edition],
        takes_rounds=True,
        fills_up=True,
        draws_one_by_one=True,
        draws_by_standings=True,
        ended_early="It ended after round %(drawn)s of %(rounds)s: FIDE's rules allow no further round, because every"
        " pairing would repeat a meeting or give somebody a second bye.",
    )


DUTCH_2026: Final = _dutch(
    "dutch_2026",
    "FIDE Dutch, rules of 2026",
    "The Swiss of chess at tables of two, by FIDE's rules in force since 1 February 2026, for up to 80 bots.",
    Edition.OF_2026,
    "FIDE Handbook C.04.3 as in force since 1 February 2026.",
)
DUTCH: Final = _dutch(
    "dutch",
    "FIDE Dutch, rules before 2026",
    "The same by the rules in force until then, for up to 256 bots.",
    Edition.UNTIL_2026,
    "FIDE Handbook C.04.3 as in force until 31 January 2026.",
)
