"""Forms of assignments, extensions, markings and decisions."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from assignments.errors import AssignmentRefused
from assignments.models import (
    GRACE_MOST,
    LATE_DAYS_MOST,
    POINTS_MOST,
    REASON_MOST,
    TEAM_MOST,
    TEXT_MOST,
    TITLE_MOST,
    Assignment,
    MarkRuling,
)
from assignments.selectors.hand_ins import assignment_time_now
from assignments.services import ReferenceChosen
from bots.bot_names import validate_bot_name
from bots.models import BotVersion, VersionState
from bots.selectors import bots_of
from games.catalogue import GAMES
from web.zones import ZonedTimeField, zone_choices, zone_of

REFERENCES_SHOWN: Final = 4
RARE_FIELDS: Final = ("grace_minutes", "late_days", "late_penalty", "attempts_a_day")
BLOCKS_MOST: Final = 1000


class PresetField(forms.IntegerField):
    """A number with a default for an empty field. Its label does not say "optional"."""

    has_preset = True

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)

    def clean(self, value: Any) -> Any:
        found = super().clean(value)
        return self.initial if found is None else found


class AssignmentTimesForm(forms.Form):
    """The title, the text and the times of an assignment, in its time zone."""

    title = forms.CharField(
        label=_("Title"),
        max_length=TITLE_MOST,
        validators=[validate_bot_name],
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    text = forms.CharField(
        label=_("What to do"), max_length=TEXT_MOST, required=False, widget=forms.Textarea({"rows": 5})
    )
    due_at = ZonedTimeField(label=_("Due"))
    grace_minutes = forms.IntegerField(
        label=_("Grace (minutes)"),
        initial=10,
        min_value=0,
        max_value=GRACE_MOST,
        help_text=_("Uploads this long after the due time still count as on time."),
    )
    late_days = forms.IntegerField(
        label=_("Late days"),
        initial=0,
        min_value=0,
        max_value=LATE_DAYS_MOST,
        help_text=_("For those who have nothing at the due time. A late day has 24 hours."),
    )
    late_penalty = forms.IntegerField(label=_("Points lost per late day (%)"), initial=10, min_value=0, max_value=100)
    attempts_a_day = forms.IntegerField(
        label=_("Practice runs a day"), initial=5, min_value=1, max_value=100, help_text=_("For each student.")
    )

    def __init__(self, data: Any = None, *, assignment: Assignment | None = None, **kwargs: Any) -> None:
        if assignment is not None:
            names = ("title", "text", "due_at", "grace_minutes", "late_days", "late_penalty", "attempts_a_day")
            kwargs["initial"] = {name: getattr(assignment, name) for name in names}
        super().__init__(data, **kwargs)
        zone = assignment.zone if assignment else (data or {}).get("zone", "UTC")
        for field in self.fields.values():
            if isinstance(field, ZonedTimeField):
                field.zone = zone_of(zone)

    def rare_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in RARE_FIELDS]

    def rare_have_errors(self) -> bool:
        return any(field.errors for field in self.rare_fields())

    def refuse(self, error: AssignmentRefused) -> None:
        """Add the error to its field."""
        field = "reference_1" if error.field == "references" else error.field
        self.add_error(field if field in self.fields else None, str(error))


class AssignmentForm(AssignmentTimesForm):
    """A new assignment for one game, with up to ``REFERENCES_SHOWN`` references."""

    zone = forms.ChoiceField(label=_("Time zone"), choices=zone_choices, initial="UTC")
    opens_at = ZonedTimeField(label=_("Opens"), required=False, help_text=_("Leave it empty to open at once."))
    team_size = forms.IntegerField(
        label=_("People per team"),
        initial=1,
        min_value=1,
        max_value=TEAM_MOST,
        help_text=_("With more than 1, a team can hand in one bot, and each member gets its mark."),
    )

    def __init__(self, data: Any = None, *, organiser: Any, game: str) -> None:
        super().__init__(data)
        self.fields["due_at"].help_text = _("By the clock of the time zone.")
        if data is None:
            self.fields["zone"].widget.attrs["data-of-reader"] = ""  # the browser selects the time zone of the user
        self.game = game
        versions = assignment_reference_choices(organiser, game)
        choices = [(str(pk), f"{one.bot.name} v{one.number}") for pk, one in versions.items()]
        self._versions = versions
        for number in range(1, REFERENCES_SHOWN + 1):
            is_first = number == 1  # the first reference is required, the others are optional
            self.fields[f"reference_{number}"] = forms.ChoiceField(
                label=_("Reference bot") if is_first else _("Another reference bot"),
                choices=[("", _("choose a bot") if is_first else _("none")), *choices],
                required=is_first,
                error_messages={"required": _("Choose at least one reference bot.")},
            )
            self.fields[f"threshold_{number}"] = PresetField(
                label=_("Must win more than (%)"), initial=60, min_value=5, max_value=95
            )
            self.fields[f"points_{number}"] = PresetField(
                label=_("Points"), initial=1, min_value=0, max_value=POINTS_MOST
            )

    @property
    def has_versions(self) -> bool:
        return bool(self._versions)

    def reference_fields(self) -> list[tuple[forms.BoundField, forms.BoundField, forms.BoundField]]:
        return [
            (self[f"reference_{n}"], self[f"threshold_{n}"], self[f"points_{n}"])
            for n in range(1, REFERENCES_SHOWN + 1)
        ]

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        self.references = [
            ReferenceChosen(self._versions[int(data[f"reference_{n}"])], data[f"threshold_{n}"], data[f"points_{n}"])
            for n in range(1, REFERENCES_SHOWN + 1)
            if all(data.get(f"{name}_{n}", "") != "" for name in ("reference", "threshold", "points"))
        ]
        return data

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of the service, of a valid form."""
        names = (*AssignmentTimesForm.base_fields, "zone", "opens_at", "team_size")
        arguments = {name: self.cleaned_data[name] for name in names} | {
            "references": self.references,
            "game": self.game,
        }
        return arguments | {"opens_at": arguments["opens_at"] or assignment_time_now()}


