"""Two games in packages of their own, see ``packages/``: tests/test_adding_a_game.py registers them without installing
them.
"""

import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "packages"
for _name in ("pig", "highcard"):
    sys.path.append(str(FOLDER / _name))

import pecking_order_highcard as highcard  # noqa: E402
import pecking_order_pig as pig  # noqa: E402

SAMPLES = (pig.GAME, highcard.GAME)
