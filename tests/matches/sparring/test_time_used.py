"""Sparring costs its author time, however a match ends, and takes turns."""

from datetime import timedelta
from typing import Any
from unittest.mock import Mock, patch

import pytest
from django.urls import reverse
from django.utils import timezone

from arena.accounts.deletion import account_delete
from bots.deletion import bot_delete
from bots.models import BotVersion
from games.catalogue import GAMES
from games.protocol import PlatformFault
from matches.models import Account, Match, MatchState, Sparring
from matches.queue.claims import _accounts_next, claim_account_for, claim_take
from matches.queue.leases import lease_return, lease_take, leases_expire
from matches.services import match_cancel, match_release, match_restore
from matches.sparring.selectors import sparring_seconds_used
from matches.sparring.services import sparring_stop, sparrings_tend
from matches.tasks import matches_sweep_task
from matches.worker.playing import worker_play_claim
from matches.worker.process import LeaseLost
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import MatchFactory
from tests.matches.sparring.sparring import client_of, refused, spar

pytestmark = pytest.mark.django_db


def test_an_author_has_so_many_at_a_time(new: BotVersion, old: BotVersion, settings: Any) -> None:
    settings.SPARRING_OPEN_MOST = 2
    first, _second = spar(new, old), spar(new, old)
    assert refused(new.bot.owner, new, old) == ("too_many", "")
    another = BotVersionFactory()
    spar(another, another)
    assert sparring_stop(sparring=first.sparring)
    assert not sparring_stop(sparring=first.sparring)
    spar(new, old)


def test_an_author_has_so_much_time_and_what_waits_goes_on_by_itself(
    new: BotVersion, old: BotVersion, settings: Any
) -> None:
    settings.SPARRING_MINUTES_MOST = 1
    used, waits = spar(new, old), spar(new, old)
    Match.objects.filter(pk=used.pk).update(duration_ms=60_000)
    another = BotVersionFactory()
    others = spar(another, another)
    for _twice in range(2):
        matches_sweep_task()
        assert [Match.objects.get(pk=one.pk).state for one in (used, waits, others)] == ["held", "held", "queued"]
    page = client_of(new.bot.owner).get(reverse("matches:detail", args=[waits.pk])).content.decode()
    assert "Waiting: your test matches have used up their time" in page
    assert refused(new.bot.owner, new, old) == ("no_time", "")
    assert sparring_stop(sparring=used.sparring), "calling it off gives back no time"
    assert refused(new.bot.owner, new, old) == ("no_time", "")
    yesterday = timezone.now() - timedelta(hours=25)
    Sparring.objects.filter(pk=used.pk).update(created_at=yesterday)
    Match.objects.filter(pk=waits.pk).update(platform_faults=1, last_platform_fault="once")
    matches_sweep_task()
    assert Match.objects.get(pk=waits.pk).state == "queued"
    Match.objects.filter(pk=waits.pk).update(state="held", platform_faults=5)
    matches_sweep_task()
    assert Match.objects.get(pk=waits.pk).state == "held", "what the platform fails with is for staff to look at"


def wasted(match: Match, how: str) -> None:
    """Let a worker play at the match for some time, and lose it in one of the ways there are."""
    clock = iter(float(10 * n) for n in range(10_000))

    def played(*_args: Any, **_more: Any) -> Any:
        if how == "called off":
            sparring_stop(sparring=match.sparring)
            raise LeaseLost
        if how == "bot deleted":
            bot_delete(bot=match.seats.first().version.bot)
            sparrings_tend()
            raise LeaseLost
        raise PlatformFault("void")

    if how == "worker silent":
        lease_take(match_ids=[match.pk], worker="one")
        Match.objects.filter(pk=match.pk).update(lease_expires_at=timezone.now() - timedelta(hours=1))
        assert leases_expire() == 1
        return
    with (
        patch("matches.worker.playing.series_games_play", played),
        patch("matches.worker.playing.time", Mock(monotonic=lambda: next(clock))),
    ):
        assert worker_play_claim()


@pytest.mark.parametrize("how", ["called off", "bot deleted", "platform fault", "worker silent"])
def test_a_worker_costs_its_time_however_the_match_ends(new: BotVersion, old: BotVersion, how: str) -> None:
    author, match = new.bot.owner.pk, spar(new, old)
    account = Account.objects.get(pk=match.account_id)
    wasted(match, how)
    used = sparring_seconds_used(author)
    assert used >= 10
    match.refresh_from_db()
    assert match.duration_ms is None, "which is of the games that count"
    if how != "worker silent":
        account.refresh_from_db()
        assert account.spent >= 10, "and its account has had its turn"
    match_cancel(matches=Match.objects.filter(pk=match.pk))
    match_restore(matches=Match.objects.filter(pk=match.pk))
    assert sparring_seconds_used(author) == used


def test_what_was_played_of_a_match_that_begins_again_is_paid_for(new: BotVersion, old: BotVersion) -> None:
    match = spar(new, old)
    Match.objects.filter(pk=match.pk).update(duration_ms=40_000, blocks_kept=1)
    sparring_stop(sparring=match.sparring)
    assert match_restore(matches=Match.objects.filter(pk=match.pk)) == 1
    assert sparring_seconds_used(new.bot.owner_id) == 40
    assert match_release(matches=Match.objects.filter(pk=match.pk)) == 1
    match.seats.filter(index=1).update(boxes_lost=1)
    (lease,) = lease_take(match_ids=[match.pk], worker="one")
    assert lease_return(lease, "BoxLost", 1, seconds=2.5)
    assert sparring_seconds_used(new.bot.owner_id) == 42.5


def test_a_worker_that_lost_its_match_charges_nobody(new: BotVersion, old: BotVersion) -> None:
    match = spar(new, old)
    with patch("matches.worker.playing.series_games_play", side_effect=LeaseLost):
        assert worker_play_claim()
    assert sparring_seconds_used(new.bot.owner_id) == 0
    assert Match.objects.get(pk=match.pk).wasted_ms == 0


def test_a_deleted_bot_spars_no_more(new: BotVersion, old: BotVersion) -> None:
    match = spar(new, old)
    bot_delete(bot=new.bot)
    sparrings_tend()
    match.refresh_from_db()
    assert match.state == MatchState.CANCELLED


@pytest.mark.parametrize("what", ["account", "bot", "opponent"])
def test_deleting_a_bot_cancels_its_running_matches(old: BotVersion, what: str) -> None:
    mine = BotVersionFactory(bot__owner=old.bot.owner, source=GAMES["pickomino"].house_bots[0].source())
    match = spar(mine, old)
    assert lease_take(match_ids=[match.pk], worker="one")
    if what == "account":
        account_delete(person=mine.bot.owner)
    else:
        bot_delete(bot=(old if what == "opponent" else mine).bot)
    sparrings_tend()
    match.refresh_from_db()
    assert match.state == MatchState.CANCELLED


def test_sparring_takes_turns_by_author_and_leaves_a_worker_to_the_others(new: BotVersion, old: BotVersion) -> None:
    another = BotVersionFactory()
    mine, theirs, cup = (
        spar(new, old),
        spar(another, another),
        MatchFactory(account=claim_account_for("organiser.5", paced=False)),
    )
    assert mine.account_id != theirs.account_id
    assert set(_accounts_next(3)) == {mine.account_id, theirs.account_id, cup.account_id}
    Account.objects.filter(pk=cup.account_id).update(spent=1000)
    assert claim_take("one:1") is not None
    assert set(_accounts_next(2)) == {cup.account_id}, "one spars already, and one is left to the others"
    assert len(_accounts_next(3)) == 2
