"""Copy a tournament to a later date, and manage the templates from which tournaments are created."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from contests.permissions import organiser_permission_require
from games.catalogue import UnknownRuleset
from games.protocol import Limits
from games.ruleset import OptionError, SeatError
from groups.models import Group
from tournaments.errors import CopyRefused, TemplateRefused
from tournaments.models import (
    COPY_DAYS_MOST,
    FINAL,
    Publication,
    Tournament,
    TournamentState,
    TournamentTemplate,
)
from tournaments.selectors.entering.registration import registration_questions_open
from tournaments.services.drafting import StagePlan, tournament_create
from tournaments.services.round_planning import PremiereRefused, round_plan_set

DAY: Final = 24 * 60  # minutes
TEMPLATES_MOST: Final = 50  # templates of a person or a group
PLANNED: Final = ("stage", "place", "starts_at", "premieres_at", "tempo")
COPIED: Final = (
    *("description", "tempo", "min_action_ms", "entrants_most", "entries_per_author", "keep_apart", "admission"),
    *("has_round_review", "time_zone", "round_minutes", "audience", "group_id"),
    *("releases_sources", "sources_by_hand", "new_versions", "team_size"),
)
OF_STAGE: Final = ("format", "players_per_table", "rounds", "blocks", "entrants", "has_third_place", "stopping")

Copied = Callable[[Tournament, Tournament], None]
_COPIED: Final[list[Copied]] = []


def tournament_copied_register(act: Copied) -> None:
    """Register ``act``. It is called with each tournament that is copied, and the copy. For packages above this one."""
    if act not in _COPIED:
        _COPIED.append(act)


def tournament_copy(*, tournament: Tournament, name: str, days: int) -> Tournament:
    """Create a draft with the settings, questions and arbiters of ``tournament``.

    The times of the draft are ``days`` days later, at the same hours in the time zone of the tournament. The draft uses
    the current rules of the game. If the tournament has a ceremony, the results of the draft are hidden. As long as the
    copy is a draft, another call with the same ``days`` returns this draft.

    Raises:
        CopyRefused: a time would be in the past or too far away, the tournament is a cup of a ladder, or the current
            rules do not allow its settings.
        NotAnOrganiser, OverCap, TooLarge: see ``tournament_create``.
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
            questions = [one.stored for one in registration_questions_open(source)]
            plans = source.plans.values(*PLANNED)
            _details_copy(made, questions, (_moved(one, lambda when: _later(source, when, days)) for one in plans))
        except (UnknownRuleset, OptionError, SeatError) as error:
            sentence = _("The rules of the game have changed: create a new tournament.")
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
            raise CopyRefused("days", _("That time has passed already: choose more days."))
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
    return made


def _later(source: Tournament, when: datetime | None, days: int) -> datetime | None:
    return when and source.minutes_later(when, days * DAY)


def tournament_template_create(
    *,
    name: str,
    by: AbstractUser,
    group: Group | None = None,
    fields: Mapping[str, Any],
    registration: Sequence[Mapping[str, Any]] = (),
    plans: Sequence[Mapping[str, Any]] = (),
) -> TournamentTemplate:
    """Save a template for ``by`` alone, or for the organisers of ``group``.

    For the other arguments see ``TournamentTemplate``.

    Raises:
        NotAnOrganiser: ``by`` may not create tournaments.
        TemplateRefused: there are too many templates, or a template has this name already.
    """
    organiser_permission_require(by)
    whose: dict[str, Any] = {"organiser_id": by.pk} if group is None else {"group": group}
    saved = {"fields": dict(fields), "registration": list(registration), "plans": list(plans)}
    with transaction.atomic():
        holders: Any = get_user_model() if group is None else Group
        holders.objects.select_for_update(no_key=True).get(
            pk=(group or by).pk
        )  # so that concurrent calls count one after the other
        if TournamentTemplate.objects.filter(**whose).count() >= TEMPLATES_MOST:
            sentence = _("There are %(most)d templates already. Delete one first.")
            raise TemplateRefused("", sentence % {"most": TEMPLATES_MOST})
        with _name_taken():
            return TournamentTemplate.objects.create(name=name, **whose, **saved)


def tournament_template_rename(*, template: TournamentTemplate, name: str) -> TournamentTemplate:
    """Rename a template.

    Raises:
        TemplateRefused: another template has this name.
    """
    with _name_taken():
        TournamentTemplate.objects.filter(pk=template.pk).update(name=name)
    template.name = name
    return template


def tournament_template_delete(*, template: TournamentTemplate) -> None:
    """Delete a template. Tournaments that were created from it stay."""
    TournamentTemplate.objects.filter(pk=template.pk).delete()


def tournament_create_from(
    *, organiser: AbstractUser, template: TournamentTemplate, moved: Callable[[Any], datetime | None], **settings: Any
) -> Tournament:
    """Create a draft with these ``settings``, and with the questions and the round plans of ``template``.

    ``moved`` converts a time of the template to the time in the new tournament.

    Raises:
        PremiereRefused: a round would begin or be shown in the past, or too far in the future.
        NotAnOrganiser, OverCap, TooLarge: see ``tournament_create``.
    """
    with transaction.atomic():
        made = tournament_create(organiser=organiser, **settings)
        _details_copy(made, template.registration, (_moved(one, moved) for one in template.plans))
    return made


@contextmanager
def _name_taken() -> Iterator[None]:
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise TemplateRefused("name", _("There is a template of this name already. Choose another.")) from error


def _moved(plan: Mapping[str, Any], moved: Callable[[Any], datetime | None]) -> dict[str, Any]:
    return {**plan, "starts_at": moved(plan["starts_at"]), "premieres_at": moved(plan["premieres_at"])}


def _details_copy(made: Tournament, questions: Sequence[Any], plans: Iterable[Mapping[str, Any]]) -> None:
    """Set the settings of a draft that its form does not have: the questions, and the plans of rounds."""
    Tournament.objects.filter(pk=made.pk).update(registration=questions)
    stages = {stage.number: stage for stage in made.stages.all()}
    for plan in plans:
        stage = stages.get(plan["stage"])
        if stage is not None and (plan["place"] != FINAL or stage.kind.has_bracket):
            round_plan_set(tournament=made, **plan)
