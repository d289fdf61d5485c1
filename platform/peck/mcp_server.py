"""``peck mcp``: offer commands of ``peck`` as tools of the Model Context Protocol, on standard input and output.

The tools work in one folder. Agents read their docstrings.
"""

import argparse
import asyncio
import os
import re
import signal
from collections.abc import Awaitable, Callable
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from games.catalogue import GAMES
from games.version import VERSION
from peck import NOT_SO, OK, USAGE, text_counted
from peck.agent_commands import CommandFailed, CommandRunner
from peck.agent_folder import FolderError, WorkingFolder
from peck.bots import peck_bots_uploaded_files
from peck.cli import Commands, cli_complain, cli_complain_of_file

if TYPE_CHECKING:
    from mcp.server import MCPServer

AgentTool: TypeAlias = Callable[..., Awaitable[str]]

MISSING: Final = "peck mcp needs the package mcp, version 2, where peck is installed: pip install 'mcp>=2,<3'"
INSTRUCTIONS: Final = (
    "Write bots for board games and let them play on a site. Games here: {games}. The usual way: rules, start_bot,"
    " write_file, check, play against a house bot, gate against the version before, then create_bot, upload and"
    " join_league. Paths are inside one working folder. A refusal says what to do next."
)
SHORT: Final = 60.0  # seconds of a tool that plays no games
VERDICT: Final = 150.0  # seconds of a tool that waits for a site's verdict
SECONDS: Final = 50  # seconds of a series; clients commonly wait for 60
SECONDS_MOST: Final = 600
BLOCKS_MOST: Final = 500
MOST: Final = 100  # lines of a list
_WORD: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]{0,99}")  # the name of a game, bot or league; never an option


class ToolRefusal(Exception):
    """A tool does not accept an argument. The message says what it accepts."""


