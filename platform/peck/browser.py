"""The interface of ``peck`` for a page in a browser: games between bots, and tables with a person at one seat.

All messages are JSON, because a worker and its page share nothing else. Seeds, seats and records are those of the
referee, so a game in a browser is the same as on the site. Only time is not limited here: the page ends a worker that
does not answer.
"""

import base64
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias
from zipfile import ZipFile

from games.catalogue import GAMES, find
from games.explanation import MoveExplanation
from games.protocol import BotFault, Limits
from games.record import Record
from games.untrusted import UntrustedError
from luck import luck_analyse
from matches.referee import GameResult, MatchSpec, SeatFault
from matches.referee.failure_bundle import FailureBundle, failure_bundle_read
from matches.referee.match_series import series_game_play
from matches.referee.scoring import GameLog, scoring_seats_by_position
from matches.replay.frame_encoding import frame_encoding_of_record
from matches.replay.seat_decisions import seat_decision_at, seat_decision_steps, seat_explanations_by_step
from peck.inline import InlineCage
from peck.person_table import PersonsTable
from peck.rerun import rerun, rerun_failure_values, rerun_result

LIMITS: Final = Limits()
LATE_SECONDS: Final = 3.0  # seconds after which a watched request is late
UNPACKED_MOST: Final = 64 * 2**20  # bytes of an author's zip; sites accept far less
FILES_MOST: Final = 200  # files in a zip, as for an upload
LITTER: Final = frozenset(("__MACOSX", "__pycache__", ".DS_Store"))
Notify = Callable[[str], None]
BotFile: TypeAlias = str | Mapping[str, str]  # a text, or {"data": base64} for binary content


