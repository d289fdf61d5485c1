"""Two games made by following docs/how-to/add-a-game.md to the letter: tests/test_adding_a_game.py registers them."""
