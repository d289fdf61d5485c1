"""Claims: which matches a worker plays next. The rows of the matches are the queue.

A claim is work for about ten seconds. It comes from the account on which workers have spent the least time, and starts
with the match of this account that is due first. It contains either several short matches of one contest, or one match.
If one match takes longer, the worker plays a slice of it and returns the rest to the queue. A match is claimed alone if
a worker has failed with it, or if its duration is unknown.

This is fair queueing. Each account counts the seconds that workers have spent on it, and the account with the fewest
seconds is next. An account that had no matches for a while gets no credit for that time: its count is raised to the
lowest count of the waiting accounts. If its count is much higher than the lowest, it is lowered to ``DEBT_AT_MOST``
above the lowest, so that the account does not wait for long.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Min, OuterRef, Q, QuerySet, Subquery, Value, prefetch_related_objects
from django.db.models.functions import Greatest, Least

from games.catalogue.code import game_codes_installed
from games.catalogue.discovery import ENGINES
from matches.models import Account, Match, MatchState
from matches.queue.leases import Lease, lease_take
from matches.queue.worker_status import workers_slots_up
from web.database import database_now, database_persistent

DEBT_AT_MOST: Final = 60.0  # seconds
PACED: Final = ".paced"
SPARRING: Final = "sparring."  # prefix of the accounts of authors, see matches.sparring
LOOKED_AT: Final = 64  # the most matches from which a claim is chosen
CHOSEN_BY: Final = (
    *("blocks", "blocks_kept", "min_action_ms", "platform_faults", "workers_lost"),
    *("contest", "contest__block_seconds"),
)
ACCOUNTS_TRIED: Final = 3  # another worker may take the matches of an account first


def claim_account_for(owner: str, *, paced: bool) -> Account:
    """Return the account of ``owner``, such as "organiser.5" or "leagues.5", ready to get more work."""
    name = owner + PACED * paced
    account, _ = Account.objects.get_or_create(name=name, defaults={"is_paced": paced})
    claim_accounts_ready([name])
    return account


def claim_accounts_ready(names: Iterable[str]) -> None:
    """Adjust the counts of accounts without matches to those of the waiting accounts. Call it before you add work."""
    for name in names:
        if Match.objects.filter(account=name, state__in=[MatchState.QUEUED, MatchState.RUNNING]).exists():
            continue
        least = claim_accounts_waiting().exclude(pk=name).aggregate(least=Min("spent"))["least"]
        if least is not None:
            joined = Least(Greatest(F("spent"), Value(least)), Value(least + DEBT_AT_MOST))
            Account.objects.filter(pk=name).update(spent=joined)


def claim_accounts_waiting() -> QuerySet[Account]:
    """Return the accounts that have matches in the queue."""
    return claim_accounts_of(Match.objects.filter(state=MatchState.QUEUED))


def claim_accounts_of(matches: QuerySet[Match]) -> QuerySet[Account]:
    """Return the accounts that own any of the queued ``matches``. Each account takes one index lookup.

    With EXISTS, PostgreSQL would use a join that reads all queued matches.
    """
    first = matches.filter(account=OuterRef("pk")).order_by("dispatch_at", "pk").values("pk")[:1]
    return Account.objects.alias(first=Subquery(first)).filter(first__isnull=False)


@dataclass(frozen=True, slots=True)
class Claim:
    """Matches to play, in this order, with their leases.

    ``charged`` is the number of seconds that the account was charged in advance.
    """

    account: str
    work: tuple[tuple[Lease, Match], ...]
    charged: float

    @property
    def leases(self) -> tuple[Lease, ...]:
        return tuple(lease for lease, _ in self.work)


def claim_slice_seconds() -> float:
    """Return for how many seconds a worker plays a claim. The block that is then being played is finished."""
    return min(10.0, settings.LEASE_SECONDS / 2)


def claim_take(worker: str) -> Claim | None:
    """Claim the next matches with their leases; return None if no match can be played now."""
    claim = _take(worker)
    if claim is not None:
        prefetch_related_objects([match for _, match in claim.work], "seats__version__package")
    return claim


@database_persistent
def claim_settle(claim: Claim, *, seconds: float) -> None:
    """Charge the account with the ``seconds`` that the worker really took."""
    Account.objects.filter(pk=claim.account).update(spent=F("spent") + (seconds - claim.charged))


def claims_waiting() -> bool:
    """Return whether a match waits that can be played now."""
    return _due().exists()


@database_persistent
def _take(worker: str) -> Claim | None:
    slots = workers_slots_up()
    with transaction.atomic():
        for account in _accounts_next(slots):
            matches = _chosen(list(_waiting(account)), slots)
            leases = lease_take(match_ids=[match.pk for match in matches], worker=worker)
            if leases:
                charged = min(claim_slice_seconds(), sum(_seconds(match) or claim_slice_seconds() for match in matches))
                Account.objects.filter(pk=account).update(spent=F("spent") + charged)
                break
        else:
            return None
    taken = Match.objects.select_related("contest").in_bulk([lease.match_id for lease in leases])
    return Claim(account, tuple((lease, taken[lease.match_id]) for lease in leases), charged)


def _due() -> QuerySet[Match]:
    """Return the queued matches that are due and can be played on this machine.

    A match can be played here in three cases: its game is part of an engine in ``ENGINES``; the code with which it was
    made is installed; or it has no recorded code.
    """
    own = [Q(code__startswith=f"{engine} ") for engine in ENGINES]
    here = reduce(or_, own, Q(code="") | Q(code__in=game_codes_installed()))
    return Match.objects.filter(here, state=MatchState.QUEUED, dispatch_at__lte=database_now())


def _accounts_next(slots: int) -> QuerySet[Account, str]:
    """Return the accounts to try next.

    Paced matches are slowed down for spectators, so each occupies a worker for long. If there are several workers,
    paced matches never occupy all of them. The same is true of sparring matches.
    """
    accounts = claim_accounts_of(_due())
    running = Match.objects.filter(state=MatchState.RUNNING).aggregate(
        paced=Count("pk", filter=Q(min_action_ms__gt=0)), sparring=Count("sparring")
    )
    if running["paced"] >= max(1, slots - 1):
        accounts = accounts.filter(is_paced=False)
    if running["sparring"] >= max(1, slots - 1):
        accounts = accounts.exclude(pk__startswith=SPARRING)
    return accounts.order_by("spent", "pk").values_list("pk", flat=True)[:ACCOUNTS_TRIED]


def _waiting(account: str) -> QuerySet[Match]:
    """Return the matches to choose from. Fields that are needed only for playing them are deferred."""
    waiting = _due().filter(account=account).select_related("contest").only(*CHOSEN_BY).order_by("dispatch_at", "pk")
    return waiting.select_for_update(skip_locked=True, of=("self",))[:LOOKED_AT]


def _chosen(waiting: Sequence[Match], slots: int) -> list[Match]:
    """Return the matches that one worker takes from ``waiting``, the matches of an account in queue order."""
    chosen = list(waiting[:1])
    if not chosen or not _goes_with_others(chosen[0]):
        return chosen
    peers = [match for match in waiting if match.contest_id == chosen[0].contest_id and _goes_with_others(match)]
    share = -(-len(peers) // max(1, slots))  # leave equal shares to the other workers
    seconds = _seconds(chosen[0]) or claim_slice_seconds()
    for match in peers[1:share]:
        seconds += _seconds(match) or claim_slice_seconds()
        if seconds > claim_slice_seconds():
            break
        chosen.append(match)
    return chosen


def _goes_with_others(match: Match) -> bool:
    unhurt = not (match.platform_faults or match.workers_lost or match.blocks_kept)
    return unhurt and not match.min_action_ms and _seconds(match) is not None


def _seconds(match: Match) -> float | None:
    """Return the seconds that a worker will need for the match; None if this is not known."""
    if match.contest is None or match.contest.block_seconds is None:
        return None
    return match.contest.block_seconds * (match.blocks - match.blocks_kept)
