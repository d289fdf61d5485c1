"""What an author does next, from the first upload to the first results: for the pages that are the author's own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from bots.models import Bot, VersionState
from bots.selectors import bots_of
from leagues.models import LeagueState, Membership, MembershipState
from matches.models import MatchState, Seat
from tournaments.models import ENTERING, PLAYING, Entry

FEW: Final = 5  # finished matches, up to which the results are news


@dataclass(frozen=True, slots=True)
class NextStep:
    """``code``: "upload" a first version, "wait" for the verdict, "mend" what was refused, "join" something to play in,
    wait for the "first" result, or look at the "results"."""

    bot: Bot
    code: str


def next_step(bots: Sequence[Bot]) -> NextStep | None:
    """Return the step of the first of ``bots`` that has one; those that have no accepted version are as
    ``bots_of`` gives them. Three queries."""
    ready = [bot.pk for bot in bots if bot.current_id]
    members = leagues_joined(ready)
    entries = Entry.objects.filter(bot__in=ready, is_withdrawn=False, tournament__state__in=ENTERING | PLAYING)
    busy = {*members.values_list("bot", flat=True), *entries.values_list("bot", flat=True)}
    finished = _finished(ready)
    for bot in bots:
        if code := _code(bot, plays=bot.pk in busy, finished=finished.get(bot.pk, 0)):
            return NextStep(bot, code)
    return None


def leagues_joined(bots: Sequence[int]) -> QuerySet[Membership]:
    """Return where these bots, given by their keys, play in an open league: each new version goes there by itself."""
    return Membership.objects.filter(bot__in=bots, state=MembershipState.ACTIVE, league__state=LeagueState.OPEN)


def next_step_of(bot: Bot, *, finished: int = 0) -> NextStep | None:
    """Return the step of one bot. ``finished``: of its matches in contests at least so many are, if that is known; one
    that has played enough has no step, and needs no query."""
    if bot.current_id is None:
        return next_step(list(bots_of(bot.owner_id).filter(pk=bot.pk)))
    return None if finished > FEW else next_step([bot])


def _finished(bots: Sequence[int]) -> dict[int, int]:
    """Return how many matches each has finished in contests, a few more than are news at most."""
    seats = Seat.objects.filter(version__bot__in=bots, match__state=MatchState.FINISHED, match__sparring=None)
    found: dict[int, int] = {}
    for bot in seats.order_by("-match").values_list("version__bot", flat=True)[: (FEW + 1) * max(1, len(bots))]:
        found[bot] = found.get(bot, 0) + 1
    return found


def _code(bot: Bot, *, plays: bool, finished: int) -> str:
    latest, waits = getattr(bot, "latest_state", None), getattr(bot, "waiting_count", 0)
    if bot.current_id is None:
        return "wait" if waits else "mend" if latest == VersionState.REFUSED else "upload"
    if finished:
        return "results" if finished <= FEW else ""
    return "first" if plays else "join"
