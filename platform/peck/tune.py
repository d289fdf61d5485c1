"""``peck tune``: find better values for the numbers that a bot declares, and let the gate confirm them."""

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from games.catalogue import ruleset_find_or_current
from games.protocol import Limits, PlatformFault
from luck import UNIT, GameAccount, luck_analyse, luck_value_of
from matches.referee.scoring import scoring_by_seat, scoring_shares_beaten
from peck import INTERRUPTED, NOT_SO, OK, UNABLE, USAGE, gate, text_counted
from peck.bots import ENTRY, HomeBot, peck_bots_as_uploaded, peck_bots_at
from peck.cli import Commands, ProgressBar, cli_complain, cli_complain_of_file, cli_positive, cli_say
from peck.in_process import InProcessCage
from peck.parameters import Parameter, ParametersError, parameters_declared, parameters_rewritten
from peck.processes import peck_process_allowed_cores
from peck.project import project_game
from peck.series import USAGE_ERRORS, Series, peck_series_options, peck_series_play_block, peck_series_take_core
from peck.spsa import Spsa, spsa_bars
from peck.stored_run import RunError, stored_run_bot_digest, stored_run_write_whole

FORMAT: Final = 1  # frozen: tuning
LEDGER: Final = "tune.jsonl"
TUNED: Final = "tuned"
PLAYERS: Final = 2  # the candidates


class StepResult(NamedTuple):
    """The results of a step. For each block, ``shares`` has the share of the first candidate and ``luck`` its luck,
    which is 0 if luck is not subtracted. ``faults`` is the number of games in which a bot failed.
    """

    shares: list[float]
    luck: list[float]
    faults: int


def command_add(commands: Commands) -> None:
    """Add the command to the parser of ``peck``."""
    tune = commands.add_parser("tune", help="search for the best values of a bot's PARAMETERS")
    tune.add_argument("game", nargs="?", help="a game that two can play; by default the one in peck.json")
    tune.add_argument("bot", type=Path, metavar="BOT", help="a .py file, a .zip or a folder with bot.py")
    tune.add_argument("--steps", type=cli_positive, default=100, help="number of steps of the search")
    tune.add_argument(
        "--blocks",
        type=cli_positive,
        default=10,
        help="number of blocks in each step: a seed, played in both rotations of the seats",
    )
    tune.add_argument("--seed", default="peck", help="any text; the same text gives the same result")
    tune.add_argument(
        "--luck",
        action="store_true",
        help="use luck-adjusted results: analysing a game takes ten times as long as fast bots play it",
    )
    tune.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game; may be repeated"
    )
    tune.add_argument(
        "-j",
        dest="processes",
        type=cli_positive,
        default=len(peck_process_allowed_cores()) or 1,
        metavar="N",
        help="number of blocks to play in parallel",
    )
    tune.add_argument(
        "--run", dest="folder", type=Path, metavar="DIR", help="the folder for the results (default: tune-NAME)"
    )
    tune.add_argument("--resume", action="store_true", help="continue the run in that folder")
    tune.add_argument("--gate", action="store_true", help="then run peck gate to test whether the result is better")
    tune.add_argument("--json", action="store_true", help="print the result as JSON")
    tune.set_defaults(run=run_tune)


def run_tune(given: argparse.Namespace) -> int:
    """Tune a bot. Return the exit code; with ``--gate``, that of the gate."""
    try:
        with peck_bots_at([given.bot]) as (bot,):
            given.game = given.game or project_game(given.bot)
            ruleset = ruleset_find_or_current(given.game)
            options = peck_series_options(ruleset, given.option)
            ruleset.validate(PLAYERS, options)
            source = bot[ENTRY]
            search = Spsa(parameters_declared(source), given.steps, given.seed)
            if given.luck and not luck_value_of(ruleset.id):
                raise RunError(f"there is no value for {ruleset.id}: leave out --luck")
            series = Series(ruleset.id, options, Limits(), given.seed.encode() or b"peck", (bot, bot), in_process=True)
            folder = given.folder or Path(f"tune-{bot.name}")
            ledger = TuningLedger.opened(folder, _terms(given, series, search), resume=given.resume)
            code = _searched(given, search, series, bot, ledger)
            if code == OK:
                _write_bot(bot, folder / TUNED, _named(search.parameters, search.best))
    except (*USAGE_ERRORS, ParametersError, RunError) as error:
        cli_complain(error)
        return USAGE
    except PlatformFault as error:
        cli_complain(error)
        return UNABLE
    except OSError as error:
        cli_complain_of_file(given.bot, error)
        return NOT_SO
    if code != OK:
        return code
    return _proposed(given, search, folder / TUNED)


