"""Nim: who takes the last object loses."""

from pecking.game import Option
from pecking_order_openspiel.bridge import bridged

HEAPS = {"classic": "1;3;5;7", "three": "3;4;5", "large": "4;6;8;9"}

GAME = bridged(
    __name__,
    title="Nim",
    tagline="Take from one heap. The one who takes the last loses.",
    house_bots=[("xor", "Odd Owl", "Knows the theory.")],
    options={
        "heaps": Option(
            "classic",
            tuple(HEAPS),
            "Heaps",
            "How many objects lie in each heap at first.",
            words=("1, 3, 5 and 7", "3, 4 and 5", "4, 6, 8 and 9"),
        )
    },
    parameters=lambda players, options: {"pile_sizes": HEAPS[options["heaps"]]},
)
