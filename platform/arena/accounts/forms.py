"""What a person fills in besides allauth's own forms, and what those ask in addition."""

from typing import Any, Final

from allauth.account import forms as theirs
from django import forms
from django.utils.translation import gettext_lazy as _

from arena.accounts.tokens import YEAR

LIVES: Final = [(30, _("30 days")), (90, _("90 days")), (YEAR, _("a year"))]


class TokenForm(forms.Form):
    """A name and a life for a new access token."""

    name = forms.CharField(
        label=_("What is it for?"),
        help_text=_("A name for you to know it by, such as the computer that uploads with it."),
        max_length=60,
        widget=forms.TextInput({"autocomplete": "off", "placeholder": _("laptop")}),
    )
    days = forms.TypedChoiceField(
        label=_("How long is it good for?"), choices=LIVES, coerce=int, empty_value=YEAR, initial=YEAR, required=False
    )


class ChangePasswordForm(theirs.ChangePasswordForm):  # type: ignore[misc]  # allauth is untyped
    """A new password, and whether programs go on with the tokens they have."""

    end_tokens = forms.BooleanField(
        label=_("End my access tokens too"),
        help_text=_("If somebody may know your password, they may have made a token. Programs of yours need new ones."),
        required=False,
        initial=True,
    )

    def save(self) -> None:
        person: Any = self.user
        person.keeps_tokens = not self.cleaned_data["end_tokens"]
        super().save()
