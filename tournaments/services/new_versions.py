"""Bots are updated: from a round or stage that begins now, entries play with the versions that their bots have now.

Called under the lock of the tournament's row, in the transaction in which the round begins, so of a round that begins
once it happens once. A round that waits is drawn with the versions of before; when it begins its seats are changed too,
and those of other rounds that wait.
"""

from django.db.models import F

from matches.models import MatchState
from matches.models import Seat as MatchSeat
from matches.services import seats_assign
from tournaments.models import Entry, Stage, Tournament
from tournaments.selectors.entering.versions import PLAYABLE, is_new_version_due
from tournaments.services.chaining import link_append


def versions_update(stage: Stage) -> int:
    """Let the entries play with the current versions of their bots, where the tournament updates bots for a round of
    ``stage`` that begins now. A version that is not accepted is not current: its bot plays with the one before. Return
    how many entries have a new version."""
    if not is_new_version_due(stage):
        return 0
    playing = Entry.objects.filter(PLAYABLE, tournament=stage.tournament_id, is_withdrawn=False, version__isnull=False)
    updated = list(playing.exclude(version=F("bot__current")).select_related("bot__current").order_by("pk"))
    if not updated:
        return 0
    for entry in updated:
        entry.version = entry.bot.current
    Entry.objects.bulk_update(updated, ["version"])
    _seats_update(stage.tournament)
    packages = [{"entry": one.pk, "package": one.version.sha256} for one in updated if one.version is not None]
    link_append(stage.tournament_id, "versions", {"entries": packages})
    return len(updated)


def _seats_update(tournament: Tournament) -> None:
    """Let the entries sit with their versions in the matches of rounds that wait."""
    versions = dict(tournament.entries.filter(version__isnull=False).values_list("bot", "version"))
    waiting = MatchSeat.objects.filter(
        match__fixture__round__tournament=tournament,
        match__fixture__round__started_at__isnull=True,
        match__state=MatchState.HELD,
        match__attempt=0,
    )
    seats = {
        seat: versions[bot]
        for seat, bot, version in waiting.values_list("pk", "version__bot", "version")
        if versions.get(bot, version) != version
    }
    seats_assign(versions=seats)
