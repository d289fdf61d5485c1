"""``peck dataset``: download the data set of a tournament or season, after the site has prepared it."""

import argparse
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any, Final
from urllib.parse import quote

from games.untrusted import untrusted_field
from matches.proof.dataset import PACKED_BYTES
from peck import NOT_SO, OK
from peck.account import peck_account_names_close_to, peck_account_on_site
from peck.cli import Commands, cli_complain_of_file, cli_positive, cli_say, cli_say_json
from peck.connection import NOT_PREPARED, SiteError
from peck.site import Site

JSON, PARQUET = ("dataset.zip", "dataset-parquet.zip")
NOT_THERE: Final = 404
_WAITING: Final = "the site is preparing it"


def command_add(commands: Commands) -> None:
    """Add ``dataset`` to ``commands``."""
    dataset = commands.add_parser("dataset", help="download the data set of a tournament, or of a season of a league")
    dataset.add_argument("contest", metavar="EVENT", help="the name in the address of the tournament or the league")
    dataset.add_argument("--season", type=cli_positive, metavar="NUMBER", help="number of the season, for a league")
    dataset.add_argument("--parquet", action="store_true", help="as Parquet; peck verify takes JSON lines")
    dataset.add_argument("--output", type=Path, metavar="FILE", help="the file to write (default: EVENT-dataset.zip)")
    dataset.add_argument("--json", action="store_true", help="print the name and size of the file as JSON")
    dataset.set_defaults(run=peck_account_on_site(run_dataset))


def run_dataset(site: Site, given: argparse.Namespace, wait: Callable[[float], Any] = sleep) -> int:
    """Order the data set, wait for it and store it. Return the exit code."""
    name, event = (PARQUET if given.parquet else JSON), quote(given.contest, safe="")
    of = f"leagues/{event}/seasons/{given.season}" if given.season else f"tournaments/{event}"
    label = f"{event}-{given.season}" if given.season else event
    target: Path = given.output or Path(f"{label}-{name}")
    is_waiting = False
    try:
        while seconds := site.prepared(f"{of}/export/{name}", target, PACKED_BYTES):
            if not is_waiting and not given.json:
                cli_say(_WAITING)
            is_waiting = True
            wait(seconds)
    except SiteError as error:
        raise _refused(site, given, error) from error
    except OSError as error:
        cli_complain_of_file(target, error)
        return NOT_SO
    size = target.stat().st_size
    if given.json:
        cli_say_json({"file": str(target), "bytes": size})
    else:
        cli_say(f"{target}: {size} bytes")
    return OK


def _refused(site: Site, given: argparse.Namespace, error: SiteError) -> SiteError:
    """Return the refusal, with the names of the site's events if the event is unknown."""
    if error.status != NOT_THERE or error.code == NOT_PREPARED:
        return error
    kind = "leagues" if given.season else "tournaments"
    listed = [untrusted_field(one, "slug", str) for one in site.contests(kind)]
    if given.contest in listed:
        return error
    known = peck_account_names_close_to(given.contest, listed)
    return SiteError(f"EVENT {given.contest!r}: not among the {kind} of {site.address}: {known}", NOT_THERE)
