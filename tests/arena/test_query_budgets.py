"""How often pages that people keep open query the database: one table of pages, visitors and the most queries.

Each scene is made small and large, and a page must take as many queries for both. What everyone sees alike is cached,
as for a reader among many; ``test_query_counts`` has all other pages, with nothing cached.
"""

import random
from collections import defaultdict
from collections.abc import Callable
from typing import Final, NamedTuple

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from arena.accounts.models import User
from bots.models import Bot
from leagues.services import season_refit, season_schedule
from matches.models import Match, Seat
from notices.models import Notice
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.leagues.factories import member_of, open_league, play, season_of, worker_up
from tests.matches.factories import CRASHES, FinishedMatchFactory
from tests.tournaments.factories import finish_matches, running_tournament
from tournaments import services
from tournaments.models import Nonce, Tournament
from tournaments.panels import FEW
from web import boards

pytestmark = pytest.mark.django_db

ROWS: Final = 5  # of a page of a board: both sizes have several pages
ANONYMOUS: Final = "anonymous"
TOKEN: Final = "token of the "  # before a role: the API
PRINTS: Final = b"def act(view):\n    print('hm')\n    return view['actions'][-1]\n"


class Scene(NamedTuple):
    """The addresses of its pages, and who looks at them."""

    pages: dict[str, str]
    people: dict[str, User]


def swiss(entries: int) -> Scene:
    """In its second round, with all that a page may show: luck that people added to, an arbiter, a bot that left, a
    match that is held."""
    worker_up()
    cup = running_tournament(entries, format="swiss", rounds=4)
    for number, by in enumerate([cup.organiser, UserFactory()], 1):
        Nonce.objects.create(luck=cup.lucks.get(), number=number, text=f"text {number}", by=by)
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    services.entry_withdraw(entry=cup.entries.first(), by=cup.organiser)
    cup.arbiters.add(UserFactory())
    held = cup.fixtures.filter(round__number=2).first().match
    type(held).objects.filter(pk=held.pk).update(state="held", last_platform_fault="it died")
    return _scene(cup)


def waiting_swiss(entries: int) -> Scene:
    return _scene(running_tournament(entries, format="swiss", rounds=4, has_round_review=True))


def knockout(entries: int) -> Scene:
    cup = running_tournament(entries, format="single_elimination")
    finish_matches(cup)
    return _scene(cup)


def _scene(cup: Tournament) -> Scene:
    own = cup.entries.filter(is_withdrawn=False).select_related("bot__owner").order_by("pk")[0]
    pages = {name: [name] for name in ("detail", "live", "screen", "ratings", "tie-breaks")}
    pages |= {name: [name, 1] for name in ("boards", "boards-cells", "pairings", "arrange", "bracket")}
    pages |= {
        "arrange 2": ["arrange", 2],
        "note": ["rule", "note"],
        "embed": ["embed", "standings"],
        "calculation": ["calculation", own.pk],
    }
    addresses = {name: reverse(f"tournaments:{one}", args=[cup.slug, *rest]) for name, (one, *rest) in pages.items()}
    addresses |= {f"API {one}": reverse(f"api-tournaments:{one}", args=[cup.slug]) for one in ("detail", "standings")}
    arbiter = cup.arbiters.first() or UserFactory()
    people = {"organiser": cup.organiser, "author": own.bot.owner, "stranger": UserFactory(), "arbiter": arbiter}
    return Scene(addresses, people)


def bot(matches: int) -> Scene:
    """A bot that crashes, in a league, with another league that it might join."""
    league, version = open_league(), BotVersionFactory(source=CRASHES)
    member_of(league, bot=version.bot)
    for _ in range(matches):
        FinishedMatchFactory(seats=[version, BotVersionFactory()])
    assert Seat.objects.filter(version=version, match__state="finished").count() > FEW
    pages = {"bot": reverse("bots:detail", args=[version.bot.slug])}
    return Scene(pages, {"author": version.bot.owner, "organiser": league.organiser})


def output(matches: int) -> Scene:
    version = BotVersionFactory(source=PRINTS)
    for _ in range(matches):
        FinishedMatchFactory(seats=[version, BotVersionFactory()])
    return Scene({"output": reverse("bots:output", args=[version.bot.slug])}, {"author": version.bot.owner})


def match(blocks: int) -> Scene:
    version = BotVersionFactory(source=CRASHES)
    played = FinishedMatchFactory(seats=[version, BotVersionFactory()], blocks=blocks)
    return Scene({"match": reverse("matches:detail", args=[played.pk])}, {"author": version.bot.owner})


def finished_seats(bot: Bot) -> int:
    return Seat.objects.filter(version__bot=bot, match__state="finished").count()


