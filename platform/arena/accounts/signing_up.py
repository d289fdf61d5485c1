"""The page to sign up on, and how many accounts are made from one address of the network.

A lecture hall shares one address. So those who succeed are counted, and whoever comes by a link that invites them to an
event is counted with those of that event; what is typed wrong counts for a bound against floods alone.
"""

from typing import Any

from allauth.account import app_settings
from allauth.account.views import SignupView
from allauth.core.internal import ratelimit
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from tournaments.selectors.entering.entry_rules import invitation_opened
from web.limits import ACCOUNTS, seconds_left, too_many


class SignUpView(SignupView):  # type: ignore[misc]  # allauth is untyped
    """Allauth's, whose own limit (``signup``) is off."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Take the form, unless far too many come."""
        if answer := self._refused("signup_tries"):
            return answer
        taken: HttpResponse = super().post(request, *args, **kwargs)
        return taken

    def form_valid(self, form: Any) -> HttpResponse:
        """Make the account, if there is room for one more."""
        event = invitation_opened(self.request)
        if answer := self._refused("signup_invited", str(event)) if event else self._refused("signup_done"):
            return answer
        try:
            made: HttpResponse = super().form_valid(form)
        except IntegrityError:  # between our look and our writing
            form.add_error(None, _("Somebody took this name or address just now. Choose another, or sign in."))
            made = self.form_invalid(form)
        return made

    def _refused(self, action: str, key: str = "") -> HttpResponse | None:
        """Count one more of ``action``; return the answer if it is one too many."""
        if ratelimit.consume(self.request, app=ACCOUNTS, action=action, key=key) is not None:
            return None
        return too_many(
            self.request,
            seconds_left(self.request, app=ACCOUNTS, action=action, config=app_settings.RATE_LIMITS, key=key),
        )
