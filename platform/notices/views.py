"""A person's inbox, follows, channels and devices, and the unsubscribe link in emails.

The channels of each kind of event are the inbox, emails with a frequency, and devices, for people who have any.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, TypeAlias

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractUser
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from hooks.kinds import Kind, KindSection
from notices import services
from notices.emails import unsubscribe_token_person
from notices.following import (
    FOLLOWS_MOST,
    Followed,
    TooManyFollows,
    follow_create,
    follow_end,
    followed_by,
    followed_of,
    follows_of,
)
from notices.models import EmailRate
from notices.quiet_hours import Quiet, quiet_hours, quiet_hours_set
from notices.selectors import (
    Channels,
    notice_channels_of,
    notice_line_of,
    notice_lines_of,
    notices_of,
    notices_readable,
)
from notices.web_push import (
    application_server_key,
    web_push_device_add,
    web_push_device_remove,
    web_push_devices_of,
    web_push_offered,
)
from web.errors import Refusal
from web.requests import request_user, request_way_back
from web.zones import zone_choices

ROWS: Final = 30
OF_BOTS: Final = ("bot", "person", "team")  # kinds of follows that bring news of bots


@never_cache
@login_required
@require_safe
def notice_list_view(request: HttpRequest) -> HttpResponse:
    """List the user's notices, newest first. Repeated notices share a line."""
    page = Paginator(notices_of(request.user), ROWS).get_page(request.GET.get("page"))
    lines = notice_lines_of(notices_readable(request.user, list(page)))
    return render(request, "notices/inbox.html", {"page": page, "lines": lines})


@never_cache
@login_required
@require_safe
def notice_open_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect to the page of a notice. Mark as read the notice, and older notices of the same kind about the same
    page.
    """
    found = notices_readable(request.user, [get_object_or_404(notices_of(request.user), pk=pk)])
    if not found:
        raise Http404
    line = notice_line_of(found[0])
    services.notices_mark_read(person=request_user(request), line=line.notice)
    return redirect(line.path or "notices:inbox")


@login_required
@require_POST
def notices_read_all_view(request: HttpRequest) -> HttpResponse:
    """Mark all notices as read."""
    services.notices_mark_read(person=request_user(request))
    return redirect("notices:inbox")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notice_channels_view(request: HttpRequest) -> HttpResponse:
    """Show and change the channels of each kind."""
    person, sent = request_user(request), request.POST if request.method == "POST" else None
    devices = list(web_push_devices_of(person)) if web_push_offered() else []
    form = ChannelsForm(person, sent, push=bool(devices))
    hours = QuietHoursForm(sent, prefix="quiet", initial=asdict(quiet) if (quiet := quiet_hours(person)) else None)
    if sent is not None and form.is_valid() and hours.is_valid():
        services.notice_channels_set(person=person, channels=form.channels())
        quiet_hours_set(person=person, quiet=hours.quiet())
        messages.success(request, _("Your choices are saved."))
        return redirect("notices:settings")
    refused = form.errors or hours.errors
    key = application_server_key() if web_push_offered() else ""
    shown = {"form": form, "hours": hours, "devices": devices, "push_key": key}
    return render(request, "notices/settings.html", shown, status=422 if refused else 200)


@never_cache
@login_required
@require_safe
def follow_list_view(request: HttpRequest) -> HttpResponse:
    """List what the user follows, newest first."""
    page = Paginator(follows_of(request.user), ROWS).get_page(request.GET.get("page"))
    rows = followed_by(request.user, page.object_list)
    return render(request, "notices/following.html", {"page": page, "rows": rows, "most": FOLLOWS_MOST})


@login_required
@require_POST
def follow_change_view(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Follow an object, or with ``act`` "end" unfollow it. Redirect to the page of the button."""
    person, followed = request_user(request), followed_or_404(request, kind, slug)
    if request.POST.get("act") == "end":
        follow_end(person=person, followed=followed)
        return redirect(request_way_back(request))
    try:
        follow_create(person=person, followed=followed)
    except TooManyFollows as refused:
        messages.error(request, str(refused))
    else:
        of_bots = _("You follow %(name)s. New versions and final places in tournaments will be among your notices.")
        of_contests = _("You follow %(name)s. Its news will be among your notices.")
        messages.success(request, (of_bots if kind in OF_BOTS else of_contests) % {"name": followed.name})
    return redirect(request_way_back(request))


def followed_or_404(request: HttpRequest, kind: str, slug: str) -> Followed:
    """Return the object of the address if the user may see it."""
    followed = followed_of(request.user, kind, slug)
    if followed is None:
        raise Http404
    return followed