def league(bots: int) -> Scene:
    found = open_league(bots=bots)
    season = season_of(found)
    worker_up()
    for _ in range(3 * bots):
        season_schedule(season_id=season.pk)
        play(season, defaultdict(float), random.Random(bots))
        season_refit(season_id=season.pk)
    members = found.memberships.select_related("bot__owner").order_by("pk")
    member = max(members, key=lambda one: finished_seats(one.bot))  # who plays how often is up to the lot
    pages = {one: reverse(f"leagues:{one}", args=[found.slug]) for one in ("detail", "live", "embed", "screen")}
    pages |= {one: reverse(f"leagues:{one}", args=[found.slug, 1]) for one in ("pairs", "head-to-head")}
    met = Match.objects.filter(seats__version__bot=member.bot, state="finished")[0].seats.select_related("version__bot")
    both = "&".join(f"{name}={seat.version.bot.slug}" for name, seat in zip(("one", "other"), met, strict=True))
    pages |= {"compare": f"{reverse('leagues:compare', args=[found.slug, 1])}?{both}"}
    pages |= {"compare any": reverse("leagues:compare", args=[found.slug, 1])}
    pages |= {"bot": reverse("leagues:bot", args=[found.slug, member.bot.slug])}
    pages |= {"its own page": reverse("bots:detail", args=[member.bot.slug])}
    open_league(bots=0)  # which it might join
    assert finished_seats(member.bot) > FEW
    return Scene(pages, {"author": member.bot.owner, "organiser": found.organiser})


PEOPLE: Final = ("stranger", "author", "arbiter", "organiser")
RUN: Final = ("organiser", "arbiter")
PLAYED: Final = ("boards", "boards-cells")
BUDGETS: Final[list[tuple[Callable[[int], Scene], int, int, str, str, int]]] = [
    # scene, its sizes, page, who asks, the most queries
    (swiss, 7, 12, "detail", ANONYMOUS, 19),
    (swiss, 7, 12, "live", ANONYMOUS, 18),
    # Who runs it also sees what happens by itself.
    *((swiss, 7, 12, page, person, 27 if person in RUN else 24) for page in ("detail", "live") for person in PEOPLE),
    *((swiss, 7, 12, page, person, 12) for page in PLAYED for person in PEOPLE),
    (swiss, 7, 12, "embed", ANONYMOUS, 12),
    *((swiss, 7, 12, "screen", person, 18) for person in (ANONYMOUS, *PEOPLE)),
    *((swiss, 7, 12, page, ANONYMOUS, 18) for page in ("ratings", "tie-breaks", "pairings", "calculation")),
    (swiss, 7, 12, "arrange 2", "organiser", 12),
    (swiss, 7, 12, "note", "organiser", 12),
    *((swiss, 7, 12, page, f"{TOKEN}author", 13) for page in ("API detail", "API standings")),
    (waiting_swiss, 7, 12, "arrange", "organiser", 12),
    *((knockout, 12, 14, page, person, 32) for page in ("detail", "live") for person in (ANONYMOUS, "author")),
    (knockout, 12, 14, "bracket", ANONYMOUS, 18),
    (knockout, 12, 14, "screen", ANONYMOUS, 24),
    (bot, 7, 12, "bot", ANONYMOUS, 12),
    (bot, 7, 12, "bot", "organiser", 13),  # whether they follow it
    (bot, 7, 12, "bot", "author", 15),  # faults, withdrawals and leagues to join are the author's alone
    (output, 1, 2, "output", "author", 12),
    (match, 1, 4, "match", "author", 12),
    *((league, 6, 9, page, ANONYMOUS, 19) for page in ("detail", "live")),
    (league, 6, 9, "live", "author", 20),  # whether they follow it
    (league, 6, 9, "detail", "author", 23),  # and what comes next for their bots there
    (league, 6, 9, "embed", ANONYMOUS, 12),
    (league, 6, 9, "screen", ANONYMOUS, 18),
    (league, 6, 9, "pairs", "organiser", 12),
    (league, 6, 9, "head-to-head", ANONYMOUS, 18),
    (league, 6, 9, "compare", ANONYMOUS, 26),
    (league, 6, 9, "compare any", ANONYMOUS, 18),
    (league, 6, 9, "its own page", "author", 13),  # and what its newest test match has shown
    *((league, 6, 9, "bot", person, 12) for person in (ANONYMOUS, "author")),
]


@pytest.fixture(autouse=True)
def _as_among_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.setattr("web.brief_cache.CACHED_SECONDS", 600)
    monkeypatch.setattr(boards, "BOARD_ROWS", ROWS)
    for one in caches.all():
        one.clear()


def queries(scene: Scene, page: str, person: str) -> int:
    """Return how many queries the page takes of somebody who has just seen it."""
    client, headers = Client(), {}
    if person.startswith(TOKEN):
        headers = {"authorization": f"Token {token_of(scene.people[person.removeprefix(TOKEN)])}"}
    elif person != ANONYMOUS:
        client.force_login(scene.people[person])
    assert client.get(scene.pages[page], headers=headers).status_code == 200, (page, person)
    with CaptureQueriesContext(connection) as queries:
        client.get(scene.pages[page], headers=headers)
    return len(queries)


@pytest.mark.parametrize("make", sorted({row[0] for row in BUDGETS}, key=lambda one: one.__name__))
def test_a_page_takes_as_many_queries_for_many_rows_as_for_few_and_no_more_than_its_budget(
    make: Callable[[int], Scene],
) -> None:
    rows = [row[1:] for row in BUDGETS if row[0] is make]
    small, large = (make(size) for size in rows[0][:2])
    Notice.objects.update(read_at=timezone.now())  # what the badge costs: tests/notices/test_publishing.py
    counts = {
        (page, person): (queries(small, page, person), queries(large, page, person), most)
        for _small, _large, page, person, most in rows
    }
    assert {key: found for key, found in counts.items() if not found[0] == found[1] <= found[2]} == {}
