"""Two games made by following docs/how-to/add-a-game.md to the letter: tests/test_adding_a_game.py registers them."""

from pathlib import Path

from tests.games.sample import highcard, pig

FOLDER = Path(__file__).parent
SAMPLES = (pig.GAME, highcard.GAME)
