"""``peck drill-make`` and ``peck drill``: collect the costliest decisions of a bot, and let it decide again."""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from games.encoding import LONGEST
from games.protocol import Limits, PlatformFault
from games.record import Record, RecordError
from games.untrusted import UntrustedError, untrusted_file_read
from luck import UNIT, luck_value_is_known, luck_value_of, luck_values_of
from matches.referee import SeatFault
from matches.referee.costly_positions import MOST, Drill, LookedAt, Position, costly_positions_drill
from matches.referee.seat_player import CageProtocol
from peck import FAULT, NOT_SO, OK, UNABLE, USAGE, text_counted
from peck.bots import HomeBot, peck_bots_at
from peck.cli import (
    Commands,
    ProgressBar,
    cli_add_json,
    cli_complain,
    cli_complain_of_file,
    cli_fault_line,
    cli_positive,
    cli_print_fault,
    cli_say,
    cli_say_json,
)
from peck.positions import Source, positions_looked_at, positions_naming_file
from peck.rerun import rerun
from peck.series import USAGE_ERRORS, peck_series_add_limits, peck_series_add_where, peck_series_limits
from peck.site_cage import site_cage_at_home
from peck.stored_run import RunError, stored_run_seats

NO_VALUE: Final = "There is no value for %s, so the costs of its decisions cannot be computed."
UNKNOWN_VALUE: Final = (
    "%s: was made with the value %.80s of %.80s, which this version of peck does not have%s: make the file again"
)
MOST_MOST: Final = 500  # positions in a file; the file is read as a whole
TOLERANCE: Final = 1.0  # points of a hundred by which a decision may lose more than before
STATEFUL: Final = (
    "note: %s has a class Bot. It gets each position alone, without the earlier turns of the game; with --history it"
    " first gets all earlier views of its seat"
)


def commands_add(commands: Commands) -> None:
    """Add the commands of this module to ``commands``."""
    make = commands.add_parser("drill-make", help="write a bot's costliest decisions in recorded games to a file")
    make.add_argument(
        "records", nargs="+", type=Path, metavar="RECORDS", help="the folder of peck play --records, or single records"
    )
    make.add_argument(
        "--bot",
        default="",
        metavar="NAME",
        help="the bot whose decisions are used, if RECORDS is a folder; by default the first",
    )
    make.add_argument(
        "--seat",
        type=int,
        metavar="SEAT",
        help="the seat whose decisions are used, if RECORDS are single records; from 0",
    )
    make.add_argument("--most", type=_count, default=MOST, help=f"number of positions to keep, at most {MOST_MOST}")
    make.add_argument(
        "-o", dest="file", type=Path, default=Path("drill.jsonl"), metavar="FILE", help="the file to write"
    )
    make.add_argument(
        "-j", dest="processes", type=cli_positive, default=1, metavar="N", help="number of games to analyse in parallel"
    )
    cli_add_json(make)
    make.set_defaults(run=run_drill_make)

    drill = commands.add_parser("drill", help="replay the costliest decisions with a new version of the bot")
    drill.add_argument("bot", type=Path, metavar="BOT", help="a .py file, a .zip or a folder with bot.py")
    drill.add_argument("file", type=Path, metavar="FILE", help="a file that peck drill-make has written")
    drill.add_argument(
        "--tolerance", type=float, default=TOLERANCE, help="points by which a decision may cost more than before"
    )
    drill.add_argument("--history", action="store_true", help="first show the bot the earlier views of its seat")
    peck_series_add_limits(drill)
    peck_series_add_where(drill)
    drill.set_defaults(run=run_drill)


def _count(text: str) -> int:
    if (number := cli_positive(text)) > MOST_MOST:
        raise argparse.ArgumentTypeError(f"{text}: a file holds up to {MOST_MOST} positions")
    return number


