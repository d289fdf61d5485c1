"""What workers have finished comes into the chain.

Workers know nothing of tournaments. So the results that the chain does not tell yet are appended whenever a tournament
is told of some, and before anything is drawn, ruled or ended. If this is killed on the way, they are left to the next
call: a message, which looks at what has finished ``RECENT`` while a round is played, or the sweep, which looks at
everything.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final, TypeAlias

from django.db import transaction
from django.db.models import Exists, Q

from matches.models import Match, MatchState
from matches.replay.records import BATCH, results_content
from tournaments.models import ChainLink, Tournament
from tournaments.selectors.entering.versions import entries_with, entry_by_version
from tournaments.services.chaining import NewLink, links_append
from tournaments.services.transitions import announce_later
from web.database import database_after

RECENT: Final = timedelta(seconds=30)  # what is older and was not told of is found by the sweep, every ten seconds

Place: TypeAlias = tuple[int, int, int]  # round, table, attempt


def recently_finished(match: str = "") -> Q:
    """Return the condition that a match finished within ``RECENT``; ``match`` is the prefix of a lookup through a
    relation, such as "match__". With it the database does not read all that a large tournament has played.
    """
    return Q((f"{match}finished_at__gte", database_after(-RECENT)))


def results_append(*, tournament_id: int, recent_only: bool = False) -> int:
    """Append the results that the chain does not tell yet, by round, table and attempt, and return how many.
    ``recent_only``: only those of the last ``RECENT``."""
    places = _unchained(tournament_id, recently_finished() if recent_only else Q())
    if not places:
        return 0
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().only("new_versions").get(pk=tournament_id)
        return links_append(tournament_id, _results(tournament, places))


def results_publish(*, tournament_id: int) -> None:
    """Show on the tournament's pages what has been played since they were rendered."""
    announce_later(tournament_id, reload=False)


def _unchained(tournament_id: int, among: Q) -> dict[int, Place]:
    """Return the places, in their order, of the finished matches ``among`` which the tournament's chain, if it has one,
    does not tell of, those that lost their place included.
    """
    chain = ChainLink.objects.filter(tournament=tournament_id)
    untold = Match.objects.filter(among, Exists(chain), state=MatchState.FINISHED, link__isnull=True)
    drawn = untold.filter(fixture__round__tournament=tournament_id).values_list(
        "pk", "fixture__round__number", "fixture__table", "fixture__attempt"
    )
    superseded = untold.filter(superseded__ruling__tournament=tournament_id).values_list(
        "pk", "superseded__round", "superseded__table", "superseded__attempt"
    )
    # Of one query for both a database reads every finished match that it has.
    places = {match: (number, table, attempt) for match, number, table, attempt in drawn.union(superseded, all=True)}
    return dict(sorted(places.items(), key=lambda placed: placed[1]))


def _results(tournament: Tournament, places: dict[int, Place]) -> Iterator[NewLink]:
    """Yield the results of the matches in ``places``, but of those that somebody else has told of meanwhile."""
    numbers = list(places)
    for start in range(0, len(numbers), BATCH):
        batch = numbers[start : start + BATCH]
        results = results_content(Match.objects.filter(pk__in=batch, link__isnull=True))
        versions = {version for result in results.values() for version in result["seats"]}
        entries = entry_by_version(tournament, tournament.entries.filter(entries_with(tournament, versions)))
        for match in batch:
            if match not in results:
                continue
            place = dict(zip(("round", "table", "attempt"), places[match], strict=True))
            seats = [entries[version] for version in results[match]["seats"]]
            yield NewLink("result", results[match] | place | {"seats": seats}, match)
