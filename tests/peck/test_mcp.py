"""``peck mcp`` by the client of the package mcp: tools, their refusals and their bounds."""

import json
from pathlib import Path
from time import monotonic

import pytest
from mcp import Client

from games.catalogue import GAMES
from peck import NOT_SO, USAGE
from peck.__main__ import main
from peck.agent_commands import CommandRunner
from peck.mcp_server import MISSING, mcp_server_of
from peck.rules import rules_text

Capture = pytest.CaptureFixture[str]

SLOW = """
import time

def act(view):
    time.sleep(0.4)
    return view["actions"][0]
"""
NOSY = """
import os

def act(view):
    raise ValueError(os.environ.get("PECK_TOKEN", "no token"))
"""


async def called(client: Client, tool: str, **arguments: object) -> tuple[str, bool]:
    """What a tool says, and whether it is an error."""
    answer = await client.call_tool(tool, arguments)
    return "".join(one.text for one in answer.content if one.type == "text"), bool(answer.is_error)


@pytest.mark.processes
async def test_an_agent_reads_writes_checks_plays_and_drills_with_the_commands_of_peck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PECK_TOKEN", "secret")
    monkeypatch.setenv("PECK_SITE", "http://127.0.0.1:9")  # where nobody answers
    async with Client(mcp_server_of(CommandRunner(tmp_path))) as client:
        tools = (await client.list_tools()).tools
        assert all(one.description and one.input_schema["type"] == "object" for one in tools)
        assert len({one.name for one in tools}) == len(tools) == 26

        text, error = await called(client, "rules", game="pickomino")
        assert (text, error) == (rules_text(GAMES["pickomino"].current).strip(), False)
        assert "known: pickomino" in (await called(client, "rules", game="chess"))[0]
        text, error = await called(client, "start_bot", game="pickomino", name="crow")
        assert not error
        assert "# For agents" in text
        assert "class Bot" in text
        await called(client, "write_file", path="crow/bot.py", text=NOSY)
        text, error = await called(client, "check", bot="crow/bot.py")
        assert not error
        assert "ValueError: no token" in text
        assert "[exit code 3]" in text

        await called(client, "write_file", path="crow/bot.py", text=SLOW)
        began = monotonic()
        text, error = await called(
            client, "play", game="pickomino", bot="crow/bot.py", opponent="fat-crow", blocks=500, seconds=1
        )
        assert monotonic() - began < 60  # all games take hours
        assert "interrupted after 1 s" in text
        text, error = await called(client, "play", game="pickomino", bot="crow", opponent="nobody")
        assert error
        assert "house bots here are early-bird, fat-crow" in text
        for wrong in ({"blocks": 0}, {"seconds": 10**6}, {"bot": "/etc/passwd"}, {"game": "--help"}):
            arguments = {"game": "pickomino", "bot": "crow/bot.py", "opponent": "fat-crow", **wrong}
            text, error = await called(client, "play", **arguments)
            assert error
            assert "Traceback" not in text

        text, error = await called(client, "status")
        assert error
        assert "PECK_SITE names the site" in text


async def test_in_the_cage_there_is_no_tool_that_runs_a_bot_outside_of_it(tmp_path: Path) -> None:
    async with (
        Client(mcp_server_of(CommandRunner(tmp_path))) as free,
        Client(mcp_server_of(CommandRunner(tmp_path), caged=True)) as caged,
    ):
        names = [{one.name for one in (await client.list_tools()).tools} for client in (free, caged)]
    assert names[0] - names[1] == {"replay"}


def test_without_its_package_the_command_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "file").touch()
    assert main(["mcp", "--folder", str(tmp_path / "file")]) == USAGE
    monkeypatch.setattr("peck.mcp_server.find_spec", lambda _name: None)
    capsys.readouterr()
    assert main(["mcp", "--folder", str(tmp_path)]) == NOT_SO
    assert capsys.readouterr().err == f"{MISSING}\n"
    assert "pip install" in MISSING


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_every_game_have_its_options_keys_and_actions(game: str, capsys: Capture) -> None:
    assert main(["rules", game]) == 0
    text, ruleset = capsys.readouterr().out, GAMES[game].current
    assert text.startswith(f"# {ruleset.title} (`{ruleset.id}`)\n")
    assert all(f"- `{name}`: " in text for name in (*ruleset.options, *ruleset.view_schema["properties"], "act_cpu"))
    assert all(f"`{one}`" in text for one in ruleset.vocabulary(ruleset.validate(ruleset.seats.start, {})))
    assert main(["rules", ruleset.id, "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == ruleset.view_schema
    assert main(["rules", "chess"]) == USAGE
