"""The parts in the box, as ``components.json`` states them with their sources."""

import json
from importlib.resources import files
from typing import Any, Final

_BOX: Final[dict[str, Any]] = json.loads(files(__package__).joinpath("components.json").read_text(encoding="utf-8"))

NUMBERS: Final = "".join(map(str, _BOX["numbers"]["values"]))
CARDS_EACH: Final[int] = _BOX["numbers"]["cards_each"]
WORM_VALUE: Final[int] = _BOX["worms"]["value"]
TAGS: Final[tuple[int, ...]] = tuple(_BOX["worms"]["tags"])  # 1, 2, 3, ...: a worm's place is its tag less one
PORTIONS: Final[tuple[int, ...]] = tuple(_BOX["portions"]["values"])  # rising, equal ones beside each other
WORMS_ON: Final[tuple[int, ...]] = tuple(_BOX["worms_on_portions"]["values"])  # of the different values, rising
HAND: Final[int] = _BOX["set_up"]["hand"]
IN_THE_BOX: Final[dict[int, int]] = {
    int(players): left for players, left in _BOX["set_up"]["portions_left_in_the_box"].items()
}
