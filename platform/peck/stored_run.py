"""A run stored in a folder: the records of its games, and the data with which a later run continues it.

``run.jsonl`` begins with the terms of the run. One line follows for each block, written after its records. An
incomplete line is ignored, and the block that it is about is played again.
"""

import argparse
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self

from games.encoding import LONGEST
from games.protocol import Verdict
from games.record import Record, RecordError
from games.untrusted import JSON_BYTES, untrusted_field, untrusted_file_read, untrusted_json_parse
from matches.referee import GameResult, SeatFault
from matches.referee.scoring import scoring_seats_by_position
from peck.bots import HomeBot
from peck.series import PlayedBlock, Series

LEDGER: Final = "run.jsonl"
RECORD: Final = re.compile(r"^game-(\d+)\.(\d+)\.peck$")
FORMAT: Final = 1  # frozen: run at home


class RunError(Exception):
    """The folder contains another run, or a run without ``--resume``. The message says what to do."""


class StoredRun:
    """A run in ``folder``. ``played`` are its complete blocks by number, from 0. ``terms`` are the settings that all
    blocks share.
    """

    def __init__(self, folder: Path, terms: Mapping[str, Any]) -> None:
        self.folder = folder
        self.played: dict[int, PlayedBlock] = {}
        self.terms = json.loads(json.dumps({"format": FORMAT, **terms}))

    @classmethod
    def opened(cls, folder: Path, series: Series, *, resume: bool) -> Self:
        """Open the folder for the games of ``series``. With ``resume``, its stored blocks are read.

        Raises:
            RunError: it contains a run and ``resume`` is false, or a run with other terms.
            OSError: the folder cannot be created or read.
        """
        run = cls(folder, _terms(series))
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / LEDGER).exists():
            if not resume:
                raise RunError(f"{folder}: contains a run already: continue it with --resume, or name another folder")
            run._read()
        else:
            stored_run_write_whole(folder / LEDGER, run._line(run.terms))
        return run

    @classmethod
    def whole(cls, folder: Path) -> Self:
        """Read a complete run and replay its records. Safe for hostile bytes.

        Raises:
            RunError: it is not a run, or a block is missing or invalid.
            OSError: it cannot be read.
        """
        try:
            head, *lines = map(untrusted_json_parse, untrusted_file_read(folder / LEDGER, JSON_BYTES).splitlines())
            if untrusted_field(head, "format", int) != FORMAT:
                raise RunError(f"{folder / LEDGER}: a run of format {head['format']}")
            run = cls(folder, head)
            for line in lines:
                run._note(line)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecordError) as error:
            raise RunError(f"{folder}: {type(error).__name__}: {error}") from error
        return run

    def store(self, one: PlayedBlock) -> None:
        """Store a block: its records, then its line.

        Raises:
            OSError: it cannot be written; no file is left incomplete.
        """
        for rotation, game in enumerate(one.games):
            stored_run_write_whole(self._record(one.block, rotation), game.record.encode())
        games = [
            {name: value for name, value in asdict(game).items() if name not in ("index", "record", "logs")}
            for game in one.games
        ]
        times = {name: [round(spent, 6) for spent in each] for name, each in one.times.items()}
        with (self.folder / LEDGER).open("ab") as file:
            before = file.tell()
            try:
                content = {"block": one.block, "games": games, "times": times, "beside": one.imported}
                file.write(self._line(content))
                file.flush()
            except OSError:
                with suppress(OSError):
                    os.ftruncate(file.fileno(), before)
                raise

    def _record(self, block: int, rotation: int) -> Path:
        return self.folder / f"game-{block + 1}.{rotation + 1}.peck"

    def _line(self, content: object) -> bytes:
        return json.dumps(content, separators=(",", ":")).encode() + b"\n"

    def _read(self) -> None:
        path = self.folder / LEDGER
        first, *lines = path.read_bytes().splitlines(keepends=True) or [b""]
        try:
            terms = json.loads(first)
            differ = sorted(name for name in self.terms.keys() | terms if terms.get(name) != self.terms.get(name))
        except (ValueError, AttributeError, TypeError):
            raise RunError(f"{path}: is not a run of peck: name another folder") from None
        if differ:
            raise RunError(f"{path}: is a run with other {', '.join(differ)}: name another folder")
        whole = first
        for line in lines:
            try:
                if not line.endswith(b"\n"):
                    continue
                self._note(json.loads(line))
            except (ValueError, KeyError, TypeError, OSError, RecordError):
                continue  # the block of this line is played again
            whole += line
        stored_run_write_whole(path, whole)

    def _note(self, content: Mapping[str, Any]) -> None:
        block: int = content["block"]
        self.played[block] = PlayedBlock(block, tuple(self._games(content)), content["times"], content["beside"])

    def _games(self, content: Mapping[str, Any]) -> Iterator[GameResult]:
        seats = self.terms["bots"]
        for rotation, stored in enumerate(content["games"]):
            record = Record.decode(untrusted_file_read(self._record(content["block"], rotation), LONGEST))
            record.verify()
            faults = tuple(SeatFault(**one | {"verdict": Verdict(one["verdict"])}) for one in stored["faults"])
            yield GameResult(
                index=content["block"] * len(seats) + rotation,
                record=record,
                points=tuple(stored["points"]),
                places=tuple(stored["places"]),
                reason=stored["reason"],
                tie_break=stored["tie_break"],
                faults=faults,
                cpu=tuple(stored["cpu"]),
                slowest=tuple(stored["slowest"]),
                printed=tuple(stored["printed"]),
                luck=stored.get("luck", 0.0),
            )


