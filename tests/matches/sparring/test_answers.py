"""What sparring has shown, in words and figures."""

import re
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from bots.models import BotVersion
from matches.models import Audience, Match, Seat
from matches.pages.player import player_data
from matches.sparring.selectors import sparring_figures_sentence, sparring_verdict, sparring_verdict_sentence
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.matches.factories import BRISK, CRASHES
from tests.matches.sparring.sparring import client_of, played, spar

pytestmark = pytest.mark.django_db
LIVE = re.compile(r'id="([\w-]+)" data-live')


def test_a_better_version_is_found_to_be_better_and_the_page_says_so(new: BotVersion, old: BotVersion) -> None:
    match = played(spar(new, old, blocks=100, stopping={"effect": 0.1, "error": 0.05}))
    verdict = sparring_verdict(match)
    assert (verdict.answer, match.ending) == ("better", "first_better")
    assert verdict.blocks == match.blocks_played
    assert verdict.low is not None
    assert verdict.share is not None
    assert verdict.low > 0.5
    page = " ".join(client_of(new.bot.owner).get(reverse("matches:detail", args=[match.pk])).content.decode().split())
    name = new.bot.name
    assert f"{name} v2 is better than {name} v1." in page
    assert " ".join(sparring_figures_sentence(verdict).split()) in page
    assert f"{name} v2, {name} v1 · Match" in page
    assert f"{name} v2 against {name} v1</h1>" in page
    assert f"deals: {name} v2 is better (evidence " in page
    names = {seat["name"] for seat in player_data(match)["seats"]}
    assert names == {f"{name} v2", f"{name} v1"}, "the replay tells which is which"
    assert f"{100 * verdict.share:.1f} % of the opponents beaten" in page
    other = played(spar(old, new, blocks=100, stopping={"effect": 0.1, "error": 0.05}))
    assert sparring_verdict(other).answer == "worse"


def test_against_itself_and_at_larger_tables_it_may_play_too(new: BotVersion, old: BotVersion) -> None:
    alike = played(spar(old, old, blocks=4))
    assert sparring_verdict(alike).answer == "undecided", "too few blocks, and equals"
    table = played(spar(new, old, players=3, blocks=8))
    assert [seat.version for seat in table.seats.order_by("index")] == [new, old, old]
    assert sparring_verdict(table).games == 24
    house = BotVersionFactory(bot=BotFactory(is_house=True), source=BRISK)
    assert played(spar(new, house)).audience == Audience.AUTHORS


@pytest.mark.parametrize(
    ("places", "answer"),
    [(([1] * 16, [2] * 16), "better"), (([2] * 16, [1] * 16), "worse"), (([1, 2] * 8, [2, 1] * 8), "undecided")],
)
def test_of_a_fixed_number_of_blocks_the_interval_tells(places: Any, answer: str, new: BotVersion, old: Any) -> None:
    match = spar(new, old, blocks=8)
    for index, own in enumerate(places):
        Seat.objects.filter(match=match, index=index).update(places=own)
    Match.objects.filter(pk=match.pk).update(state="finished", finished_at=timezone.now(), blocks_played=8)
    verdict = sparring_verdict(Match.objects.get(pk=match.pk))
    assert verdict.answer == answer
    Match.objects.filter(pk=match.pk).update(ending="too_close")
    assert sparring_verdict(Match.objects.get(pk=match.pk)).answer == "too_close"


def test_a_bot_that_forfeits_has_shown_nothing(old: BotVersion) -> None:
    crasher = BotVersionFactory(bot=old.bot, source=CRASHES)
    match = played(spar(crasher, old))
    assert sparring_verdict(match).answer == "forfeited"
    assert "this says nothing about strength" in sparring_verdict_sentence(match, sparring_verdict(match))


def test_the_page_that_is_open_when_it_ends_tells_the_answer_by_itself(new: BotVersion, old: BotVersion) -> None:
    match, author = spar(new, old, blocks=100, stopping={"effect": 0.1, "error": 0.05}), client_of(new.bot.owner)
    page = author.get(reverse("matches:detail", args=[match.pk])).content.decode()
    assert "No answer yet." in page
    assert "200 games" in page
    assert "Cancel match" in page
    played(match)
    cells = author.get(reverse("matches:cells", args=[match.pk])).content.decode()
    assert sparring_verdict_sentence(match, sparring_verdict(Match.objects.get(pk=match.pk))) in cells
    assert f"{2 * Match.objects.get(pk=match.pk).blocks_played} games" in cells
    assert "Cancel match" not in cells
    for name in LIVE.findall(cells):
        assert f'id="{name}" data-live' in page, "a cell takes the place of what stands in the page"
