"""Provide the initial settings of a new tournament, from a template or from an earlier tournament (an "event").

Both provide values for the fields of the organiser's form. Templates, and events that the user owns, also provide
registration questions and the times of single rounds. The presets are in ``tournaments/presets.py``.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta, tzinfo
from typing import Any, Final

from django import forms
from django.contrib.auth.models import AbstractUser
from django.core.validators import slug_re
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from bots.bot_names import validate_bot_name
from contests.audience import audience_groups_managed_by
from contests.audience_form import OF_GROUP
from games.catalogue import GAMES
from groups.models import Group
from tournaments.errors import TemplateRefused
from tournaments.forms import tournament_form_initial_like
from tournaments.models import Tournament, TournamentTemplate
from tournaments.selectors.entering.registration import registration_questions_open
from tournaments.selectors.entering.visible import may_own_tournament, tournament_templates_visible, tournaments_visible
from tournaments.services import tournament_template_create
from tournaments.services.copying import PLANNED
from web.zones import zone_of

WEEK: Final = timedelta(days=7)
# All times are moved as far as the first of these times that is set.
STARTS: Final = ("first_round_at", "entries_close_at")
TIMES: Final = (*STARTS, "entries_open_at")
TEMPLATE, EVENT = "template:", "event:"  # prefixes of a primary key or a slug, in the value of a choice
EVENTS_OFFERED: Final = 20


class TemplateForm(forms.Form):
    """A form for the name of a template and for who may create tournaments from it."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=80,
        validators=[validate_bot_name],
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    group = forms.ChoiceField(label=gettext_lazy("For"), required=False)

    def __init__(self, data: Any = None, *, organiser: AbstractUser, name: str = "") -> None:
        super().__init__(data, initial={"name": name})
        self.groups = {one.slug: one for one in audience_groups_managed_by(organiser)}
        self.fields["group"].choices = [  # type: ignore[attr-defined]
            ("", _("Me alone")),
            *((slug, _("Organisers of %(group)s") % {"group": one.name}) for slug, one in self.groups.items()),
        ]

    def clean_group(self) -> Group | None:
        return self.groups.get(self.cleaned_data["group"])


def template_settings_save(
    *, tournament: Tournament, by: AbstractUser, name: str, group: Group | None
) -> TournamentTemplate:
    """Save the settings of a tournament as a template.

    If the audience of the tournament is a group, and ``group`` is given, the audience in the template is ``group``.

    Raises:
        NotAnOrganiser: see ``tournament_template_create``.
        TemplateRefused: see ``tournament_template_create``; also if the game of the tournament is not installed.
    """
    made = template_settings_of(tournament)
    fields = made.fields
    _game_require(fields)
    if group is not None and fields["audience"].startswith(OF_GROUP):
        fields = {**fields, "audience": f"{OF_GROUP}{group.slug}"}
    return tournament_template_create(
        name=name, by=by, group=group, fields=fields, registration=made.registration, plans=made.plans
    )


def template_settings_of(tournament: Tournament) -> TournamentTemplate:
    """Return an unsaved template with the settings of a tournament. Its ruleset is the current one of the game."""

    def by_clock(when: datetime | None) -> str:
        return f"{when.astimezone(tournament.zone):%Y-%m-%dT%H:%M}" if when else ""

    times = {name: by_clock(getattr(tournament, name)) for name in TIMES}
    plans = [
        {**plan, "starts_at": by_clock(plan["starts_at"]), "premieres_at": by_clock(plan["premieres_at"])}
        for plan in tournament.plans.values(*PLANNED)
    ]
    fields = tournament_form_initial_like(tournament)
    return TournamentTemplate(
        name=tournament.name,
        fields=fields and fields | times,
        registration=[one.stored for one in registration_questions_open(tournament)],
        plans=plans,
    )


def template_settings_named(user: AbstractUser, code: str) -> TournamentTemplate | None:
    """Return the template for ``code``, the value of a choice; None if ``user`` can see no such template or event.

    An event is returned as an unsaved template. If ``user`` does not own the event, the template contains only the
    settings that everybody may read, without the times.
    """
    if code.startswith(TEMPLATE) and (number := code.removeprefix(TEMPLATE)[:18]).isdecimal():
        return tournament_templates_visible(user).filter(pk=int(number)).first()
    if code.startswith(EVENT) and slug_re.match(slug := code.removeprefix(EVENT)):
        found = tournaments_visible(user).filter(slug=slug).first()
        if found is not None:
            return (
                template_settings_of(found)
                if may_own_tournament(user, found)
                else TournamentTemplate(fields=tournament_form_initial_like(found))
            )
    return None