@never_cache
@csrf_exempt  # RFC 8058: mail programs post without a session; the token authorises the request
@require_http_methods(["GET", "HEAD", "POST"])
def notice_emails_unsubscribe_view(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to turn off emails. A POST turns them off, signed in or not."""
    person = unsubscribe_token_person(token)
    if person is None:
        raise Http404
    if request.method == "POST":
        services.notice_emails_end(person=person)
    return render(request, "notices/unsubscribe.html", {"is_done": request.method == "POST"})


# The key in the session with the device of this browser, which is removed on sign-out.
OF_SESSION: Final = "push-device"


@login_required
@require_POST
def push_turn_on_view(request: HttpRequest) -> HttpResponse:
    """Send notices to the requesting browser, with the data from its push service."""
    if not web_push_offered():
        raise Http404
    sent = {name: request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth")}
    try:
        device = web_push_device_add(
            person=request_user(request), user_agent=request.META.get("HTTP_USER_AGENT", ""), **sent
        )
    except Refusal as refused:
        messages.error(request, str(refused))
    else:
        request.session[OF_SESSION] = device.pk
        messages.success(request, _("Notifications are on for this device. Now choose what it notifies you about."))
    return redirect("notices:settings")


@login_required
@require_POST
def push_turn_off_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop sending to one of the user's devices."""
    if not web_push_device_remove(person=request_user(request), device_id=pk):
        raise Http404
    messages.success(request, _("This device gets no more notifications."))
    return redirect("notices:settings")


@cache_control(no_cache=True)
@require_safe
def push_worker_view(request: HttpRequest) -> HttpResponse:
    """Send the service worker that shows notices.

    Its URL must not change, because browsers look for updates there, and restrict it to pages below its folder.
    """
    return render(request, "notices/push-worker.js", content_type="text/javascript")


@cache_control(public=True, max_age=3600)
@require_safe
def notices_web_app_manifest_view(request: HttpRequest) -> HttpResponse:
    """Send the manifest for adding the site to the home screen. On iOS, only such sites can show notices."""
    return render(request, "notices/app.webmanifest", content_type="application/manifest+json")


def push_device_signed_out(*, request: HttpRequest | None, user: Any, **_signal: object) -> None:
    """Remove the device of a session that ends."""
    device = request.session.get(OF_SESSION) if request is not None and user is not None else None
    if device is not None:
        web_push_device_remove(person=user, device_id=device)


# The fields of a kind: its label, then the fields for the inbox, for devices (or None) and for emails.
Row: TypeAlias = tuple[Any, forms.BoundField, forms.BoundField | None, forms.BoundField]


@dataclass(frozen=True, slots=True)
class ChannelSection:
    """The kinds below a heading, with their fields."""

    title: Any
    rows: list[Row]

    @property
    def has_errors(self) -> bool:
        """Whether a field has an error."""
        return any(field is not None and field.errors for _label, *fields in self.rows for field in fields)

    def summary(self) -> list[str]:
        """Return a summary: for each channel, the number of kinds for which it is on."""
        _labels, inbox, push, email = zip(*self.rows, strict=True)
        named = [(_("Inbox"), inbox), (_("Devices"), push), (_("Email"), email)]
        return [self._channel(name, fields) for name, fields in named if None not in fields]

    def _channel(self, channel: str, fields: Sequence[forms.BoundField]) -> str:
        on = sum(field.value() not in (False, None, "", EmailRate.NEVER) for field in fields)
        words = _("%(channel)s: %(on)d of %(all)d") if on else _("%(channel)s: off")
        return words % {"channel": channel, "on": on, "all": len(fields)}


CLOCK: Final = forms.TimeInput({"type": "time"}, format="%H:%M")


class QuietHoursForm(forms.Form):
    """The beginning and the end of quiet hours; both empty means none."""

    start = forms.TimeField(label=gettext_lazy("From"), required=False, widget=CLOCK)
    end = forms.TimeField(label=gettext_lazy("Until"), required=False, widget=CLOCK)
    time_zone = forms.ChoiceField(label=gettext_lazy("Time zone"), choices=zone_choices, initial="UTC")

    def clean(self) -> dict[str, Any]:
        """Reject one time without the other, and two equal times."""
        found = super().clean() or self.cleaned_data
        start, end = found.get("start"), found.get("end")
        if not self.errors and (start is None) != (end is None):
            raise forms.ValidationError(gettext_lazy("Give both times, or neither."))
        if start is not None and start == end:
            raise forms.ValidationError(gettext_lazy("The quiet hours need an end that differs from their beginning."))
        return found

    def summary(self) -> str:
        """Return the stored quiet hours as text. Some must be stored."""
        return "{start:%H:%M}\N{EN DASH}{end:%H:%M} {time_zone}".format(**self.initial)

    def quiet(self) -> Quiet | None:
        """Return the hours; the form must be valid."""
        found = self.cleaned_data
        return Quiet(found["start"], found["end"], found["time_zone"]) if found["start"] is not None else None


class ChannelsForm(forms.Form):
    """Fields for each kind: ``inbox-KIND`` and ``email-KIND``; with ``push`` also ``push-KIND``."""

    def __init__(self, person: AbstractUser, data: Mapping[str, Any] | None = None, *, push: bool = False) -> None:
        super().__init__(data)
        self.kinds: list[Kind] = []
        self.stored: dict[str, Channels] = {}
        for kind, channels in notice_channels_of(person):
            self.kinds.append(kind)
            self.stored[kind.name] = channels
            if push:
                self.fields[f"push-{kind.name}"] = forms.BooleanField(
                    label=kind.label, required=False, initial=channels.push
                )
            self.fields[f"inbox-{kind.name}"] = forms.BooleanField(
                label=kind.label, required=False, initial=channels.in_inbox
            )
            self.fields[f"email-{kind.name}"] = forms.ChoiceField(
                label=kind.label, choices=EmailRate.choices, initial=channels.email
            )

    def sections(self) -> list[ChannelSection]:
        """Return the sections that have kinds."""
        found: dict[KindSection, list[Row]] = {section: [] for section in KindSection}
        for one in self.kinds:
            found[one.section].append(
                (one.label, self[f"inbox-{one.name}"], self._push(one.name), self[f"email-{one.name}"])
            )
        return [ChannelSection(section.label, rows) for section, rows in found.items() if rows]

    def channels(self) -> dict[str, Channels]:
        """Return the chosen channels by kind; the form must be valid."""
        found = self.cleaned_data
        return {
            name: Channels(found[f"inbox-{name}"], found[f"email-{name}"], found.get(f"push-{name}", stored.push))
            for name, stored in self.stored.items()
        }

    def _push(self, kind: str) -> forms.BoundField | None:
        return self[f"push-{kind}"] if f"push-{kind}" in self.fields else None