def _searched(given: argparse.Namespace, search: Spsa, series: Series, bot: HomeBot, ledger: "TuningLedger") -> int:
    """Take the steps that are not stored yet. Return the exit code."""
    for kept in ledger.steps[: search.steps]:
        search.move(kept.shares, kept.luck)
    if ledger.steps:
        cli_complain(f"{search.step} of {text_counted(search.steps, 'step')} stored: playing the others")
    faults = sum(one.faults for one in ledger.steps)
    progress = ProgressBar(search.steps, "step")
    try:
        with (
            closing(progress),
            _blocks_player(given.processes, luck=given.luck) as player,
            TemporaryDirectory(prefix="peck-") as folder,
        ):
            while search.step < search.steps:
                pair = search.pair()
                sides = [
                    _write_bot(bot, Path(folder).resolve() / f"{side}-{search.step}", _named(search.parameters, values))
                    for side, values in asdict(pair).items()
                ]
                first = search.step * given.blocks
                result = player(replace(series, bots=tuple(sides)), range(first, first + given.blocks))
                ledger.store(result)
                search.move(result.shares, result.luck)
                faults += result.faults
                progress.show(search.step)
    except KeyboardInterrupt:
        cli_complain(f"interrupted after {search.step} of {text_counted(search.steps, 'step')}: continue with --resume")
        return INTERRUPTED
    if faults:
        cli_complain(f"note: a candidate failed in {text_counted(faults, 'game')}, which it has lost")
    return OK


def _proposed(given: argparse.Namespace, search: Spsa, tuned: Path) -> int:
    """Print the result. Then run the gate, or print how to run it."""
    if given.json:
        found = {one.name: {"start": one.start, "tuned": value} for one, value in _pairs(search)}
        games = PLAYERS * given.blocks * search.steps
        print(json.dumps({"parameters": found, "games": games, "bot": str(tuned)}))
    else:
        width = max(len(one.name) for one in search.parameters)
        for at, (one, value) in enumerate(_pairs(search)):
            chart = spsa_bars([point[at] for point in search.points])
            cli_say(f"{one.name.ljust(width)}  {one.start:g} -> {value:g} (from {one.low:g} to {one.high:g})  {chart}")
    if given.gate:
        options = {"game": given.game, "bots": [given.bot, tuned], "seed": f"{given.seed}/gate", "option": given.option}
        how = {"limit": [], "caged": False, "in_process": True, "json": given.json, "processes": given.processes}
        rule = {"effect": 0.1, "error": 0.05, "luck": given.luck, "blocks": 500, "records": None, "resume": False}
        return gate.run_gate(argparse.Namespace(**options, **how, **rule))
    if not given.json:
        more = " --in-process" + " --luck" * given.luck + "".join(f" --option {one}" for one in given.option)
        cli_say(f"{tuned}: is it better? peck gate {given.game} {given.bot} {tuned}{more} --seed {given.seed}/gate")
    return OK


def _pairs(search: Spsa) -> list[tuple[Parameter, float]]:
    return list(zip(search.parameters, search.best, strict=True))


def _named(parameters: Sequence[Parameter], values: Sequence[float]) -> dict[str, float]:
    return {one.name: value for one, value in zip(parameters, values, strict=True)}


def _write_bot(bot: HomeBot, folder: Path, values: Mapping[str, float]) -> HomeBot:
    """Write the files of the bot that would be uploaded, with other values of its parameters."""
    for name, content in peck_bots_as_uploaded(bot).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        stored_run_write_whole(path, parameters_rewritten(content, values) if name == ENTRY else content)
    return HomeBot(folder.name, folder)


