"""Hostile bots and uploads lose their game and nothing else: as root and as a user, with numpy and without."""

import pytest

from sandbox import Backend

from .cases import BOTS, CASES
from .conftest import PLAYED
from .design import DESIGN
from .duel import EVERY, Row
from .table import LAST, ME, NAMES, SETTINGS, Setting
from .uploads import UPLOADS

ALL = Setting(ME, True)
WALLS = Setting("user", False)
# One of each kind: as another user, and as that user behind bwrap, where each takes its time.
FEW = ("h01_fork_bomb", "h10_read_secrets", "h12_killer", "h16_native_code", "h18_exits_after_answer", "c48_daemon")
# Long ones, and the case by which `make test-processes` shows the same of the cage in less time.
ALIKE = {
    "c05_power": "h03_c_hog",
    "c05_sum": "h03_c_hog",
    "c35_hogs_core": "h14b_ponder_our_wire",
    "x08_text_that_never_ends": "h03_c_hog",
    "x13_print_flood": "h03_c_hog",
    "x20_faults_for_ever": "c13_fault_storm",
    "x24_evil_entry": "h20_import_time",
    "c08_deep_tree": "h28_deep_recursion",
    "c07_inflates": "h02b_import_bomb",
    "c55_at_the_limit": "h55b_cpu_bank",
    "h24_slow_sleeper": "h24b_naps",
    "x21_waits_for_nobody": "h04_sleeper",
}
DAILY = {ALL: [name for name in NAMES if name not in ALIKE], WALLS: [*FEW, LAST]}


def marks(setting: Setting, name: str) -> pytest.MarkDecorator:
    """`make test-processes` has one setting's and a few of another, `make test-slow` the rest.

    `make test-hostile` plays every case in every setting and prints the table.
    """
    return pytest.mark.processes if name in DAILY.get(setting, ()) else pytest.mark.slow


EACH = [
    pytest.param(setting, name, id=f"{name}-{setting}", marks=marks(setting, name))
    for setting in SETTINGS
    for name in NAMES
]


def rows_of(setting: Setting, name: str) -> dict[str, Row]:
    """All of a setting's cases of every day, or all others, are played together, by the first test that needs them."""
    rows, daily = PLAYED.setdefault(setting, {}), DAILY.get(setting, [])
    if name not in rows:
        played = setting.play(one for one in NAMES if (one in daily) == (name in daily) and one != LAST)
        assert played[LAST].ok, played[LAST]
        rows |= played
    return rows


@pytest.mark.timeout(1800)  # the first of a setting plays them all
@pytest.mark.parametrize(("setting", "name"), EACH)
def test_it_ends_as_expected_and_leaves_nothing(setting: Setting, name: str) -> None:
    if name in CASES and CASES[name].numpy and not setting.warm:
        pytest.skip("needs numpy")
    row = rows_of(setting, name)[name]
    assert row.ok, row


@pytest.mark.processes
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "setting",
    [
        pytest.param(each, marks=() if each.who == "user" else pytest.mark.slow)
        for each in SETTINGS
        if each.backend is Backend.BWRAP
    ],
    ids=str,
)
def test_behind_bwrap_they_end_so_too(setting: Setting) -> None:
    rows = setting.play(FEW)
    assert set(rows) == {*FEW, LAST}
    assert all(row.ok for row in rows.values()), rows


def test_every_case_of_the_design_is_played() -> None:
    played = {number for case in (*CASES.values(), *UPLOADS.values()) for number in case.numbers}
    assert played == set(DESIGN) == set(range(1, 56))
    assert {number for name in DAILY[ALL] if name != LAST for number in EVERY[name].numbers} == set(DESIGN)
    assert set(ALIKE.values()) <= set(DAILY[ALL])


def test_every_hostile_bot_of_the_collection_is_a_case() -> None:
    assert {path.stem for path in BOTS.glob("*.py")} == set(CASES)
