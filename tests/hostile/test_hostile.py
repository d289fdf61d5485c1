"""Hostile bots and uploads lose their game and nothing else: as root and as a user, with numpy and without."""

import pytest

from .cases import BOTS, CASES
from .conftest import PLAYED
from .design import DESIGN
from .duel import Row
from .table import ME, NAMES, SETTINGS, Setting
from .uploads import UPLOADS

# The others, root without numpy and an ordinary user with it, are slow tests and part of ``make test-hostile``.
EVERYDAY = {(ME, True), ("user", False)}
EACH = [
    pytest.param(each, id=str(each), marks=() if (each.who, each.warm) in EVERYDAY else pytest.mark.slow)
    for each in SETTINGS
]


@pytest.fixture(scope="module")
def rows(request: pytest.FixtureRequest) -> dict[str, Row]:
    setting: Setting = request.param
    PLAYED[setting] = setting.play()
    return PLAYED[setting]


@pytest.mark.timeout(1800)  # the first of a setting plays them all
@pytest.mark.parametrize("rows", EACH, indirect=True, scope="module")
@pytest.mark.parametrize("name", NAMES)
def test_it_ends_as_expected_and_leaves_nothing(rows: dict[str, Row], name: str) -> None:
    if name not in rows:
        pytest.skip("needs numpy")
    assert rows[name].ok, rows[name]


def test_every_case_of_the_design_is_played() -> None:
    played = {number for case in (*CASES.values(), *UPLOADS.values()) for number in case.numbers}
    assert played == set(DESIGN) == set(range(1, 56))


def test_every_hostile_bot_of_the_collection_is_a_case() -> None:
    assert {path.stem for path in BOTS.glob("*.py")} == set(CASES)