def stored_run_add_arguments(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the arguments for where a run is stored, and whether it is continued."""
    parser.add_argument("--records", type=Path, metavar="DIR", help=f"where to write {what}")
    parser.add_argument("--resume", action="store_true", help="continue the run in the folder of --records")


def stored_run_resume_check(given: argparse.Namespace) -> None:
    """Check the arguments of ``stored_run_add_arguments``.

    Raises:
        RunError: there is nothing to continue.
    """
    if given.resume and not given.records:
        raise RunError("--resume continues a stored run: name its folder with --records DIR")


def stored_run_seats(folder: Path, name: str = "") -> tuple[str, list[tuple[Path, tuple[int, ...]]]]:
    """Return the name of a bot of the run in ``folder``, by default of the first bot. Also return, for each game of the
    run, the record and the table positions of this bot.

    Raises:
        RunError: the folder contains no run, or no run of this bot.
        OSError: it cannot be read.
    """
    if not (folder / LEDGER).is_file():
        raise RunError(f"{folder}: contains no run of peck play --records")
    try:
        names = [bot["name"] for bot in json.loads((folder / LEDGER).read_bytes().splitlines()[0])["bots"]]
    except (ValueError, KeyError, TypeError, IndexError):
        raise RunError(f"{folder / LEDGER}: is not a run of peck") from None
    name = name or names[0]
    if name not in names:
        raise RunError(f"{folder}: no {name!r} played there; these did: {', '.join(map(str, names))}")
    games = sorted((int(block), int(rotation), path) for path in folder.iterdir() for block, rotation in _place(path))
    return name, [
        (
            path,
            tuple(
                at for at, seat in enumerate(scoring_seats_by_position(rotation - 1, len(names))) if names[seat] == name
            ),
        )
        for _, rotation, path in games
    ]


def _place(path: Path) -> list[tuple[str, str]]:
    return RECORD.findall(path.name)


def _terms(series: Series) -> dict[str, Any]:
    terms = {
        "ruleset": series.ruleset,
        "options": dict(series.options),
        "limits": series.limits.to_dict(),
        "seed": series.secret.hex(),
        "bots": [{"name": bot.name, "sha256": stored_run_bot_digest(bot)} for bot in series.bots],
    }
    return terms | ({"stopping": series.stopping.to_dict()} if series.stopping else {})


def stored_run_bot_digest(bot: HomeBot) -> str:
    """Return a hash of the bot's file, or of the source files in its folder."""
    found = sha256()
    for path in bot.sources():
        found.update(path.relative_to(bot.folder).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def stored_run_write_whole(path: Path, data: bytes) -> None:
    """Write the file atomically."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise
