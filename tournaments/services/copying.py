"""The same tournament again, some days later."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.catalogue import UnknownRuleset
from games.protocol import Limits
from games.ruleset import OptionError, SeatError
from tournaments.errors import CopyRefused
from tournaments.models import COPY_DAYS_MOST, Publication, Tournament, TournamentState
from tournaments.selectors.entering.registration import questions_asked
from tournaments.services.drafting import StagePlan, tournament_create
from tournaments.services.planning import round_plan_set
from tournaments.services.premieres import PremiereRefused

DAY: Final = 24 * 60  # minutes
COPIED: Final = (
    *("description", "tempo", "min_action_ms", "entrants_most", "entries_per_author", "keep_apart", "admission"),
    *("has_round_review", "time_zone", "round_minutes", "audience", "group_id"),
    *("releases_sources", "sources_by_hand", "new_versions", "team_size"),
)
OF_STAGE: Final = ("format", "players_per_table", "rounds", "blocks", "entrants", "has_third_place", "stopping")

Copied = Callable[[Tournament, Tournament], None]
_COPIED: Final[list[Copied]] = []


def copied_register(act: Copied) -> None:
    """Have ``act`` called with a tournament and its copy, for rooms above."""
    if act not in _COPIED:
        _COPIED.append(act)


def tournament_copy(*, tournament: Tournament, name: str, days: int) -> Tournament:
    """Create a draft with the settings, questions and arbiters of ``tournament``, its times ``days`` later at the same
    hours of its time zone, by the rules of today. Results of one that had a ceremony are hidden again. While the draft
    is there, the same call returns it.

    Raises:
        CopyRefused: a time that would be over or is too far away, a cup of a ladder, or rules that have changed.
        NotAnOrganiser, TooLarge: see ``tournament_create``.
    """
    if not 1 <= days <= COPY_DAYS_MOST:
        raise CopyRefused("days", _("Choose from 1 to %(most)d days.") % {"most": COPY_DAYS_MOST})
    with transaction.atomic():
        source = Tournament.objects.select_for_update().get(pk=tournament.pk)
        known = Tournament.objects.filter(copied_from=source, copied_days=days, state=TournamentState.DRAFT).first()
        if known is not None:
            return known
        if source.is_of_ladder:
            raise CopyRefused("", _("This cup was made of a ladder: make the next one on the page of its league."))
        try:
            made = _created(source, name, days)
            _plans_copy(source, made, days)
        except (UnknownRuleset, OptionError, SeatError) as error:
            sentence = _("The game has other rules by now: make a new tournament.")
            raise CopyRefused("", sentence) from error
        except PremiereRefused as error:
            raise CopyRefused("days", str(error)) from error
        for act in _COPIED:
            act(source, made)
    return made


def _created(source: Tournament, name: str, days: int) -> Tournament:
    stages = [
        StagePlan(**{field: getattr(stage, field) for field in OF_STAGE})
        for stage in source.stages.order_by("number")
        if not stage.kind.is_play_off
    ]
    settings: dict[str, Any] = {field: getattr(source, field) for field in COPIED}
    for field in ("entries_close_at", "first_round_at"):
        settings[field] = _later(source, getattr(source, field), days)
        if settings[field] is not None and settings[field] <= timezone.now():
            raise CopyRefused("days", _("That would be over already: choose more days."))
    opens = _later(source, source.entries_open_at, days)
    settings["entries_open_at"] = opens if opens is not None and opens > timezone.now() else None
    settings["sources_at"] = _later(source, source.sources_at, days)
    had_ceremony = source.ceremony_or_none is not None
    made = tournament_create(
        organiser=source.organiser,
        name=name,
        ruleset=source.game,
        stages=stages,
        options=source.options,
        limits=Limits(**source.limits),
        tie_breaks=source.tie_breaks,
        publication=Publication.HIDDEN if had_ceremony else source.publication,
        copied_from=source,
        copied_days=days,
        **settings,
    )
    made.arbiters.set(source.arbiters.all())
    Tournament.objects.filter(pk=made.pk).update(registration=[one.stored for one in questions_asked(source)])
    return made


def _plans_copy(source: Tournament, made: Tournament, days: int) -> None:
    numbers = set(made.stages.values_list("number", flat=True))
    for plan in source.plans.all():
        if plan.stage in numbers:
            round_plan_set(
                tournament=made,
                stage=plan.stage,
                place=plan.place,
                starts_at=_later(source, plan.starts_at, days),
                premieres_at=_later(source, plan.premieres_at, days),
                tempo=plan.tempo,
            )


def _later(source: Tournament, when: datetime | None, days: int) -> datetime | None:
    return when and source.minutes_later(when, days * DAY)
