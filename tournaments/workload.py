"""How long the workers will be busy with a tournament, and how much of that each organiser may ask for at a time. What
a number of entries will have to play is known before the start, because it depends on no one's name.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db.models import Count

from contests.models import OrganiserAllowance
from games.protocol import Limits
from matches.models import Match, MatchState
from tournaments.errors import TooManyForTables, TooManyGames, TooMuchWork
from tournaments.formats.format import Plan
from tournaments.models import ENTERING, PLAYING, Stage, Tournament

RECENT: Final = 50  # finished matches that say how long a game takes
UNMEASURED: Final = 2.0  # seconds of a game while none was played here
TYPICAL_ACTIONS: Final = 250  # of a game: 130 to 350 in those of today
HOUR: Final = 3600


@dataclass(frozen=True, slots=True)
class Workload:
    """Hours of one worker: ``usual``, if games take as long as they usually do, and ``most``, if every bot uses all
    its limits. ``entries`` bots take part in ``games`` games."""

    entries: int
    games: int
    usual: float
    most: float


def workload_of(tournament: Tournament, entries: int | None = None) -> Workload:
    """Return what the workers will have to do for ``entries`` bots, or for as many as may enter."""
    number = tournament.entrants_most if entries is None else entries
    return workload_planned(tournament, workload_plan(tournament, number), number)


def workload_now(tournament: Tournament) -> Workload:
    """Return the same for the bots that play; before the start for as many as may enter."""
    entering = tournament.state in ENTERING
    return workload_of(tournament, None if entering else tournament.entries.filter(is_withdrawn=False).count())


def workload_planned(tournament: Tournament, plan: Plan | None, entries: int) -> Workload:
    """Return the same for a tournament that need not be saved, with its plan."""
    if plan is None:
        return Workload(entries, 0, 0.0, 0.0)
    limits = Limits.from_dict(tournament.limits)
    pause = TYPICAL_ACTIONS * tournament.min_action_ms / 1000
    longest = plan.seats * (limits.start_wall + limits.game_wall) + pause
    usual = min(workload_game_seconds(tournament.game) + pause, longest)
    return Workload(entries, plan.games, plan.games * usual / HOUR, plan.games * longest / HOUR)


def workload_game_seconds(game: str) -> float:
    """Return the seconds that a game, by any version of its rules, takes a worker, by the matches that were played here
    last at full speed.
    """
    played = Match.objects.filter(
        state=MatchState.FINISHED,
        ruleset__startswith=f"{game}/",
        min_action_ms=0,
        duration_ms__isnull=False,
        blocks_played__isnull=False,
    )
    last = played.order_by("-finished_at").values("pk")[:RECENT]
    counted = Match.objects.filter(pk__in=last).annotate(players=Count("seats"))
    measured = list(counted.values_list("duration_ms", "blocks_played", "players"))
    games = sum((blocks or 0) * players for _ms, blocks, players in measured)
    return sum((ms or 0) for ms, _blocks, _players in measured) / 1000 / games if games else UNMEASURED


def workload_allowance_of(organiser: AbstractUser) -> float | None:
    """Return the worker-hours of unfinished tournaments that ``organiser`` may have at a time; None: any number."""
    if organiser.is_staff:
        return None
    own = OrganiserAllowance.objects.filter(person=organiser.pk).values_list("worker_hours", flat=True).first()
    return float(settings.WORKER_HOURS_MOST if own is None else own)


def workload_taken(organiser: AbstractUser, *, but: str = "") -> float:
    """Return the worker-hours of the unfinished tournaments of ``organiser``, all ``but`` the one at that address."""
    others = Tournament.objects.filter(organiser=organiser.pk, state__in=[*ENTERING, *PLAYING]).exclude(slug=but)
    return sum(workload_now(other).usual for other in others.prefetch_related("stages"))


def workload_require(tournament: Tournament, entries: int | None = None) -> None:
    """Hold its organiser to their worker-hours. Call in a transaction: the organiser's row is locked until its end, so
    that of two tournaments at once the second is counted with the first.

    Raises:
        TooManyForTables: more than can be drawn.
        TooManyGames: more than one tournament may ask of the workers.
        TooMuchWork: with ``tournament`` its organiser would have more unfinished work than they may.
    """
    number = tournament.entrants_most if entries is None else entries
    plan = workload_plan(tournament, number)
    first = tournament.stages.all()[0]
    most = first.kind.drawn_most(first.terms)
    if most is not None and number > most:
        raise TooManyForTables(number, most)
    if plan is not None and plan.games > settings.GAMES_MOST:
        raise TooManyGames(plan.games, settings.GAMES_MOST)
    people: Any = get_user_model().objects
    organiser = people.select_for_update().get(pk=tournament.organiser_id)
    allowed = workload_allowance_of(organiser)
    if allowed is None:
        return
    taken = workload_taken(organiser, but=tournament.slug)
    wanted = workload_planned(tournament, plan, number).usual
    if taken + wanted > allowed:
        raise TooMuchWork(wanted=wanted, taken=taken, allowed=allowed)


MAX_ENTRIES: Final = 5000


def workload_plan(tournament: Tournament, entries: int) -> Plan | None:
    """Return what ``entries`` bots will play in all stages, or None while they do not fill a table of the first."""
    return workload_plan_of_stages(list(tournament.stages.all()), entries)


def workload_plan_of_stage(stage: Stage, entries: int) -> Plan | None:
    """Return what ``entries`` bots will play in one stage, or None while they do not fill a table."""
    return stage.kind.plan(stage.terms, entries)


def workload_plan_of_stages(stages: Sequence[Stage], entries: int) -> Plan | None:
    """Return the same for stages that need not be saved."""
    plans: list[Plan] = []
    for stage in stages:
        plan = workload_plan_of_stage(stage, min(entries, stage.entrants or entries))
        if plan is None:
            break
        plans.append(plan)
    if not plans:
        return None
    return replace(
        plans[0],
        rounds=sum(plan.rounds for plan in plans),
        matches=sum(plan.matches for plan in plans),
        games=sum(plan.games for plan in plans),
        seats=max(stage.players_per_table for stage in stages),
    )
