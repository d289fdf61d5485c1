"""``docs/reference/stored-formats.md`` names every stored format, its version as the code has it, and its guard."""

import ast
import re
from pathlib import Path

import pytest
from django.apps import apps
from django.db import models

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reference/stored-formats.md"
ROOMS = ("bots", "platform", "sandbox", "tournaments")
MARK = re.compile(r"^(?:\w+: Final = (?P<version>\S+)|\S.*)  # frozen: (?P<name>[^;\n]+)", re.MULTILINE)
ROW = re.compile(
    r"^\| (?P<name>[^|]+) \| (?P<version>[^|]*?) ?\| (?P<where>[^|]+) \| `(?P<guard>[^|`]+)` \|$", re.MULTILINE
)
FORMAT_CONSTANT = re.compile(r"^(FORMAT|TAG|[A-Z_]+_FORMAT): Final = [\d\"]", re.MULTILINE)
# Bytes that are no format of ours: secrets and seeds of chance, digests, the uploads themselves; and snapshots, which
# are computed again where they cannot be read.
PLAIN = {
    *("tournaments.Luck.secret", "league.Season.secret", "matches.Match.secret", "matches.MatchLog.seed"),
    *("bots.BotPackage.content", "assignments.Assignment.secret"),
    *("puzzles.Puzzle.digest", "web.Snapshot.payload", "web.PreparedPiece.data"),
}
NOT_STORED = {"platform/matches/replay/frame_encoding.py"}  # frames are made again, their version is in their address

ROWS = [match.groupdict() for match in ROW.finditer(PAGE.read_text())]
GUARDS = [row["guard"] for row in ROWS]


def sources() -> dict[str, str]:
    paths = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")) if "migrations" not in path.parts]
    return {str(path.relative_to(ROOT)): path.read_text() for path in paths}


def test_every_mark_in_the_code_is_on_the_page_with_its_version() -> None:
    marks = [match for text in sources().values() for match in MARK.finditer(text)]
    found = {mark["name"]: str(ast.literal_eval(mark["version"])) if mark["version"] else "" for mark in marks}
    assert len(found) == len(marks)
    assert found == {row["name"]: row["version"] for row in ROWS}


@pytest.mark.parametrize("guard", GUARDS)
def test_every_guard_exists(guard: str) -> None:
    path, _, name = guard.partition("::")
    tree = ast.parse((ROOT / path).read_text())
    (test,) = (one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == name)
    assert any(isinstance(one, ast.Assert) or "raises" in ast.dump(one) for one in ast.walk(test))


def test_every_constant_that_is_called_a_format_is_marked() -> None:
    found = {path for path, text in sources().items() if any("# frozen: " not in line for line in _constants(text))}
    assert found == NOT_STORED


def test_all_bytes_in_the_database_are_of_a_format_or_plain() -> None:
    fields = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if isinstance(field, models.BinaryField)
    }
    named = {name for row in ROWS for name in re.findall(r"`([\w.]+)`", row["where"])}
    assert fields - named == PLAIN


def _constants(text: str) -> list[str]:
    return [line for line in text.splitlines() if FORMAT_CONSTANT.match(line)]
