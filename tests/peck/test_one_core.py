"""A judge at home and its bots share one core, as in the cage, and the command gives it back."""

import os
from pathlib import Path

import pytest

from games.protocol import Limits
from peck.bots import peck_bots_at
from peck.processes import peck_process_allowed_cores, peck_process_on_one_core
from peck.series import Series, peck_series_blocks

pytestmark = pytest.mark.skipif(len(peck_process_allowed_cores()) < 2, reason="needs two cores to choose from")
PRINTS_CORES = (
    "import os\ndef act(view):\n    print(*os.sched_getaffinity(0), end=';')\n    return view['actions'][-1]\n"
)


@pytest.mark.parametrize("processes", [1, 2])
def test_bots_play_on_one_core_and_the_judge_has_all_of_its_own_again(tmp_path: Path, processes: int) -> None:
    (tmp_path / "tells.py").write_text(PRINTS_CORES)
    before = os.sched_getaffinity(0)
    with peck_bots_at([tmp_path / "tells.py"] * 2) as bots:
        series = Series("karteneck/2", {}, Limits(), b"core", tuple(bots))
        for block in peck_series_blocks(series, range(2), processes):
            where = {
                core for game in block.games for one in game.printed for core in one.split(";") if core.isdecimal()
            }
            assert len(where) == 1
    assert os.sched_getaffinity(0) == before


def test_a_process_beside_others_takes_a_core_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    from multiprocessing import SimpleQueue

    from peck import series
    from peck.series import peck_series_take_core

    taken: list[int] = []
    monkeypatch.setattr(series, "peck_process_allowed_cores", lambda: [4, 5, 6])
    monkeypatch.setattr(series, "peck_process_stay_on_core", taken.append)
    places = SimpleQueue()
    for place in range(4):
        places.put(place)
    for _ in range(4):
        peck_series_take_core(places)
    assert taken == [4, 5, 6, 4]


def test_where_a_system_lets_nobody_choose_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("peck.processes.CHOOSES", False)
    before = os.sched_getaffinity(0)
    with peck_process_on_one_core():
        assert os.sched_getaffinity(0) == before


def test_inside_it_is_the_core_that_it_was_on() -> None:
    with peck_process_on_one_core():
        assert len(os.sched_getaffinity(0)) == 1
        with peck_process_on_one_core():
            assert len(os.sched_getaffinity(0)) == 1
    assert len(os.sched_getaffinity(0)) >= 2
