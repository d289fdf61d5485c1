"""Explain the tables and seats of a Swiss round, from the reasons that were stored when the round was drawn."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.formats import Float, PairedBye, PairedTable, Rematch, SeatAssignment
from tournaments.formats.swiss.format import is_late_swiss_round
from tournaments.models import Bye as ByeRow
from tournaments.models import Entry, Stage
from tournaments.selectors.entering.entry_versions import entries_shown
from tournaments.selectors.rounds.fixtures import FixturePairing, fixture_pairings_of


@dataclass(frozen=True, slots=True)
class SeatExplanation:
    """An entry in its seat. ``had`` is how often the entry had this seat before."""

    entry: Entry
    chair: SeatAssignment
    had: int

    @property
    def up(self) -> bool:
        return self.chair.float is Float.UP

    @property
    def down(self) -> bool:
        return self.chair.float is Float.DOWN


@dataclass(frozen=True, slots=True)
class Met:
    one: Entry
    other: Entry
    times: int


@dataclass(frozen=True, slots=True)
class PairingExplanation:
    """A table and its reasons; see ``formats.pairings.PairedTable``.

    A table that the organiser ``arranged`` has no reasons. For ``late`` see
    ``formats.swiss.format.is_late_swiss_round``.
    """

    pairing: FixturePairing
    group: float = 0
    seated: tuple[SeatExplanation, ...] = ()
    avoided: tuple[Met, ...] = ()
    repeated: tuple[Met, ...] = ()
    despite: tuple[Met, ...] = ()
    late: bool = False

    @property
    def arranged(self) -> bool:
        return self.pairing.why is None


@dataclass(frozen=True, slots=True)
class ByeStory:
    """A bye and its reasons; see ``formats.pairings.PairedBye``. ``bye`` is None if the organiser arranged the bye."""

    entry: Entry
    bye: PairedBye | None
    points: int


def round_context(stage: Stage, number: int, tables: Collection[int], *, drafts: bool) -> dict[str, Any]:
    """Return the tables and the byes of a round, with their reasons."""
    stories = swiss_pairing_explanations(stage, number, tables, drafts=drafts)
    return {"tables": stories, "byes": swiss_bye_explanations(stage, number)}


def swiss_pairing_explanations(
    stage: Stage, round_number: int, tables: Collection[int], *, drafts: bool = False
) -> list[PairingExplanation]:
    """Return the explanation of each table of a round whose number is in ``tables``, in order.

    The rounds of the stage must be drawn by standings.
    """
    late = is_late_swiss_round(stage.terms, stage.played.filter(number__lt=round_number).count())
    pairings = fixture_pairings_of(stage, rounds=[round_number], tables=tables, drafts=drafts)
    by_id = {sitting.entry.pk: sitting.entry for pairing in pairings for sitting in pairing.sittings}
    if others := {entrant for pairing in pairings for entrant in _entrants_named(pairing)} - by_id.keys():
        by_id |= entries_shown(stage.tournament.entries.all()).in_bulk(others)
    return [_story(pairing, by_id, late) for pairing in pairings]


def _entrants_named(pairing: FixturePairing) -> Iterator[int]:
    """Yield the entrants that the reasons of a table name."""
    drawn = pairing.why
    if isinstance(drawn, PairedTable):
        yield from (chair.entrant for chair in drawn.chairs)
        yield from (entrant for met in (*drawn.avoided, *drawn.repeated) for entrant in (met.one, met.other))
        yield from (entrant for kept_apart in drawn.despite for entrant in kept_apart)


def swiss_bye_explanations(stage: Stage, round_number: int) -> list[ByeStory]:
    """Return the explanation of each bye of the round."""
    rows = ByeRow.objects.filter(round__stage=stage, round__number=round_number)
    return [
        ByeStory(row.entry, PairedBye.read(row.reasons) if row.reasons else None, row.points)
        for row in rows.select_related("entry__bot")
    ]


def _story(pairing: FixturePairing, by_id: Mapping[int, Entry], late: bool) -> PairingExplanation:
    drawn = pairing.why
    if not isinstance(drawn, PairedTable):
        return PairingExplanation(pairing)
    return PairingExplanation(
        pairing=pairing,
        group=drawn.group,
        seated=tuple(
            SeatExplanation(by_id[chair.entrant], chair, chair.sat[seat]) for seat, chair in enumerate(drawn.chairs)
        ),
        avoided=_opponents_met(drawn.avoided, by_id),
        repeated=_opponents_met(drawn.repeated, by_id),
        despite=tuple(Met(by_id[one], by_id[other], 0) for one, other in drawn.despite),
        late=late,
    )


def _opponents_met(meetings: Sequence[Rematch], by_id: Mapping[int, Entry]) -> tuple[Met, ...]:
    return tuple(Met(by_id[meeting.one], by_id[meeting.other], meeting.times) for meeting in meetings)
