"""A tournament as far as its chain has been replayed, and the facts of it that draws, standings and brackets follow."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from games.luck import entries_digest, luck
from games.record import Record
from matches.proof.chain import ProofError, canonical_json, link_digest_read, link_fields_read
from matches.proof.played import Watcher
from tournaments.facts import (
    ByeGiven,
    TableFact,
    TableState,
)
from tournaments.formats.format import Format
from tournaments.formats.position import DrawnRound, StageTerms
from tournaments.formats.registry import format_of
from tournaments.standings import Corrections, Row, StandingRuling, rulings_corrections

Place = tuple[int, int, int]  # round, table, attempt
PERSON: Final = re.compile(r"(person|alias)/[0-9]{1,15}")


@dataclass(slots=True)
class Entered:
    """An entry. ``package``: with which it plays now; ``before``: those of before it was updated, each with the number
    of the link that did. ``place``: on the ladder from which it came, None if from none. ``out``: the number of the
    link since which it is, None while it is in; ``left`` by itself, ``struck`` out by the rules."""

    package: str
    name: str
    place: int | None = None
    out: int | None = None
    left: int | None = None
    struck: int | None = None
    before: list[tuple[int, str]] = field(default_factory=list)

    def update(self, package: str, link: int) -> None:
        """Let it play with another package from the link of that number on."""
        self.before.append((link, self.package))
        self.package = package

    def package_at(self, link: int) -> str:
        """Return with which package it played at the link of that number."""
        return next((package for until, package in self.before if link < until), self.package)


@dataclass(slots=True)
class Playing:
    """A stage that has begun. ``drawn``: rounds that count as drawn; ``finished``: the number of the link that ended
    it. Of one that was rolled back ``ended`` is what ended each stage then, and ``together`` are those that were rolled
    back with it, itself included, both by number."""

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
    """``playing``: its stage, as that had begun when the round was drawn; ``since``: the number of the link by which it
    began, or, of one that waits, was drawn."""

    playing: Playing
    begun: bool
    since: int
    byes: list[ByeGiven] = field(default_factory=list)

    @property
    def stage(self) -> int:
        return self.playing.terms.number


@dataclass(slots=True)
class Epoch:
    """Where luck comes from: a secret, the packages of the frozen entries, and the nonces. ``used``: something was
    drawn from it."""

    commitment: str
    secret: bytes
    entries: dict[int, str] | None = None
    nonces: list[str] = field(default_factory=list)
    used: bool = False


@dataclass(slots=True)
class ChainState:
    """``tables`` are those in force by round and table; ``lost`` those that lost their place, by place. ``expected``:
    the kind of link that has to come next, or several as in "round or begun", "" for any."""

    terms: dict[str, Any] = field(default_factory=dict)
    stages: dict[int, StageTerms] = field(default_factory=dict)
    lucks: list[Epoch] = field(default_factory=list)
    entries: dict[int, Entered] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)
    apart: list[frozenset[int]] = field(default_factory=list)
    kin: list[frozenset[int]] = field(default_factory=list)  # groups that are kept apart,
    authors: list[frozenset[int]] = field(default_factory=list)  # of these those of one author
    playing: dict[int, Playing] = field(default_factory=dict)
    rounds: dict[int, ChainRound] = field(default_factory=dict)
    tables: dict[tuple[int, int], TableFact] = field(default_factory=dict)
    lost: dict[Place, TableFact] = field(default_factory=dict)
    luck_of: dict[int, int] = field(default_factory=dict)  # by match: which luck its seeds follow from
    stage_of: dict[int, int] = field(default_factory=dict)  # by match
    round_of: dict[int, ChainRound] = field(default_factory=dict)  # by match: another one may get its number
    at_fault: dict[int, frozenset[int]] = field(default_factory=dict)  # by match: whose faults were their own
    made: Any = None  # a ruling whose effects are still to be told
    witness: Watcher | None = None
    ruled_at: dict[int, int] = field(default_factory=dict)  # by ruling: the number of its link
    kept: dict[int, int | None] = field(default_factory=dict)  # by ruling: what it ended, for when it is taken back
    playing_gone: dict[int, list[Playing]] = field(default_factory=dict)  # by stage: those that were rolled back
    rounds_gone: dict[int, ChainRound] = field(default_factory=dict)
    arrangements: dict[int, set[str]] = field(default_factory=dict)  # of rounds that waited
    reopening: bool = False  # that ruling re-opens all
    unlocked: bool = False  # entries were opened again, and no luck is committed yet
    begun_with: int = 1  # the number of the luck that was in force when it began
    shut_out: dict[int, set[int]] = field(default_factory=dict)  # by entry: the matches that it lost before they began
    pending: list[DrawnRound] = field(default_factory=list)  # drawn at once, still to be told
    rulings: list[StandingRuling] = field(default_factory=list)
    noted: dict[str, str] | None = None  # the names as of the link whose digest was noted
    edited: dict[str, Any] = field(default_factory=dict)  # what was said last, beside the terms
    plans: dict[tuple[int, int], dict[str, Any]] = field(default_factory=dict)  # by stage and place
    own_rules: int = 0
    drawn: int = 0
    matches: int = 0
    games: int = 0
    over: str = ""
    expected: str = ""
    ends_next: bool = False

    @property
    def names(self) -> dict[str, str]:
        """The digest of the name of everyone told of, by "entry/7", "person/3" or "alias/5"."""
        return {f"entry/{number}": one.name for number, one in self.entries.items()} | self.people

    def settle_people(self) -> None:
        """Set since when each entry is out. In are those whom nothing keeps out: neither themselves, nor the rules, nor
        a ruling that holds.
        """
        held = self.held
        for number, one in self.entries.items():
            ruled = self.ruled_at.get(held.out.get(number, 0))
            one.out = min((since for since in (one.left, one.struck, ruled) if since is not None), default=None)

    @property
    def taking_part(self) -> frozenset[int]:
        """Who is in."""
        return frozenset(number for number, one in self.entries.items() if one.out is None)

    @property
    def places(self) -> dict[int, int | None]:
        """The place of each entry on the ladder from which it came."""
        return {number: one.place for number, one in self.entries.items()}

    def arrangement(self, number: int) -> str:
        """Return who meets whom in a round, and who has a bye, as canonical text."""
        tables = sorted((one for one in self.tables.values() if one.round == number), key=lambda one: one.table)
        byes = [bye.entrant for bye in self.rounds[number].byes]
        return canonical_json([[list(one.seating) for one in tables], byes])

    def arrange(self, number: int) -> None:
        """Remember how a round that waits is arranged."""
        self.arrangements.setdefault(number, set()).add(self.arrangement(number))

    def watch(self, label: str, match: int, seating: Sequence[int]) -> Callable[[int, Record], None] | None:
        """Return who looks at the records of a match; None: nobody."""
        if self.witness is None:
            return None
        since = self.round_of[match].since
        packages = {entry: self.entries[entry].package_at(since) for entry in seating}
        return partial(self.witness.look, label, seating, packages)

    @property
    def frozen(self) -> bool:
        """Entries are closed."""
        return bool(self.playing) or (bool(self.lucks) and self.lucks[-1].entries is not None)

    @property
    def luck(self) -> bytes:
        """What is drawn now follows from it."""
        return self.luck_numbered(len(self.lucks))

    @property
    def first_luck(self) -> bytes:
        """Lots of standings and seeding follow from it, for good."""
        return self.luck_numbered(self.begun_with)

    def luck_numbered(self, number: int) -> bytes:
        """Return what follows from a luck; from now on nothing can be added to it.

        Raises:
            ProofError: it was never committed, or no entries were frozen for it.
        """
        epoch = self.lucks[number - 1] if 0 < number <= len(self.lucks) else None
        if epoch is None or epoch.entries is None:
            raise ProofError("something was drawn before a secret was committed and entries were frozen")
        epoch.used = True
        return luck(epoch.secret, entries_digest(epoch.entries), epoch.nonces)

    def person(self, claimed: object, label: str) -> None:
        """Check who did something: somebody of one name, until a link gives another.

        Raises:
            ProofError: it is nobody, or somebody of another name.
        """
        found = link_fields_read(claimed, {"whose": str, "name": str}, label)
        if not PERSON.fullmatch(found["whose"]):
            raise ProofError(f"{label}: it is nobody")
        if self.people.setdefault(found["whose"], link_digest_read(found["name"], label)) != found["name"]:
            raise ProofError(f"{label}: {found['whose']} is named otherwise than before")

    @property
    def stage(self) -> Playing:
        """The one that began last."""
        if not self.playing:
            raise ProofError("no stage has begun")
        return self.playing[max(self.playing)]

    @property
    def held(self) -> Corrections:
        return rulings_corrections(self.rulings)

    def table_at(self, where: Place) -> TableFact | None:
        """Return the match of a place, in force or not."""
        table = self.tables.get(where[:2])
        return table if table is not None and table.attempt == where[2] else self.lost.get(where)

    def table_set(self, table: TableFact) -> None:
        """Keep a table with what has become of it."""
        where = (table.round, table.table, table.attempt)
        if where in self.lost:
            self.lost[where] = table
        else:
            self.tables[where[:2]] = table

    def of_stage(self, number: int) -> list[TableFact]:
        """Return the tables in force, in the order in which they were drawn."""
        chosen = [table for table in self.tables.values() if self.rounds[table.round].stage == number]
        return sorted(chosen, key=lambda table: table.match)

    def rounds_of(self, number: int) -> list[int]:
        return sorted(at for at, one in self.rounds.items() if one.stage == number)

    def byes_of(self, number: int) -> list[ByeGiven]:
        byes = [bye for one in self.rounds.values() if one.stage == number for bye in one.byes]
        return sorted(byes, key=lambda bye: (bye.round, bye.entrant))

    def undecided(self) -> TableFact | None:
        """Return a match in force that is still to be played; None if there is none."""
        return next((table for table in self.tables.values() if table.state is TableState.OPEN), None)

    def entrants_of(self, number: int) -> list[int]:
        return sorted(self.playing[number].seeds if number > 1 else self.entries)

    def present(self, number: int) -> list[int]:
        """Return who plays on in the stage, the best seed first in a later one."""
        order = self.playing[number].seeds if number > 1 else sorted(self.entries)
        return [entry for entry in order if self.entries[entry].out is None]
