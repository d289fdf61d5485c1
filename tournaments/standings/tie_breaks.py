"""Tie-breaks, which separate entrants with equal points. A tie-break gets all results and the entrants still tied.

In a Swiss with tables of two, the tie-breaks are those of FIDE's Handbook C.07 (see ``standings.unplayed``). FIDE has
no tie-breaks for larger tables. At these, a match adds the mean of the opponents' points to Buchholz, and a bye adds
the bot's own points.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

from games.contest_luck import contest_luck_lot
from tournaments.standings.results import ScoreRecord, standings_exact_points
from tournaments.standings.unplayed import (
    Contribution,
    UnplayedRounds,
    Was,
    unplayed_adjusted_points,
    unplayed_contributions,
)
from tournaments.standings.unplayed import unplayed_direct_encounter as direct_encounter_of_two

if TYPE_CHECKING:
    from ratings import Block

SD: Final = 1.0  # logits; a prior, so that an entrant that won or lost every match has a finite rating
PLACES: Final = {1: ((1, 2),), 0.5: ((1, 1),), 0: ((2, 1),)}


def tie_break_performances(tallies: Mapping[int, ScoreRecord]) -> dict[int, int]:
    """Return the rating performance of each entrant, in whole points, so that rounding errors decide no tie.

    The performances are the most likely ratings by the Bradley-Terry model, given the results of all meetings. A draw
    counts as half a win. The prior has the mean 1500 and a standard deviation of one logit, which is 174 points. Byes
    do not count.
    """
    # Imported here because ``ratings`` needs numpy. A proof without this tie-break can be checked without numpy.
    from ratings import Games, Prior, rating_displayed, strengths_fit_values

    ratings = strengths_fit_values(Games.from_blocks(_meetings(tallies)), dict.fromkeys(tallies, Prior(sd=SD)))
    return {
        entrant: round(rating_displayed(mean))
        for entrant, mean in zip(ratings.entrants.tolist(), ratings.mean.tolist(), strict=True)
    }


def _meetings(tallies: Mapping[int, ScoreRecord]) -> "Iterator[Block]":
    """Yield each meeting once, with the result of the entrant that has the lower number."""
    from ratings import Block

    for entrant, tally in tallies.items():
        for meeting in tally.meetings:
            if entrant < meeting.opponent:
                yield Block((entrant, meeting.opponent), PLACES[meeting.points])


Value: TypeAlias = float | str


@dataclass(frozen=True)
class TieBreakField:
    """All data that tie-breaks may use.

    For a Swiss with tables of two, ``course`` has the rounds, which FIDE's rules need; otherwise it is None.
    ``play_off`` has the places in the play-off, if there was one.
    """

    tallies: Mapping[int, ScoreRecord]
    secret: bytes
    course: UnplayedRounds | None = None
    play_off: Mapping[int, int] = field(default_factory=dict)

    @cached_property
    def _counted(self) -> dict[int, Fraction]:
        return {}

    def counted(self, entrant: int) -> Fraction:
        """Return an entrant's points as they count for the tie-breaks of its opponents. The result is cached.

        Call it only for a Swiss with tables of two.
        """
        assert self.course is not None  # noqa: S101  FIDE's rules are only for tables of two
        if entrant not in self._counted:
            self._counted[entrant] = unplayed_adjusted_points(self.tallies[entrant], self.course)
        return self._counted[entrant]

    @cached_property
    def _rounds(self) -> dict[int, list[Contribution]]:
        return {}

    def rounds(self, tally: ScoreRecord) -> list[Contribution]:
        """Return what each round of an entrant contributes to Buchholz. The result is cached."""
        if tally.entrant not in self._rounds:
            self._rounds[tally.entrant] = _of_rounds(tally, self)
        return self._rounds[tally.entrant]

    @cached_property
    def performances(self) -> Mapping[int, int]:
        """The rating performance of each entrant: see ``tie_break_performances``."""
        return tie_break_performances(self.tallies)


Worth: TypeAlias = Callable[[Sequence[ScoreRecord], TieBreakField], Mapping[int, Value] | None]


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break.

    ``worth`` returns the value of each entrant in a tied group, or None if the tie-break does not apply to the group.
    The highest value comes first; with ``lowest_first``, the lowest. ``name``, ``short`` and ``sentence`` are English,
    and are translated when a page shows them. ``for_two`` replaces ``sentence`` for a Swiss with tables of two, unless
    it is empty.
    """

    code: str
    name: str
    short: str
    sentence: str
    worth: Worth
    lowest_first: bool = False
    for_two: str = ""


