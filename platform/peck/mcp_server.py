"""``peck mcp``: the tools of ``agent_tools`` by the Model Context Protocol, over standard input and output."""

import argparse
import asyncio
import os
import signal
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from games.catalogue import GAMES
from games.version import VERSION
from peck import NOT_SO, OK, USAGE
from peck.agent_commands import CommandFailed, CommandRunner
from peck.agent_folder import FolderError, WorkingFolder
from peck.agent_tools import AgentTool, AgentTools, ToolRefusal
from peck.cli import Commands, complain

if TYPE_CHECKING:
    from mcp.server import MCPServer

MISSING: Final = "peck mcp needs the package mcp, version 2, where peck is installed: pip install 'mcp>=2,<3'"
INSTRUCTIONS: Final = (
    "Write bots for board games and let them play on a site. Games here: {games}. The usual way: rules, start_bot,"
    " write_file, check, play against a house bot, gate against the version before, then create_bot, upload and"
    " join_league. Paths are inside one working folder. A refusal says what to do next."
)


def command_add(commands: Commands) -> None:
    """Add the command to the parser of ``peck``."""
    mcp = commands.add_parser("mcp", help="serve all this to an agent, by the Model Context Protocol")
    mcp.add_argument("--folder", type=Path, default=Path(), help="the only folder in which tools read and write")
    mcp.add_argument("--caged", action="store_true", help="bots play in the site's own cage: Linux, from a checkout")
    mcp.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Serve until the client hangs up."""
    if find_spec("mcp") is None or find_spec("mcp.server.mcpserver") is None:
        complain(MISSING)
        return NOT_SO
    if not given.folder.is_dir():
        complain(f"--folder: {given.folder} is no folder")
        return USAGE
    runner = CommandRunner(given.folder.resolve())
    _end_on_signals(runner)
    asyncio.run(server_of(runner, caged=given.caged).run_stdio_async())
    return OK


def _end_on_signals(runner: CommandRunner) -> None:
    """End at once, and the command that runs too: a thread that waits for the client would hold up an orderly end."""

    def end(number: int, _frame: object) -> None:
        runner.end()
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)


def server_of(runner: CommandRunner, *, caged: bool = False) -> "MCPServer":
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
