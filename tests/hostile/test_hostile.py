"""Hostile bots lose their game and nothing else: as whoever runs the tests, and as an ordinary user if that is root."""

import json
import os
import subprocess
from collections.abc import Iterator

import pytest

from sandbox import Cage
from tests.sandbox.ordinary_user import REPOSITORY, command

from .cases import BOTS, CASES
from .conftest import TABLES
from .duel import Row, play, traces

ME = "root" if os.geteuid() == 0 else "user"


@pytest.fixture(scope="module")
def cage() -> Iterator[Cage]:
    before = traces()
    with Cage.open() as opened:
        yield opened
    assert traces() == before, "the closed cage left something behind"


@pytest.mark.parametrize("name", CASES)
def test_it_ends_as_its_header_says(cage: Cage, name: str) -> None:
    row = play(cage, CASES[name])
    TABLES.setdefault(ME, []).append(row)
    assert row.ok, row


@pytest.fixture(scope="module")
def rows_of_an_ordinary_user() -> dict[str, Row]:
    done = subprocess.run(
        command("-m", "tests.hostile.table", "--json"), capture_output=True, text=True, cwd=REPOSITORY, check=False
    )
    assert done.stdout, done.stderr
    rows = {row["case"]: Row(**row) for row in json.loads(done.stdout)}
    TABLES["user"] = list(rows.values())
    return rows


@pytest.mark.skipif(ME == "user", reason="the tests above have run as an ordinary user already")
@pytest.mark.parametrize("name", [*CASES, "the cage, closed"])
def test_it_ends_so_for_an_ordinary_user_too(rows_of_an_ordinary_user: dict[str, Row], name: str) -> None:
    row = rows_of_an_ordinary_user[name]
    assert row.ok, row


def test_every_hostile_bot_of_the_collection_is_a_case() -> None:
    assert {path.stem for path in BOTS.glob("*.py")} == set(CASES)