def gettext_noop(text: str) -> str:
    """Mark a text for the message catalogue. Django's function is not used, because this package is without Django."""
    return text


def tie_break_wins(group: Sequence[ScoreRecord], field: TieBreakField) -> Mapping[int, Value]:
    if field.course is not None:  # article 7.1 ("WIN"): an unplayed round with the points of a win counts
        return {tally.entrant: tally.matches_won + sum(bye.points == 1 for bye in tally.byes) for tally in group}
    return {tally.entrant: tally.matches_won for tally in group}


def tie_break_direct_encounter(group: Sequence[ScoreRecord], field: TieBreakField) -> Mapping[int, Value] | None:
    if field.course is not None:
        ahead = direct_encounter_of_two({tally.entrant: tally for tally in group})
        return ahead if any(ahead.values()) else None
    tied = {tally.entrant for tally in group}
    counts: set[int] = set()
    for tally in group:
        met = Counter(meeting.opponent for meeting in tally.meetings if meeting.opponent in tied)
        counts |= {*met.values()}
        if len(met) < len(group) - 1 or len(counts) != 1:  # it has not met all others equally often
            return None
    return {
        tally.entrant: sum(meeting.points for meeting in tally.meetings if meeting.opponent in tied) for tally in group
    }


def tie_break_sonneborn_berger(group: Sequence[ScoreRecord], field: TieBreakField) -> Mapping[int, Value]:
    if field.course is not None:
        return {tally.entrant: float(sum(one.points * one.strength for one in field.rounds(tally))) for tally in group}
    return {
        tally.entrant: float(
            sum(
                standings_exact_points(meeting.points) * field.tallies[meeting.opponent].exact
                for meeting in tally.meetings
            )
        )
        for tally in group
    }


def tie_break_buchholz(group: Sequence[ScoreRecord], field: TieBreakField) -> Mapping[int, Value]:
    return {tally.entrant: float(sum(one.strength for one in field.rounds(tally))) for tally in group}


def tie_break_buchholz_cut_1(group: Sequence[ScoreRecord], field: TieBreakField) -> Mapping[int, Value]:
    return {tally.entrant: float(sum(one.strength for one in tie_break_cut_1(field.rounds(tally)))) for tally in group}


def _of_rounds(tally: ScoreRecord, field: TieBreakField) -> list[Contribution]:
    """Return the contributions in the order of their rounds.

    At larger tables, a match contributes the strength of the table. A bye contributes the bot's own points, as if the
    bot had met equal opponents.
    """
    if field.course is not None:
        return unplayed_contributions(tally, field.counted, field.course)
    sat = zip(tally.rounds, tally.tables, tally.gains, strict=True)
    given = [Contribution(at, Was.PLAYED, tie_break_strength(table, field), gained) for at, table, gained in sat]
    byes = [Contribution(one.round, Was.BYE, tally.exact, Fraction(one.points)) for one in tally.byes]
    return sorted([*given, *byes], key=_round)


def tie_break_cut_1(given: Sequence[Contribution]) -> list[Contribution]:
    """Return all contributions but the smallest (article 16.5).

    If the bot missed rounds by its own choice or fault, leave out the smallest contribution of these rounds instead.
    """
    least = min(given, key=lambda one: (not one.voluntary, one.strength), default=None)
    return [one for one in given if one is not least]


def _round(one: Contribution) -> int:
    return one.round


def tie_break_strength(table: Sequence[int], field: TieBreakField) -> Fraction:
    """Return the mean of the opponents' points at a table. A mean makes tables of all sizes count equally."""
    return sum((field.tallies[one].exact for one in table), Fraction(0)) / len(table)


def tie_break_margin(group: Sequence[ScoreRecord], field: TieBreakField) -> Mapping[int, Value]:
    return {tally.entrant: tally.margin for tally in group}


def tie_break_performance(group: Sequence[ScoreRecord], field: TieBreakField) -> Mapping[int, Value]:
    return {tally.entrant: field.performances[tally.entrant] for tally in group}


def tie_break_drawn_lot(group: Sequence[ScoreRecord], field: TieBreakField) -> Mapping[int, Value]:
    return {tally.entrant: contest_luck_lot(field.secret, "tie", tally.entrant).hex() for tally in group}


