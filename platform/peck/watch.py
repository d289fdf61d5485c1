"""``peck watch``: write a record in the replay player as one HTML file that plays without a network.

The player comes from the site: its kit contains, for each game, a page of the player without a record.
"""

import argparse
import base64
import gzip
import html
import json
import re
import webbrowser
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

from games.encoding import LONGEST
from games.record import Record, RecordError
from games.untrusted import UntrustedError, untrusted_file_read
from matches.replay.frame_encoding import frame_encoding_of_record
from peck import NOT_SO, OK, USAGE
from peck.cli import Commands, cli_complain, cli_say

PLAYERS: Final = "players"
ADDRESS: Final = "/game"  # address from which the player requests the frames


class NoPlayerError(Exception):
    """This installation of peck contains no player, because it does not come from a site."""


def command_add(commands: Commands) -> None:
    """Add the command to the parser of ``peck``."""
    watch = commands.add_parser("watch", help="watch a recorded game in the browser")
    watch.add_argument("file", type=Path, metavar="FILE", help="a record of a match or of --records")
    watch.add_argument("--names", nargs="+", metavar="NAME", help="names of the players, in the order of their seats")
    watch.add_argument(
        "-o", "--output", type=Path, metavar="FILE.html", help="write the page to this file, and do not open it"
    )
    watch.set_defaults(run=run_watch)


def run_watch(given: argparse.Namespace) -> int:
    """Write the page and open it."""
    try:
        page = watch_page(untrusted_file_read(given.file, LONGEST), given.names or (), given.file.stem)
    except NoPlayerError as error:
        cli_complain(error)
        return NOT_SO
    except OSError as error:
        cli_complain(f"{given.file}: {error.strerror or error}")
        return USAGE
    except (RecordError, UntrustedError, ValueError) as error:
        cli_complain(f"{given.file}: {error}")
        return USAGE
    target = given.output or Path(mkdtemp(prefix="peck-")) / f"{given.file.stem}.html"
    try:
        target.write_text(page, encoding="utf-8")
    except OSError as error:
        cli_complain(f"{target}: {error.strerror or error}")
        return NOT_SO
    cli_say(target)
    if given.output is None and not webbrowser.open(target.resolve().as_uri()):
        cli_complain("no browser was found: open that file in one")
    return OK


def watch_page(data: bytes, names: Sequence[str], title: str) -> str:
    """Return a page that plays the record.

    Raises:
        NoPlayerError: the kit has no player.
        RecordError: the record cannot be replayed.
        ValueError: the number of names differs from the number of seats.
    """
    record, outcome, _ = Record.proved(data)
    if names and len(names) != record.players:
        raise ValueError(f"it has {record.players} seats, and {len(names)} names were given")
    named = list(names) or [f"Seat {chr(ord('A') + seat)}" for seat in range(record.players)]
    page = watch_player_of_kit(record.ruleset.partition("/")[0])
    end = {"places": list(outcome.places), "reason": outcome.reason, "tie_break": outcome.tie_break}
    frames = frame_encoding_of_record(0, data).json(end=end)
    page = _changed(
        page,
        "replay-data",
        ruleset=record.ruleset,
        games=1,
        frames=ADDRESS,
        seats=[{"name": one, "version": 1} for one in named],
    )
    packed = base64.b64encode(gzip.compress(frames.encode(), 6, mtime=0)).decode()
    page = _changed(page, "kept", first=0, games={ADDRESS: packed})
    return re.sub("<title>[^<]*</title>", lambda _: f"<title>{html.escape(title)}</title>", page, count=1)


def watch_player_of_kit(game: str) -> str:
    """Return the page of the player for a ``game``, without a record.

    Raises:
        NoPlayerError: the kit contains no player.
    """
    shell = files(__package__).joinpath(PLAYERS, f"{game}.html")
    if not shell.is_file():
        raise NoPlayerError("this peck has no player: take peck.pyz or the package pecking from a site")
    return shell.read_text(encoding="utf-8")


def _changed(page: str, name: str, **values: Any) -> str:
    """Return the page with these values in its JSON element ``name``."""
    begin = f'<script id="{name}" type="application/json">'
    before, _, rest = page.partition(begin)
    text, _, after = rest.partition("</script>")
    settings: Mapping[str, Any] = json.loads(text) | values
    safe = json.dumps(settings).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return f"{before}{begin}{safe}</script>{after}"
