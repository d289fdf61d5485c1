"""The time that the workers need for a tournament, and the limit of worker-hours for each organiser.

The number of games depends only on the number of entries, so it is known before the start.
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

RECENT: Final = 50  # finished matches from which the time of a game is measured
UNMEASURED: Final = 2.0  # seconds for a game, as long as the site has played none
TYPICAL_ACTIONS: Final = 250  # actions in a game; the present games have 130 to 350
HOUR: Final = 3600


@dataclass(frozen=True, slots=True)
class Workload:
    """The workload of a tournament, in hours of one worker.

    ``usual`` is the expected workload. ``most`` is the workload if every bot uses all the time that it is allowed.
    ``games`` is the number of games that ``entries`` bots play.
    """

    entries: int
    games: int
    usual: float
    most: float


def workload_of(tournament: Tournament, entries: int | None = None) -> Workload:
    """Return the workload for ``entries`` bots. The default is the greatest number of bots that may enter."""
    number = tournament.entrants_most if entries is None else entries
    return workload_planned(tournament, workload_plan(tournament, number), number)


def workload_now(tournament: Tournament) -> Workload:
    """Return the workload for the bots that take part; before the start, for the greatest number that may enter."""
    entering = tournament.state in ENTERING
    return workload_of(tournament, None if entering else tournament.entries.filter(is_withdrawn=False).count())


def workload_planned(tournament: Tournament, plan: Plan | None, entries: int) -> Workload:
    """Return the workload of a tournament with this ``plan``; 0 if there is no plan.

    The tournament need not be saved.
    """
    if plan is None:
        return Workload(entries, 0, 0.0, 0.0)
    limits = Limits.from_dict(tournament.limits)
    pause = TYPICAL_ACTIONS * tournament.min_action_ms / 1000
    longest = plan.seats * (limits.start_wall + limits.game_wall) + pause
    usual = min(workload_game_seconds(tournament.game) + pause, longest)
    return Workload(entries, plan.games, plan.games * usual / HOUR, plan.games * longest / HOUR)


def workload_game_seconds(game: str) -> float:
    """Return the mean time that a worker needs for a game, in seconds.

    It is measured in the last finished matches at full speed, with any version of the game's rules.
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
    """Return the limit of worker-hours for the unfinished tournaments of ``organiser``; None if there is no limit."""
    if organiser.is_staff:
        return None
    own = OrganiserAllowance.objects.filter(person=organiser.pk).values_list("worker_hours", flat=True).first()
    return float(settings.WORKER_HOURS_MOST if own is None else own)


def workload_taken(organiser: AbstractUser, *, but: str = "") -> float:
    """Return the worker-hours of the unfinished tournaments of ``organiser``.

    ``but`` is the slug of a tournament that does not count.
    """
    others = Tournament.objects.filter(organiser=organiser.pk, state__in=[*ENTERING, *PLAYING]).exclude(slug=but)
    return sum(workload_now(other).usual for other in others.prefetch_related("stages"))


def workload_require(tournament: Tournament, entries: int | None = None) -> None:
    """Require that a tournament is not too large, and that its organiser stays below the limit of worker-hours.

    Call it in a transaction. It locks the row of the organiser. So if two tournaments are changed at the same time, the
    second check counts the first tournament too.

    Raises:
        TooManyForTables: there are more entries than can be drawn.
        TooManyGames: there are more games than a tournament may have.
        TooMuchWork: the unfinished tournaments of the organiser would exceed the limit.
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
    """Return the plan of all stages for ``entries`` bots; None if they are too few for a table of the first stage."""
    return workload_plan_of_stages(list(tournament.stages.all()), entries)


def workload_plan_of_stage(stage: Stage, entries: int) -> Plan | None:
    """Return the plan of one stage for ``entries`` bots; None if they are too few for a table."""
    return stage.kind.plan(stage.terms, entries)


def workload_plan_of_stages(stages: Sequence[Stage], entries: int) -> Plan | None:
    """Return the plan of these stages; None if the bots are too few for a table of the first stage.

    The stages need not be saved.
    """
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
