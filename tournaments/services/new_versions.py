"""Bots are updated: from a round or stage that begins now, entries play with the versions that their bots have now.

Called under the lock of the tournament's row, in the transaction in which the round begins, so of a round that begins
once it happens once. A round that waits is drawn with the versions of before; when it begins its seats are changed too,
and those of other rounds that wait.
"""

from django.db.models import F

from matches.models import MatchState
from matches.models import Seat as MatchSeat
from matches.services import seats_assign
from tournaments.entry_events import versions_notify
from tournaments.models import Entry, Stage, Tournament
from tournaments.selectors.entering.versions import PLAYABLE, is_new_version_due, takes_new_versions
from tournaments.selectors.rulings.corrections import shut_out_of
from tournaments.services.chaining import link_append


def versions_update(stage: Stage, number: int) -> int:
    """Let the entries play with the current versions of their bots, where the tournament updates bots for round
    ``number``, of ``stage``, that begins now, and notify their owners. A version that is not accepted is not current:
    its bot plays with the one before. Return how many entries have a new version.

    A round that a ruling has brought back waits with the versions of when it was undone, so seats are always looked
    through, for nothing where they have the versions that play.
    """
    if not takes_new_versions(stage.tournament):
        return 0
    updated = _entries_update(stage.tournament, number) if is_new_version_due(stage) else 0
    _seats_update(stage.tournament)
    return updated


def _entries_update(tournament: Tournament, number: int) -> int:
    playing = Entry.objects.filter(PLAYABLE, tournament=tournament, is_withdrawn=False, version__isnull=False)
    updated = list(playing.exclude(version=F("bot__current")).select_related("bot__current").order_by("pk"))
    if not updated:
        return 0
    for entry in updated:
        entry.version = entry.bot.current
    Entry.objects.bulk_update(updated, ["version"])
    packages = [{"entry": one.pk, "package": one.version.sha256} for one in updated if one.version is not None]
    link_append(tournament.pk, "versions", {"entries": packages})
    versions_notify(tournament, number, updated)
    return len(updated)


def _seats_update(tournament: Tournament) -> None:
    """Let the entries sit with their versions in the matches of rounds that wait, also in those that were called off: a
    ruling that is taken back lets them be played in a round that has begun by then."""
    versions = dict(tournament.entries.filter(version__isnull=False).values_list("bot", "version"))
    waiting = MatchSeat.objects.filter(
        match__fixture__round__tournament=tournament,
        match__fixture__round__started_at__isnull=True,
        match__state__in=[MatchState.HELD, MatchState.CANCELLED],
        match__attempt=0,
    )
    seats = {
        seat: versions[bot]
        for seat, bot, version in waiting.values_list("pk", "version__bot", "version")
        if versions.get(bot, version) != version
    }
    if seats:
        out = tournament.entries.filter(pk__in=shut_out_of(tournament), version__isnull=False)
        seats_assign(versions=seats, barred=out.values_list("version", flat=True), called_off=True)
