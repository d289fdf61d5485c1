"""What a ruling says of a match, in the record of its bots: on their pages, head to head, and in the API."""

import pytest
from django.urls import reverse

from matches.bot_history.head_to_head import Tally, head_to_head
from matches.bot_history.selectors import bot_match_rows, bot_matches_of
from matches.models import Audience, Match, Seat
from tests.arena.factories import UserFactory
from tests.arena.openapi import as_described
from tests.arena.pages import assert_clean_page
from tests.bots.test_permissions import token_of
from tests.tournaments.factories import finish_matches, running_tournament
from tests.tournaments.rulings.rule import fixture_at, rule, take_back

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cup():
    """Three bots that have met each other."""
    made = running_tournament(3)
    finish_matches(made)
    Seat.objects.update(places=[1, 2])
    return made


@pytest.fixture
def decider(cup):
    """The match of the first two bots, and these."""
    first, second, _ = (entry.bot for entry in cup.entries.order_by("pk"))
    seats = Match.objects.filter(seats__version__bot=first).filter(seats__version__bot=second)
    return cup.fixtures.select_related("round", "match").get(match=seats.get()), first, second


def tally(bot, other):
    return next((one.tally for one in head_to_head(bot).rivals if one.slug == other.slug), None)


def listed(client, bot, match):
    answer = as_described(client.get(reverse("api:results", args=[bot.slug]))).json()["results"]
    return next(one for one in answer if one["match"] == match)


def score(cup, bot, other, own, theirs):
    return {cup.entries.get(bot=bot).pk: own, cup.entries.get(bot=other).pk: theirs}


@pytest.mark.parametrize(("kind", "label"), [("void", "void"), ("replay", "match replayed")])
def test_a_match_that_does_not_count_is_marked_and_in_no_tally_until_that_is_taken_back(
    client, cup, decider, kind, label
):
    fixture, first, second = decider
    table = fixture_at(cup, fixture.round.number, fixture.table)
    assert tally(first, second).met == 1
    was = listed(client, first, fixture.match_id)
    assert (was["ruling"], was["counts"]) == ("", True)
    rule(cup, kind, fixture=table)
    assert tally(first, second) is None
    assert tally(second, first) is None
    now = listed(client, first, fixture.match_id)
    assert (now["ruling"], now["counts"]) in ((kind, False), ("superseded", False))
    page = client.get(reverse("bots:detail", args=[first.slug]))
    assert_clean_page(page)
    html = page.content.decode()
    assert "does not count" in html
    assert label in html or "superseded" in html
    take_back(cup)
    assert tally(first, second).met == 1
    assert listed(client, first, fixture.match_id)["counts"] is True


def test_a_replaced_result_counts_with_the_scores_that_were_given(client, cup, decider):
    fixture, first, second = decider
    before = tally(first, second)
    games = fixture.match.blocks * 2
    given = score(cup, first, second, 0, games) if before.better else score(cup, first, second, games, 0)
    rule(cup, "replace", fixture=fixture_at(cup, fixture.round.number, fixture.table), scores=given)
    after = tally(first, second)
    assert after == Tally(before.worse, 0, before.better)
    assert tally(second, first) == Tally(after.worse, 0, after.better)
    now = listed(client, first, fixture.match_id)
    assert (now["ruling"], now["counts"]) == ("replace", True)
    row = next(one for one in bot_match_rows(bot_matches_of(first)) if one.match == fixture.match_id)
    assert (row.share, row.mean_place) == ((0, 2) if before.better else (1, 1))
    assert "result replaced" in client.get(reverse("bots:detail", args=[first.slug])).content.decode()


def test_a_match_of_a_private_event_is_shown_to_the_author_of_its_bot_alone(client, cup, decider):
    fixture, first, second = decider
    Match.objects.update(audience=Audience.AUTHORS)
    people = {
        "nobody": (None, False),
        "outsider": (UserFactory(), False),
        "opponent": (second.owner, False),
        "author": (first.owner, True),
        "staff": (UserFactory(is_staff=True), False),
    }
    link = reverse("matches:detail", args=[fixture.match_id])
    for who, (person, sees) in people.items():
        client.logout()
        headers = {"authorization": f"Token {token_of(person)}"} if person else {}
        answer = as_described(client.get(reverse("api:results", args=[first.slug]), headers=headers)).json()
        assert [one["match"] for one in answer["results"]].count(fixture.match_id) == sees, who
        if person:
            client.force_login(person)
        html = client.get(reverse("bots:detail", args=[first.slug])).content.decode()
        assert (f'href="{link}"' in html, "Head to head" in html) == (sees, sees), who
    Match.objects.update(audience=Audience.ORGANISER)
    client.force_login(first.owner)
    assert f'href="{link}"' not in client.get(reverse("bots:detail", args=[first.slug])).content.decode()