class GameForm(forms.Form):
    """The game of an assignment, which is chosen first, because it determines the references."""

    game = forms.ChoiceField(label=_("Game"))

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.fields["game"].choices = [(name, gettext(game.current.title)) for name, game in GAMES.items()]  # type: ignore[attr-defined]


class ExtensionForm(forms.Form):
    """An extension for one student."""

    due_at = ZonedTimeField(label=_("New due time"))
    reason = forms.CharField(label=_("Reason"), max_length=REASON_MOST, widget=forms.TextInput({"autocomplete": "off"}))

    def __init__(self, data: Any = None, *, zone: str) -> None:
        super().__init__(data, auto_id="extend_%s")
        due: Any = self.fields["due_at"]
        due.zone = zone_of(zone)


class RenewForm(forms.Form):
    """Another marking of one student."""

    reason = forms.CharField(label=_("Reason"), max_length=REASON_MOST, widget=forms.TextInput({"autocomplete": "off"}))
    takes_newest = forms.BooleanField(label=_("Mark the newest accepted version"), required=False)

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="renew_%s")


class ByShareForm(forms.Form):
    """The reason to decide all undecided marks by the shares shown."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_MOST,
        widget=forms.TextInput({"autocomplete": "off"}),
        help_text=_("Students read it beside the mark."),
    )


class DecisionForm(forms.Form):
    """The decision about one undecided mark."""

    ruling = forms.ChoiceField(
        label=_("Decision"), choices=[(one.value, one.label) for one in (MarkRuling.MET, MarkRuling.MISSED)]
    )
    reason = forms.CharField(label=_("Reason"), max_length=REASON_MOST, widget=forms.TextInput({"autocomplete": "off"}))

    def __init__(self, data: Any = None, *, mark: int) -> None:
        super().__init__(data, auto_id=f"decide_{mark}_%s")
        self.mark = mark


def assignment_reference_choices(organiser: Any, game: str) -> dict[int, BotVersion]:
    """Return the versions that may be references, by primary key: the current versions of house bots, weakest first,
    then versions of the organiser's bots.
    """
    house = BotVersion.objects.filter(bot__is_house=True, bot__current__isnull=False, state=VersionState.ACCEPTED)
    own = BotVersion.objects.filter(bot__in=bots_of(organiser).filter(is_house=False).values("pk"))
    current = [one for one in house.filter(bot__game=game).select_related("bot") if one.bot.current_id == one.pk]
    mine = (
        own.filter(bot__game=game, state=VersionState.ACCEPTED).select_related("bot").order_by("bot__name", "-number")
    )
    strength = {one.title: number for number, one in enumerate(GAMES[game].house_bots if game in GAMES else ())}
    found = [*sorted(current, key=lambda one: (strength.get(one.bot.name, len(strength)), one.bot.name)), *mine[:200]]
    return {one.pk: one for one in found}
