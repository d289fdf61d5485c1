"""``peck``: vectors, games of local bots, and proofs of records, from the command line."""

import argparse
import json
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import is_zipfile

from games.dealer import block_seed
from games.local import LocalBot, LocalBotError, play_game, replay_action
from games.proof import ProofError, prove
from games.record import Record, RecordError
from games.ruleset import OptionError, Ruleset, SeatError
from games.rulesets import RULESETS, UnknownRuleset, find
from games.state import Outcome
from games.vectors import VectorError, run_vector, vectors_of


def main(argv: Sequence[str] | None = None) -> int:
    """Runs ``peck``; the exit code is 0 if all went well, 1 if something did not hold, 2 for a wrong call."""
    parser = argparse.ArgumentParser(prog="peck", description="The engine of Pecking Order from the command line.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    vectors = commands.add_parser("vectors", help="run vector files against the engine")
    vectors.add_argument("files", nargs="+", type=Path, metavar="FILE")
    vectors.set_defaults(run=run_vectors)

    play = commands.add_parser("play", help="let local bots play each other, unguarded, in this process")
    play.add_argument("game", help=", ".join(RULESETS))
    play.add_argument("bots", nargs="+", type=Path, metavar="BOT.py")
    play.add_argument(
        "--blocks", type=_positive, default=1, help="seeds; each is played in every rotation of the seats"
    )
    play.add_argument("--seed", default="peck", help="any text; the same text gives the same games")
    play.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    play.add_argument("--record", type=Path, help="where to write the last game's record")
    play.set_defaults(run=run_play)

    replay = commands.add_parser("replay", help="give a local bot one saved view again, unguarded, in this process")
    replay.add_argument("bot", type=Path, metavar="BOT.py")
    replay.add_argument("view", type=Path, metavar="VIEW.json")
    replay.add_argument("--seed", type=int, default=0, help="of the bot's random")
    replay.set_defaults(run=run_replay)

    verify = commands.add_parser("verify", help="play a record, or every record of a tournament, again: does it hold?")
    verify.add_argument("file", type=Path, metavar="FILE", help="a game's record, or a tournament's proof (a zip)")
    verify.set_defaults(run=run_verify)

    given = parser.parse_args(argv)
    code: int = given.run(given)
    return code


def run_vectors(given: argparse.Namespace) -> int:
    passed = failed = 0
    for path in given.files:
        try:
            vectors = vectors_of(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            print(f"FAIL  {path}: {error}")
            failed += 1
            continue
        for vector in vectors:
            trouble = _trouble(vector)
            name = vector.get("id", "?") if isinstance(vector, dict) else "?"
            print(f"FAIL  {name}: {trouble}" if trouble else f"ok    {name}")
            passed, failed = passed + (not trouble), failed + bool(trouble)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def run_play(given: argparse.Namespace) -> int:
    try:
        ruleset = find(given.game)
        options = _options(ruleset, given.option)
        bots = [LocalBot(path) for path in given.bots]
        ruleset.validate(len(bots), options)
        totals = [0] * len(bots)
        for block in range(given.blocks):
            for rotation in range(len(bots)):
                order = [(seat + rotation) % len(bots) for seat in range(len(bots))]
                seed = block_seed(given.seed.encode() or b"peck", block)
                record = play_game(ruleset, [bots[bot] for bot in order], options, seed)
                outcome = record.verify()
                for bot, points in zip(order, outcome.points, strict=True):
                    totals[bot] += points
                print(f"game {block + 1}.{rotation + 1}: {_result([bots[bot].name for bot in order], outcome)}")
    except (UnknownRuleset, OptionError, SeatError, LocalBotError) as error:
        print(error, file=sys.stderr)
        return 1
    print("points: " + ", ".join(f"{bot.name} {total}" for bot, total in zip(bots, totals, strict=True)))
    if given.record:
        given.record.write_bytes(record.encode())
    return 0


def run_replay(given: argparse.Namespace) -> int:
    try:
        view = json.loads(given.view.read_text(encoding="utf-8"))
        if not isinstance(view, dict):
            raise ValueError("a view is a JSON object")
    except (OSError, ValueError) as error:
        print(f"{given.view}: {error}", file=sys.stderr)
        return 2
    try:
        replayed = replay_action(given.bot, view, seed=given.seed)
    except LocalBotError as error:
        print(error, file=sys.stderr)
        return 1
    except BaseException:  # the bot's own, SystemExit too: its traceback is what was asked for
        traceback.print_exc()
        return 1
    word = "legal" if replayed.legal else "NOT LEGAL there"
    print(f"{replayed.answer!r}: {word}; {replayed.cpu:.3f} s of processor time")
    return 0 if replayed.legal else 1


def run_verify(given: argparse.Namespace) -> int:
    try:
        print(_proved(given.file) if is_zipfile(given.file) else _verified(given.file))
    except (OSError, RecordError, ProofError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _verified(path: Path) -> str:
    record = Record.decode(path.read_bytes())
    outcome = record.verify()
    seats = [f"seat {seat}" for seat in range(record.players)]
    return f"holds: {record.ruleset}, {len(record.actions)} actions; {_result(seats, outcome)}"


def _proved(path: Path) -> str:
    proved = prove(path)
    return (
        f"holds: {proved.name}, {proved.matches} matches, {proved.games} games: every seed follows from the secret,"
        f" every record plays to its result\nthe secret's SHA-256 is {proved.commitment}: compare it with the one that"
        " was published before entries closed"
    )


def _positive(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 up")
    return int(text)


def _trouble(vector: Any) -> str:
    try:
        run_vector(vector)
    except VectorError as error:
        return str(error)
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        return f"a value of the wrong kind ({type(error).__name__}: {error})"
    return ""


def _options(ruleset: Ruleset, pairs: list[str]) -> dict[str, Any]:
    texts = dict(pair.partition("=")[::2] for pair in pairs)
    return {name: ruleset.options[name].read(text) if name in ruleset.options else text for name, text in texts.items()}


def _result(names: list[str], outcome: Outcome) -> str:
    seats = zip(names, outcome.points, outcome.places, strict=True)
    how = outcome.reason + (f", {outcome.tie_break}" if outcome.tie_break else "")
    return ", ".join(f"{name} {points} (place {place})" for name, points, place in seats) + f"; {how}"


if __name__ == "__main__":
    sys.exit(main())
