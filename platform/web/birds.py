"""A bird for every bot: which one, and in which colours, follows from its slug alone. Who is called an owl is one."""

from hashlib import sha256
from typing import Final, NamedTuple

# Symbols of static/web/birds.svg; a new one at the end changes the bird of some bots.
SPECIES: Final = ("hen", "owl", "crow", "duck", "heron", "penguin", "robin", "cockatoo")
PLUMAGES: Final = 10  # pairs of colours and
GROUNDS: Final = 6  # what lies behind, both in static/site/css/lists.css


class Bird(NamedTuple):
    """``species`` names a symbol; ``plumage`` and ``ground`` count from 0."""

    species: str
    plumage: int
    ground: int


def bird_of(slug: str) -> Bird:
    """Return the bird of a bot, the same on every page and every site."""
    species, plumage, ground, *_ = sha256(slug.encode()).digest()
    called = next((one for one in slug.split("-") if one in SPECIES), SPECIES[species % len(SPECIES)])
    return Bird(called, plumage % PLUMAGES, ground % GROUNDS)
