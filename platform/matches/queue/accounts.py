"""Whose work waits. Every account has the same share of the workers, however much of its work waits.

This is fair queueing: each account counts the seconds that workers have spent on it, and the one with the fewest is
next. An account that comes back after a pause has no claim on what it did not use meanwhile: it begins where the least
served of the others is. Nor does it pay for long for having had the workers to itself.
"""

from collections.abc import Iterable
from typing import Final

from django.db.models import F, Min, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Greatest, Least

from matches.models import Account, Match, MatchState

DEBT_AT_MOST: Final = 60.0  # seconds of workers that an account is remembered to have had more than others
PACED: Final = ".paced"
SPARRING: Final = "sparring."  # an author's own, see matches.sparring


def account_for(owner: str, *, paced: bool) -> Account:
    """Return the account of ``owner`` ("organiser.5", "leagues.5"), ready to get more work."""
    name = owner + PACED * paced
    account, _ = Account.objects.get_or_create(name=name, defaults={"is_paced": paced})
    accounts_ready([name])
    return account


def accounts_ready(names: Iterable[str]) -> None:
    """Let these accounts join the others; to be called before they get work."""
    for name in names:
        if Match.objects.filter(account=name, state__in=[MatchState.QUEUED, MatchState.RUNNING]).exists():
            continue
        least = accounts_waiting().exclude(pk=name).aggregate(least=Min("spent"))["least"]
        if least is not None:
            joined = Least(Greatest(F("spent"), Value(least)), Value(least + DEBT_AT_MOST))
            Account.objects.filter(pk=name).update(spent=joined)


def accounts_waiting() -> QuerySet[Account]:
    """Return those that have matches in the queue."""
    return accounts_of(Match.objects.filter(state=MatchState.QUEUED))


def accounts_of(matches: QuerySet[Match]) -> QuerySet[Account]:
    """Return those that have one of the queued ``matches``: one look into the index for each account.

    Of an EXISTS PostgreSQL makes a join that reads all that is queued.
    """
    first = matches.filter(account=OuterRef("pk")).order_by("dispatch_at", "pk").values("pk")[:1]
    return Account.objects.alias(first=Subquery(first)).filter(first__isnull=False)
