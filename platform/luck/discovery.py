"""Load the luck analyses of games: ours, and those that packages register in ``pecking_order.luck``.

Packages are trusted but may be broken. Then their game is played without an analysis.
"""

from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from games.catalogue import GAMES
from games.catalogue.discovery import ENGINES
from luck.judge import DealMeans, GameLuck, Value

GROUP: Final = "pecking_order.luck"
OWN: Final = ("pickomino", "heckmeck", "laghetti", "karteneck")
_HERE: Final = __name__.rpartition(".")[0]
ID_MOST: Final = 40  # characters, of the id of a value


class BrokenLuck(ValueError):
    """The registered object cannot be used."""


def luck_modules_found(registered: Iterable[EntryPoint] | None = None) -> tuple[dict[str, GameLuck], dict[str, str]]:
    """Load the entry points ``registered``, by default those of the environment.

    Return the luck by name of the game, and the errors of modules that cannot be used, by entry point.
    """
    own = [EntryPoint(name, f"{_HERE}.{name}:LUCK", GROUP) for name in OWN]
    games, broken = dict[str, GameLuck](), dict[str, str]()
    for entry in (*own, *_of_others(entry_points(group=GROUP) if registered is None else registered)):
        try:
            if entry.name in games:
                raise BrokenLuck("another package registers the luck of this game")
            luck = entry.load()
            luck_check(entry.name, luck)
        except (Exception, SystemExit) as error:  # imported modules may raise anything
            about = str(error) if isinstance(error, BrokenLuck) else f"{type(error).__name__}: {error}"
            broken[entry.value] = f"{entry.name}: {about}"[:500]
        else:
            games[entry.name] = luck
    return games, broken


def _of_others(registered: Iterable[EntryPoint]) -> Iterator[EntryPoint]:
    for entry in sorted(registered, key=lambda one: (one.name, one.value)):
        if entry.dist is None or entry.dist.name not in ENGINES:
            yield entry


def luck_check(name: str, luck: object) -> None:
    """Validate the object that is registered for the game ``name``.

    Raises:
        BrokenLuck: it is not valid; the text says why.
    """
    if not isinstance(luck, GameLuck):
        raise BrokenLuck(f"expected a GameLuck of this engine, got a {type(luck).__name__}")
    if name not in GAMES:
        raise BrokenLuck(f"no game {name!r} is installed")
    rulesets = {ruleset.id for ruleset in GAMES[name].versions}
    ids = set[str]()
    for one in _named(luck):
        if one.ruleset not in rulesets:
            raise BrokenLuck(f"the value {one.id!r} is for {one.ruleset!r}, which is no version of {name!r}")
        if not one.id.startswith(f"{one.ruleset}-") or len(one.id) > ID_MOST or one.id in ids:
            begins = f"{one.ruleset}-"
            raise BrokenLuck(f"the id {one.id!r} must begin with {begins!r}, be unique and at most {ID_MOST} long")
        ids.add(one.id)


def _named(luck: GameLuck) -> Iterator[DealMeans | Value]:
    yield from (known.value for known in luck.values)
    if luck.deals is not None:
        yield luck.deals