def tie_break_shared(group: Sequence[ScoreRecord], field: TieBreakField) -> None:
    """Separate no entrants. Those still tied share a rank, see ``standings.table.standings_table``."""


def tie_break_play_off(group: Sequence[ScoreRecord], field: TieBreakField) -> Mapping[int, Value] | None:
    """Return the places in the play-off. Entrants of the group that did not take part in it come last."""
    if not any(tally.entrant in field.play_off for tally in group):
        return None
    return {tally.entrant: field.play_off.get(tally.entrant, len(field.play_off) + 1) for tally in group}


LOT: Final = "lot"
SHARED: Final = "shared"
PLAY_OFF: Final = "play_off"
TIE_BREAKS: Final[Mapping[str, TieBreak]] = {
    one.code: one
    for one in (
        TieBreak(
            "wins",
            gettext_noop("Wins"),
            gettext_noop("Wins"),
            gettext_noop("More matches in which the bot finished ahead of everyone at its table."),
            tie_break_wins,
            for_two=gettext_noop("More matches won; a forfeit of the opponent and a bye count."),
        ),
        TieBreak(
            "direct_encounter",
            gettext_noop("Direct encounter"),
            gettext_noop("Direct"),
            gettext_noop(
                "More points in the matches among the tied bots; it counts only if all of them have met equally often."
            ),
            tie_break_direct_encounter,
            for_two=gettext_noop(
                "More points in the matches among the tied bots. If not all of them have met, a bot is ahead only if"
                " none of the others could reach its points by winning the missing matches. A forfeited match does not"
                " count."
            ),
        ),
        TieBreak(
            "sonneborn_berger",
            gettext_noop("Sonneborn-Berger"),
            gettext_noop("SB"),
            gettext_noop("A higher sum of the points of the opponents it beat, and half the points of those it drew."),
            tie_break_sonneborn_berger,
            for_two=gettext_noop(
                "A higher sum of the points of the opponents it beat, and half the points of those it drew; rounds that"
                " were not played count by FIDE's rules."
            ),
        ),
        TieBreak(
            "buchholz",
            gettext_noop("Buchholz"),
            gettext_noop("Buchholz"),
            gettext_noop(
                "Stronger opposition: the points of its opponents, averaged at each table and summed over its matches;"
                " a bye counts as an opponent with the bot's own points."
            ),
            tie_break_buchholz,
            for_two=gettext_noop(
                "Stronger opposition: the sum of its opponents' points; rounds that were not played count by FIDE's"
                " rules."
            ),
        ),
        TieBreak(
            "buchholz_cut_1",
            gettext_noop("Buchholz cut 1"),
            gettext_noop("Cut 1"),
            gettext_noop("As Buchholz, without the table whose opponents ended with the fewest points."),
            tie_break_buchholz_cut_1,
            for_two=gettext_noop(
                "As Buchholz, without the round that counts least. If the bot missed rounds by its own choice or "
                "fault, the one of these that counts least is left out instead."
            ),
        ),
        TieBreak(
            "margin",
            gettext_noop("Game points margin"),
            gettext_noop("Margin"),
            gettext_noop("More game points than its opponents, summed over all opponents of all matches."),
            tie_break_margin,
        ),
        TieBreak(
            "performance",
            gettext_noop("Rating performance"),
            gettext_noop("Perf"),
            gettext_noop(
                "A higher rating, in whole points, from this tournament's matches alone: the same results against"
                " stronger opponents rate higher."
            ),
            tie_break_performance,
        ),
        TieBreak(
            PLAY_OFF,
            gettext_noop("Play-off for first place"),
            gettext_noop("Play-off"),
            gettext_noop(
                "Two to eight bots that are still tied for first place meet again, up to three times, in a separate "
                "stage that changes nothing else; there is no play-off after a knockout."
            ),
            tie_break_play_off,
            lowest_first=True,
        ),
        TieBreak(
            SHARED,
            gettext_noop("Shared place"),
            gettext_noop("Shared"),
            gettext_noop(
                "Bots that are still tied share the place; the lot decides only the order in which they are listed."
            ),
            tie_break_shared,
        ),
        TieBreak(
            LOT,
            gettext_noop("Lot"),
            gettext_noop("Lot"),
            gettext_noop(
                "The lower lot, computed from the tournament's secret, whose hash was published before entries closed."
            ),
            tie_break_drawn_lot,
            lowest_first=True,
        ),
    )
}
