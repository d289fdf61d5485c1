"""The anniversary edition in a small picture: the grill with its specialists, the dice, and everyone's top tile."""

from collections.abc import Sequence

from games.catalogue.grill.picture import table, top_tile
from games.catalogue.heckmeck.components import TILES
from games.picture import Drawing, PictureRow, View


def draw(view: View, paints: Sequence[str]) -> Drawing:
    """See ``games.picture.Painter``. A star stands for each specialist that a seat has, a spot for one on a tile."""
    places = [place.split() for place in view["specialists"].values()]
    guarded = {int(place[1]) for place in places if place[0] == "tile"}
    owned = [sum(place == ["seat", str(seat)] for place in places) for seat in range(len(paints))]
    rows = [
        PictureRow(worms, f"{'*' * owned[seat]} {top_tile(stack)}".strip())
        for seat, (worms, stack) in enumerate(zip(view["worms"], view["stacks"], strict=True))
    ]
    return Drawing(table(view, TILES, 5, guarded), rows, view["phase"] == "over")
