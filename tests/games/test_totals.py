"""Every way to have up to eight dice aside, and the tile of a full grill that it wins: the two games at the grill."""

from itertools import combinations_with_replacement

import pytest

from games.catalogue import current
from games.catalogue.grill.aside import aside_of
from games.catalogue.heckmeck.position import HeckmeckPosition
from games.catalogue.heckmeck.position import heckmeck_position_resolve as heckmeck_resolve
from games.catalogue.heckmeck.turn import Hand
from games.catalogue.pickomino.position import PickominoPosition
from games.catalogue.pickomino.position import pickomino_position_resolve as pickomino_resolve

WAYS = [faces for dice in range(9) for faces in combinations_with_replacement("12345W", dice)]
VALUE = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}


def tile_for(faces: tuple[str, ...], exact_only: set[int]) -> int | None:
    total = sum(VALUE[face] for face in faces)
    if "W" not in faces:
        return None
    return total if total in exact_only else max((tile for tile in range(21, 37) if tile <= total), default=None)


def counts(faces: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(faces.count(face) for face in VALUE)


def test_there_are_3003_ways() -> None:
    assert len(WAYS) == 3003


def test_pickomino_gives_the_exact_tile_or_the_next_lower_one() -> None:
    start = current("pickomino").start(2, {})
    assert isinstance(start, PickominoPosition)
    for faces in WAYS:
        last = pickomino_resolve(start.board, aside_of(counts(faces))).view(None)["last"]
        assert (last["tile"], last["total"]) == (tile_for(faces, set()), sum(VALUE[face] for face in faces)), faces


@pytest.mark.parametrize("canned", [False, True])
def test_heckmeck_gives_11_and_13_for_the_exact_total_only_and_counts_the_canned_worm_where_no_die_shows_one(
    canned: bool,
) -> None:
    start = current("heckmeck").start(2, {})
    assert isinstance(start, HeckmeckPosition)
    board = start.board.move(0, 0) if canned else start.board
    for faces in WAYS:
        worth = (*faces, "W") if canned and "W" not in faces else faces
        after = heckmeck_resolve(board, Hand(aside_of(counts(faces)), "", -1))
        tile = after.view(None)["last"]["tile"] if after.board.last else None
        assert tile == tile_for(worth, {11, 13}), faces