@contextmanager
def _blocks_player(processes: int, *, luck: bool) -> Iterator[Any]:
    """Yield a function that plays the blocks of a series and returns a ``StepResult``, which does not depend on the
    number of processes.
    """

    def gathered(results: Iterator[tuple[float, float, int]]) -> StepResult:
        shares, lucks, faults = zip(*results, strict=True)
        return StepResult(list(shares), list(lucks), sum(faults))

    if processes == 1:
        yield lambda series, blocks: gathered(map(_played, repeat(series), repeat(luck), blocks))
        return
    context = get_context("spawn")
    places = context.SimpleQueue()
    for place in range(processes):
        places.put(place)
    with ProcessPoolExecutor(
        processes, mp_context=context, initializer=peck_series_take_core, initargs=(places,)
    ) as pool:
        try:
            yield lambda series, blocks: gathered(pool.map(_played, repeat(series), repeat(luck), blocks))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


_cages: list[InProcessCage] = []  # of this process


def _played(series: Series, luck: bool, block: int) -> tuple[float, float, int]:
    """Return the share of a block's first bot, the luck of this bot (0 without ``luck``), and the number of games in
    which a bot failed.
    """
    if not _cages:
        _cages.append(InProcessCage())
    shares, lucks, faults = [], [], 0
    for game in peck_series_play_block(series, block, _cages[0]).games:
        shares.append(float(scoring_shares_beaten(game.places)[0]))
        found = luck_analyse(game.record) if luck else None
        lucks.append(scoring_by_seat(found.luck, game.index)[0] / UNIT if isinstance(found, GameAccount) else 0.0)
        faults += bool(game.faults)
    return fmean(shares), fmean(lucks), faults


def _terms(given: argparse.Namespace, series: Series, search: Spsa) -> dict[str, Any]:
    """Return the settings that all steps of a run share."""
    terms = {
        "game": series.ruleset,
        "options": dict(series.options),
        "value": luck_value_of(series.ruleset) if given.luck else "",
    }
    terms |= {
        "seed": given.seed,
        "steps": given.steps,
        "blocks": given.blocks,
        "bot": stored_run_bot_digest(series.bots[0]),
    }
    return terms | {"parameters": [asdict(one) for one in search.parameters]}


class TuningLedger:
    """The stored steps of a run: a line with its terms, then a line for each step. An incomplete line is ignored, and
    the step that it is about is played again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.steps: list[StepResult] = []

    @classmethod
    def opened(cls, folder: Path, terms: Mapping[str, Any], *, resume: bool) -> "TuningLedger":
        """Open the folder for a run with these terms. With ``resume``, its stored steps are read.

        Raises:
            RunError: it contains a run and ``resume`` is false, or a run with other terms.
            OSError: the folder cannot be created or read.
        """
        ledger, head = cls(folder / LEDGER), json.loads(json.dumps({"format": FORMAT, **terms}))
        folder.mkdir(parents=True, exist_ok=True)
        if not ledger._path.exists():
            stored_run_write_whole(ledger._path, _line(head))
        elif not resume:
            raise RunError(
                f"{folder}: contains a run already: continue it with --resume, or name another folder with --run"
            )
        else:
            ledger._read(head)
        return ledger

    def store(self, step: StepResult) -> None:
        """Append a step.

        Raises:
            OSError: it cannot be written.
        """
        with self._path.open("ab") as file:
            file.write(_line(step._asdict()))
            file.flush()
            os.fsync(file.fileno())
        self.steps.append(step)

    def _read(self, head: Mapping[str, Any]) -> None:
        first, *lines = self._path.read_bytes().splitlines(keepends=True) or [b""]
        try:
            terms = json.loads(first)
            differ = sorted(name for name in head.keys() | terms if terms.get(name) != head.get(name))
        except (ValueError, AttributeError, TypeError):
            raise RunError(f"{self._path}: is not a run of peck tune: name another folder") from None
        if differ:
            raise RunError(f"{self._path}: is a run with other {', '.join(differ)}: name another folder")
        for line in lines:
            try:
                if not line.endswith(b"\n"):
                    break
                self.steps.append(StepResult(**json.loads(line)))
            except (ValueError, TypeError):
                break  # this line and all that follow are played again
        stored_run_write_whole(self._path, b"".join([first, *(_line(one._asdict()) for one in self.steps)]))


def _line(content: object) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode() + b"\n"