def template_settings_offered(user: AbstractUser) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the choices for ``template_settings_named``, grouped under headings.

    They are the user's own templates, the templates of groups in which the user organises, and the newest
    ``EVENTS_OFFERED`` tournaments of the user, newest first.
    """
    offered: dict[str, list[tuple[str, str]]] = {}
    for one in tournament_templates_visible(user):
        heading = _("Templates of %(group)s") % {"group": one.group.name} if one.group else _("Your templates")
        offered.setdefault(heading, []).append((f"{TEMPLATE}{one.pk}", one.name))
    events = Tournament.objects.filter(organiser=user.pk, ladder_cup=None).order_by("-pk")[:EVENTS_OFFERED]
    known = [(f"{EVENT}{one.slug}", one.name) for one in events if one.game in GAMES]
    return [*sorted(offered.items()), *([(_("Earlier events"), known)] if known else [])]


def template_settings_initial(
    template: TournamentTemplate, *, first_round_at: datetime | None = None
) -> dict[str, Any]:
    """Return the initial values of the form for a tournament from ``template``.

    ``first_round_at`` is a naive datetime in the time zone of the template. All times are moved so that the first round
    is at this time. If it is None, or if the template has no first round, they are moved by whole weeks until the first
    round and the close of entries are in the future. If entries would open in the past, this time is left out.

    Raises:
        TemplateRefused: the game of the template is no longer installed.
    """
    _game_require(template.fields)
    moved = _mover(template, {"first_round_at": first_round_at})
    times = {name: moved(template.fields[name]) for name in TIMES if template.fields.get(name)}
    opening = times.get("entries_open_at")
    if opening is not None and opening <= _now(template.fields):
        del times["entries_open_at"]
    shown = {name: when.isoformat(timespec="minutes") for name, when in times.items() if when}
    return {**template.fields, **dict.fromkeys(TIMES), **shown}


def template_settings_times_mover(
    template: TournamentTemplate, settings: Mapping[str, Any]
) -> Callable[[Any], datetime | None]:
    """Return a function that moves times of ``template`` as far as the times in ``settings`` were moved.

    ``settings`` are the cleaned settings of the new tournament. The function takes a time as the text that templates
    store. It returns an aware datetime in the tournament's time zone; None if the text is empty.
    """
    zone = zone_of(settings["time_zone"])
    moved = _mover(template, {name: _without_zone(settings[name], zone) for name in STARTS})

    def with_zone(text: Any) -> datetime | None:
        when = moved(text)
        return when and when.replace(tzinfo=zone)

    return with_zone


def template_settings_time_typed(text: str) -> datetime | None:
    """Parse a time that a user typed and return it as a naive datetime; None if it is not a valid time."""
    with suppress(ValueError):
        return datetime.fromisoformat(text).replace(tzinfo=None)
    return None


def template_settings_weeks_until(behind: timedelta) -> timedelta:
    """Return the smallest number of whole weeks, at least one, that moves a time into the future.

    ``behind`` says how long ago the time was. It is negative for a time in the future.
    """
    return WEEK * max(1, behind // WEEK + 1)


def _mover(template: TournamentTemplate, wanted: Mapping[str, datetime | None]) -> Callable[[Any], datetime | None]:
    fields = template.fields
    known = {name: datetime.fromisoformat(fields[name]) for name in STARTS if fields.get(name)}
    by = next((when - known[name] for name in STARTS if name in known and (when := wanted.get(name))), None)
    if by is None:
        planned = (plan[name] for plan in template.plans for name in ("starts_at", "premieres_at"))
        first = min([*known.values(), *(datetime.fromisoformat(text) for text in planned if text)], default=None)
        by = template_settings_weeks_until(_now(fields) - first) if first else WEEK

    def moved(text: Any) -> datetime | None:
        with suppress(OverflowError):
            return datetime.fromisoformat(text) + by if text else None
        return None

    return moved


def _now(fields: Mapping[str, Any]) -> datetime:
    return timezone.now().astimezone(zone_of(fields.get("time_zone"))).replace(tzinfo=None)


def _without_zone(when: datetime | None, zone: tzinfo) -> datetime | None:
    return when and when.astimezone(zone).replace(tzinfo=None)


def _game_require(fields: Mapping[str, Any]) -> None:
    if fields.get("game") not in GAMES:
        raise TemplateRefused("game", _("Its game is not there any more."))
