"""What is filled in for a team and the links into it."""

from django import forms
from django.utils.translation import gettext_lazy as _

from teams.models import NAME_MOST
from teams.services.links import DAYS_MOST, USES_MOST


class TeamForm(forms.Form):
    """What a team is called."""

    name = forms.CharField(
        label=_("Name"),
        max_length=NAME_MOST,
        help_text=_("Shown as the author of the team's bots. It cannot be changed."),
        widget=forms.TextInput({"autocomplete": "off"}),
    )


class TeamLinkForm(forms.Form):
    """How many people a link lets in, and for how long."""

    uses = forms.IntegerField(label=_("Number of people"), initial=3, min_value=1, max_value=USES_MOST)
    days = forms.IntegerField(label=_("Valid for (days)"), initial=7, min_value=1, max_value=DAYS_MOST)
