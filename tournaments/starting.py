"""What a new tournament starts from: a preset, a template, or an earlier event. Each is fields of the organiser's form;
a template and an organiser's own event bring questions and the times of single rounds too.
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

from bots.names import validate_name
from contests.audience import groups_managed_by
from contests.audience_form import OF_GROUP
from games.catalogue import GAMES
from groups.models import Group
from tournaments.errors import TemplateRefused
from tournaments.forms import initial_like
from tournaments.models import Tournament, TournamentTemplate
from tournaments.selectors.entering.registration import questions_asked
from tournaments.selectors.entering.visible import may_own, templates_visible, tournaments_visible
from tournaments.services import template_create
from tournaments.services.copying import PLANNED
from web.zones import zone_of

WEEK: Final = timedelta(days=7)
STARTS: Final = ("first_round_at", "entries_close_at")  # the first that there is says how far all times move
TIMES: Final = (*STARTS, "entries_open_at")
TEMPLATE, EVENT = "template:", "event:"  # before a key or an address, in the value of a choice
EVENTS_OFFERED: Final = 20


class TemplateForm(forms.Form):
    """A name, and who may start from it."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=80,
        validators=[validate_name],
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    group = forms.ChoiceField(label=gettext_lazy("For"), required=False)

    def __init__(self, data: Any = None, *, organiser: AbstractUser, name: str = "") -> None:
        super().__init__(data, initial={"name": name})
        self.groups = {one.slug: one for one in groups_managed_by(organiser)}
        self.fields["group"].choices = [  # type: ignore[attr-defined]
            ("", _("Me alone")),
            *((slug, _("Organisers of %(group)s") % {"group": one.name}) for slug, one in self.groups.items()),
        ]

    def clean_group(self) -> Group | None:
        return self.groups.get(self.cleaned_data["group"])


def template_save(*, tournament: Tournament, by: AbstractUser, name: str, group: Group | None) -> TournamentTemplate:
    """Keep the settings of a tournament as a template. One for a group names no other group.

    Raises:
        NotAnOrganiser, TemplateRefused: see ``template_create``; or its game is not there.
    """
    made = template_of(tournament)
    fields = made.fields
    _game_require(fields)
    if group is not None and fields["audience"].startswith(OF_GROUP):
        fields = {**fields, "audience": f"{OF_GROUP}{group.slug}"}
    return template_create(
        name=name, by=by, group=group, fields=fields, registration=made.registration, plans=made.plans
    )


def template_of(tournament: Tournament) -> TournamentTemplate:
    """Return a tournament as a template that is not saved. A game is played by the rules of today."""

    def by_clock(when: datetime | None) -> str:
        return f"{when.astimezone(tournament.zone):%Y-%m-%dT%H:%M}" if when else ""

    times = {name: by_clock(getattr(tournament, name)) for name in TIMES}
    plans = [
        {**plan, "starts_at": by_clock(plan["starts_at"]), "premieres_at": by_clock(plan["premieres_at"])}
        for plan in tournament.plans.values(*PLANNED)
    ]
    fields = initial_like(tournament)
    return TournamentTemplate(
        name=tournament.name,
        fields=fields and fields | times,
        registration=[one.stored for one in questions_asked(tournament)],
        plans=plans,
    )


def start_named(user: AbstractUser, code: str) -> TournamentTemplate | None:
    """Return what ``user`` starts a tournament from, by the value of its choice; None if there is no such. Of an event
    that others organise, what everybody may read, without its times."""
    if code.startswith(TEMPLATE) and (number := code.removeprefix(TEMPLATE)[:18]).isdecimal():
        return templates_visible(user).filter(pk=int(number)).first()
    if code.startswith(EVENT) and slug_re.match(slug := code.removeprefix(EVENT)):
        found = tournaments_visible(user).filter(slug=slug).first()
        if found is not None:
            return template_of(found) if may_own(user, found) else TournamentTemplate(fields=initial_like(found))
    return None


def starts_offered(user: AbstractUser) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the choices of ``start_named`` in groups, each with its heading: own templates, those of groups, and own
    events, the newest first."""
    offered: dict[str, list[tuple[str, str]]] = {}
    for one in templates_visible(user):
        heading = _("Templates of %(group)s") % {"group": one.group.name} if one.group else _("Your templates")
        offered.setdefault(heading, []).append((f"{TEMPLATE}{one.pk}", one.name))
    events = Tournament.objects.filter(organiser=user.pk, ladder_cup=None).order_by("-pk")[:EVENTS_OFFERED]
    known = [(f"{EVENT}{one.slug}", one.name) for one in events if one.game in GAMES]
    return [*sorted(offered.items()), *([(_("Earlier events"), known)] if known else [])]


def fields_of(template: TournamentTemplate, *, first_round_at: datetime | None = None) -> dict[str, Any]:
    """Return what the form shows: the times are moved so that the first round is at ``first_round_at``, by the clock of
    the zone and without it; without one, by whole weeks until all is to come. An opening that would be over is left
    out.

    Raises:
        TemplateRefused: its game is not there any more.
    """
    _game_require(template.fields)
    moved = _mover(template, {"first_round_at": first_round_at})
    times = {name: moved(template.fields[name]) for name in TIMES if template.fields.get(name)}
    opening = times.get("entries_open_at")
    if opening is not None and opening <= _now(template.fields):
        del times["entries_open_at"]
    shown = {name: when.isoformat(timespec="minutes") for name, when in times.items() if when}
    return {**template.fields, **dict.fromkeys(TIMES), **shown}


def mover_to(template: TournamentTemplate, settings: Mapping[str, Any]) -> Callable[[Any], datetime | None]:
    """Return what moves a time of the template as far as the times of these ``settings`` of a tournament were."""
    zone = zone_of(settings["time_zone"])
    moved = _mover(template, {name: _without_zone(settings[name], zone) for name in STARTS})

    def with_zone(text: Any) -> datetime | None:
        when = moved(text)
        return when and when.replace(tzinfo=zone)

    return with_zone


def typed_time(text: str) -> datetime | None:
    """Return a time that was typed, without its zone; None if it is none."""
    with suppress(ValueError):
        return datetime.fromisoformat(text).replace(tzinfo=None)
    return None


def weeks_until(behind: timedelta) -> timedelta:
    """Return the fewest whole weeks, one at least, after which a time is to come that is so far ``behind`` now."""
    return WEEK * max(1, behind // WEEK + 1)


def _mover(template: TournamentTemplate, wanted: Mapping[str, datetime | None]) -> Callable[[Any], datetime | None]:
    fields = template.fields
    known = {name: datetime.fromisoformat(fields[name]) for name in STARTS if fields.get(name)}
    by = next((when - known[name] for name in STARTS if name in known and (when := wanted.get(name))), None)
    if by is None:
        planned = (plan[name] for plan in template.plans for name in ("starts_at", "premieres_at"))
        first = min([*known.values(), *(datetime.fromisoformat(text) for text in planned if text)], default=None)
        by = weeks_until(_now(fields) - first) if first else WEEK

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
