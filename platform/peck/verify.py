"""``peck verify`` and ``peck vectors``: check records, proofs, runs, data sets and rule vectors."""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from games.encoding import LONGEST
from games.protocol import Limits, Verdict
from games.record import Record, RecordError
from games.rule_vectors import VectorError, rule_vector_run, rule_vectors_of
from games.state import Outcome
from games.untrusted import JSON_BYTES, UntrustedError, untrusted_file_read, untrusted_json_parse, untrusted_line
from matches.proof.chain import ProofError
from matches.proof.dataset import dataset_prove, proof_dataset_is_one
from matches.referee.failure_bundle import failure_bundle_seat_recorded
from peck import NOT_SO, OK, text_counted
from peck.bots import NoBotError, peck_bots_at
from peck.cage import HomeCage
from peck.cli import Commands, cli_add_json, cli_complain, cli_say, cli_say_json
from peck.rerun import rerun
from peck.stored_run import RunError
from peck.verify_run import verify_run_lines

if TYPE_CHECKING:
    from tournaments.proof.verify import Proved

ZIP: Final = b"PK"
RENAMED_MOST: Final = 20  # renamed bots that are listed
NO_BOT: Final = (Verdict.NO_ENTRY_POINT, Verdict.IMPORT_ERROR)


@dataclass(slots=True)
class Witness:
    """The bot in the file at ``path``, which is run again on recorded games. It plays for the entry ``entry``; if that
    is None, for all entries whose package is this file. ``actions`` is the number of actions that were compared;
    ``differs`` describes the first that is not the recorded one.
    """

    path: Path
    entry: int | None = None
    actions: int = 0
    games: int = 0
    found: set[int] = field(default_factory=set)
    differs: str = ""

    def look(self, label: str, seating: Sequence[int], packages: Mapping[int, str], index: int, record: Record) -> None:
        """Run the bot through one game, if it took part and has not differed yet.

        Raises:
            ProofError: the file is not a bot.
        """
        own = sha256(self.path.read_bytes()).hexdigest() if self.entry is None else ""
        for seat, entry in enumerate(seating):
            if entry == self.entry or packages.get(entry) == own:
                self.found.add(entry)
                if not self.differs:
                    self._run(f"{label}, game {index + 1}", (seat - index) % len(seating), record)

    def _run(self, where: str, position: int, record: Record) -> None:
        self.games += 1
        try:
            with peck_bots_at([self.path]) as (bot,), HomeCage() as cage:
                found = rerun(failure_bundle_seat_recorded(record, position), bot, cage, Limits())
        except NoBotError as error:
            raise ProofError(str(error)) from None
        self.actions += found.number
        if found.fault is not None and found.fault.verdict in NO_BOT:
            raise ProofError(f"{self.path}: {found.fault.detail}")
        if found.fault is not None:
            failure = f"{found.fault.verdict.value}: {found.fault.summary[:200]}"
            self.differs = f"{where}, action {found.at}: yours fails: {failure}"
        elif found.turn is not None and not found.turn.failed:
            answers = f"the record has {found.turn.answer!r}, yours answers {found.answer[:200]!r}"
            self.differs = f"{where}, action {found.at}: {answers}"


def commands_add(commands: Commands) -> None:
    """Add ``vectors`` and ``verify`` to ``commands``."""
    vectors = commands.add_parser("vectors", help="run vector files against the engine")
    vectors.add_argument("files", nargs="+", type=Path, metavar="FILE")
    cli_add_json(vectors)
    vectors.set_defaults(run=run_verify_vectors)

    verify = commands.add_parser("verify", help="verify the record of a game, or the proof of a tournament")
    verify.add_argument(
        "file", type=Path, metavar="FILE", help="a game's record, or the proof or data set of a tournament (a zip)"
    )
    verify.add_argument(
        "--head", metavar="DIGEST", help="for a tournament: a digest that you noted earlier, which must be in its chain"
    )
    verify.add_argument(
        "--bot",
        type=Path,
        metavar="BOT.py",
        help="your bot: run it again on every view that it was given, on this machine without a cage",
    )
    verify.add_argument(
        "--entry", type=int, help="number of the entry that is your bot, if its package is not exactly that file"
    )
    verify.add_argument(
        "--luck", action="store_true", help="for a tournament: also analyse the luck of every game, which takes longer"
    )
    verify.add_argument(
        "--other-code",
        action="store_true",
        help="for a game from a package: use the installed version, even if another version was played",
    )
    cli_add_json(verify)
    verify.set_defaults(run=run_verify)


