"""Turning notices on and off on a device, and the two files that its browser asks for."""

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from notices.devices import device_add, device_remove
from notices.web_push import push_offered
from web.errors import Refusal
from web.requests import signed_in

OF_SESSION: Final = "push-device"  # which device this browser is, so that signing out ends it


@login_required
@require_POST
def add(request: HttpRequest) -> HttpResponse:
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
def remove(request: HttpRequest, pk: int) -> HttpResponse:
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
