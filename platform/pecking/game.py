"""Public names for writing a game: rules, views, options and pictures. See docs/how-to/add-a-game.md."""

from games.beats import Mark, Marker, Weight, ending, mark_action
from games.chance import Chance, Draw, Pick, Roll, draws, roll_odds, rolls
from games.game import CatalogueGame, Cup, HouseBot, new_game
from games.in_numbers import InNumbers, around, from_here, one_of, part_of, parts_of, places_of, row
from games.picture import Drawing, PictureRow, plain
from games.ruleset import Form, FormError, Option, Options, Ruleset
from games.scene import Scene
from games.schema import (
    COUNT,
    described,
    distinct,
    for_each_seat,
    listed,
    number,
    or_null,
    record,
    seat,
    view_schema,
    whole,
)
from games.state import CHANCE, IllegalAction, Outcome, Seat, State, View

__all__ = [
    "CHANCE",
    "COUNT",
    "CatalogueGame",
    "Chance",
    "Cup",
    "Draw",
    "Drawing",
    "Form",
    "FormError",
    "HouseBot",
    "IllegalAction",
    "InNumbers",
    "Mark",
    "Marker",
    "Option",
    "Options",
    "Outcome",
    "Pick",
    "PictureRow",
    "Roll",
    "Ruleset",
    "Scene",
    "Seat",
    "State",
    "View",
    "Weight",
    "around",
    "described",
    "distinct",
    "draws",
    "ending",
    "for_each_seat",
    "from_here",
    "listed",
    "mark_action",
    "new_game",
    "number",
    "one_of",
    "or_null",
    "part_of",
    "parts_of",
    "places_of",
    "plain",
    "record",
    "roll_odds",
    "rolls",
    "row",
    "seat",
    "view_schema",
    "whole",
]
