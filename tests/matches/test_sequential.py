"""A sequential match from the order to the page: what is kept, and what spectators read."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.catalogue import GAMES
from matches.models import Match
from matches.queue.leases import Lease, lease_return
from matches.queue.result_writing import match_result_stored_games
from matches.referee import GameResult, SeriesState, match_series_conclude, series_games_play, stopping_rule_of
from matches.worker.playing import worker_playing_order
from tests.arena.pages import assert_clean_page
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import CRASHES, FinishedMatchFactory, MatchFactory, leased, written
from tests.matches.in_process import InProcessCage

pytestmark = pytest.mark.django_db

STOPPING = {"rule": "gsprt/2", "effect": 0.2, "error": 0.05}
LESS_LUCK = {"rule": "gsprt/3", "effect": 0.25, "error": 0.25, "value": "pickomino/1-v1"}
BEFORE = {**STOPPING, "rule": "gsprt/1"}
FIRST = b"def act(view):\n    return view['actions'][0]\n"
GREEDY = GAMES["pickomino"].house_bots[1].source()


def decided(*sources: bytes, blocks: int = 60, stopping: Mapping[str, Any] = STOPPING) -> Match:
    """Really played between these bots, and stopped when decided."""
    match: Match = FinishedMatchFactory(
        blocks=blocks, stopping=stopping, seats=[BotVersionFactory(source=source) for source in sources]
    )
    return match


def page(client: Client, match: Match) -> str:
    response = client.get(reverse("matches:detail", args=[match.pk]))
    assert_clean_page(response)
    return response.content.decode()


def test_it_says_after_how_many_blocks_who_was_better_and_by_which_ratio(client: Client) -> None:
    match = decided(FIRST, GREEDY)
    assert match.blocks_played is not None
    assert 8 <= match.blocks_played < 60
    assert match.games.count() == 2 * match.blocks_played
    assert match.ending == "second_better"
    assert match.llr is not None
    assert match.llr >= 3.68
    better = match.seats.get(index=1).version.bot.name
    text = page(client, match)
    assert f"Stopped after {match.blocks_played} deals: {better} is better (evidence " in text
    assert "; 3.68 was needed)" in text
    assert f"{reverse('docs-glossary')}#evidence" in text
    assert "60 deals at most" in text
    assert f"match {match.pk}, {2 * match.blocks_played} games" in text
    assert f'match-games">{2 * match.blocks_played}</td>' in client.get(reverse("matches:list")).content.decode()


def test_a_match_of_equals_is_too_close_to_call_and_nobody_is_named_better(client: Client) -> None:
    match = decided(GREEDY, GREEDY, stopping={**STOPPING, "effect": 0.25, "error": 0.1})
    assert (match.blocks_played, match.ending) == (8, "too_close")
    text = page(client, match)
    assert "Too close to call after 8 deals (evidence -3.28; -2.59 was needed)." in text
    assert "The score does not show which bot is better." in text
    assert "is better (" not in text
    data = client.get(reverse("api-matches:detail", args=[match.pk])).json()
    assert (data["ending"], data["stopping"]["rule"]) == ("too_close", "gsprt/2")


def test_a_match_decided_less_its_luck_says_by_which_value(client: Client) -> None:
    match = decided(FIRST, GREEDY, stopping=LESS_LUCK)
    assert match.ending == "second_better"
    text = page(client, match)
    assert "Decided by luck-adjusted scores, measured by the value pickomino/1-v1" in text
    assert "What to expect of such a match" not in text
    again = SeriesState(2, match.blocks, stopping_rule_of(match.stopping))
    assert match_series_conclude(games_kept_of(match), again).ratio == match.llr, "found again from what is stored"


def games_kept_of(match: Match) -> list[GameResult]:
    match.blocks_kept = match.blocks_played
    return match_result_stored_games(match)


def test_a_match_that_stays_open_says_that_too(client: Client) -> None:
    match = decided(GREEDY, GREEDY, blocks=10)
    assert (match.blocks_played, match.ending) == (10, "undecided")
    text = page(client, match)
    assert "Not decided after 10 deals, the maximum (evidence -3.08; 3.68 or -3.28 was needed)." in text
    assert "The score does not show which bot is better." in text


def test_its_page_says_what_was_to_be_expected(client: Client) -> None:
    text = " ".join(page(client, MatchFactory(blocks=60, stopping=STOPPING)).split())
    assert "What to expect of such a match" in text
    assert "<strong>equal bots</strong>: 25 deals, 50 games; one called better: 1 %, too close to call: 99 %" in text
    assert "<strong>70 % against 30 %</strong>: 31 deals, 62 games; one called better: 92 %" in text
    assert "<strong>90 % against 10 %</strong>: 13 deals, 26 games; one called better: &gt; 99 %" in text


def test_a_match_of_the_rule_before_keeps_it(client: Client) -> None:
    match = decided(GREEDY, GREEDY, blocks=8, stopping=BEFORE)
    assert (match.blocks_played, match.ending, match.llr) == (8, "undecided", 0.0)
    text = page(client, match)
    assert "Not decided after 8 deals, the maximum (evidence 0.00; 2.94 or -2.94 was needed)" in text
    assert "What to expect" not in text
    better = decided(FIRST, GREEDY, stopping=BEFORE)
    assert better.llr is not None
    assert better.llr <= -2.94
    assert "; 2.94 was needed)" in page(client, better)


def test_a_forfeit_is_shown_and_ends_it(client: Client) -> None:
    match = decided(CRASHES, FIRST, blocks=20)
    assert (match.blocks_played, match.ending) == (2, "forfeited")
    assert [seat.has_forfeited for seat in match.seats.all()] == [True, False]
    text = page(client, match)
    assert "Stopped after 2 deals: a bot had forfeited the match" in text
    assert "match forfeited" in text


def test_a_match_of_fixed_length_says_nothing_of_the_kind(client: Client) -> None:
    match = FinishedMatchFactory(blocks=2)
    assert (match.blocks_played, match.ending, match.llr) == (2, "", None)
    assert 'id="ending"' not in page(client, match)


def test_an_attempt_that_was_lost_and_played_again_comes_to_the_same_stop() -> None:
    match = MatchFactory(blocks=60, stopping=STOPPING, seats=[BotVersionFactory(source=one) for one in (FIRST, GREEDY)])

    def play() -> tuple[Lease, list[GameResult]]:
        lease = leased(match)
        return lease, list(series_games_play(worker_playing_order(match), InProcessCage(), lambda index, table: None))

    lost, games = play()
    assert lease_return(lost, "the worker died")
    lease, again = play()
    assert [game.record for game in again] == [game.record for game in games]
    assert not written(lost, games)
    assert written(lease, again)
    match.refresh_from_db()
    assert (match.attempt, match.ending) == (2, "second_better")
    assert match.games.count() == len(games) < 120
    assert not any(seat.faulty_games for seat in match.seats.all()), "the platform's fault is nobody's"