def run_drill_make(given: argparse.Namespace) -> int:
    """Analyse the records and write the file."""
    try:
        name, sources = _sources(given)
        with positions_naming_file(sources[0].path):
            ruleset = Record.decode(untrusted_file_read(sources[0].path, LONGEST)).ruleset
        if not luck_value_of(ruleset):
            cli_complain(NO_VALUE % ruleset)
            return NOT_SO
        progress = ProgressBar(len(sources), "game")
        games: list[LookedAt] = []
        with closing(progress):
            for one in _all_looked_at(sources, given.processes):
                if one.ruleset != ruleset:
                    cli_complain(f"{sources[len(games)].path}: is of {one.ruleset}, and the first record of {ruleset}")
                    return USAGE
                games.append(one)
                progress.show(len(games))
    except RunError as error:
        cli_complain(error)
        return USAGE
    except (RecordError, UntrustedError) as error:
        cli_complain(f"does not hold: {error}")
        return NOT_SO
    except OSError as error:
        cli_complain_of_file(given.records[0], error)
        return NOT_SO
    drill = costly_positions_drill(name, games, given.most)
    if left_out := len(games) - drill.games:
        cli_complain(
            f"{text_counted(left_out, 'game')} left out: cut short, ended by the platform, or not covered by the value"
        )
    if not drill.positions:
        cli_complain("no decision there cost anything, so no file is written")
        return NOT_SO
    try:
        given.file.write_text(drill.encode(), encoding="utf-8")
    except OSError as error:
        cli_complain_of_file(given.file, error)
        return NOT_SO
    if given.json:
        names = ("ruleset", "value", "bot", "games", "decisions", "lost", "held")
        numbers = {name: getattr(drill, name) for name in names}
        cli_say_json({"file": str(given.file), "positions": len(drill.positions)} | numbers)
    else:
        cli_say(*_made(drill, given.file))
    return OK


def _sources(given: argparse.Namespace) -> tuple[str, list[Source]]:
    """Return the bot whose decisions are analysed, and its recorded games.

    Raises:
        RunError, OSError: there are no records.
    """
    for path in given.records:
        path.stat()  # raises an error if the path is missing: otherwise it would be mistaken for a record
    folders = [path for path in given.records if path.is_dir()]
    if not folders:
        if given.seat is None:
            raise RunError("a single record does not say which seat is your bot's: give --seat")
        return f"seat {given.seat}", [Source(path, (given.seat,)) for path in given.records]
    if len(given.records) > 1 or given.seat is not None:
        raise RunError("give one folder, with --bot if it is not of its first bot; or single records with --seat")
    name, found = stored_run_seats(folders[0], given.bot)
    if not found:
        raise RunError(f"{folders[0]}: holds no game yet")
    return name, [Source(*one) for one in found]


def _all_looked_at(sources: Sequence[Source], processes: int) -> Iterator[LookedAt]:
    if processes == 1:
        yield from map(positions_looked_at, sources)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        try:
            yield from pool.map(positions_looked_at, sources)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _made(drill: Drill, file: Path) -> Iterator[str]:
    decisions = f"{text_counted(drill.decisions, 'decision')} in {text_counted(drill.games, 'game')}"
    yield f"{decisions} of {drill.bot} lost {_points(drill.lost)} points by the value {drill.value}"
    held = f"{text_counted(len(drill.positions), 'position')} with {100 * drill.held:.0f} % of that"
    yield f"{file}: {held}; now: peck drill BOT {file}"