def run_verify_vectors(given: argparse.Namespace) -> int:
    """Run the vectors of the files and print the result of each."""
    passed: list[str] = []
    failed: dict[str, str] = {}
    lines: list[str] = []
    for path in given.files:
        try:
            vectors = rule_vectors_of(untrusted_json_parse(untrusted_file_read(path, JSON_BYTES)))
        except (OSError, ValueError) as error:
            failed[str(path)] = str(error)
            lines.append(f"FAIL  {path}: {error}")
            continue
        for vector in vectors:
            problem = _problem(vector)
            name = str(vector.get("id", "?") if isinstance(vector, dict) else "?")
            lines.append(f"FAIL  {name}: {problem}" if problem else f"ok    {name}")
            if problem:
                failed[name] = problem
            else:
                passed.append(name)
    if given.json:
        cli_say_json({"passed": passed, "failed": failed})
    else:
        cli_say(*lines, f"{len(passed)} passed, {len(failed)} failed")
    return NOT_SO if failed else OK


def _problem(vector: Any) -> str:
    try:
        rule_vector_run(vector)
    except VectorError as error:
        return str(error)
    except (TypeError, ValueError, AttributeError, LookupError) as error:
        return f"a value of the wrong kind ({type(error).__name__}: {error})"
    return ""


def run_verify(given: argparse.Namespace) -> int:
    """Verify a proof, a data set, a folder of runs, or a record."""
    witness = Witness(given.bot, given.entry) if given.bot else None
    lines: list[str] = []
    is_proof = False
    try:
        if not given.file.is_dir():
            with given.file.open("rb") as file:
                is_proof = file.read(len(ZIP)) == ZIP
        for line in _lines(given, witness, is_proof=is_proof):
            lines.append(untrusted_line(line))
            if not given.json:
                cli_say(line)
    except (OSError, ProofError, RecordError, RunError, UntrustedError) as error:
        is_missing = isinstance(error, OSError) and not given.file.exists()
        why = f"{given.file}: no such file" if is_missing else str(error)
        if given.json:
            cli_say_json({"holds": False, "said": lines, "why": why})
        cli_complain(f"does not hold: {why}")
        return NOT_SO
    if given.json:
        cli_say_json({"holds": True, "said": lines, "why": ""})
    return _testimony(witness, cli_complain if given.json else cli_say) if witness and is_proof else OK


def _lines(given: argparse.Namespace, witness: Witness | None, *, is_proof: bool) -> Iterator[str]:
    if given.file.is_dir():
        return verify_run_lines(given.file)
    if is_proof and proof_dataset_is_one(given.file):
        return _dataset_lines(given.file)
    return _proof_lines(given, witness) if is_proof else _record_lines(given.file)


def _dataset_lines(path: Path) -> Iterator[str]:
    found = dataset_prove(path)
    yield (
        f"holds: {text_counted(found.games, 'game')}, {text_counted(found.decisions, 'decision')}; it calls itself"
        f" {untrusted_line(found.name, 100)!r}, {untrusted_line(found.licence, 40)}"
    )
    if found.left_out:
        yield f"{text_counted(found.left_out, 'game')} could not be played again, and left out"
    yield "every game plays to its result and its record's hash, through the decisions that are listed"


def _record_lines(path: Path) -> Iterator[str]:
    record = Record.decode(untrusted_file_read(path, LONGEST))
    outcome = record.verify()
    seats = [f"seat {seat}" for seat in range(record.players)]
    yield f"holds: {record.ruleset}, {text_counted(len(record.actions), 'action')}; {_result(seats, outcome)}"


def _result(names: list[str], outcome: Outcome) -> str:
    seats = zip(names, outcome.points, outcome.places, strict=True)
    how = outcome.reason + (f", {outcome.tie_break}" if outcome.tie_break else "")
    return ", ".join(f"{name} {points} (place {place})" for name, points, place in seats) + f"; {how}"


