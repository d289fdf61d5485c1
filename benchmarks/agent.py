"""Measure calls and time from nothing to an accepted bot, with ``peck mcp`` and the client of the package ``mcp``.

A site with its own data is started, with a ladder of house bots. The decisions of an agent are fixed here: it writes
the bot of the tutorial and joins the ladder. The aims are ten calls and five minutes, including the verdict.
"""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from mcp import Client, StdioServerParameters, stdio_client

from games.catalogue import GAMES
from tests.browser.running import Site, StartedSite, data_directory

GAME: Final = "pickomino"
OPPONENT: Final = "early-bird"
SOURCE: Final = GAMES[GAME].file("first_bot.txt").read_text(encoding="utf-8")
AUTHOR: Final = """
from arena.accounts.models import User
from arena.accounts.tokens import token_create
print(token_create(owner=User.objects.create_user("agent"), name="agent"))
"""
VERDICT: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("rules", {"game": GAME}),
    ("start_bot", {"game": GAME, "name": "first"}),
    ("write_file", {"path": "first/bot.py", "text": SOURCE}),
    ("check", {"bot": "first"}),
    ("create_bot", {"name": "First", "game": GAME}),
    ("upload", {"bot": "first", "file": "first", "message": "written by a script", "authorship": "agent"}),
)
PLAY: Final = ("play", {"game": GAME, "bot": "first/bot.py", "opponent": OPPONENT, "blocks": 20})
LADDER: Final = (
    ("leagues", {}),
    ("join_league", {"league": "yard-ladder", "bot": "first"}),
    ("ladder", {"league": "yard-ladder"}),
)


@dataclass(frozen=True, slots=True)
class Called:
    """A call of a tool with its answer, and its duration in seconds."""

    tool: str
    text: str
    is_error: bool
    seconds: float


async def called(
    site: Site, folder: Path, calls: Sequence[tuple[str, dict[str, Any]]] = VERDICT
) -> AsyncIterator[Called]:
    """Yield the answers to ``calls`` from a server over standard input and output, with the token of a new author."""
    token = site.shell(AUTHOR).splitlines()[-1]
    environment = {**os.environ, "PECK_SITE": site.url, "PECK_TOKEN": token, "XDG_CONFIG_HOME": str(folder / ".config")}
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "peck", "mcp", "--folder", str(folder)], env=environment
    )
    async with Client(stdio_client(server)) as client:
        for tool, arguments in calls:
            began = time.monotonic()
            answer = await client.call_tool(tool, arguments)
            text = "".join(one.text for one in answer.content if one.type == "text")
            yield Called(tool, text, bool(answer.is_error), time.monotonic() - began)


async def _print_calls(site: Site, folder: Path) -> None:
    found: list[Called] = []
    async for one in called(site, folder, (*VERDICT[:4], PLAY, *VERDICT[4:], *LADDER)):
        found.append(one)
        print(f"{one.seconds:6.1f} s  {one.tool}: {one.text.splitlines()[0][:90]}", flush=True)
        if one.is_error:
            raise SystemExit(one.text)
        if one.tool == "upload" and "accepted" not in one.text:
            raise SystemExit(one.text)
    print(f"{len(found)} calls, {sum(one.seconds for one in found):.0f} s")


def main() -> None:
    """Start a site, and print each call."""
    argparse.ArgumentParser(prog="python -m benchmarks.agent", description=__doc__).parse_args()
    with data_directory() as var, TemporaryDirectory() as folder:
        site = StartedSite(var, "--no-demo").wait_until_up()
        try:
            site.shell("cast.house_bots()\ncast.ladder()")
            asyncio.run(_print_calls(site, Path(folder)))
        finally:
            site.stop()


if __name__ == "__main__":
    main()