@dataclass(frozen=True, slots=True)
class Again:
    """A position with the bot's new answer or failure."""

    position: Position
    answer: str
    fault: SeatFault | None

    @property
    def before(self) -> int:
        """How much the recorded action loses, in units of 1e-9 of the share of opponents beaten."""
        return self.position.lost(self.position.action)

    @property
    def now(self) -> int:
        """How much the bot's new answer loses, in the same unit. A failure loses as much as the worst action."""
        return (
            self.position.lost(self.answer) if not self.fault else max(map(self.position.lost, self.position.options))
        )

    def line(self, number: int) -> str:
        """Return the position and its result as a line."""
        answer = f"failed: {cli_fault_line(self.fault)}" if self.fault else f"{self.answer!r} {_loss(self.now)}"
        same = " (the same)" if self.answer == self.position.action else ""
        return (
            f"{number:2}. {self.position.name}: was {self.position.action!r} {_loss(self.before)},"
            f" now {answer}{same}; best {self.position.best!r}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the position and its result as JSON."""
        one = self.position
        verdict = self.fault.verdict.value if self.fault else ""
        return {
            "game": one.game,
            "seat": one.seat,
            "number": one.number,
            "best": one.best,
            "before": {"action": one.action, "lost": self.before},
            "now": {"action": self.answer, "lost": self.now, "fault": verdict},
        }


def drill_made_again(
    drill: Drill, bot: Mapping[str, bytes], cage: CageProtocol, limits: Limits, *, history: bool = False
) -> Iterator[Again]:
    """Ask the bot at every position. For each position, the bot is started again with the seed of its seat.

    Raises:
        RecordError: see ``Position.recorded_seat``.
        PlatformFault: the cage broke.
    """
    for position in drill.positions:
        found = rerun(position.recorded_seat(history=history), bot, cage, limits, compare=False)
        yield Again(position, found.answer, found.fault)


def run_drill(given: argparse.Namespace) -> int:
    """Let the bot decide again and print each position. Return 1 if a decision loses more than before, beyond the
    tolerance.
    """
    try:
        drill, limits = Drill.read(given.file), peck_series_limits(given.limit)
        if not luck_value_is_known(drill.ruleset, drill.value):
            known = ", ".join(luck_values_of(drill.ruleset))
            there_is = f" (it has {known})" if known else ""
            cli_complain(UNKNOWN_VALUE % (given.file, drill.value, drill.ruleset, there_is))
            return USAGE
        with (
            peck_bots_at([given.bot]) as (bot,),
            site_cage_at_home(caged=given.caged, in_process=given.in_process) as cage,
        ):
            if not given.history and _has_class(bot):
                cli_complain(STATEFUL % bot.name)
            again = list(drill_made_again(drill, bot, cage, limits, history=given.history))
    except USAGE_ERRORS as error:
        cli_complain(error)
        return USAGE
    except OSError as error:
        cli_complain_of_file(given.file, error)
        return USAGE
    except (RecordError, UntrustedError) as error:
        cli_complain(f"{given.file}: {error}")
        return USAGE
    except PlatformFault as error:
        cli_complain(error)
        return UNABLE
    grown = [one for one in again if one.now - one.before > given.tolerance / 100 * UNIT]
    if given.json:
        document = {"value": drill.value, "bot": bot.name, "positions": [one.to_dict() for one in again]}
        totals = {"before": sum(one.before for one in again), "now": sum(one.now for one in again)}
        print(json.dumps(document | totals | {"grown": len(grown)}))
    else:
        cli_say(*_result_lines(drill, bot.name, again, len(grown), given.tolerance))
    for one in again:
        if one.fault:
            cli_complain(f"{one.position.name}: {cli_fault_line(one.fault)}")
            cli_print_fault(one.fault, sys.stderr)
            return FAULT
    return NOT_SO if grown else OK


def _result_lines(drill: Drill, name: str, again: Sequence[Again], grown: int, tolerance: float) -> Iterator[str]:
    yield f"by the value {drill.value}, in points: 100 for every opponent beaten"
    yield from (one.line(number) for number, one in enumerate(again, 1))
    before, now = (sum(getattr(one, when) for one in again) for when in ("before", "now"))
    better = sum(one.now < one.before for one in again)
    yield (
        f"{name} loses {_points(now)} points, before it was {_points(before)}: less at"
        f" {text_counted(better, 'position')}, more than {tolerance:g} more at {text_counted(grown, 'position')}"
    )


def _has_class(bot: HomeBot) -> bool:
    """Return whether the bot is a class. Such a bot can keep state between decisions."""
    return re.search(rb"^(class Bot\b|Bot\s*=)", next(iter(bot.values())), re.MULTILINE) is not None


def _points(lost: int) -> str:
    return f"{100 * lost / UNIT:.1f}"


def _loss(lost: int) -> str:
    return f"(loses {_points(lost)})" if lost else "(loses nothing)"
