"""How the weights of ``pickomino/1-v1`` were fitted: ``python -m luck.pickomino.fit`` plays and fits again.

Another value is another file with another id: what was frozen stays.
"""

from typing import Final

from luck.grill.fitting import fit
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
    fit("pickomino/1", pickomino_features, GAMES)
