"""What a person fills in besides allauth's own forms."""

from django import forms
from django.utils.translation import gettext_lazy as _


class TokenForm(forms.Form):
    """A name for a new access token."""

    name = forms.CharField(
        label=_("What is it for?"),
        help_text=_("A name for you to know it by, such as the computer that uploads with it."),
        max_length=60,
        widget=forms.TextInput({"autocomplete": "off", "placeholder": _("laptop")}),
    )