class AgentTools:
    """Every public coroutine is a tool. With ``caged``, bots at home run in the site's cage."""

    def __init__(self, folder: WorkingFolder, runner: CommandRunner, *, caged: bool = False) -> None:
        self._folder = folder
        self._run = runner.run
        self._caged = ["--caged"] if caged else []

    def all(self) -> list[AgentTool]:
        """Return the tools in the order in which an agent needs them, in the cage without ``replay``."""
        at_home = (self.check, self.play, self.gate, self.climb, self.drill_make, self.drill)
        again = () if self._caged else (self.replay,)
        on_site = (self.status, self.create_bot, self.upload, self.results, self.failure, self.logs, self.spar)
        contests = (self.leagues, self.join_league, self.ladder)
        cups = (self.tournaments, self.enter_tournament, self.standings)
        files = (self.rules, self.view_schema, self.start_bot, self.list_files, self.read_file, self.write_file)
        return [*files, *at_home, *again, *on_site, *contests, *cups]

    async def rules(self, game: str) -> str:
        """Read what a bot must know of a game: rules, options, keys of a view, actions, how it is written, limits."""
        return await self._run(["rules", _word("game", game)], SHORT)

    async def view_schema(self, game: str) -> str:
        """Read the JSON schema of the views of a game; `rules` says the same in fewer words."""
        return await self._run(["rules", "--schema", _word("game", game)], SHORT)

    async def start_bot(self, game: str, name: str) -> str:
        """Make the folder NAME with a bot that plays, the house bots of the game as opponents, and AGENTS.md."""
        folder = self._folder.argument(name)
        output = await self._run(["new", _word("game", game), folder], SHORT)
        parts = (f"--- {folder}/{file}\n{self._folder.read(f'{folder}/{file}')}" for file in ("AGENTS.md", "bot.py"))
        return "\n\n".join([output, *parts])

    async def list_files(self) -> str:
        """List the files of the working folder."""
        return "\n".join(self._folder.listed()) or "nothing yet: start_bot makes a folder with a bot"

    async def read_file(self, path: str, offset: int = 0) -> str:
        """Read a text file of the working folder, 16,000 characters from OFFSET."""
        return self._folder.read(path, offset)

    async def write_file(self, path: str, text: str) -> str:
        """Write a text file of the working folder, such as my-bot/bot.py, whole; what was there is replaced."""
        return f"{path}: {text_counted(self._folder.write(path, text), 'byte')} written; now: check"

    async def check(self, bot: str, game: str = "") -> str:
        """Run the site's check on a bot (a .py file, or a folder with bot.py)."""
        named = [_word("game", game)] if game else []
        view = f"--view={(Path(self._path(bot)).parent / 'view.json').as_posix()}"
        return await self._run(["check", *self._caged, view, *named, self._path(bot)], SHORT)

    async def play(
        self,
        game: str,
        bot: str,
        opponent: str,
        blocks: int = 20,
        players: int = 2,
        seed: str = "peck",
        records: str = "",
        seconds: int = SECONDS,
    ) -> str:
        """Play a bot against an opponent: a file, or a house bot by name, such as wise-owl. A block is one seed from
        every seat. RECORDS names a new folder for the games, as drill_make wants it.
        """
        records_option = [f"--records={self._folder.argument(records)}"] if records else []
        bots = [self._path(bot), *[self._opponent(bot, opponent)] * (_within("players", players, 2, 8) - 1)]
        options = [
            "-q",
            "--blocks",
            str(_within("blocks", blocks, 1, BLOCKS_MOST)),
            f"--seed={seed[:80]}",
            *records_option,
        ]
        return await self._series(["play", _word("game", game), *bots, *options], seconds)

    async def gate(
        self, game: str, old: str, new: str, blocks: int = 500, luck: bool = False, seconds: int = 50
    ) -> str:
        """Ask whether NEW plays better than OLD, at 5 % error: played until it is known, or for so many blocks. LUCK
        takes the luck off first, where the game has a value: fewer games on average, but each is analysed. It pays for
        slow bots alone.
        """
        less = ["--luck"] if luck else []
        blocks_most = str(_within("blocks", blocks, 1, BLOCKS_MOST))
        words = ["gate", _word("game", game), self._opponent(new, old), self._path(new), "--blocks", blocks_most, *less]
        return await self._series(words, seconds)

    async def climb(
        self, bot: str, game: str = "", first: str = "1", luck: bool = False, seconds: int = SECONDS
    ) -> str:
        """Ask how far a bot comes: it meets the house bots, the weakest first, until it does not beat one. FIRST: the
        rung to begin at, a number or a house bot.
        """
        less = ["--luck"] if luck else []
        named = [f"--game={_word('game', game)}"] if game else []
        return await self._series(["climb", self._path(bot), f"--from={_word('first', first)}", *named, *less], seconds)

    async def drill_make(self, records: str, file: str = "drill.jsonl", most: int = 50, seconds: int = SECONDS) -> str:
        """Write the costliest decisions in the games of a folder of RECORDS to FILE; of Pickomino, Heckmeck and other
        games with a value.
        """
        count = str(_within("most", most, 1, 500))
        words = ["drill-make", self._path(records), "-o", self._folder.argument(file), "--most", count]
        return await self._run(words, _within("seconds", seconds, 1, SECONDS_MOST))

    async def drill(self, bot: str, file: str = "drill.jsonl", seconds: int = SECONDS) -> str:
        """Let a bot make the decisions of a drill again: what it chose and chooses, and what each loses."""
        return await self._series(["drill", self._path(bot), self._path(file)], seconds)

    async def replay(self, file: str, bot: str) -> str:
        """Ask a bot again what it was asked in a failure (zip), a view (JSON) or the record of a game."""
        return await self._run(["replay", self._path(file), self._path(bot)], SHORT)

    async def status(self) -> str:
        """Ask who you are on the site, and which bots you have there."""
        return await self._at_site("status")

    async def create_bot(self, name: str, game: str) -> str:
        """Create a bot on the site, before its first upload."""
        return await self._at_site("create", _word("name", name), _word("game", game))

    async def upload(self, bot: str, file: str, message: str = "", authorship: str = "", model: str = "") -> str:
        """Upload a version of your bot, and wait for the verdict of the site. MESSAGE: what changed, in one line.
        AUTHORSHIP, shown to all if your user agrees: hand, assisted or agent; MODEL: the name of the model.
        """
        declared = {"message": message[:200], "authorship": authorship[:20], "model": model[:60]}
        options = [f"--{name}={text}" for name, text in declared.items() if text]
        words = ["upload", _word("bot", bot), self._path(file), "--current", *options]
        return await self._run(words, VERDICT, with_token=True)

    async def leagues(self, most: int = 20) -> str:
        """List the leagues of the site, the newest first."""
        return await self._at_site("leagues", *_most(most))

    async def tournaments(self, most: int = 20) -> str:
        """List the tournaments of the site, the newest first."""
        return await self._at_site("tournaments", *_most(most))

    async def join_league(self, league: str, bot: str, agree_to_cups: bool = False) -> str:
        """Let your bot join a league. Some ask you to agree that their organiser enters it in cups."""
        agreed = ["--cups"] if agree_to_cups else []
        return await self._at_site("join", _word("league", league), _word("bot", bot), *agreed)

    async def enter_tournament(self, tournament: str, bot: str, invitation: str = "") -> str:
        """Enter your bot in a tournament."""
        words = (_word("tournament", tournament), _word("bot", bot), f"--invitation={invitation[:200]}")
        return await self._at_site("enter", *words)

    async def ladder(self, league: str, most: int = 20) -> str:
        """Read the ladder of a league: ranks and ratings."""
        return await self._at_site("ladder", _word("league", league), *_most(most))

    async def standings(self, tournament: str, most: int = 20) -> str:
        """Read the standings of a tournament."""
        return await self._at_site("standings", _word("tournament", tournament), *_most(most))

    async def results(self, bot: str, most: int = 20) -> str:
        """List the last matches of a bot on the site."""
        return await self._at_site("results", _word("bot", bot), *_most(most))

    async def failure(self, bot: str) -> str:
        """Fetch the last failure of your bot on the site as a file for `replay`: in a match, or in its check."""
        return await self._at_site("failure", _word("bot", bot))

    async def logs(self, bot: str, text: str = "", most: int = 10) -> str:
        """Read what your bot printed in its last games on the site, or only games in which it printed TEXT."""
        return await self._at_site("logs", _word("bot", bot), f"--grep={text[:200]}", *_most(most))

    async def spar(self, bot: str, opponent: str = "", blocks: int = 50, seconds: int = SECONDS) -> str:
        """Let your bot meet another of yours, a house bot or itself on the site, in private, and read who is better."""
        words = [_word("bot", bot), *([_word("opponent", opponent)] if opponent else [])]
        limit = ["--blocks", str(_within("blocks", blocks, 1, BLOCKS_MOST))]
        return await self._run(["spar", *words, *limit], _within("seconds", seconds, 1, SECONDS_MOST), with_token=True)

    async def _at_site(self, *words: str) -> str:
        return await self._run(words, SHORT, with_token=True)

    async def _series(self, words: list[str], seconds: int) -> str:
        return await self._run([*words, *self._caged], _within("seconds", seconds, 1, SECONDS_MOST))

    def _path(self, name: str) -> str:
        path, inside = self._folder.argument(name), self._folder.inside(name)
        if not inside.exists():
            raise ToolRefusal(f"{name!r:.80}: no such file: list_files says what there is")
        if inside.is_dir():
            self._folder.require_inside(peck_bots_uploaded_files(inside))
        return path

    def _opponent(self, bot: str, name: str) -> str:
        """Return the path of an opponent: a file in the folder, or the house bot with this name beside ``bot``."""
        beside = self._folder.inside(bot)
        folders = (beside, beside.parent)
        for path in (self._folder.inside(name), *(one / "opponents" / f"{name}.py" for one in folders)):
            if path.exists() and path != self._folder.root:
                return self._path(str(path))
        house = sorted(one.stem for folder in folders for one in (folder / "opponents").glob("*.py"))
        known = f"house bots here are {', '.join(house)}" if house else "start_bot makes a folder with the house bots"
        raise ToolRefusal(f"{name!r:.80}: neither a file nor a house bot: {known}")


