"""A failure asked for again in a browser: in the words of ``peck replay``."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest

from matches.home.browser import Desk
from matches.home.happened import WORDS, Happened
from tests.matches.home.test_bundles import STATEFUL, failed
from tests.matches.home.test_commands import Told
from tournaments.peck import main

pytestmark = pytest.mark.processes

SCRIPT = Path(__file__).resolve().parents[3] / "platform/arena/site/static/playground/failure.js"
MENDED = STATEFUL.format(fails="pass")


def ask(folder: Path, do: str, **message: Any) -> Any:
    return json.loads(Desk(str(folder / "desk"), lambda text: None).answer(json.dumps({"do": do, **message})))


def sent(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()


@pytest.mark.parametrize(
    ("fails", "plays", "code"),
    [
        ("raise RuntimeError('thirty')", "", 3),
        ("return 'fly'", "", 3),
        ("import time; time.sleep(0); sum(range(10**8))", "", 3),
        ("1 / 0", MENDED, 0),
        ("1 / 0", "def act(view): return view['actions'][0]", 1),
        ("1 / 0", "def act(view): return {}['x']", 3),
    ],
)
def test_a_browser_says_what_the_command_says(fails: str, plays: str, code: int, tmp_path: Path, capsys: Told) -> None:
    source = STATEFUL.format(fails=fails)
    bundle = failed(source, tmp_path)
    mine = tmp_path / "mine.py"
    mine.write_text(plays or source)
    assert main(["replay", str(bundle), str(mine)]) == code
    place, said, *_ = capsys.readouterr().out.splitlines()
    where = ask(tmp_path, "failure", bundle=sent(bundle))
    assert WORDS["where"] % where == place
    found = ask(tmp_path, "again", bundle=sent(bundle), files={"bot.py": mine.read_text()})
    fault = found.pop("fault")
    assert found["code"] == code
    assert said.startswith(str(Happened(**found)))
    assert (fault is not None) == (code == 3)
    if fault:
        assert f": {fault['verdict']}" in said


def test_what_is_no_failure_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for data in (b"", b"nonsense", b"PK\x05\x06" + bytes(18)):
        told = ask(tmp_path, "failure", bundle=base64.b64encode(data).decode())
        assert told["refused"]


def test_the_page_has_every_sentence_to_translate() -> None:
    found = set(re.findall(r'gettext\("([^"]+)"\)', SCRIPT.read_text()))
    assert {*WORDS.values()} <= found