class Desk:
    """Answers the requests of the page. ``notify`` sends the page a message immediately; ``folder`` is for the files of
    bots.
    """

    def __init__(self, folder: str, notify: Notify) -> None:
        self._notify = notify
        self._cage = InlineCage(
            Path(folder), lambda position: self._send("asks", position=position), self._late, LATE_SECONDS
        )
        self._table: PersonsTable | None = None
        self._games: list[GameResult] = []
        self._times: dict[int, list[float]] = {}  # CPU seconds by seat

    def answer(self, text: str) -> str:
        """Handle the JSON request ``text`` and return the answer.

        If a bot did not answer in time, the page repeats its request with ``watch``: the number of the unanswered
        request to the bot, counted from the beginning of this message. When that request to the bot is late again, the
        page is told at which line of its code the bot is.

        Raises:
            LookupError, ValueError: the request names something that does not exist.
        """
        message = json.loads(text)
        self._cage.count, self._cage.watched = 0, message.pop("watch", 0)
        answer: Any = getattr(self, f"_{message.pop('do')}")(**message)
        return answer if isinstance(answer, str) else json.dumps(answer)

    def _play(self, spec: Mapping[str, Any], index: int) -> dict[str, Any]:
        """Play one game of a series; see ``MatchSpec``. Game 0 starts the series."""
        if not index:
            self._games, self._times = [], {}
        self._cage.times.clear()
        self._cage.printed_at.clear()
        seats = len(spec["bots"])
        game = series_game_play(browser_match_spec(spec), self._cage, index)
        self._games.append(game)
        lines: list[list[tuple[str, int, int, str]]] = [[] for _ in range(seats)]
        for position, seat in enumerate(scoring_seats_by_position(index, seats)):
            self._times.setdefault(seat, []).extend(self._cage.times.get(position, ()))
            printed = self._cage.printed_at.get(position, {})
            lines[seat] = [(*place, one.count, one.text.strip()) for place, one in printed.items() if one.text.strip()]
        logs = [_log_message(log, self._own_times(index, seats, seat)) for seat, log in enumerate(game.logs)]
        return {**browser_game_message(game, seats), "lines": lines, "logs": logs}

    def _own_times(self, index: int, seats: int, seat: int) -> list[float]:
        """Return the seconds of each action of a seat in the last game."""
        return self._cage.times.get(scoring_seats_by_position(index, seats).index(seat), [])

    def _tally(self) -> dict[str, Any]:
        """Return the results of the series' complete blocks, one line for each seat."""
        from peck.tally import tally_line_json, tally_lines  # imported late, so that the first game starts sooner

        seats = len(self._games[0].points)
        games = self._games[: len(self._games) // seats * seats]
        names = [str(seat) for seat in range(seats)]
        times = {str(seat): spent for seat, spent in self._times.items()}
        return {
            "games": len(games),
            "lines": [tally_line_json(line) for line in tally_lines(names, games, times)] if games else [],
        }

    def _film(self, record: str, game: int = 0, end: Mapping[str, Any] | None = None) -> str:
        """Return the frames of a record in the format of the replay player."""
        return frame_encoding_of_record(game, base64.b64decode(record)).json(end=end)

    def _notes(self, record: str, logs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the bots' explanations of their moves in a game, for the replay player. ``logs`` have the form in
        which the page got them.
        """
        notes = {
            seat: [(played, MoveExplanation(note, tuple(marks), value)) for played, note, marks, value in log["notes"]]
            for seat, log in enumerate(logs)
        }
        steps = seat_decision_steps(Record.decode(base64.b64decode(record)))
        return [one.to_dict() for one in seat_explanations_by_step(steps, notes)]

    def _decision(self, record: str, position: int, step: int, log: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the decision at a step of the replay, the bot's output and its time; see ``seat_decision_at``."""
        found = seat_decision_at(Record.decode(base64.b64decode(record)), position, step)
        if found is None:
            return None
        printed = "".join(text for played, text in log["printed"] if played == found.played)
        times = log["ms"]
        took = times[found.number - 1] if found.number <= len(times) and not found.stood_in else None
        return {**found.to_dict(), "printed": printed, "ms": took}

    def _luck(self, record: str) -> dict[str, Any]:
        """Return the luck analysis of a game, see ``luck.luck_analyse``."""
        return luck_analyse(Record.decode(base64.b64decode(record))).to_dict()

    def _sit(self, spec: Mapping[str, Any], seat: int) -> dict[str, Any]:
        """Begin a game with a person at this table position."""
        self._table = PersonsTable(browser_match_spec(spec), self._cage, seat)
        return self._table.message()

    def _act(self, action: str) -> dict[str, Any]:
        """Play the person's action, and the bots' actions up to the person's next one."""
        table = self._person_table()
        table.act(action)
        return table.message()

    def _hint(self) -> dict[str, Any]:
        """Return a hint for the person at the table, see ``PersonsTable.hint``."""
        return self._person_table().hint()

    def _review(self) -> dict[str, Any]:
        """Return the analysis of the game that the person has played, see ``PersonsTable.review``."""
        return self._person_table().review()

    def _failure(self, bundle: str) -> dict[str, Any]:
        """Return where and how a failure on the site happened, with the view; or why its file is ``refused``."""
        try:
            found = browser_failure_bundle(bundle)
        except UntrustedError as error:
            return {"refused": str(error)}
        turns = found.seat.turns
        view = turns[-1].view if turns else None
        return {**rerun_failure_values(found), "ruleset": found.seat.table["ruleset"], "view": view}

    def _sources(self, data: str) -> dict[str, BotFile]:
        """Return the files of an uploaded bot, a source file or a zip. Binary files are {"data": base64}."""
        packed = base64.b64decode(data)
        if not packed.startswith(b"PK"):
            return {"bot.py": packed.decode(errors="replace")}
        with ZipFile(BytesIO(packed)) as archive:
            if sum(one.file_size for one in archive.infolist()) > UNPACKED_MOST:
                raise ValueError("too large")
            members = [
                one for one in archive.infolist() if not one.is_dir() and not LITTER & {*one.filename.split("/")}
            ]
            if len(members) > FILES_MOST:
                raise ValueError("too many files")
            files = {one.filename: archive.read(one) for one in members}
        folder = next(iter(files), "").partition("/")[0] + "/"
        # The zip contains a folder with all files
        if "bot.py" not in files and all(name.startswith(folder) for name in files):
            files = {name.removeprefix(folder): content for name, content in files.items()}
        return {name: _decoded(content) for name, content in files.items()}

    def _again(self, bundle: str, files: Mapping[str, BotFile]) -> dict[str, Any]:
        """Play up to the failure with a bot of these files; see ``rerun_result``."""
        failure = browser_failure_bundle(bundle)
        found = rerun(failure.seat, _encoded(files), self._cage, failure.limits, go_on=True)
        fault = None if found.fault is None else browser_fault_message(found.fault)
        return {**rerun_result(failure, found).to_dict(), "fault": fault}

    def _person_table(self) -> PersonsTable:
        if self._table is None:
            raise LookupError("nobody sits at a table")
        return self._table

    def _late(self, fault: BotFault) -> None:
        self._send("late", line=fault.line, detail=fault.detail, output=fault.output)

    def _send(self, kind: str, **content: Any) -> None:
        self._notify(json.dumps({"say": kind, **content}))


def opened(folder: str, notify: Notify) -> Desk:
    """Prepare the interpreter for bots, and return the desk."""
    sys.dont_write_bytecode = True
    os.environ.clear()
    sys.argv[:] = ["bot.py"]
    Path(folder).mkdir(parents=True, exist_ok=True)
    return Desk(folder, notify)


def browser_match_spec(content: Mapping[str, Any]) -> MatchSpec:
    """Return the match to play. A bot is {"files": {name: text}}, or {"house": name} for a house bot; None is a person.

    Raises:
        UnknownRuleset, OptionError, SeatError, LookupError: a part of ``content`` does not exist.
    """
    ruleset = find(content["ruleset"])
    bots = tuple(_files(ruleset.name, bot) for bot in content["bots"])
    options = ruleset.validate(len(bots), content.get("options", {}))
    return MatchSpec(ruleset, options, LIMITS, content["seed"].encode(), content.get("blocks", 1), bots)


def browser_game_message(game: GameResult, seats: int) -> dict[str, Any]:
    """Return the result of a game. All lists are by seat of the match, except ``places`` in ``end``, which are by table
    position.
    """
    order = scoring_seats_by_position(game.index, seats)
    record = game.record.encode()
    return {
        "index": game.index,
        "order": order,
        "points": game.points,
        "places": game.places,
        "record": base64.b64encode(record).decode(),
        "hash": sha256(record).hexdigest(),
        "end": {
            "places": [game.places[seat] for seat in order],
            "reason": game.reason,
            "tie_break": game.tie_break,
        },
        "faults": [browser_fault_message(fault) for fault in game.faults],
        "slowest": game.slowest,
        "printed": game.printed,
    }


def _log_message(log: GameLog, times: Sequence[float]) -> dict[str, Any]:
    """Return what the replay shows of a seat: its explanations and its output, and how many milliseconds each of its
    actions took. With each explanation and each output is the number of actions that all players had played before.
    """
    return {
        "notes": [[played, *explanation] for played, explanation in log.notes],
        "printed": log.chunks,
        "ms": [round(1000 * seconds, 3) for seconds in times],
    }


def browser_fault_message(fault: SeatFault) -> dict[str, Any]:
    """Return a fault as JSON."""
    return {
        "seat": fault.seat,
        "verdict": fault.verdict.value,
        "action": fault.action_index,
        "exception": fault.exception,
        "detail": fault.detail,
        "line": fault.line,
        "answer": fault.answer,
        "output": fault.output,
        "view": fault.view,
    }


def browser_failure_bundle(data: str) -> FailureBundle:
    """Return the failure in a base64-encoded bundle.

    Raises:
        UntrustedError: it is not a bundle.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder, "failure.zip")
        path.write_bytes(base64.b64decode(data))
        return failure_bundle_read(path)


def _files(game: str, bot: Mapping[str, Any] | None) -> Mapping[str, bytes]:
    if bot is None:
        return {}
    if "house" in bot:
        return {"bot.py": next(one for one in GAMES[game].house_bots if one.name == bot["house"]).source()}
    return _encoded(bot["files"])


def _decoded(content: bytes) -> BotFile:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return {"data": base64.b64encode(content).decode()}


def _encoded(files: Mapping[str, BotFile]) -> dict[str, bytes]:
    return {
        name: found.encode() if isinstance(found, str) else base64.b64decode(found["data"])
        for name, found in files.items()
    }
