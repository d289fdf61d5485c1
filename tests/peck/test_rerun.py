"""A failure is replayed in a browser: in the words of ``peck replay``."""

import base64
import json
import re
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from peck.__main__ import main
from peck.browser import Desk
from peck.rerun import SENTENCES, Deviation, RerunResult
from tests.peck.test_bundles import STATEFUL, failed
from tests.peck.test_commands import Capture

pytestmark = pytest.mark.processes

SCRIPT = Path(__file__).resolve().parents[2] / "platform/arena/site/static/playground/failure.js"
FIXED = STATEFUL.format(fails="pass")


def call(folder: Path, do: str, **message: Any) -> Any:
    return json.loads(Desk(str(folder / "desk"), lambda text: None).answer(json.dumps({"do": do, **message})))


def sent(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()


@pytest.mark.parametrize(
    ("fails", "plays", "code"),
    [
        ("raise RuntimeError('thirty')", "", 3),
        ("return 'fly'", "", 3),
        ("import time; time.sleep(0); sum(range(10**8))", "", 3),
        ("1 / 0", FIXED, 0),
        ("1 / 0", "def act(view): return view['actions'][0]", 0),
        ("1 / 0", STATEFUL.format(fails="1 / 0").replace("[-1]", "[0]"), 3),
        ("1 / 0", "def act(view): return {}['x']", 3),
    ],
)
def test_a_browser_says_what_the_command_says(
    fails: str, plays: str, code: int, tmp_path: Path, capsys: Capture
) -> None:
    source = STATEFUL.format(fails=fails)
    bundle = failed(source, tmp_path)
    mine = tmp_path / "mine.py"
    mine.write_text(plays or source)
    assert main(["replay", str(bundle), str(mine)]) == code
    place, *lines = capsys.readouterr().out.splitlines()
    where = call(tmp_path, "failure", bundle=sent(bundle))
    assert SENTENCES["where"] % where == place
    found = call(tmp_path, "again", bundle=sent(bundle), files={"bot.py": mine.read_text()})
    fault = found.pop("fault")
    assert found["code"] == code
    deviation = found.pop("deviation")
    result = RerunResult(**found, deviation=Deviation(**deviation) if deviation else None)
    if result.note:
        assert lines.pop(0) == result.note
    line = lines[0]
    assert line.startswith(str(result))
    assert (fault is not None) == (code == 3)
    if fault:
        assert f": {fault['verdict']}" in line


def test_what_is_no_failure_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for data in (b"", b"nonsense", b"PK\x05\x06" + bytes(18)):
        answer = call(tmp_path, "failure", bundle=base64.b64encode(data).decode())
        assert answer["refused"]


def test_the_page_has_every_sentence_to_translate() -> None:
    found = set(re.findall(r'gettext\("([^"]+)"\)', SCRIPT.read_text()))
    assert {*SENTENCES.values()} <= found


def test_an_edited_bot_is_replayed_up_to_the_fault_and_its_first_deviation_is_reported(
    tmp_path: Path, capsys: Capture
) -> None:
    bundle = failed(STATEFUL.format(fails="1 / 0"), tmp_path)
    for fails, code, end in (("pass", 0, "does not happen again"), ("1 / 0", 3, "happens again, decision 31")):
        edited = tmp_path / "edited.py"
        edited.write_text(STATEFUL.format(fails=fails).replace("[-1]", "[0]"))
        assert main(["replay", str(bundle), str(edited)]) == code
        _, note, output, *_ = capsys.readouterr().out.splitlines()
        assert re.fullmatch(r"decision \d+: on the site it answered '.*', here '.*'; then it was asked .*", note)
        assert end in output


def test_the_browser_opens_the_files_of_the_version_that_failed_and_the_view(tmp_path: Path) -> None:
    bundle = failed(STATEFUL.format(fails="1 / 0"), tmp_path)
    assert call(tmp_path, "failure", bundle=sent(bundle))["view"]["actions"]
    source = base64.b64encode(b"x = 1\n").decode()
    assert call(tmp_path, "sources", data=source) == {"bot.py": "x = 1\n"}
    packed = tmp_path / "bot.zip"
    with ZipFile(packed, "w") as archive:
        for name, content in (("bot.py", b"import a"), ("a/__init__.py", b""), ("table.bin", b"\xff\xfe")):
            archive.writestr(name, content)
    assert call(tmp_path, "sources", data=sent(packed)) == {
        "bot.py": "import a",
        "a/__init__.py": "",
        "table.bin": {"data": "//4="},
    }
    with ZipFile(packed, "a") as archive:
        for number in range(198):
            archive.writestr(f"{number}.txt", b"")
    with pytest.raises(ValueError, match="too many files"):
        call(tmp_path, "sources", data=sent(packed))
