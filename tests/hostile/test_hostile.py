"""Hostile bots and uploads lose their game and nothing else: as root and as a user, with numpy and without."""

import pytest

from games.protocol import Verdict
from sandbox import Backend

from .cases import BOTS, CASES
from .conftest import PLAYED
from .design import DESIGN
from .duel import EVERY, Row
from .table import LAST, ME, NAMES, SETTINGS, Setting
from .uploads import UPLOADS

# The other settings are slow tests. ``make test-hostile`` plays every case in every setting.
ALL = Setting(ME, True)
WALLS = Setting("user", False)  # without the cases that burn processor time until they are stopped, as they are in ALL
EACH = [
    pytest.param(setting, name, id=f"{name}-{setting}", marks=() if setting in (ALL, WALLS) else pytest.mark.slow)
    for setting in SETTINGS
    for name in NAMES
    if setting != WALLS or name == LAST or Verdict.CPU_TIME not in EVERY[name].expected
]
# One of each kind, for every day: behind bwrap each takes its time.
FEW = ("h01_fork_bomb", "h10_read_secrets", "h12_killer", "h16_native_code", "h18_exits_after_answer", "c48_daemon")


def rows_of(setting: Setting) -> dict[str, Row]:
    """All of a setting's cases are played at once, by the first test that asks."""
    if setting not in PLAYED:
        PLAYED[setting] = setting.play(name for each, name in (param.values for param in EACH) if each == setting)
    return PLAYED[setting]


@pytest.mark.timeout(1800)  # the first of a setting plays them all
@pytest.mark.parametrize(("setting", "name"), EACH)
def test_it_ends_as_expected_and_leaves_nothing(setting: Setting, name: str) -> None:
    rows = rows_of(setting)
    if name not in rows:
        pytest.skip("needs numpy")
    assert rows[name].ok, rows[name]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("setting", [each for each in SETTINGS if each.backend is Backend.BWRAP], ids=str)
def test_behind_bwrap_they_end_so_too(setting: Setting) -> None:
    rows = setting.play(FEW)
    assert set(rows) == {*FEW, LAST}
    assert all(row.ok for row in rows.values()), rows


def test_every_case_of_the_design_is_played() -> None:
    played = {number for case in (*CASES.values(), *UPLOADS.values()) for number in case.numbers}
    assert played == set(DESIGN) == set(range(1, 56))


def test_every_hostile_bot_of_the_collection_is_a_case() -> None:
    assert {path.stem for path in BOTS.glob("*.py")} == set(CASES)
