"""What workers have finished comes into the chain.

Workers know nothing of tournaments. So the results that the chain does not tell yet are appended whenever a tournament
is told of some, and before anything is drawn, ruled or ended: whoever is killed on the way leaves them to the next.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Prefetch, Q, QuerySet
from django.db.models.functions import Coalesce

from matches.models import Fault, Game, Match, MatchState, Seat
from matches.replay.result_content import result_content
from tournaments.models import Entry, Tournament
from tournaments.services.chaining import NewLink, has_chain, links_append
from tournaments.services.transitions import announce_later

BATCH: Final = 100  # matches read at once


def results_append(*, tournament_id: int) -> int:
    """Append the results that the chain does not tell yet, by round, table and attempt. Return how many."""
    if not has_chain(tournament_id) or not unchained(tournament_id).exists():
        return 0
    with transaction.atomic():
        Tournament.objects.select_for_update().get(pk=tournament_id)
        entries = dict(Entry.objects.filter(tournament=tournament_id).values_list("version", "pk"))
        results = (NewLink("result", _result(match, entries), match.pk) for match in _finished(tournament_id))
        return links_append(tournament_id, results)


def results_publish(*, tournament_id: int) -> None:
    """Show on the tournament's pages what has been played since they were rendered."""
    announce_later(tournament_id)


def unchained(tournament_id: int) -> QuerySet[Match]:
    """Return its finished matches that the chain does not tell of, those that lost their place included."""
    ours = Q(fixture__round__tournament=tournament_id) | Q(superseded__ruling__tournament=tournament_id)
    return Match.objects.filter(ours, state=MatchState.FINISHED, link__isnull=True)


def _finished(tournament_id: int) -> Iterator[Match]:
    """Yield its finished matches by place, the places of those that lost theirs included."""
    numbers = list(_placed(unchained(tournament_id)).values_list("pk", flat=True))
    faults = Fault.objects.select_related("seat").defer("view", "output").order_by("seat__index")
    games = Game.objects.order_by("index").prefetch_related(Prefetch("faults", faults))
    for start in range(0, len(numbers), BATCH):
        yield from _placed(Match.objects.filter(pk__in=numbers[start : start + BATCH])).prefetch_related(
            Prefetch("seats", Seat.objects.order_by("index")), Prefetch("games", games)
        )


def _placed(matches: QuerySet[Match]) -> QuerySet[Any]:
    placed = matches.annotate(
        at_round=Coalesce(F("fixture__round__number"), F("superseded__round")),
        at_table=Coalesce(F("fixture__table"), F("superseded__table")),
        at_attempt=Coalesce(F("fixture__attempt"), F("superseded__attempt")),
    )
    return placed.order_by("at_round", "at_table", "at_attempt")


def _result(match: Any, entries: Mapping[int, int]) -> dict[str, Any]:
    place = {"round": match.at_round, "table": match.at_table, "attempt": match.at_attempt}
    return place | result_content(match, entries)