def _testimony(witness: Witness, say: Callable[[object], None]) -> int:
    """Print whether the author's bot chose the recorded actions, and return the exit code."""
    if not witness.found:
        cli_complain("no entry of the tournament has exactly this file: name yours with --entry")
        return NOT_SO
    if witness.differs:
        cli_complain(f"your bot differs: {witness.differs}")
        return NOT_SO
    entries = ", ".join(map(str, sorted(witness.found)))
    counts = f"{text_counted(witness.games, 'game')}: {text_counted(witness.actions, 'action')}"
    say(f"your bot, as entry {entries}, chose the same in all {counts}")
    return OK


def _proof_lines(given: argparse.Namespace, witness: Witness | None) -> Iterator[str]:
    from tournaments.proof.verify import proof_verify  # imported here, because other commands do not need it

    proved = proof_verify(
        given.file,
        noted=given.head.strip().lower() if given.head else None,
        witness=witness,
        luck=given.luck,
        other_code=given.other_code,
    )
    if proved.season:
        yield from _of_season(proved)
        return
    yield (
        f"holds: {text_counted(proved.entries, 'entry', 'entries')}, {text_counted(proved.rounds, 'round')},"
        f" {text_counted(proved.matches, 'match', 'matches')}, {text_counted(proved.games, 'game')},"
        f" {text_counted(proved.rulings, 'ruling')}; it calls itself {untrusted_line(proved.name, 100)!r}"
    )
    yield (
        "every seed follows from the secret, every round is drawn again as it was, every record plays to its result,"
        " and every ruling and the standings follow"
    )
    if not proved.ended:
        yield "it was cancelled before its end"
    for rank, name in proved.places[:3]:
        yield f"place {rank}: {untrusted_line(name, 200)}"
    if given.luck:
        yield from _luck_of(proved)
    if proved.own_rules:
        rounds = text_counted(proved.own_rules, "round")
        yield f"{rounds} drawn by the site's own rules: it says that FIDE's library failed there"
    for commitment in proved.commitments:
        yield f"the secret's SHA-256 is {commitment}: compare it with the one that was published before entries closed"
    yield f"the head of its chain is {proved.head} (link {proved.number}): compare it with the one on the site"
    if proved.noted is not None:
        yield f"the digest that you noted is that of link {proved.noted}: nothing up to it was changed since"
        yield from _later(proved)
    yield (
        "no file can prove that the caged bots chose these actions, what the clock showed, or who typed a ruling:"
        " for these there is only a head that somebody noted in time"
    )


def _later(proved: "Proved") -> Iterator[str]:
    """Yield lines about what a noted head of the proof's chain does not cover."""
    if proved.later:
        kinds = ", ".join(f"{count} {untrusted_line(kind, 20)}" for kind, count in proved.later)
        yield f"it does not cover the links after it: {kinds}"
    for whose, name in proved.renamed[:RENAMED_MOST]:
        yield f"{whose} had another name when the head was noted: it is now called {untrusted_line(name, 100)!r}"
    if (more := len(proved.renamed) - RENAMED_MOST) > 0:
        yield f"{more} more had other names when the head was noted"


def _luck_of(proved: "Proved") -> Iterator[str]:
    if not proved.luck_value:
        yield "no value was announced: its games are not analysed"
        return
    yield f"luck-adjusted by the value {proved.luck_value} that was announced: compare it with the site's"
    for name, one in proved.adjusted:
        sentence = "fewer than 20 blocks, or games that cannot be analysed"
        if one is not None:
            sentence = (
                f"{one.points:.1f} +- {one.half_points:.1f} (played {one.raw_points:.1f} +- {one.raw_half_points:.1f},"
                f" luck {one.luck_points:+.1f} a game)"
            )
        yield f"{untrusted_line(name, 100)}: {sentence}"


def _of_season(proved: "Proved") -> Iterator[str]:
    yield (
        f"holds: {text_counted(proved.matches, 'match', 'matches')}, {text_counted(proved.games, 'game')} of"
        f" {text_counted(proved.entries, 'version')}: every seed follows from"
        f" the secret, every record plays to its result; it calls itself {untrusted_line(proved.name, 100)!r}"
    )
    yield f"the secret's SHA-256 is {proved.commitments[0]}: compare it with the one that was published at the start"
    yield (
        "of a season neither who was chosen to meet whom nor the ratings are checked, and there is no head to note: its"
        " chain was written when the proof was taken"
    )
