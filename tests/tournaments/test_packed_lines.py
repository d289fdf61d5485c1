"""Lines in packs are the lines that were given, and whoever reads a page of them unpickles its packs alone."""

import pickle
from collections.abc import Callable

import pytest

from tournaments.selectors.standings import packed_lines
from tournaments.selectors.standings.packed_lines import PACK, PackedLines

LINES = tuple((number, f"line {number}") for number in range(3 * PACK + 7))


@pytest.fixture
def unpickled(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many packs were unpickled so far."""
    packs: list[bytes] = []

    def loads(pack: bytes) -> object:
        packs.append(pack)
        return pickle.loads(pack)

    monkeypatch.setattr(
        packed_lines, "pickle", type("Pickle", (), {"dumps": pickle.dumps, "loads": staticmethod(loads)})
    )
    return lambda: len(packs)


@pytest.mark.parametrize("count", [0, 1, PACK - 1, PACK, PACK + 1, len(LINES)])
def test_they_are_the_lines_that_were_given_in_order_also_when_they_were_kept(count: int) -> None:
    packed = pickle.loads(pickle.dumps(PackedLines(LINES[:count])))
    assert len(packed) == count
    assert bool(packed) is bool(count)
    assert tuple(packed) == LINES[:count]
    assert packed == LINES[:count]
    assert packed == PackedLines(LINES[:count])
    assert hash(packed) == hash(LINES[:count])


def test_lines_that_differ_are_not_equal() -> None:
    assert PackedLines(LINES) != LINES[:-1]
    assert PackedLines(LINES) != PackedLines(LINES[1:])
    assert PackedLines(LINES) != list(LINES)


@pytest.mark.parametrize("start", [None, 0, 1, 49, 50, 99, 150, 500, -1, -51, -500])
@pytest.mark.parametrize("stop", [None, 0, 1, 50, 51, 157, 500, -1, -60])
@pytest.mark.parametrize("step", [None, 1, 7, -1, -60])
def test_every_slice_is_that_of_a_tuple(start: int | None, stop: int | None, step: int | None) -> None:
    assert PackedLines(LINES)[start:stop:step] == LINES[start:stop:step]
    assert PackedLines(LINES, 7)[start:stop:step] == LINES[start:stop:step]


def test_every_place_is_that_of_a_tuple_and_others_are_refused() -> None:
    packed = PackedLines(LINES)
    assert [packed[at] for at in range(-len(LINES), len(LINES))] == [*LINES, *LINES]
    for at in (len(LINES), -len(LINES) - 1):
        with pytest.raises(IndexError):
            packed[at]


def test_a_page_unpickles_its_pack_alone(unpickled: Callable[[], int]) -> None:
    packed = PackedLines(LINES)
    assert packed[PACK : 2 * PACK] == LINES[PACK : 2 * PACK]
    assert unpickled() == 1
    assert packed[-1] == LINES[-1]
    assert unpickled() == 2
    assert len(packed) == len(LINES)
    assert packed[len(LINES) :] == ()
    assert unpickled() == 2


def test_whoever_asks_for_some_places_is_given_these_lines_in_that_order(unpickled: Callable[[], int]) -> None:
    packed = PackedLines(LINES)
    assert packed.at([PACK + 1, 3, PACK]) == (LINES[PACK + 1], LINES[3], LINES[PACK])
    assert unpickled() == 2
    assert packed.at([]) == ()
