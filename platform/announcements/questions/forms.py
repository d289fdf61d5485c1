"""What is filled in to ask and to answer."""

from django import forms
from django.utils.translation import gettext_lazy as _

from announcements.models import QUESTION_MOST, TEXT_MOST


class QuestionForm(forms.Form):
    text = forms.CharField(label=_("Your question"), max_length=QUESTION_MOST, widget=forms.Textarea({"rows": 5}))


class AnswerForm(forms.Form):
    """``edits``: how often the question had been answered when the form was shown."""

    answer = forms.CharField(
        label=_("Answer"),
        max_length=TEXT_MOST,
        widget=forms.Textarea({"rows": 6}),
        help_text=_("Markdown: lists, links, **bold**, *italic*."),
    )
    is_published = forms.BooleanField(
        label=_("Publish question and answer"),
        required=False,
        help_text=_("Everybody who sees this can read both, without the name of who asked. Otherwise only they can."),
    )
    edits = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=0)
