"""A person's inbox, what they follow, the choice of channels and devices, and the link in e-mails that
stops them."""

from dataclasses import asdict
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from notices import services
from notices.devices import device_add, device_remove, devices_of
from notices.emails import unsubscribing
from notices.errors import TooManyFollows
from notices.following import FOLLOWS_MOST, Followed, followed_by, followed_of, follows_of
from notices.forms import ChannelsForm, QuietHoursForm
from notices.quiet import quiet_hours
from notices.selectors import line_of, lines_of, notices_of, readable
from notices.web_push import application_server_key, push_offered
from web.errors import Refusal
from web.requests import signed_in, way_back

ROWS: Final = 30


@never_cache
@login_required
@require_safe
def inbox(request: HttpRequest) -> HttpResponse:
    """List one's own notices, the newest first, repeated ones as one line."""
    page = Paginator(notices_of(request.user), ROWS).get_page(request.GET.get("page"))
    lines = lines_of(readable(request.user, list(page)))
    return render(request, "notices/inbox.html", {"page": page, "lines": lines})


@never_cache
@login_required
@require_safe
def follow(request: HttpRequest, pk: int) -> HttpResponse:
    """Go to the page that a notice is about, and mark it as read with all older ones of its kind about that page."""
    found = readable(request.user, [get_object_or_404(notices_of(request.user), pk=pk)])
    if not found:
        raise Http404
    line = line_of(found[0])
    services.notices_read(person=signed_in(request), line=line.notice)
    return redirect(line.path or "notices:inbox")


@login_required
@require_POST
def read_all(request: HttpRequest) -> HttpResponse:
    """Mark all notices as read."""
    services.notices_read(person=signed_in(request))
    return redirect("notices:inbox")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def channels(request: HttpRequest) -> HttpResponse:
    """Show and change the channels of each kind."""
    person, sent = signed_in(request), request.POST if request.method == "POST" else None
    devices = list(devices_of(person)) if push_offered() else []
    form = ChannelsForm(person, sent, push=bool(devices))
    hours = QuietHoursForm(sent, prefix="quiet", initial=asdict(quiet) if (quiet := quiet_hours(person)) else None)
    if sent is not None and form.is_valid() and hours.is_valid():
        services.channels_set(person=person, channels=form.channels())
        services.quiet_hours_set(person=person, quiet=hours.quiet())
        messages.success(request, _("Your choices are saved."))
        return redirect("notices:settings")
    refused = form.errors or hours.errors
    key = application_server_key() if push_offered() else ""
    shown = {"form": form, "hours": hours, "devices": devices, "push_key": key}
    return render(request, "notices/settings.html", shown, status=422 if refused else 200)


@never_cache
@login_required
@require_safe
def following(request: HttpRequest) -> HttpResponse:
    """List what one follows, the newest first."""
    page = Paginator(follows_of(request.user), ROWS).get_page(request.GET.get("page"))
    rows = followed_by(request.user, page.object_list)
    return render(request, "notices/following.html", {"page": page, "rows": rows, "most": FOLLOWS_MOST})


@login_required
@require_POST
def follow_change(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Follow what has this address, or with ``act`` "end" no more; go back to where the button was."""
    person, followed = signed_in(request), followed_or_404(request, kind, slug)
    if request.POST.get("act") == "end":
        services.follow_end(person=person, followed=followed)
        return redirect(way_back(request))
    try:
        services.follow_create(person=person, followed=followed)
    except TooManyFollows as refused:
        messages.error(request, str(refused))
    return redirect(way_back(request))


def followed_or_404(request: HttpRequest, kind: str, slug: str) -> Followed:
    """Return what the address names, for who may see it."""
    followed = followed_of(request.user, kind, slug)
    if followed is None:
        raise Http404
    return followed


@never_cache
@csrf_exempt  # RFC 8058: a mail program posts without a session; the token is the permission
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether the e-mails shall stop; a POST stops them, signed in or not."""
    person = unsubscribing(token)
    if person is None:
        raise Http404
    if request.method == "POST":
        services.emails_end(person=person)
    return render(request, "notices/unsubscribe.html", {"is_done": request.method == "POST"})


OF_SESSION: Final = "push-device"  # which device this browser is, so that signing out ends it


@login_required
@require_POST
def turn_on(request: HttpRequest) -> HttpResponse:
    """Send notices to the browser that asks, by what its push service gave it."""
    if not push_offered():
        raise Http404
    sent = {name: request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth")}
    try:
        device = device_add(person=signed_in(request), user_agent=request.META.get("HTTP_USER_AGENT", ""), **sent)
    except Refusal as refused:
        messages.error(request, str(refused))
    else:
        request.session[OF_SESSION] = device.pk
        messages.success(request, _("Notifications are on for this device. Now choose what it notifies you about."))
    return redirect("notices:settings")


@login_required
@require_POST
def turn_off(request: HttpRequest, pk: int) -> HttpResponse:
    """Send nothing more to a device of one's own."""
    if not device_remove(person=signed_in(request), device_id=pk):
        raise Http404
    messages.success(request, _("This device gets no more notifications."))
    return redirect("notices:settings")


@cache_control(no_cache=True)
@require_safe
def push_worker(request: HttpRequest) -> HttpResponse:
    """Return the script that shows notices. At an address that never changes: browsers look for news of it there, and
    let it act for the pages below its folder alone."""
    return render(request, "notices/push-worker.js", content_type="text/javascript")


@cache_control(public=True, max_age=3600)
@require_safe
def web_app(request: HttpRequest) -> HttpResponse:
    """Return what a phone needs to put the site on its home screen; iOS shows notices of such sites alone."""
    return render(request, "notices/app.webmanifest", content_type="application/manifest+json")


def signed_out(*, request: HttpRequest | None, user: Any, **_signal: object) -> None:
    """End the notices on the device whose session ends."""
    device = request.session.get(OF_SESSION) if request is not None and user is not None else None
    if device is not None:
        device_remove(person=user, device_id=device)
