"""The commands of ``peck``: the engine's, those at home, the luck of a game, proofs of tournaments. No framework."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from games.untrusted import one_line
from peck.cli import complain, engine_parser, run, run_verify, say
from peck.commands import add_commands
from peck.luck import command_add

if TYPE_CHECKING:
    from peck.witness import Witness
    from tournaments.proof.verify import Proved

ZIP: bytes = b"PK"
RENAMED_MOST = 20  # are listed


def run_peck(argv: Sequence[str] | None) -> int:
    """Run the command that ``argv`` gives; its exit code: see docs/reference/peck.md."""
    parser, commands = engine_parser()
    verify = commands.choices["verify"]
    (file,) = (action for action in verify._actions if action.dest == "file")
    file.help = "a game's record, or the proof of a tournament or a season (a zip)"
    verify.add_argument(
        "--head", metavar="DIGEST", help="of a tournament: noted earlier, and so to be found in its chain"
    )
    verify.add_argument(
        "--bot", type=Path, metavar="BOT.py", help="your bot: run again on every view it was given, unguarded, here"
    )
    verify.add_argument("--entry", type=int, help="as this entry, where its package is not that file")
    verify.add_argument("--luck", action="store_true", help="of a tournament: the luck of every game too; takes longer")
    verify.set_defaults(run=run_proof)
    add_commands(commands)
    command_add(commands)
    return run(parser, argv)


def run_proof(given: argparse.Namespace) -> int:
    """Verify a proof, or else a record."""
    try:
        with given.file.open("rb") as file:
            archive = file.read(len(ZIP)) == ZIP
    except OSError as error:
        complain(f"does not hold: {error}")
        return 1
    if not archive:
        return run_verify(given)
    # Only now: the other commands need none of it.
    from matches.proof.reading import ProofError
    from peck.witness import Witness

    witness = Witness(given.bot, given.entry) if given.bot else None
    try:
        for line in _proved(given.file, given.head, witness, luck=given.luck):
            say(line)
    except (OSError, ProofError) as error:
        complain(f"does not hold: {error}")
        return 1
    return _testimony(witness) if witness else 0


def _testimony(witness: "Witness") -> int:
    """Return what one's own bot says of it; the exit code."""
    if not witness.found:
        complain("no entry of a tournament plays with just this file: say which is yours by --entry")
        return 1
    if witness.differs:
        complain(f"your bot differs: {witness.differs}")
        return 1
    entries = ", ".join(map(str, sorted(witness.found)))
    say(f"your bot, as entry {entries}, chose the same in all {witness.games} games: {witness.asked} actions")
    return 0


def _proved(path: Path, noted: str | None, witness: "Witness | None", *, luck: bool) -> Iterator[str]:
    from tournaments.proof.verify import prove

    proved = prove(path, noted=noted.strip().lower() if noted else None, witness=witness, luck=luck)
    if proved.season:
        yield from _of_season(proved)
        return
    yield (
        f"holds: {proved.entries} entries, {proved.rounds} rounds, {proved.matches} matches, {proved.games} games,"
        f" {proved.rulings} rulings; it calls itself {one_line(proved.name, 100)!r}"
    )
    yield (
        "every seed follows from the secret, every round is drawn again as it was, every record plays to its result,"
        " and every ruling and the standings follow"
    )
    if not proved.ended:
        yield "it was called off before its end"
    for rank, name in proved.places[:3]:
        yield f"place {rank}: {one_line(name, 200)}"
    if luck:
        yield from _luck_of(proved)
    if proved.own_rules:
        yield f"{proved.own_rules} rounds are drawn by the site's own rules: it says that FIDE's library failed there"
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
    """Say what a noted head does not vouch for."""
    if proved.later:
        told = ", ".join(f"{count} {one_line(kind, 20)}" for kind, count in proved.later)
        yield f"it says nothing of the links after it: {told}"
    for whose, name in proved.renamed[:RENAMED_MOST]:
        yield f"{whose} was named otherwise when the head was noted: it is now called {one_line(name, 100)!r}"
    if (more := len(proved.renamed) - RENAMED_MOST) > 0:
        yield f"{more} more were named otherwise when the head was noted"


def _luck_of(proved: "Proved") -> Iterator[str]:
    if not proved.luck_value:
        yield "no value was announced: its games are not analysed"
        return
    yield f"less the luck, by the value {proved.luck_value} that was announced: compare it with the site's"
    for name, one in proved.adjusted:
        sentence = "fewer than 20 blocks, or games that cannot be analysed"
        if one is not None:
            sentence = (
                f"{one.points:.1f} +- {one.half_points:.1f} (played {one.raw_points:.1f} +- {one.raw_half_points:.1f},"
                f" luck {one.luck_points:+.1f} a game)"
            )
        yield f"{one_line(name, 100)}: {sentence}"


def _of_season(proved: "Proved") -> Iterator[str]:
    yield (
        f"holds: {proved.matches} matches, {proved.games} games of {proved.entries} versions: every seed follows from"
        f" the secret, every record plays to its result; it calls itself {one_line(proved.name, 100)!r}"
    )
    yield f"the secret's SHA-256 is {proved.commitments[0]}: compare it with the one that was published at the start"
    yield (
        "of a season neither who was chosen to meet whom nor the ratings are checked, and there is no head to note: its"
        " chain was written when the proof was taken"
    )
