"""What a person fills in for a hook."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from hooks.kinds import kinds_by_section
from hooks.messages import format_expected
from hooks.models import MessageFormat
from hooks.wire import BadAddress, url_check


class HookForm(forms.Form):
    """Where messages go, and of what kinds."""

    url = forms.CharField(
        label=_("Address"),
        help_text=_("The HTTPS address of your server. It receives a POST request for each event."),
        max_length=500,
        widget=forms.URLInput({"autocomplete": "off", "placeholder": "https://example.org/pecking"}),
    )
    format = forms.ChoiceField(
        label=_("Format"),
        choices=MessageFormat.choices,
        initial=MessageFormat.JSON,
        required=False,
        help_text=_("Chat services need their own. Create an incoming webhook there and paste its address above."),
    )
    kinds = forms.MultipleChoiceField(label=_("Events"), widget=forms.CheckboxSelectMultiple({"class": "in-sections"}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["kinds"].choices = kinds_by_section()  # type: ignore[attr-defined]

    def clean_url(self) -> str:
        try:
            return url_check(self.cleaned_data["url"])
        except BadAddress as error:
            raise forms.ValidationError(str(error)) from error

    def clean_format(self) -> str:
        """Default to JSON, unless the address is one of a chat service: that needs its own format."""
        chosen = self.cleaned_data["format"] or MessageFormat.JSON
        expected = format_expected(self.cleaned_data.get("url", ""))
        if expected is not None and chosen != expected:
            raise forms.ValidationError(_("This is an address of %(service)s.") % {"service": expected.label})
        return str(chosen)
