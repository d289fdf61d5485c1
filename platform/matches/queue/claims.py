"""What a worker plays next: the rows of the matches are the queue, and nothing but them says what waits.

A claim is work for some ten seconds. It is taken from the account that has had the least of the workers (see
``accounts``), the match first that is due first, and it is one of two things: several short matches of one contest, or
one match, of which a slice is played and the rest left in the queue. A match that a worker has failed with, or of
which nobody knows how long it takes, is claimed alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Q, QuerySet, prefetch_related_objects

from matches.models import Account, Match, MatchState
from matches.queue.accounts import SPARRING, accounts_of
from matches.queue.leases import Lease, lease_take
from matches.queue.worker_status import slots_up
from web.clock import database_now
from web.db_retry import persistent

LOOKED_AT: Final = 64  # matches at most in a claim
CHOSEN_BY: Final = (
    *("blocks", "blocks_kept", "min_action_ms", "platform_faults", "workers_lost"),
    *("contest", "contest__block_seconds"),
)
ACCOUNTS_TRIED: Final = 3  # where other workers are quicker


@dataclass(frozen=True, slots=True)
class Claim:
    """Matches to play, in this order, with their leases; ``charged`` seconds are on the account already."""

    account: str
    work: tuple[tuple[Lease, Match], ...]
    charged: float

    @property
    def leases(self) -> tuple[Lease, ...]:
        return tuple(lease for lease, _ in self.work)


def slice_seconds() -> float:
    """Return how long a worker stays with a claim before others may have its place; whole blocks are played to their
    end.
    """
    return min(10.0, settings.LEASE_SECONDS / 2)


def claim_take(worker: str) -> Claim | None:
    """Take the leases of the work that is next; None if nothing waits that may be played now."""
    claim = _take(worker)
    if claim is not None:
        prefetch_related_objects([match for _, match in claim.work], "seats__version__package")
    return claim


@persistent
def claim_settle(claim: Claim, *, seconds: float) -> None:
    """Charge the account with the ``seconds`` that the worker really took."""
    Account.objects.filter(pk=claim.account).update(spent=F("spent") + (seconds - claim.charged))


def work_waits() -> bool:
    """Tell whether there is anything to claim."""
    return _due().exists()


@persistent
def _take(worker: str) -> Claim | None:
    slots = slots_up()
    with transaction.atomic():
        for account in _accounts_next(slots):
            matches = _chosen(list(_waiting(account)), slots)
            leases = lease_take(match_ids=[match.pk for match in matches], worker=worker)
            if leases:
                charged = min(slice_seconds(), sum(_seconds(match) or slice_seconds() for match in matches))
                Account.objects.filter(pk=account).update(spent=F("spent") + charged)
                break
        else:
            return None
    taken = Match.objects.select_related("contest").in_bulk([lease.match_id for lease in leases])
    return Claim(account, tuple((lease, taken[lease.match_id]) for lease in leases), charged)


def _due() -> QuerySet[Match]:
    return Match.objects.filter(state=MatchState.QUEUED, dispatch_at__lte=database_now())


def _accounts_next(slots: int) -> QuerySet[Account, str]:
    """Return the accounts to try next. Slow matches leave one worker to the others: they hold theirs for as long as
    people like to watch. So do those of authors who spar.
    """
    accounts = accounts_of(_due())
    running = Match.objects.filter(state=MatchState.RUNNING).aggregate(
        paced=Count("pk", filter=Q(min_action_ms__gt=0)), sparring=Count("sparring")
    )
    if running["paced"] >= max(1, slots - 1):
        accounts = accounts.filter(is_paced=False)
    if running["sparring"] >= max(1, slots - 1):
        accounts = accounts.exclude(pk__startswith=SPARRING)
    return accounts.order_by("spent", "pk").values_list("pk", flat=True)[:ACCOUNTS_TRIED]


def _waiting(account: str) -> QuerySet[Match]:
    """Return the matches to choose from, without what only those who play them need."""
    waiting = _due().filter(account=account).select_related("contest").only(*CHOSEN_BY).order_by("dispatch_at", "pk")
    return waiting.select_for_update(skip_locked=True, of=("self",))[:LOOKED_AT]


def _chosen(waiting: Sequence[Match], slots: int) -> list[Match]:
    """Choose from the ``waiting`` matches of an account, first things first, those that one worker takes."""
    chosen = list(waiting[:1])
    if not chosen or not _goes_with_others(chosen[0]):
        return chosen
    peers = [match for match in waiting if match.contest_id == chosen[0].contest_id and _goes_with_others(match)]
    share = -(-len(peers) // max(1, slots))  # whoever is idle beside this worker gets as many
    seconds = _seconds(chosen[0]) or slice_seconds()
    for match in peers[1:share]:
        seconds += _seconds(match) or slice_seconds()
        if seconds > slice_seconds():
            break
        chosen.append(match)
    return chosen


def _goes_with_others(match: Match) -> bool:
    unhurt = not (match.platform_faults or match.workers_lost or match.blocks_kept)
    return unhurt and not match.min_action_ms and _seconds(match) is not None


def _seconds(match: Match) -> float | None:
    """Return the seconds that a worker will need for the match, as far as that is known."""
    if match.contest is None or match.contest.block_seconds is None:
        return None
    return match.contest.block_seconds * (match.blocks - match.blocks_kept)
