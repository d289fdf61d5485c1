"""The state of a tournament during the replay of its chain, with the facts for draws, standings and brackets."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from games.contest_luck import contest_luck_mixed, entries_digest
from games.record import Record
from matches.proof.chain import ProofError, chain_canonical_json, chain_digest_read, chain_fields_read
from matches.proof.match_result import Watcher
from tournaments.facts import (
    ByeGiven,
    TableFact,
    TableState,
)
from tournaments.formats.draw_position import DrawnRound, StageTerms
from tournaments.formats.format import Format
from tournaments.formats.registry import format_of
from tournaments.standings import Corrections, Row, StandingRuling, standings_corrections

Place = tuple[int, int, int]  # round, table, attempt
PERSON: Final = re.compile(r"(person|alias)/[0-9]{1,15}")


@dataclass(slots=True)
class Entered:
    """An entry.

    ``package`` is the digest of its current package. ``before`` has its earlier packages, each with the number of the
    link that replaced the package. If the entry came from a ladder, ``place`` is its place there.

    Three fields are numbers of links. ``left`` is the link by which the author or the organiser withdrew the entry.
    ``struck`` is the link by which the rules withdrew it. ``out`` is the link since which the entry is out, for one of
    these reasons or by a ruling; None while it takes part.
    """

    package: str
    name: str
    place: int | None = None
    out: int | None = None
    left: int | None = None
    struck: int | None = None
    before: list[tuple[int, str]] = field(default_factory=list)

    def update(self, package: str, link: int) -> None:
        """Change the package. The new one counts from the link with the number ``link`` on."""
        self.before.append((link, self.package))
        self.package = package

    def package_at(self, link: int) -> str:
        """Return the package that the entry had at the link with the number ``link``."""
        return next((package for until, package in self.before if link < until), self.package)


@dataclass(slots=True)
class Playing:
    """A stage that has begun.

    ``drawn`` is the number of drawn rounds. ``finished`` is the number of the link that ended the stage.

    The last two fields are set when the stage is rolled back, and have the number of a stage as key. ``ended`` has the
    ``finished`` of every stage at that time. ``together`` has all stages that were rolled back at the same time,
    including this one.
    """

    terms: StageTerms
    seeds: tuple[int, ...]
    drawn: int = 0
    finished: int | None = None
    claimed: tuple[Row, ...] = ()
    ended: dict[int, int | None] = field(default_factory=dict)
    together: dict[int, "Playing"] = field(default_factory=dict, repr=False, compare=False)

    @property
    def kind(self) -> Format:
        return format_of(self.terms)


@dataclass(slots=True)
class ChainRound:
    """A round.

    ``playing`` is the stage as it was when the round was drawn. ``since`` is the number of the link by which the round
    began; for a waiting round, of the link by which it was drawn. ``luck`` is the number of the luck from which the
    round was drawn.

    ``spare`` has the matches without entries, by table. If a waiting round is drawn again with fewer entries, it has
    more matches than it needs.
    """

    playing: Playing
    begun: bool
    since: int
    luck: int
    byes: list[ByeGiven] = field(default_factory=list)
    spare: dict[int, TableFact] = field(default_factory=dict)

    @property
    def stage(self) -> int:
        return self.playing.terms.number


@dataclass(slots=True)
class Epoch:
    """The sources of a luck: a secret, the packages of the frozen entries, and the nonces.

    ``used`` tells whether something was drawn from the luck.
    """

    commitment: str
    secret: bytes
    entries: dict[int, str] | None = None
    nonces: list[str] = field(default_factory=list)
    used: bool = False


@dataclass(slots=True)
class ChainState:
    """The state after some links of a chain.

    ``tables`` has the current tables; the key is the round and the table. ``lost`` has the superseded tables; the key
    is the round, the table and the attempt. ``expected`` is the kind that the next link must have, or several kinds,
    e.g. "round or begun". If any kind may follow, it is "".
    """

    terms: dict[str, Any] = field(default_factory=dict)
    stages: dict[int, StageTerms] = field(default_factory=dict)
    lucks: list[Epoch] = field(default_factory=list)
    entries: dict[int, Entered] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)
    apart: list[frozenset[int]] = field(default_factory=list)
    kin: list[frozenset[int]] = field(default_factory=list)  # groups that are kept apart
    authors: list[frozenset[int]] = field(default_factory=list)  # the groups in ``kin`` that are the bots of one author
    playing: dict[int, Playing] = field(default_factory=dict)
    rounds: dict[int, ChainRound] = field(default_factory=dict)
    tables: dict[tuple[int, int], TableFact] = field(default_factory=dict)
    lost: dict[Place, TableFact] = field(default_factory=dict)
    luck_of: dict[int, int] = field(default_factory=dict)  # by match: the number of the luck that determines its seeds
    stage_of: dict[int, int] = field(default_factory=dict)  # by match: the number of its stage
    round_of: dict[int, ChainRound] = field(
        default_factory=dict
    )  # by match: its round; not by number, because another round may get the same number
    at_fault: dict[int, frozenset[int]] = field(
        default_factory=dict
    )  # by match: the entries that forfeited the match by their own faults
    made: Any = None  # the last ruling, until the link with its effects is read
    witness: Watcher | None = None
    ruled_at: dict[int, int] = field(default_factory=dict)  # by number of a ruling: the number of its link
    kept: dict[int, int | None] = field(
        default_factory=dict
    )  # by number of a ruling: the link that the ruling has undone; if the ruling is taken back, the link counts again
    playing_gone: dict[int, list[Playing]] = field(default_factory=dict)  # by stage: its states that were rolled back
    rounds_gone: dict[int, ChainRound] = field(default_factory=dict)
    arrangements: dict[int, set[str]] = field(default_factory=dict)  # by round: its arrangements while it waited
    reopening: bool = False  # whether ``made`` re-opens the tournament
    unlocked: bool = False  # whether entries were opened again and no new luck is committed yet
    begun_with: int = 1  # the number of the luck that was current when the tournament began
    shut_out: dict[int, set[int]] = field(default_factory=dict)  # by entry: the matches that it may forfeit
    pending: list[DrawnRound] = field(default_factory=list)  # rounds that were drawn at once, and have no links yet
    rulings: list[StandingRuling] = field(default_factory=list)
    noted: dict[str, str] | None = None  # ``names`` after the link whose digest the user noted
    edited: dict[str, Any] = field(default_factory=dict)  # the current values of settings that are not terms
    plans: dict[tuple[int, int], dict[str, Any]] = field(default_factory=dict)  # by stage, and round within the stage
    own_rules: int = 0
    drawn: int = 0
    matches: int = 0
    games: int = 0
    over: str = ""
    expected: str = ""
    ends_next: bool = False

    @property
    def names(self) -> dict[str, str]:
        """The digests of all names in the chain, by keys such as "entry/7", "person/3" or "alias/5"."""
        return {f"entry/{number}": one.name for number, one in self.entries.items()} | self.people

    def settle_people(self) -> None:
        """Update ``out`` of all entries.

        An entry is out if its author or the organiser withdrew it, if the rules withdrew it, or if a ruling in effect
        keeps it out.
        """
        held = self.held
        for number, one in self.entries.items():
            ruled = self.ruled_at.get(held.out.get(number, 0))
            one.out = min((since for since in (one.left, one.struck, ruled) if since is not None), default=None)

    @property
    def taking_part(self) -> frozenset[int]:
        """The entries that are not out."""
        return frozenset(number for number, one in self.entries.items() if one.out is None)

    @property
    def places(self) -> dict[int, int | None]:
        """The place of each entry on the ladder from which it came; None if it came from no ladder."""
        return {number: one.place for number, one in self.entries.items()}

    def arrangement(self, number: int) -> str:
        """Return the seatings and the byes of a round as canonical JSON."""
        tables = sorted((one for one in self.tables.values() if one.round == number), key=lambda one: one.table)
        byes = [bye.entrant for bye in self.rounds[number].byes]
        return chain_canonical_json([[list(one.seating) for one in tables], byes])

    def arrange(self, number: int) -> None:
        """Store the current arrangement of a waiting round."""
        self.arrangements.setdefault(number, set()).add(self.arrangement(number))

    def watch(self, label: str, match: int, seating: Sequence[int]) -> Callable[[int, Record], None] | None:
        """Return the function that the witness wants called for each record of a match; None if there is no witness."""
        if self.witness is None:
            return None
        since = self.round_of[match].since
        packages = {entry: self.entries[entry].package_at(since) for entry in seating}
        return partial(self.witness.look, label, seating, packages)

    @property
    def frozen(self) -> bool:
        """Whether entries are closed."""
        return bool(self.playing) or (bool(self.lucks) and self.lucks[-1].entries is not None)

    @property
    def luck(self) -> bytes:
        """The current luck, from which the next rounds are drawn."""
        return self.luck_numbered(len(self.lucks))

    @property
    def first_luck(self) -> bytes:
        """The first luck of the tournament. Lots in standings and seedings are always drawn from it."""
        return self.luck_numbered(self.begun_with)

    def luck_numbered(self, number: int) -> bytes:
        """Return the value of the luck with this number, and mark the luck as used: no nonce can be added any more.

        Raises:
            ProofError: the luck was never committed, or no entries were frozen for it.
        """
        epoch = self.lucks[number - 1] if 0 < number <= len(self.lucks) else None
        if epoch is None or epoch.entries is None:
            raise ProofError("a draw was made before a secret was committed and the entries were frozen")
        epoch.used = True
        return contest_luck_mixed(epoch.secret, entries_digest(epoch.entries), epoch.nonces)

    def person(self, claimed: object, label: str) -> None:
        """Check the person in a link. The name must be the same in all links, unless a link renames the person.

        Raises:
            ProofError: the person is invalid, or has another name than before.
        """
        found = chain_fields_read(claimed, {"whose": str, "name": str}, label)
        if not PERSON.fullmatch(found["whose"]):
            raise ProofError(f"{label}: it is unknown")
        if self.people.setdefault(found["whose"], chain_digest_read(found["name"], label)) != found["name"]:
            raise ProofError(f"{label}: {found['whose']} has another name than before")

    @property
    def stage(self) -> Playing:
        """The stage that began last.

        Raises:
            ProofError: no stage has begun.
        """
        if not self.playing:
            raise ProofError("no stage has begun")
        return self.playing[max(self.playing)]

    @property
    def held(self) -> Corrections:
        return standings_corrections(self.rulings)

    def table_at(self, where: Place) -> TableFact | None:
        """Return the match with this round, table and attempt; None if there is none. It may be superseded."""
        table = self.tables.get(where[:2])
        return table if table is not None and table.attempt == where[2] else self.lost.get(where)

    def table_set(self, table: TableFact) -> None:
        """Store the new state of a table, which may be superseded."""
        where = (table.round, table.table, table.attempt)
        if where in self.lost:
            self.lost[where] = table
        else:
            self.tables[where[:2]] = table

    def of_stage(self, number: int) -> list[TableFact]:
        """Return the current tables of a stage, in the order in which they were drawn."""
        chosen = [table for table in self.tables.values() if self.rounds[table.round].stage == number]
        return sorted(chosen, key=lambda table: table.match)

    def rounds_of(self, number: int) -> list[int]:
        return sorted(at for at, one in self.rounds.items() if one.stage == number)

    def byes_of(self, number: int) -> list[ByeGiven]:
        byes = [bye for one in self.rounds.values() if one.stage == number for bye in one.byes]
        return sorted(byes, key=lambda bye: (bye.round, bye.entrant))

    def undecided(self) -> TableFact | None:
        """Return a current match that is still to be played; None if there is none."""
        return next((table for table in self.tables.values() if table.state is TableState.OPEN), None)

    def entrants_of(self, number: int) -> list[int]:
        return sorted(self.playing[number].seeds if number > 1 else self.entries)

    def present(self, number: int) -> list[int]:
        """Return the entries that play on in the stage. In the second and later stages, the best seed comes first."""
        order = self.playing[number].seeds if number > 1 else sorted(self.entries)
        return [entry for entry in order if self.entries[entry].out is None]


def proof_entry_of(state: ChainState, number: int) -> Entered:
    """Return the entry ``number``.

    Raises:
        ProofError: there is no such entry.
    """
    if number not in state.entries:
        raise ProofError(f"entry {number} never entered")
    return state.entries[number]
