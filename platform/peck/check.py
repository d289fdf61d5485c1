"""``peck check``: run the checks of an upload on this machine, with the messages of the site."""

import argparse
import json
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from bots.upload_errors import UploadError
from bots.uploads import upload_unpack
from bots.verdicts import bot_verdict_explanation, verdict_stage_label
from games.catalogue import GAMES, UnknownRuleset, ruleset_find_or_current
from games.protocol import PlatformFault
from games.untrusted import UntrustedError, untrusted_lines_quoted
from matches.referee.trial import trial_house_opponent, trial_of_version
from peck import FAULT, NOT_SO, OK, UNABLE, USAGE, text_counted
from peck.account import peck_account_upload_limits
from peck.bots import ENTRY, HomeBot, NoBotError, peck_bots_packed
from peck.child_limits import child_limits_unchecked
from peck.cli import Commands, cli_add_json, cli_complain, cli_complain_of_file, cli_say, cli_say_json
from peck.project import ProjectError, project_game
from peck.series import peck_series_add_caged
from peck.site_cage import site_cage_at_home

SECONDS: Final = 60.0  # seconds for all games together; the default of sites
TIME_VERDICTS: Final = ("cpu_time", "wall_time", "slept")  # verdicts with a limit in seconds


def command_add(commands: Commands) -> None:
    """Add the command to the parser of ``peck``."""
    check = commands.add_parser("check", help="run the site's check on a bot")
    check.add_argument("game", nargs="?", help=f"{', '.join(GAMES)}; by default the one in peck.json beside the bot")
    check.add_argument("bot", type=Path, metavar="BOT", help="a .py file, a .zip or a folder with bot.py, as uploaded")
    check.add_argument(
        "--view", type=Path, default=Path("view.json"), help="where to write the view on which the bot fails"
    )
    peck_series_add_caged(check)
    cli_add_json(check)
    check.set_defaults(run=run_check)


def run_check(given: argparse.Namespace) -> int:
    """Check the bot as the site does, but without its cage unless ``--caged`` is given."""
    try:
        ruleset = ruleset_find_or_current(given.game or project_game(given.bot))
        name, data = peck_bots_packed(given.bot)
    except (UnknownRuleset, NoBotError, ProjectError) as error:
        cli_complain(error)
        return USAGE
    except (OSError, UntrustedError) as error:
        cli_complain(f"{given.bot}: {getattr(error, 'strerror', None) or error}")
        return USAGE
    try:
        files = upload_unpack(name, data, limits=peck_account_upload_limits(os.environ))
    except UploadError as error:
        if given.json:
            cli_say_json({"accepted": False, "ruleset": ruleset.id, "report": {"detail": str(error)}})
        else:
            cli_say(f"{given.bot}: not accepted: {error}")
        return FAULT
    with TemporaryDirectory(prefix="peck-") as folder:
        candidate = _bot_in(given.bot.stem, files, Path(folder, "candidate"))
        opponent = _bot_in("house", trial_house_opponent(ruleset.name), Path(folder, "house"))
        try:
            with site_cage_at_home(caged=given.caged, strict=True) as cage:
                at_fault, report = trial_of_version(
                    candidate, opponent, sha256(data).digest(), ruleset, cage, seconds=SECONDS
                )
        except PlatformFault as error:
            cli_complain(error)
            return UNABLE
    if given.json:
        cli_say_json({"accepted": not at_fault, "ruleset": ruleset.id, "report": report})
        return FAULT if at_fault else OK
    if report.get("act_idle"):
        cli_say(f"{given.bot}: has a class Bot and a function act: only the class is used")
    if at_fault:
        return _print_refusal(given, report)
    cli_say(
        f"{given.bot}: accepted for {ruleset.id}: {text_counted(report['games'], 'game')},"
        f" the slowest action took {1000 * report['slowest_action']:.1f} of {1000 * report['limit']:.0f} ms"
    )
    _print_quoted("it printed in its first game:", report["output"])
    if not given.caged:
        cli_say(f"not checked here: {child_limits_unchecked()}")
    return OK


def _bot_in(name: str, files: Mapping[str, bytes], folder: Path) -> HomeBot:
    """Write the files into the folder and return the bot that they make. It has the same files as in the cage."""
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return HomeBot(name, folder, ENTRY)


def _print_refusal(given: argparse.Namespace, report: Mapping[str, Any]) -> int:
    explained = bot_verdict_explanation(report["verdict"])
    line = f", line {report['line']}" if report.get("line") else ""
    stage = verdict_stage_label(report["stage"])
    cli_say(f"{given.bot}: refused ({report['verdict']}{line}) {stage}: {explained.title} {explained.advice}")
    _print_quoted("", report.get("detail", ""))
    if report.get("answer"):
        cli_say(f"it answered {report['answer']!r}")
    if report["verdict"] in TIME_VERDICTS and report.get("limit"):
        cli_say(
            f"{report['cpu']:.3f} s of processor, {report['wall']:.3f} s by the clock; the limit is {report['limit']} s"
        )
    _print_quoted("it printed:", report.get("output", ""))
    if report.get("view") is not None:
        try:
            given.view.write_text(json.dumps(report["view"], indent=1), encoding="utf-8")
        except OSError as error:
            cli_complain_of_file(given.view, error)
            return NOT_SO
        cli_say(f"the view is in {given.view}: peck replay {given.bot} {given.view}")
    return FAULT


def _print_quoted(head: str, text: str) -> None:
    if text.strip():
        print("\n".join([*([head] if head else []), *untrusted_lines_quoted(text)]))
