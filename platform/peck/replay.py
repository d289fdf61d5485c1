"""``peck replay``: repeat a failure, a view or a recorded game with an author's bot."""

import argparse
import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import environ, getpid
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from games.encoding import LONGEST
from games.protocol import Limits, Verdict
from games.record import Record, RecordError
from games.untrusted import UntrustedError, untrusted_file_read, untrusted_json_parse
from matches.referee import SeatFault
from matches.referee.failure_bundle import (
    FailureBundle,
    RecordedSeat,
    failure_bundle_is_one,
    failure_bundle_read,
    failure_bundle_seat_at_fault,
    failure_bundle_seat_of_view,
    failure_bundle_seat_recorded,
)
from peck import FAULT, NOT_SO, OK, USAGE
from peck.bots import HomeBot, peck_bots_at
from peck.cage import HomeCage
from peck.cli import (
    Commands,
    cli_complain,
    cli_complain_of_file,
    cli_explanation_line,
    cli_fault_line,
    cli_print_fault,
    cli_say,
)
from peck.processes import ENVIRONMENT, peck_process_module_command
from peck.project import project_entry
from peck.rerun import Rerun, rerun, rerun_failure_sentence, rerun_result
from peck.series import USAGE_ERRORS, peck_series_add_limits, peck_series_limits

TOO_SLOW: Final = (Verdict.CPU_TIME, Verdict.WALL_TIME, Verdict.SLEPT)


def command_add(commands: Commands) -> None:
    """Add the command to the parser of ``peck``."""
    replay = commands.add_parser(
        "replay", help="run a bot again on a failure from the site, a view, or a recorded game"
    )
    replay.add_argument("bot", type=Path, metavar="BOT", help="a .py file, a .zip or a folder with bot.py")
    replay.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help="a failure or a decision (zip), a view (JSON) or a record; BOT and FILE may come in either order",
    )
    replay.add_argument("--seat", type=int, help="the seat of a record, from 0; by default the one whose bot failed")
    replay.add_argument("--seed", type=int, default=0, help="seed of the bot's random numbers, for a view")
    replay.add_argument("--debug", action="store_true", help="open Python's debugger where the bot fails")
    peck_series_add_limits(replay)
    replay.set_defaults(run=run_replay)


def run_replay(given: argparse.Namespace) -> int:
    """Give the bot the recorded views, and print where its answers differ or it fails."""
    swapped = _is_bot(given.file) and not _is_bot(given.bot)
    bot_path, path = (given.file, given.bot) if swapped else (given.bot, given.file)
    try:
        with peck_bots_at([bot_path]) as (bot,), HomeCage() as cage:
            if failure_bundle_is_one(path):
                bundle = failure_bundle_read(path)
                _note_game(bundle.seat, bot_path, path)
                return _failure(bundle, _other_limits(bundle.limits, given.limit), bot, cage, debug=given.debug)
            limits = peck_series_limits(given.limit)
            data = untrusted_file_read(path, LONGEST)
            if data.lstrip()[:1] in (b"{", b"["):
                seat = failure_bundle_seat_of_view(untrusted_json_parse(data), given.seed)
                _note_game(seat, bot_path, path)
                return _view(seat, rerun(seat, bot, cage, limits, compare=False), bot, limits, given.debug)
            seat = _seat_of(Record.decode(data), given.seat)
            _note_game(seat, bot_path, path)
            return _record(seat, rerun(seat, bot, cage, limits), bot, limits, given.debug)
    except USAGE_ERRORS as error:
        cli_complain(error)
    except OSError as error:
        cli_complain_of_file(path, error)
    except (RecordError, UntrustedError, ValueError) as error:
        cli_complain(f"{path}: {error}")
    return USAGE


def _is_bot(path: Path) -> bool:
    return path.is_dir() or path.suffix == ".py" or (path.suffix == ".zip" and not failure_bundle_is_one(path))


def _note_game(seat: RecordedSeat, bot: Path, file: Path) -> None:
    """Print a note if the file belongs to another game than the bot: the bot then fails, although nothing is wrong with
    it.
    """
    ruleset, own = str(seat.table.get("ruleset") or ""), project_entry("game", bot)
    if own and ruleset and ruleset.partition("/")[0] != own.partition("/")[0]:
        cli_complain(f"note: {file} is of {ruleset}, and peck.json beside {bot} says {own}")


