"""Near copies of one author in a season are reported to the organiser, and to nobody else."""

import pytest
from django.urls import reverse

from bots.models import BotPackage
from bots.similarity import similarity_sketch_of
from leagues.selectors.pairs import season_near_copy_pairs_of
from leagues.services import league_bot_join
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.leagues.factories import open_league, season_of

pytestmark = pytest.mark.django_db

LONG = b"".join(
    b"def part_%d(a, b):\n    return a %s b if a else [b, %d]\n" % (n, sign, n)
    for n, sign in enumerate(
        [
            b"+",
            b"-",
            b"*",
            b"/",
            b"//",
            b"%",
            b"**",
            b"<<",
            b">>",
            b"|",
            b"&",
            b"^",
            b"==",
            b"!=",
            b"<",
            b">",
            b"<=",
            b">=",
        ]
    )
)
OTHER = b"import os\n\n\nclass Player:\n    def __init__(self):\n        self.seen = {}\n\n" + b"".join(
    b"    def rule_%d(self, view):\n        for one in view:\n            if one %s self.seen: yield %d, one\n"
    % (n, word, n)
    for n, word in enumerate([b"in", b"not in", b"is", b"is not", b"and", b"or"])
)


def joined(league, owner, source, name):
    version = BotVersionFactory(bot=BotFactory(owner=owner, name=name), source=source)
    BotPackage.objects.filter(version=version).update(sketch=similarity_sketch_of({"bot.py": source}))
    league_bot_join(league=league, bot=version.bot, by=owner)
    return version.bot


@pytest.fixture
def league():
    league, hen, cock = open_league(), UserFactory(), UserFactory()
    joined(league, hen, LONG, "First")
    joined(league, hen, LONG.replace(b"part_", b"piece_") + b"x = 1\n", "Second")
    joined(league, hen, OTHER, "Third")
    joined(league, cock, LONG + b"y = 2\n", "Of another author")
    return league


def test_only_near_copies_of_one_author_are_reported(league):
    (pair,) = season_near_copy_pairs_of(season_of(league))
    assert {pair.one.name, pair.other.name} == {"First", "Second"}
    assert 80 <= pair.percent <= 100


def test_two_queries_however_many_there_are(league, django_assert_num_queries):
    season = season_of(league)
    with django_assert_num_queries(2):
        season_near_copy_pairs_of(season)


@pytest.mark.parametrize(
    ("kind", "status"), [("nobody", 403), ("outsider", 403), ("member", 403), ("organiser", 200), ("staff", 200)]
)
def test_the_organiser_and_staff_read_it_on_the_page_and_over_the_api(client, league, kind, status):
    member = league.memberships.first().bot.owner
    user = {"nobody": None, "member": member, "organiser": league.organiser}.get(kind) or (
        UserFactory(is_staff=kind == "staff") if kind != "nobody" else None
    )
    headers = {"authorization": f"Token {token_of(user)}"} if user else {}
    answer = client.get(reverse("api-leagues:near-copies", args=[league.slug, 1]), headers=headers)
    assert answer.status_code == status
    if status == 200:
        (row,) = answer.json()["results"]
        assert {row["one"]["name"], row["other"]["name"]} == {"First", "Second"}
    if user:
        client.force_login(user)
    page = client.get(reverse("leagues:detail", args=[league.slug]))
    assert_clean_page(page)
    assert ("Nearly the same program" in page.content.decode()) == (status == 200)
