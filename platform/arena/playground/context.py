"""The data of the playground's pages: games, opponents, examples, and the addresses of Python for browsers."""

from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _

from arena.site.author_kit import kit_browser_file
from arena.site.game_packages import game_package_in_browsers, game_packages_browser_games
from arena.site.samples import CLASS_BOT
from bots.models import Bot
from bots.selectors import bot_versions_playable
from games.catalogue import GAMES
from games.game import CatalogueGame, HouseBot
from games.ruleset import Ruleset
from games.schema import schema_keys
from matches.pages.player import player_choices_file, player_luck_parts, player_parts
from peck.person_table import person_table_opponent_plays_here
from teams.selectors import Visitor
from web import pyodide

DIGITS: Final = 16
VERSIONS_MOST: Final = 300  # versions of own bots in the list of opponents


def playground_worker_file() -> bytes:
    """Return the script of the web worker that runs Python."""
    found: Any = finders.find("playground/worker.js")
    return Path(found).read_bytes()


def playground_content_digest(data: bytes) -> str:
    """Return a digest of this content for its address."""
    return sha256(data).hexdigest()[:DIGITS]


def playground_settings() -> dict[str, Any]:
    """Return the addresses of the files of Python for browsers, with two sizes of each in bytes: compressed and not.
    Empty if this site does not serve Python for browsers.
    """
    if not (address := pyodide.pyodide_address()):
        return {}
    kit = reverse("playground-kit", args=[playground_content_digest(kit_browser_file())])
    files = {f"{address}{name}": sizes for name, sizes in pyodide.pyodide_sizes().items()}
    return {
        "worker": reverse("playground-worker", args=[playground_content_digest(playground_worker_file())]),
        "kit": kit,
        "pyodide": address,
        "snapshot": pyodide.pyodide_snapshot(),
        "editor": pyodide.pyodide_editor(),
        "sizes": files | {kit: (len(kit_browser_file()),) * 2},
    }


def playground_games() -> list[dict[str, Any]]:
    """Return every game that browsers can play, with its rulesets, opponents and examples."""
    return [
        {
            "name": game.name,
            "title": _(game.title),
            "rules": reverse("docs-rules", args=[game.name]),
            "rulesets": [_ruleset(ruleset) for ruleset in reversed(game.versions)],
            "house": [_house(bot) for bot in game.house_bots if person_table_opponent_plays_here(bot)],
            "examples": _examples(game),
            "terms": reverse("playground-terms", args=[game.name]),
        }
        for game in _played_here()
    ]


def playground_terms(game: CatalogueGame) -> dict[str, list[list[str]]]:
    """Return the keys of a game's views and the actions of its players, each with its meaning; "" if it has none."""
    ruleset = game.current
    options = {f"options.{name}": option.label for name, option in ruleset.options.items()}
    keys = {**dict(schema_keys(ruleset.view_schema)), **options}
    actions = ruleset.vocabulary(ruleset.validate(ruleset.seats.start, {}))
    return {
        "keys": [[path, _(meaning) if meaning else ""] for path, meaning in keys.items()],
        "actions": [[one, _(text) if (text := game.meaning_of(one)) else ""] for one in actions],
    }


def playground_opponents(user: Visitor, game: str) -> dict[str, Any]:
    """Return the bots of ``user`` and of the user's teams, and whether versions were left out. Each bot has its
    accepted versions with the addresses of their files. Only the newest ``VERSIONS_MOST`` versions of all bots are
    included.
    """
    found = list(bot_versions_playable(user, game)[: VERSIONS_MOST + 1])
    bots: dict[Bot, list[int]] = {}
    for version in found[:VERSIONS_MOST]:
        bots.setdefault(version.bot, []).append(version.number)
    listed = [
        {
            "name": bot.name,
            "team": bot.author_name if getattr(bot.owner, "is_team", False) else "",
            "source": _source(bot),
        }
        | {"versions": numbers}
        for bot, numbers in bots.items()
    ]
    return {"bots": listed, "more": len(found) > VERSIONS_MOST}


def _source(bot: Bot) -> str:
    return reverse("bots:source", args=[bot.slug, 0]).replace("/0/", "/{number}/")


def playground_house_bots_left_out() -> list[str]:
    """Return the house bots that cannot play in a browser, although their games can."""
    return [
        bot.title for game in _played_here() for bot in game.house_bots if not person_table_opponent_plays_here(bot)
    ]


def playground_server_only_games() -> dict[str, str]:
    """Return the titles of the games that browsers cannot play, by name."""
    return {name: _(game.title) for name, game in GAMES.items() if not game_package_in_browsers(name)}


def _played_here() -> list[CatalogueGame]:
    return [GAMES[name] for name in game_packages_browser_games()]


def _ruleset(ruleset: Ruleset) -> dict[str, Any]:
    choices = player_choices_file(ruleset.name)
    return {
        "id": ruleset.id,
        "seats": [*ruleset.usual_seats],
        "options": [
            {
                "name": name,
                "label": _(option.label),
                "choices": [
                    {"value": one, "text": _(option.say(one))}
                    for one in sorted(option.allowed, key=lambda one: one != option.default)
                ],
                "fewest": option.fewest,
            }
            for name, option in ruleset.options.items()
            if option.form is None
        ],
        "player": player_parts(ruleset.id)
        | player_luck_parts(ruleset.id)
        | {"choices": static(choices) if choices else ""},
    }


def _house(bot: HouseBot) -> dict[str, str]:
    return {"name": bot.name, "title": bot.title, "blurb": _(bot.blurb)}


def _examples(game: CatalogueGame) -> list[dict[str, str]]:
    """Return the example bots of a game: the shortest first, then the house bots that browsers can play."""
    own = [
        {"title": _("A first bot"), "source": game.first_bot() or SHORTEST},
        {"title": _("A bot with a memory"), "source": CLASS_BOT if game.first_bot() else WITH_MEMORY},
    ]
    house = [
        {"title": bot.title, "source": bot.source().decode()}
        for bot in game.house_bots
        if person_table_opponent_plays_here(bot)
    ]
    return own + house


SHORTEST: Final = """\
import random


def act(view):
    return random.choice(view["actions"])
"""
WITH_MEMORY: Final = '''\
import random


class Bot:
    """Made for every game. table: ruleset, options, players, your seat and a seed."""

    def __init__(self, table):
        self.seat = table["seat"]
        self.asked = 0

    def act(self, view):
        self.asked += 1
        print(self.asked, len(view["actions"]), "actions")
        return random.choice(view["actions"])

    def game_over(self, result):
        print("place", result["places"][self.seat])
'''
