"""A run that is kept in a folder: the records of its games, and what a later run needs to go on with it.

``run.jsonl`` begins with the terms of the run; then comes a line for each block, written when its records are whole.
A line that was cut short counts for nothing: its block is played again.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self

from games.protocol import Verdict
from games.record import Record, RecordError
from matches.referee import GameResult, SeatFault
from peck.bots import HomeBot
from peck.series import Played, Series

LEDGER: Final = "run.jsonl"
FORMAT: Final = 1


class RunError(Exception):
    """The folder holds another run, or one that was not asked for; the text says what to do."""


class KeptRun:
    """A run in ``folder``. ``played``: its whole blocks by number, from 0; they hold for the ``terms`` of the run."""

    def __init__(self, folder: Path, terms: Mapping[str, Any]) -> None:
        self.folder = folder
        self.played: dict[int, Played] = {}
        self._terms = json.loads(json.dumps({"format": FORMAT, **terms}))

    @classmethod
    def opened(cls, folder: Path, series: Series, *, resume: bool) -> Self:
        """Open the folder for the games of ``series``; with ``resume`` what it holds of them is there again.

        Raises:
            RunError: it holds a run, and that was not asked for, or a run on other terms.
            OSError: the folder cannot be made or read.
        """
        run = cls(folder, _terms(series))
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / LEDGER).exists():
            if not resume:
                raise RunError(f"{folder}: holds a run already: go on with it by --resume, or name another folder")
            run._read()
        else:
            _write(folder / LEDGER, run._line(run._terms))
        return run

    def keep(self, one: Played) -> None:
        """Write a block: its records, then its line.

        Raises:
            OSError: it cannot be written; no file is left half written.
        """
        for rotation, game in enumerate(one.games):
            _write(self._record(one.block, rotation), game.record.encode())
        games = [
            {name: value for name, value in asdict(game).items() if name not in ("index", "record", "logs")}
            for game in one.games
        ]
        times = {name: [round(spent, 6) for spent in each] for name, each in one.times.items()}
        with (self.folder / LEDGER).open("ab") as file:
            before = file.tell()
            try:
                content = {"block": one.block, "games": games, "times": times, "beside": one.beside}
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
            differ = sorted(name for name in self._terms.keys() | terms if terms.get(name) != self._terms.get(name))
        except (ValueError, AttributeError, TypeError):
            raise RunError(f"{path}: is no run of peck's: name another folder") from None
        if differ:
            raise RunError(f"{path}: is a run with other {', '.join(differ)}: name another folder")
        whole = first
        for line in lines:
            try:
                if not line.endswith(b"\n"):
                    continue
                content: dict[str, Any] = json.loads(line)
                block: int = content["block"]
                self.played[block] = Played(block, tuple(self._games(content)), content["times"], content["beside"])
            except (ValueError, KeyError, TypeError, OSError, RecordError):
                continue  # its block is played again
            whole += line
        _write(path, whole)

    def _games(self, content: Mapping[str, Any]) -> Iterator[GameResult]:
        seats = self._terms["bots"]
        for rotation, kept in enumerate(content["games"]):
            record = Record.decode(self._record(content["block"], rotation).read_bytes())
            record.verify()
            faults = tuple(SeatFault(**one | {"verdict": Verdict(one["verdict"])}) for one in kept["faults"])
            yield GameResult(
                index=content["block"] * len(seats) + rotation,
                record=record,
                points=tuple(kept["points"]),
                places=tuple(kept["places"]),
                reason=kept["reason"],
                tie_break=kept["tie_break"],
                faults=faults,
                cpu=tuple(kept["cpu"]),
                slowest=tuple(kept["slowest"]),
                printed=tuple(kept["printed"]),
            )


def _terms(series: Series) -> dict[str, Any]:
    return {
        "ruleset": series.ruleset,
        "options": dict(series.options),
        "limits": series.limits.to_dict(),
        "seed": series.secret.hex(),
        "bots": [{"name": bot.name, "sha256": _digest(bot)} for bot in series.bots],
    }


def _digest(bot: HomeBot) -> str:
    """Return a hash of what the bot consists of: its file, or its folder's source files."""
    found = sha256()
    for path in bot.sources():
        found.update(path.relative_to(bot.folder).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def _write(path: Path, data: bytes) -> None:
    """Write the file whole or not at all."""
    beside = path.with_name(f".{path.name}.part")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise
