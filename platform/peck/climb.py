"""``peck climb``: let a bot play the house bots, weakest first, up to the first that it does not beat."""

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from games.catalogue import GAMES, ruleset_find_or_current
from games.game import HouseBot
from games.protocol import PlatformFault
from games.version import VERSION
from peck import FAULT, INTERRUPTED, NOT_SO, OK, UNABLE, USAGE, text_counted
from peck.bots import peck_bots_at
from peck.cli import Commands, cli_complain, cli_complain_of_file, cli_say
from peck.decided_series import DecidedSeries, NoValueError, decided_add_rule, decided_series, decided_with_rule
from peck.project import project_game
from peck.series import (
    USAGE_ERRORS,
    Series,
    peck_series_add_limits,
    peck_series_add_where,
    peck_series_json_default,
    peck_series_limits,
    peck_series_options,
)
from peck.stored_run import (
    RunError,
    StoredRun,
    stored_run_add_arguments,
    stored_run_bot_digest,
    stored_run_resume_check,
)
from peck.tally import Line

PLAYERS: Final = 2  # the bot and a house bot
HEAD: Final = ("rung", "bot", "verdict", "beaten", "95 %", "games")


class Rung(NamedTuple):
    """A house bot, with its number in the order of strength, from 1."""

    number: int
    bot: HouseBot

    @property
    def folder(self) -> str:
        """The folder for the records of its games, below ``--records``."""
        return f"{self.number:02}-{self.bot.slug}"


class RungError(Exception):
    """There is no such rung. The message lists all rungs."""


class Climbed(NamedTuple):
    """A rung and the series against it."""

    rung: Rung
    series: DecidedSeries

    @property
    def line(self) -> Line:
        """The results of the bot that climbs."""
        return self.series.lines()[1]

    def row(self) -> tuple[str, ...]:
        """Return the cells of the table, see ``HEAD``."""
        line = self.line
        within = f"{line.low:.3f} to {line.high:.3f}"
        answer = "beaten" if self.series.answer == "better" else self.series.answer
        return (str(self.rung.number), self.rung.bot.slug, answer, f"{line.share:.3f}", within, str(line.games))

    def to_dict(self) -> dict[str, Any]:
        """Return the rung and its result as JSON."""
        line, bot = self.line, self.rung.bot
        found = {"rung": self.rung.number, "bot": bot.slug, "sha256": sha256(bot.source()).hexdigest()}
        results = {name: getattr(line, name) for name in ("games", "share", "low", "high", "faults")}
        return found | self.series.to_dict() | results


def command_add(commands: Commands) -> None:
    """Add the command to the parser of ``peck``."""
    climb = commands.add_parser("climb", help="play house bots, the weakest first, until one is not beaten")
    climb.add_argument("bot", type=Path, metavar="BOT", help="a .py file, a .zip or a folder with bot.py")
    climb.add_argument("--game", help=f"{', '.join(GAMES)}; by default the one in peck.json beside the bot")
    climb.add_argument(
        "--from",
        dest="first",
        default="1",
        metavar="RUNG",
        help="the rung to start from: its number, or the name of its bot",
    )
    stored_run_add_arguments(climb, "the games, a folder for each rung")
    climb.add_argument("--seed", default="peck", help="any text; the same text gives the same games")
    climb.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game; may be repeated"
    )
    decided_add_rule(climb)
    peck_series_add_limits(climb)
    peck_series_add_where(climb)
    climb.set_defaults(run=run_climb)


def climb_rungs(game: str, first: str = "1") -> list[Rung]:
    """Return the rungs of ``game``, starting at ``first``, which is the number of a rung or the name of its bot.

    >>> [rung.bot.slug for rung in climb_rungs("heckmeck", "brood-hen")]
    ['brood-hen', 'silver-fox']

    Raises:
        RungError: there is no such rung.
    """
    rungs = [Rung(number, bot) for number, bot in enumerate(GAMES[game].house_bots, 1)]
    for at, rung in enumerate(rungs):
        if first in (str(rung.number), rung.bot.slug):
            return rungs[at:]
    known = ", ".join(f"{rung.number} {rung.bot.slug}" for rung in rungs)
    raise RungError(f"--from: there is no rung {first!r:.80}: there are {known}")


def run_climb(given: argparse.Namespace) -> int:
    """Climb until a rung is not beaten, and print the rungs."""
    climbed: list[Climbed] = []
    code = OK
    with ExitStack() as stack:
        try:
            ruleset = ruleset_find_or_current(given.game or project_game(given.bot))
            options, limits = peck_series_options(ruleset, given.option), peck_series_limits(given.limit)
            ruleset.validate(PLAYERS, options)
            rungs = climb_rungs(ruleset.name, given.first)
            stored_run_resume_check(given)
            if given.records and given.records.exists() and not given.resume:
                raise RunError(f"{given.records}: exists already: continue it with --resume, or name another folder")
            (bot,) = stack.enter_context(peck_bots_at([given.bot]))
            digest = stored_run_bot_digest(bot)
            secret = given.seed.encode() or b"peck"
            where = (given.caged, given.in_process)
            common = decided_with_rule(Series(ruleset.id, options, limits, secret, (bot, bot), *where), given)
            for one in _climbed(given, common, rungs):
                climbed.append(one)
                if one.series.answer != "better":
                    break
        except (RungError, NoValueError, RunError, *USAGE_ERRORS) as error:
            cli_complain(error)
            return USAGE
        except KeyboardInterrupt:
            code = INTERRUPTED
        except PlatformFault as error:
            cli_complain(error)
            code = UNABLE
        except OSError as error:
            cli_complain_of_file(given.records or given.bot, error)
            code = NOT_SO
    if climbed:
        beaten = sum(one.series.answer == "better" for one in climbed)
        if given.json:
            head = {"ruleset": ruleset.id, "version": VERSION, "seed": given.seed, "bot": given.bot.stem}
            found = head | {"sha256": digest, "beaten": beaten, "rungs": [one.to_dict() for one in climbed]}
            print(json.dumps(found, default=peck_series_json_default))
        else:
            cli_say(*_table(climbed), _verdict(climbed, given.bot.stem, beaten))
        if any(game.faults for one in climbed for game in one.series.games):
            return code or FAULT
        return code or (OK if beaten == len(rungs) else NOT_SO)
    return code


def _climbed(given: argparse.Namespace, common: Series, rungs: Sequence[Rung]) -> Iterator[Climbed]:
    """Play the rungs, one after another.

    Raises:
        KeyboardInterrupt: the user interrupted a rung, which then has no result.
        PlatformFault: see ``decided_series``; or a rung needs numpy, which is not installed.
        RunError, OSError: the records cannot be written.
    """
    with TemporaryDirectory(prefix="peck-") as house:
        for rung in rungs:
            if rung.bot.needs_numpy and find_spec("numpy") is None:
                raise PlatformFault(f"rung {rung.number}, {rung.bot.slug}, needs numpy: pip install numpy")
            file = Path(house, rung.bot.file_name)
            file.write_bytes(rung.bot.source())
            with peck_bots_at([file, given.bot]) as bots:
                series = replace(common, bots=tuple(bots))
                folder = given.records and given.records / rung.folder
                stored = StoredRun.opened(folder, series, resume=given.resume) if folder else None
                played = decided_series(series, given.blocks, given.processes, stored)
            if played.end is None:
                raise KeyboardInterrupt
            yield Climbed(rung, played)


def _table(climbed: Sequence[Climbed]) -> list[str]:
    rows = [HEAD, *(one.row() for one in climbed)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEAD))]
    left = (str.rjust, str.ljust, str.ljust, str.rjust, str.rjust, str.rjust)
    return ["  ".join(put(cell, width) for put, cell, width in zip(left, row, widths, strict=True)) for row in rows]


def _verdict(climbed: Sequence[Climbed], name: str, beaten: int) -> str:
    last, games = climbed[-1], sum(one.line.games for one in climbed)
    stood = f"rung {last.rung.number} ({last.rung.bot.slug})"
    how = f"beats every rung up to {stood}" if last.series.answer == "better" else f"does not beat {stood}"
    return f"{name} {how}: {text_counted(beaten, 'rung')} beaten in {text_counted(games, 'game')}"
