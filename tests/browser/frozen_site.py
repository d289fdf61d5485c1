"""The pages of a whole site, frozen: a match on air and one to come, tournaments of both kinds, a league, every form.

``python -m tests.browser.frozen_site`` writes ``fetched()`` to standard output, for ``frozen.made_by``. A page that
only somebody may read lies below ``/as/<who>``; so does a form that was sent with nothing in it, below ``/refused``.
"""

import json
import pickle
import sys
from typing import Any, Final
from urllib.parse import quote

import django
from django.test import Client
from django.urls import reverse

from tests.matches.replay.frozen import Answers

LANGUAGES: Final = ("en", "de", "fr", "it")
LONG: Final = "Mehrfachwurmdonaudampfschifffahrtsgesellschaft"  # one word
STORED_HEADERS: Final = ("Content-Type", "Content-Security-Policy", "Content-Language")


def fetched(*, whole: bool, long_names: bool = False) -> tuple[dict[str, tuple[str, list[str]]], Answers]:
    """The path of each page by its name, its languages, and all that these pages request.

    ``whole``: in every language; otherwise in one of them in turn. ``long_names``: every bot, contest and author has a
    name of one word, as long as it may be.
    """
    from tests.arena.test_every_address import address, visit, whole_site

    site = whole_site()
    watched = _watched()
    if long_names:
        _name_all_long(site)
    answers: Answers = {}
    paths: dict[str, tuple[str, list[str]]] = {}

    def store(name: str, path: str, who: str, *, refused: bool = False) -> None:
        place = f"{'/refused' if refused else ''}{'' if who == 'stranger' else f'/as/{who}'}{path}"
        languages = [*LANGUAGES] if whole else [LANGUAGES[len(paths) % len(LANGUAGES)]]
        paths[name] = place.partition("?")[0], languages
        client = visit(who, site)
        for language in languages:
            data = {"accept-language": language}
            answer = client.post(path, {"sent": "1"}, headers=data) if refused else client.get(path, headers=data)
            assert answer.status_code in ({200, 422} if refused else {404 if name == "lost" else 200}), path
            answers[paths[name][0], language] = answer.content, {n: answer[n] for n in STORED_HEADERS if n in answer}

    for who, names in PAGES.items():
        for name in names:
            store(name, address(name, site), who)
    for name, path in watched.items():
        store(name, path, "stranger")
    store("lost", "/no/such/page/", "stranger")
    for name in REFUSED:
        who = "stranger" if name.startswith("account") else "organiser"
        store(f"{name}, refused", address(name, site), who, refused=True)
    for language in LANGUAGES:
        catalogue = reverse("javascript-catalog")
        answers[catalogue, language] = (
            Client().get(catalogue, headers={"accept-language": language}).content,
            {"Content-Type": "text/javascript"},
        )
    for match in ("match finished", "match on air"):
        frames = f"{paths[match][0]}games/0/frames.json"
        answers[frames, "en"] = Client().get(frames).content, {"Content-Type": "application/json"}
    return paths, answers


def _watched() -> dict[str, str]:
    """A site's liveliest pages: what is on air, what is to come, what is over."""
    from tests.bots.factories import BotFactory, BotVersionFactory
    from tests.matches.airing.on_air import match_on_air
    from tests.matches.factories import FinishedMatchFactory
    from tests.puzzles.factories import puzzle_of
    from tests.tournaments.factories import finish_matches, running_tournament
    from tournaments.services import tournament_advance

    def seats() -> list[Any]:
        return [BotVersionFactory(bot=BotFactory(name=name)) for name in ("Fat Crow", "Wise Owl")]

    matches = {
        "match on air": match_on_air(elapsed=30, seats=seats()),
        "match to come": match_on_air(elapsed=-600, seats=seats()),
        "match finished": FinishedMatchFactory(seats=seats()),
    }
    found = {name: reverse("matches:detail", args=[match.pk]) for name, match in matches.items()}
    found["match embedded"] = reverse("matches:embed", args=[matches["match finished"].pk])
    cup = running_tournament(entries=4, format="single_elimination")
    while not tournament_advance(tournament_id=cup.pk) or cup.fixtures.filter(match__state="queued").exists():
        finish_matches(cup)
    found["knockout"] = reverse("tournaments:detail", args=[cup.slug])
    found["bracket"] = reverse("tournaments:pairings", args=[cup.slug, 1])
    found["projector"] = reverse("tournaments:screen", args=[cup.slug])
    puzzle, answered = (reverse("puzzles:detail", args=[puzzle_of().pk]) for _ in range(2))
    found["puzzles"] = reverse("puzzles:list")
    found["puzzle"] = puzzle
    found["puzzle answered"] = f"{answered}?answer={quote(puzzle_of().played)}"
    found["search results"] = reverse("search") + "?q=crow"
    return found


def _name_all_long(site: dict[str, Any]) -> None:
    from arena.accounts.models import User
    from bots.models import Bot
    from leagues.models import League
    from tournaments.models import Tournament

    for model, field in ((Bot, "name"), (Tournament, "name"), (League, "name"), (User, "username")):
        for place, one in enumerate(model.objects.exclude(**{f"{field}__in": ["organiser", "staff"]}).order_by("pk")):
            model.objects.filter(pk=one.pk).update(**{field: f"{LONG[:38]}{place:02}"})
    author = User.objects.get(pk=site["arguments"]["user_id"]).username
    site["people"]["author"] = site["arguments"]["username"] = author


# By who reads them, by the names of their addresses.
PAGES: Final = {
    "stranger": (
        "home", "search", "watch:all", "watch:channel", "docs-bots", "docs-handbook", "docs-guide",
        "docs-glossary", "docs-rules-index", "docs-rules",
        "api-docs", "account_login", "account_signup", "account_reset_password", "accounts:profile", "bots:detail",
        "matches:list", "tournaments:list", "tournaments:detail", "tournaments:pairings",
        "tournaments:boards", "tournaments:fairness", "tournaments:rulings", "tournaments:ratings",
        "tournaments:tie-breaks",
        "tournaments:screen", "tournaments:embed", "leagues:screen", "leagues:embed", "screen",
        "tournaments:calculation", "leagues:list", "leagues:detail", "leagues:bot", "leagues:season",
        "playground", "play-yourself", "operations:status",
    ),
    "author": ("bots:list", "bots:create", "bots:edit", "bots:delete", "bots:failures", "bots:spar", "accounts:tokens",
               "account_email", "account_change_password", "organisers:ask", "mfa_index", "notices:inbox",
               "notices:settings", "teams:list", "teams:create", "groups:list", "hooks:list"),
    "organiser": ("tournaments:create", "tournaments:arbiters", "leagues:create", "tournaments:plan",
                  "tournaments:apart", "groups:create", "assignments:detail", "assignments:marks"),
    "staff": ("leagues:pairs", "operations:page", "leagues:edit"),
}  # fmt: skip
REFUSED: Final = ("tournaments:create", "leagues:create", "bots:create", "account_login")


if __name__ == "__main__":
    django.setup()
    sys.stdout.buffer.write(pickle.dumps(fetched(**json.loads(sys.argv[1])[0])))
