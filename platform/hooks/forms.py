"""What a person fills in for a hook."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from hooks.kinds import kinds_chosen
from hooks.wire import BadAddress, url_check


class HookForm(forms.Form):
    """Where messages go, and of what kinds."""

    url = forms.CharField(
        label=_("Address"),
        help_text=_("The HTTPS address of your server. It receives a POST request for each event."),
        max_length=500,
        widget=forms.URLInput({"autocomplete": "off", "placeholder": "https://example.org/pecking"}),
    )
    kinds = forms.MultipleChoiceField(label=_("Events"), widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["kinds"].choices = kinds_chosen()  # type: ignore[attr-defined]

    def clean_url(self) -> str:
        try:
            return url_check(self.cleaned_data["url"])
        except BadAddress as error:
            raise forms.ValidationError(str(error)) from error
