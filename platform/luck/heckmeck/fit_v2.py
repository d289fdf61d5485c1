"""The fit of the weights of ``heckmeck/2-v2``. ``python -m luck.heckmeck.fit_v2`` plays the games and fits them again.

A sage plays in every game. Between two cautious bots, a lead is worth less, because they lose leads so often.
"""

from typing import Final

from luck.grill.fitting import grill_luck_fit
from luck.heckmeck.value import heckmeck_value_v2_features

GAMES: Final = ((("sage", "cautious"), 1600), (("sage", "sage"), 400))

if __name__ == "__main__":
    grill_luck_fit("heckmeck/2", heckmeck_value_v2_features, GAMES, better=True)
