"""How the weights of ``heckmeck/2-v2`` were fitted: ``python -m luck.heckmeck.fit_v2`` plays and fits again.

Sages play in all of its games: two cautious bots give a lead away so often that it is worth less between them.
"""

from typing import Final

from luck.grill.fitting import fit
from luck.heckmeck.value import heckmeck_v2_features

GAMES: Final = ((("sage", "cautious"), 1600), (("sage", "sage"), 400))

if __name__ == "__main__":
    fit("heckmeck/2", heckmeck_v2_features, GAMES, better=True)
