"""What is easily typed wrong is answered with what there is, or with the command that comes next."""

import json
import shutil
from pathlib import Path

import pytest

from games.catalogue import current
from peck.__main__ import main

Capture = pytest.CaptureFixture[str]
BOT = "def act(view):\n    return view['actions'][0]\n"


def ended(words: list[str]) -> int:
    """The exit code of a call."""
    try:
        return main(words)
    except SystemExit as error:  # as argparse ends it
        return int(error.code or 0)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("PECK_SITE", "PECK_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("peck.site.HERE", "http://127.0.0.1:1")
    Path("bot.py").write_text(BOT)
    Path("notes.txt").write_text("no bot")
    return tmp_path


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("gat pickomino a.py b.py", "peck has no command 'gat': did you mean gate?"),
        ("play pikomino bot.py bot.py", "ruleset 'pikomino' is unknown: did you mean pickomino? known: pickomino, "),
        ("play pickomino/99 bot.py bot.py", "this platform plays pickomino/"),
        ("play bot.py bot.py", "which game? Name it (pickomino, "),
        ("play bto.py bot.py", "bto.py: no such file; there are bot.py"),
        ("check bto.py", "bto.py: no such file; there are bot.py"),
        ("climb bto.py", "bto.py: no such file; there are bot.py"),
        ("play pickomino bot.py bot.py --bloks 5", "unrecognized arguments: --bloks 5: did you mean --blocks?"),
        ("play pickomino bot.py bot.py --limit cpu=1", "limit 'cpu': "),
        ("play pickomino bot.py bot.py --option strat=random", "option 'strat': "),
        ("play pickomino bot.py notes.txt", "notes.txt: neither a .py file, a .zip nor a folder with bot.py"),
        ("climb bot.py --game pickomino --from nobody", "there is no rung 'nobody': there are 1 scatterbrain, "),
        ("check pickomino notes.txt", "Upload one .py file, or a .zip with bot.py at its root."),
        ("upload", "example: peck upload early-bird my-bot -m "),
        ("join", "example: peck join yard-ladder early-bird"),
        ("versions", "which bot? Name it (peck status lists yours): there is no peck.json that says it"),
        ("create", "which bot? Name it (peck status lists yours)"),
        ("rules", "which game? Name it (pickomino, "),
        ("status", "no site is known yet, so peck uses http://127.0.0.1:1: run peck login SITE first"),
        ("upload crow bot.py", "Connection refused); no site is known yet"),
        ("login ftp://peck.example.org", "SITE: 'ftp://peck.example.org' is no address of a site: give it as https://"),
        ("verify run.zip", "does not hold: run.zip: no such file"),
        ("luck run.peck", "does not hold: run.peck: No such file"),
    ],
)
def test_a_mistake_is_answered_with_what_to_do(call: str, expected: str, capsys: Capture) -> None:
    assert ended(call.split()) != 0
    output = capsys.readouterr()
    assert expected in output.out + output.err
    assert "Traceback" not in output.err


def test_a_named_site_is_reported_as_unreachable(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("PECK_SITE", "127.0.0.1:1")
    assert main(["leagues"]) == 4
    assert capsys.readouterr().err.endswith("Connection refused); PECK_SITE names the site\n")


def test_options_stand_in_any_place(capsys: Capture) -> None:
    shutil.copy("bot.py", "other.py")
    words = "play --in-process pickomino -q --blocks 1 bot.py --seed x other.py --json"
    assert main(words.split()) == 0
    assert [one["name"] for one in json.loads(capsys.readouterr().out)["bots"]] == ["bot", "other"]
    assert main(["check", "--", "pickomino", "bot.py"]) == 0


def test_a_view_of_another_game_is_reported(capsys: Capture) -> None:
    heckmeck = current("heckmeck")
    Path("view.json").write_text(json.dumps(heckmeck.start(2, {}).view(0) | {"actions": ["roll"]}))
    Path("peck.json").write_text('{"game": "pickomino"}')
    main(["replay", "bot.py", "view.json"])
    assert f"note: view.json is of {heckmeck.id}, and peck.json beside bot.py says pickomino" in capsys.readouterr().err
    Path("peck.json").write_text('{"game": "heckmeck"}')
    main(["replay", "bot.py", "view.json"])
    assert "note:" not in capsys.readouterr().err


def test_a_new_folder_names_its_bot_for_the_site() -> None:
    assert main(["new", "pickomino", "My Crow"]) == 0
    assert json.loads(Path("My Crow", "peck.json").read_text()) == {"game": "pickomino", "bot": "my-crow"}
