"""What is filled in for an announcement."""

from django import forms
from django.utils.translation import gettext_lazy as _

from announcements.models import TEXT_MOST, TITLE_MOST


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
    publish_at = forms.DateTimeField(
        label=_("Publish later (UTC)"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=_("Leave it empty to publish at once."),
    )
    edits = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=0)
