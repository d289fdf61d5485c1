"""Forms for groups, members, invitations and rosters."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from groups.models import ALIAS_MOST, COHORT_MOST, NAME_MOST, ROSTER_ID_MOST, GroupKind, GroupRole, InvitationKind
from groups.roster_csv import TEXT_MOST
from groups.services.invitations import DAYS_MOST, SLIPS_MOST, USES_MOST

OFF = {"autocomplete": "off"}


class GroupSettingsForm(forms.Form):
    """The name of a group and how its members are shown."""

    name = forms.CharField(label=_("Name"), max_length=NAME_MOST, widget=forms.TextInput(OFF))
    kind = forms.ChoiceField(label=_("Kind"), choices=GroupKind.choices, initial=GroupKind.CLASS)
    uses_aliases = forms.BooleanField(
        label=_("Members are called by aliases"),
        help_text=_(
            "Others see an alias instead of a member's name, here and in the group's events, where members take part "
            "with bots uploaded under the alias. You and the group's staff see both. Bots that take part already "
            "keep their author's name."
        ),
        required=False,
    )
    is_listed = forms.BooleanField(
        label=_("Show it in the list of groups"),
        help_text=_(
            "Everyone can then see its name and kind, but not who is in it. To join, people still need a code."
        ),
        required=False,
    )


class MemberForm(forms.Form):
    """The group's data about a member. Only owners can change ``role``."""

    role = forms.ChoiceField(label=_("Role"), choices=GroupRole.choices)
    alias = forms.CharField(label=_("Alias"), max_length=ALIAS_MOST, required=False, widget=forms.TextInput(OFF))
    roster_id = forms.CharField(
        label=_("Roster id"),
        help_text=_("What your school or company calls this person. Only the group's staff see it."),
        max_length=ROSTER_ID_MOST,
        required=False,
        widget=forms.TextInput(OFF),
    )
    cohort = forms.CharField(
        label=_("Cohort"),
        help_text=_("A part of the group, such as a year or a seminar."),
        max_length=COHORT_MOST,
        required=False,
        widget=forms.TextInput(OFF),
    )

    def __init__(self, *args: Any, sets_roles: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not sets_roles:
            del self.fields["role"]


class InvitationForm(forms.Form):
    """A link or a code. Only owners can invite staff."""

    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=[(InvitationKind.CODE, _("a short code to type")), (InvitationKind.LINK, _("a link to click"))],
    )
    role = forms.ChoiceField(
        label=_("They join as"),
        choices=[(GroupRole.MEMBER, _("a member")), (GroupRole.STAFF, _("staff of the group"))],
        initial=GroupRole.MEMBER,
        required=False,
    )
    uses = forms.IntegerField(label=_("Number of people"), initial=40, min_value=1, max_value=USES_MOST)
    days = forms.IntegerField(label=_("Valid for (days)"), initial=7, min_value=1, max_value=DAYS_MOST)

    def __init__(self, *args: Any, makes_staff: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not makes_staff:
            del self.fields["role"]

    def clean_role(self) -> str:
        return self.cleaned_data["role"] or GroupRole.MEMBER


class SlipsForm(forms.Form):
    """The number of slips to print."""

    for_roster = forms.BooleanField(
        label=_("One for each person on the roster who has neither an email address nor a code"),
        required=False,
        initial=True,
    )
    again = forms.BooleanField(required=False, widget=forms.HiddenInput)
    count = forms.IntegerField(label=_("More codes, for anyone"), initial=0, min_value=0, max_value=SLIPS_MOST)
    days = forms.IntegerField(label=_("Valid for (days)"), initial=30, min_value=1, max_value=DAYS_MOST)


class CodeForm(forms.Form):
    """A typed code."""

    code = forms.CharField(
        label=_("Code"),
        help_text=_("As on the whiteboard or on your printed code, such as K7QF-2MXR."),
        max_length=300,  # some people paste the whole URL
        widget=forms.TextInput({**OFF, "autocapitalize": "characters", "spellcheck": "false"}),
    )


class RosterForm(forms.Form):
    """Lines pasted from a spreadsheet."""

    text = forms.CharField(
        label=_("Paste the list"),
        help_text=_(
            "A line for each person: name, email address or id, cohort, alias. Leave out what you do not need."
            " Separate by commas, semicolons or tabs, as a spreadsheet copies them."
        ),
        max_length=TEXT_MOST,
        strip=False,
        widget=forms.Textarea({"rows": 10, **OFF, "spellcheck": "false"}),
    )
