"""Downloads of matches: ``python -m tests.matches.replay.match_files`` writes them by name to standard output."""

import pickle
import sys

import django
from django.test import Client
from django.urls import reverse


def match_files() -> dict[str, str]:
    """A match of every game, and one for somebody who reads German."""
    from games.catalogue import GAMES
    from tests.matches.replay.house_matches import house_match

    found, client = {}, Client()
    for game in GAMES.values():
        address = reverse("matches:file", args=[house_match(game.name, min(game.current.seats)).pk])
        found[game.name] = client.get(address).content.decode()
        if game.name == "pickomino":
            found["german"] = client.get(address, headers={"accept-language": "de"}).content.decode()
    return found


if __name__ == "__main__":
    django.setup()
    sys.stdout.buffer.write(pickle.dumps(match_files()))
