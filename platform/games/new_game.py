"""Build a game, with the first version of its rules, from its author's values; the rest is derived."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from games.game import CatalogueGame, HouseBot
from games.in_numbers import InNumbers
from games.ruleset import POINTS, Option, Options, Ruleset
from games.schema import described, view_schema
from games.state import State


def new_game(
    folder: str,
    name: str,
    *,
    title: str,
    tagline: str,
    seats: range,
    view: Mapping[str, tuple[Mapping[str, Any], str]],
    opening: Callable[[int, Options], State],
    vocabulary: Callable[[Options], tuple[str, ...]],
    max_actions: Callable[[int, Options], int],
    reasons: Mapping[str, str],
    house_bots: Sequence[tuple[str, str, str]],
    options: Mapping[str, Option] = MappingProxyType({}),
    points: str = POINTS,
    in_numbers: InNumbers | None = None,
    **more: Any,
) -> CatalogueGame:
    """Return the game ``name`` in the package ``folder``, with version 1 of its rules.

    Args:
        view: the schema and the meaning of each key that the game adds to a view; see ``games.schema``.
        house_bots: weakest first; for each, the name of its file in ``bots/``, its title and a description. The last
            one continues for bots that failed.
        more: further fields of ``CatalogueGame``.

    Raises:
        IndexError: there is no house bot.
    """
    keys = {key: described(schema, meaning) for key, (schema, meaning) in view.items()}
    rules = Ruleset(
        name=name,
        version=1,
        title=title,
        seats=seats,
        options=options,
        view_schema=view_schema(title, f"{name}/1", options, seats, **keys),
        opening=opening,
        vocabulary=vocabulary,
        max_actions=max_actions,
        points=points,
        in_numbers=in_numbers,
    )
    bots = tuple(HouseBot(folder, *bot) for bot in house_bots)
    defaults: dict[str, Any] = {"versions": (rules,), "house_bots": bots, "plays_on": bots[-1].name}
    return CatalogueGame(folder=folder, tagline=tagline, reasons=reasons, **(defaults | more))
