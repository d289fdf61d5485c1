"""The fit of the weights of ``pickomino/1-v1``. ``python -m luck.pickomino.fit`` plays the games and fits them again.

The frozen weights must not change: a new value needs a new file with a new id.
"""

from typing import Final

from luck.grill.fitting import grill_luck_fit
from luck.pickomino.value import pickomino_features

GAMES: Final = (
    (("greedy", "cautious"), 700),
    (("greedy", "greedy"), 300),
    (("cautious", "cautious"), 300),
    (("sage", "greedy"), 120),
    (("sage", "sage"), 100),
    (("sage", "cautious"), 120),
)

if __name__ == "__main__":
    grill_luck_fit("pickomino/1", pickomino_features, GAMES)
