"""Pages of announcements: list, write, change and delete them."""

from typing import Any, Final, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from announcements import services
from announcements.models import TEXT_MOST, TITLE_MOST, Announcement
from announcements.selectors import announcements_of, announcements_waiting_of
from announcements.subjects import Subject, announcement_subject_or_404, announcement_written_subject
from web.errors import Refusal
from web.page_cache import public_page
from web.requests import request_user
from web.zones import ZonedTimeField, zone_choices, zone_of

ROWS: Final = 20


@public_page(query=("page",))
@require_safe
def announcement_list_view(request: HttpRequest, subject: str, slug: str) -> HttpResponse:
    """List the published announcements, and waiting ones for those who may write them."""
    found = announcement_subject_or_404(request, subject, slug=slug)
    page = Paginator(announcements_of(found.kind, found.pk), ROWS).get_page(request.GET.get("page"))
    context = {"subject": found, "page": page, "waiting": announcements_waiting_of(found) if found.may_write else ()}
    return render(request, "announcements/list.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def announcement_create_view(request: HttpRequest, subject: str, slug: str) -> HttpResponse:
    """Write an announcement."""
    found = announcement_written_subject(request, subject, slug=slug)
    form = AnnouncementForm(request.POST or None, zone=found.time_zone)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.announcement_create(subject=found, by=request_user(request), **form.values())
        except Refusal as error:
            form.add_error(None, str(error))
        else:
            published = _("It is published, and everybody who takes part gets a notice.")
            planned = _("It will be published at the time you chose.")
            messages.success(request, published if made.published_at else planned)
            return redirect("announcements:list", subject, slug)
    return _announcement_form_response(request, found, form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def announcement_edit_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Change an announcement."""
    one, found = _announcement_to_write(request, pk)
    names = ("title", "text", "is_pinned", "edits", "publish_at", "published_at")
    initial = {name: getattr(one, name) for name in names}
    form = AnnouncementForm(request.POST or None, zone=found.time_zone, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            edits = form.cleaned_data["edits"] or 0
            services.announcement_update(announcement=one, edits=edits, **form.values())
        except Refusal as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        else:
            messages.success(request, _("The announcement was changed."))
            return redirect("announcements:list", found.kind, found.slug)
    return _announcement_form_response(request, found, form, one)


@login_required
@require_POST
def announcement_delete_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete an announcement."""
    one, found = _announcement_to_write(request, pk)
    services.announcement_delete(announcement=one)
    messages.success(request, _("The announcement was deleted."))
    return redirect("announcements:list", found.kind, found.slug)


def _announcement_to_write(request: HttpRequest, pk: int) -> tuple[Announcement, Subject]:
    one = get_object_or_404(Announcement, pk=pk)
    return one, announcement_written_subject(request, one.subject, pk=one.subject_id)


def _announcement_form_response(
    request: HttpRequest, found: Subject, form: Any, one: Announcement | None = None
) -> HttpResponse:
    context = {"subject": found, "form": form, "announcement": one}
    return render(request, "announcements/form.html", context, status=422 if form.errors else 200)


class AnnouncementForm(forms.Form):
    """``edits`` is the number of changes when the form was shown."""

    title = forms.CharField(
        label=gettext_lazy("Title"), max_length=TITLE_MOST, widget=forms.TextInput({"autocomplete": "off"})
    )
    text = forms.CharField(
        label=gettext_lazy("Text"),
        max_length=TEXT_MOST,
        required=False,
        widget=forms.Textarea({"rows": 6}),
        help_text=gettext_lazy("Markdown: lists, links, **bold**, *italic*."),
    )
    is_pinned = forms.BooleanField(label=gettext_lazy("Pin it to the top"), required=False)
    publish_at = ZonedTimeField(
        label=gettext_lazy("Publish later"),
        required=False,
        help_text=gettext_lazy("Leave it empty to publish at once."),
    )
    zone = forms.ChoiceField(label=gettext_lazy("Time zone"), choices=zone_choices, required=False)
    edits = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=0)

    def __init__(self, data: Any = None, *, zone: str, initial: Any = None) -> None:
        super().__init__(data, initial={"zone": zone, **(initial or {})})
        if initial and initial.get("published_at"):
            del self.fields["publish_at"], self.fields["zone"]
        else:
            cast(ZonedTimeField, self.fields["publish_at"]).zone = zone_of((data or {}).get("zone") or zone)

    def values(self) -> dict[str, Any]:
        """Return the arguments of the service; the form must be valid."""
        return {name: value for name, value in self.cleaned_data.items() if name not in ("zone", "edits")}
