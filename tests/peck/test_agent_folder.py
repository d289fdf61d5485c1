"""What tools of an agent read, write and call: nothing outside the working folder, no options, bounded."""

import asyncio
import os
from pathlib import Path

import pytest

from peck.agent_commands import HEAD, TAIL, CommandRunner, _Bounded
from peck.agent_folder import LISTED_MOST, PART, WRITE_MOST, FolderError, WorkingFolder
from peck.mcp_server import AgentTools, ToolRefusal, _word


@pytest.fixture
def folder(tmp_path: Path) -> WorkingFolder:
    (tmp_path / "work").mkdir()
    (tmp_path / "secret").write_text("token")
    (tmp_path / "work" / "link").symlink_to(tmp_path / "secret")
    (tmp_path / "work" / "up").symlink_to(tmp_path)
    (tmp_path / "work" / "loop").symlink_to(tmp_path / "work" / "loop")
    os.mkfifo(tmp_path / "work" / "pipe")
    return WorkingFolder(tmp_path / "work")


OUTSIDE = ["../secret", "/etc/passwd", "link", "up/secret", "a/../../secret", "up/new.py", "~/../../x", "..", "a\0b"]
HIDDEN = [".ssh/config", "bot/.env", "-rf", "bot/--limit=x", "loop", "a" * 5000, "é" * 150]


@pytest.mark.parametrize("name", [*OUTSIDE, *HIDDEN])
def test_no_path_leads_out_of_the_folder_nor_to_hidden_files_nor_options(
    folder: WorkingFolder, name: str, tmp_path: Path
) -> None:
    before = sorted(tmp_path.rglob("*"))
    for refused in (folder.read, folder.argument, lambda one: folder.write(one, "x")):
        if name == "loop" and refused == folder.argument:
            continue  # a path inside, of which nothing comes
        with pytest.raises(FolderError):
            refused(name)
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "secret").read_text() == "token"


def test_files_are_written_whole_read_in_parts_and_listed(folder: WorkingFolder) -> None:
    text = "é" * (PART + 5)
    assert folder.write("bot/deep/data.txt", text) == 2 * len(text)
    assert folder.write("bot/deep/data.txt", text) == 2 * len(text)
    first = folder.read("bot/deep/data.txt")
    assert first == "é" * PART + f"\n[5 characters left: read on with offset {PART}]"
    assert folder.read("bot/deep/data.txt", PART) == "é" * 5
    assert folder.listed() == [
        f"pipe ({(folder.root / 'pipe').stat().st_size} bytes)",
        f"bot/deep/data.txt ({2 * len(text)} bytes)",
    ]
    for name, data in (("large.py", "x" * (WRITE_MOST + 1)), ("bot", "x"), ("", "x"), ("pipe", "x"), ("pipe/x", "x")):
        with pytest.raises(FolderError):
            folder.write(name, data)
    with pytest.raises(FolderError, match="no such file"):
        folder.read("pipe")
    for number in range(LISTED_MOST):
        folder.write(f"many/{number}", "")
    assert folder.listed()[LISTED_MOST:] == ["[more files are not listed]"]


def test_no_link_in_the_folder_of_a_bot_is_sent_to_the_site(folder: WorkingFolder) -> None:
    folder.write("bot/bot.py", "def act(view): return 1")
    tools = AgentTools(folder, CommandRunner(folder.root))
    assert tools._path("bot") == "bot"
    (folder.root / "bot" / "data.txt").symlink_to(folder.root.parent / "secret")
    with pytest.raises(FolderError, match="is a link out of the working folder"):
        asyncio.run(tools.upload("rooster", "bot"))


@pytest.mark.parametrize("text", ["", "--help", "-q", "a b", "a\nb", "a\n", "../x" * 40, "@file", "é"])
def test_a_name_is_never_an_option(text: str) -> None:
    with pytest.raises(ToolRefusal, match="is no name"):
        _word("league", text)
    assert _word("game", "pickomino/1") == "pickomino/1"


def test_head_and_tail_of_a_long_output_are_shown() -> None:
    output = _Bounded()
    for number in range(100):
        output.add(f"{number:3}".encode() * 1000)
    text = output.text()
    assert text.startswith("0  0")
    assert text.endswith(" 99")
    assert f"[{300_000 - HEAD - TAIL} bytes left out]" in text
    assert len(text) < HEAD + TAIL + 40
