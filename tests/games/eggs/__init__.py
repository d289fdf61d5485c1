"""Best Egg: a game as small as one can be with hidden cards, an option and chance.

It was made by following docs/adding-a-game.md, and is kept to prove that the steps are all there are: see
tests/games/test_adding_a_game. Everybody is dealt eggs of different weights. In each round everybody lays one open, in
turn, and the heaviest scores a point. The deal to lead goes round.
"""
