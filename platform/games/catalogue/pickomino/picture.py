"""Pickomino in a small picture: the grill, the dice, and everyone's top tile."""

from collections.abc import Sequence

from games.catalogue.grill.picture import table, top_tile
from games.catalogue.grill.tiles import HIGHEST, LOWEST
from games.picture import Drawing, PictureRow, View


def draw(view: View, paints: Sequence[str]) -> Drawing:
    """See ``games.picture.Painter``."""
    rows = [PictureRow(worms, top_tile(stack)) for worms, stack in zip(view["worms"], view["stacks"], strict=True)]
    return Drawing(table(view, range(LOWEST, HIGHEST + 1), 4), rows, view["phase"] == "over")