def _word(argument: str, text: str) -> str:
    """Return a valid name for a command, which is never mistaken for an option."""
    if not _WORD.fullmatch(text):
        known = f", such as {next(iter(GAMES))}" if argument == "game" else ""
        raise ToolRefusal(f"{argument}: {text!r:.80} is no name: give it as addresses have it{known}")
    return text


def _within(argument: str, value: int, least: int, most: int) -> int:
    if not least <= value <= most:
        raise ToolRefusal(f"{argument}: {value} is not allowed; allowed: {least} to {most}")
    return value


def _most(most: int) -> tuple[str, str]:
    return "--most", str(_within("most", most, 1, MOST))


def command_add(commands: Commands) -> None:
    """Add the command to the parser of ``peck``."""
    mcp = commands.add_parser("mcp", help="offer these commands to an agent through the Model Context Protocol")
    mcp.add_argument("--folder", type=Path, default=Path(), help="the only folder in which tools read and write")
    mcp.add_argument("--caged", action="store_true", help="run bots in the site's cage (Linux only, from a checkout)")
    mcp.set_defaults(run=run_mcp_server)


def run_mcp_server(given: argparse.Namespace) -> int:
    """Serve until the client closes the connection."""
    if find_spec("mcp") is None or find_spec("mcp.server.mcpserver") is None:
        cli_complain(MISSING)
        return NOT_SO
    try:
        given.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        cli_complain_of_file(given.folder, error)
        return USAGE
    runner = CommandRunner(given.folder.resolve())
    _end_on_signals(runner)
    asyncio.run(mcp_server_of(runner, caged=given.caged).run_stdio_async())
    return OK


def _end_on_signals(runner: CommandRunner) -> None:
    """End immediately on a signal, including the running command: an orderly exit would wait for the thread that reads
    from the client.
    """

    def end(number: int, _frame: object) -> None:
        runner.end()
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)


def mcp_server_of(runner: CommandRunner, *, caged: bool = False) -> "MCPServer":
    """Return the server for the folder of ``runner``."""
    from mcp.server import MCPServer

    tools = AgentTools(WorkingFolder(runner.folder), runner, caged=caged)
    words = INSTRUCTIONS.format(games=", ".join(GAMES))
    server = MCPServer("peck", title="Pecking Order", instructions=words, version=VERSION, log_level="ERROR")
    for tool in tools.all():
        server.add_tool(_with_refusals(tool), structured_output=False)
    return server


def _with_refusals(tool: AgentTool) -> AgentTool:
    """Return the tool with its refusals as errors that a client shows to its model."""
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(tool)
    async def called(*args: object, **arguments: object) -> str:
        try:
            return await tool(*args, **arguments)
        except (CommandFailed, FolderError, ToolRefusal) as error:
            raise ToolError(str(error)) from error

    return called
