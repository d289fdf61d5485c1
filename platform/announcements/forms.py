"""What is filled in for an announcement."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from announcements.models import TEXT_MOST, TITLE_MOST
from web.zones import ZonedTimeField, zone_choices, zone_of


class AnnouncementForm(forms.Form):
    """``edits``: how often it had been changed when the form was shown."""

    title = forms.CharField(label=_("Title"), max_length=TITLE_MOST, widget=forms.TextInput({"autocomplete": "off"}))
    text = forms.CharField(
        label=_("Text"),
        max_length=TEXT_MOST,
        required=False,
        widget=forms.Textarea({"rows": 6}),
        help_text=_("Markdown: lists, links, **bold**, *italic*."),
    )
    is_pinned = forms.BooleanField(label=_("Pin it to the top"), required=False)
    publish_at = ZonedTimeField(
        label=_("Publish later"), required=False, help_text=_("Leave it empty to publish at once.")
    )
    zone = forms.ChoiceField(label=_("Time zone"), choices=zone_choices, required=False)
    edits = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=0)

    def __init__(self, data: Any = None, *, zone: str, initial: Any = None) -> None:
        super().__init__(data, initial={"zone": zone, **(initial or {})})
        if initial and initial.get("published_at"):
            del self.fields["publish_at"], self.fields["zone"]
        else:
            cast(ZonedTimeField, self.fields["publish_at"]).zone = zone_of((data or {}).get("zone") or zone)

    def values(self) -> dict[str, Any]:
        """Return what an announcement consists of; the form must be valid."""
        return {name: value for name, value in self.cleaned_data.items() if name not in ("zone", "edits")}