def _failure(bundle: FailureBundle, limits: Limits, bot: HomeBot, cage: HomeCage, *, debug: bool) -> int:
    found = rerun(bundle.seat, bot, cage, limits, go_on=True)
    result = rerun_result(bundle, found)
    cli_say(rerun_failure_sentence(bundle), *filter(None, [result.note]))
    if found.fault is not None:
        return _print_fault(str(result), found, bundle.seat, bot, limits, debug)
    cli_say(result, *_explanation_lines(found))
    return result.code


def _view(seat: RecordedSeat, found: Rerun, bot: HomeBot, limits: Limits, debug: bool) -> int:
    if found.fault is not None:
        return _print_fault("failed", found, seat, bot, limits, debug)
    cli_say(f"{found.answer!r}: legal; {found.cpu:.3f} s of processor time", *_explanation_lines(found))
    return OK


def _seat_of(record: Record, wanted: int | None) -> RecordedSeat:
    seat = failure_bundle_seat_at_fault(record) if wanted is None else wanted
    if seat not in range(record.players):
        raise ValueError(f"--seat: {seat} is not allowed; allowed: 0 to {record.players - 1}")
    return failure_bundle_seat_recorded(record, seat)


def _record(seat: RecordedSeat, found: Rerun, bot: HomeBot, limits: Limits, debug: bool) -> int:
    place = f"seat {seat.position}, action {found.at}"
    if found.fault is not None:
        return _print_fault(place, found, seat, bot, limits, debug)
    if found.turn is None:
        cli_say(f"seat {seat.position}: the same {found.number} answers as recorded")
        return OK
    if found.turn.failed:
        cli_say(f"{place}: it failed there ({found.turn.failed}), and now answers {found.answer!r}")
    else:
        cli_say(
            f"{place}: the record has {found.turn.answer!r}, yours answers {found.answer!r}", *_explanation_lines(found)
        )
    return NOT_SO


def _explanation_lines(found: Rerun) -> Iterator[str]:
    """Yield the bot's explanation of its last answer, if there is one."""
    if found.explanation:
        yield f"it says: {cli_explanation_line(found.explanation)}"


def _print_fault(place: str, found: Rerun, seat: RecordedSeat, bot: HomeBot, limits: Limits, debug: bool) -> int:
    assert found.fault is not None  # noqa: S101
    cli_say(f"{place}: {cli_fault_line(found.fault)}")
    cli_print_fault(found.fault)
    if debug:
        _debug(found.fault, seat, found.number, bot, limits)
    return FAULT


def _debug(fault: SeatFault, seat: RecordedSeat, turns: int, bot: HomeBot, limits: Limits) -> None:
    """Run the bot again in a process with access to the terminal, and open pdb where it fails."""
    seconds = (limits.act_cpu if turns else limits.start_cpu) if fault.verdict in TOO_SLOW else None
    arguments = {
        "table": dict(seat.table),
        "views": [turn.view for turn in seat.turns[:turns]],
        "seconds": seconds,
        "parent": getpid(),
        # The debugger must step through the last action, because no exception shows where it goes wrong.
        "before": seconds is None and not fault.exception,
    }
    with TemporaryDirectory(prefix="peck-") as folder:
        path = Path(folder) / "arguments.json"
        path.write_text(json.dumps(arguments), encoding="utf-8")
        call = peck_process_module_command("debugger", str(bot.folder), bot.file, str(path), *bot.preload)
        with _interrupts_left_to_child():
            subprocess.run(call, env=environ | ENVIRONMENT, check=False)  # noqa: S603


@contextmanager
def _interrupts_left_to_child() -> Iterator[None]:
    """Leave Ctrl-C to the debugger."""
    before = None
    with suppress(ValueError):  # only the main thread may set the handler
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)


def _other_limits(limits: Limits, pairs: list[str]) -> Limits:
    """Return the limits of the match, changed by the given ones."""
    given = peck_series_limits(pairs).to_dict()
    names = [pair.partition("=")[0] for pair in pairs]
    return Limits.from_dict(limits.to_dict() | {name: given[name] for name in names})
