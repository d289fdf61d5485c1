"""The games as tiles of the home page and the rules, each with a board from the middle of a game."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.catalogue import GAMES, stand_in
from games.game import CatalogueGame
from games.picture import board_alone
from games.table import Table
from web.optional import optional

SEED: Final = bytes(range(16))
ACTIONS: Final = range(20, 40)  # by then something lies on every table; of these the fullest picture is shown


@dataclass(frozen=True, slots=True)
class GameTile:
    """A game with the picture of its board, which is ours and may stand in a page as it is; "" if it cannot be
    drawn."""

    name: str
    title: str
    fewest: int
    most: int
    colour: str
    tagline: str
    board: SafeString


def game_tiles() -> list[GameTile]:
    """Return a tile for each game, in the reader's language."""
    return [
        GameTile(
            game.name,
            gettext(game.title),
            game.current.usual_seats[0],
            game.current.usual_seats[-1],
            game.colour,
            gettext(game.tagline),
            _board(game),
        )
        for game in GAMES.values()
    ]


@optional("board of a tile", lambda _game: SafeString())
@cache
def _board(game: CatalogueGame) -> SafeString:
    players = max(2, game.current.usual_seats[0])
    table, play = Table(game.current, players, {}, SEED), stand_in(game.name)
    pictures: list[str] = []
    for number in range(ACTIONS.stop):
        if number in ACTIONS or not pictures:
            pictures.append(board_alone(game.draw, table.view(None), range(players)))
        table.play(play(table.view(table.actor)))
        if table.over:
            break
    return mark_safe(max(pictures, key=len))  # noqa: S308
