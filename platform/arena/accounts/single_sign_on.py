"""Single sign-on with the accounts of a school or company, by OpenID Connect (``allauth.socialaccount``).

An equal email address is not enough to sign in to an existing account of this site. Its owner must sign in with the
password first, and then connect the two accounts.
"""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account import app_settings
from allauth.account.signals import user_logged_in
from allauth.core.internal import ratelimit
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount, SocialApp
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from requests.exceptions import RequestException

from arena.accounts.models import User
from groups.errors import GroupClosed, GroupFull
from groups.models import Group
from groups.services import group_member_admit
from web.database import database_json_cleaned
from web.limits import ACCOUNTS, limit_exceeded_response, limit_seconds_left

logger = logging.getLogger(__name__)


class SingleSignOnAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth is untyped
    """allauth's adapter, which does not copy real names."""

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> User:
        """Suggest the user name and address of the provider's claims."""
        suggested = {name: data.get(name) for name in ("username", "email")}
        person: User = super().populate_user(request, sociallogin, suggested)
        return person

    def on_authentication_error(self, request: HttpRequest, provider: Any, **why: Any) -> None:
        """Log the cause; the page shows only that the sign-in failed."""
        logger.warning("single sign-on failed: %s", why.get("error"), exc_info=why.get("exception"))


class CheckedClaims(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]  # allauth is untyped
    """allauth's adapter, which accepts only claims of the types that OpenID Connect defines."""

    def _fetch_user_info(self, access_token: str) -> dict[str, Any]:
        self.userinfo = single_sign_on_claims_checked(super()._fetch_user_info(access_token))
        return self.userinfo

    def _decode_id_token(self, app: Any, id_token: str) -> dict[str, Any]:
        claims = single_sign_on_claims_checked(super()._decode_id_token(app, id_token))
        if claims["sub"] != self.userinfo["sub"]:
            raise OAuth2Error("the ID token and the user information name different users")
        return claims


def single_sign_on_claims_checked(claims: Any) -> dict[str, Any]:
    """Return the claims as they can be stored, without an address or user name that is not text.

    Raises:
        OAuth2Error: the claims do not identify a user.
    """
    sub = claims.get("sub") if isinstance(claims, dict) else None
    if not isinstance(sub, str) or not 0 < len(sub) <= SocialAccount._meta.get_field("uid").max_length:
        raise OAuth2Error("the provider does not identify the user")
    found = database_json_cleaned(claims)
    for name in ("email", "preferred_username"):
        if not isinstance(found.get(name, ""), str):
            del found[name]
    # Some providers send this flag as text.
    found["email_verified"] = found.get("email_verified") in (True, "true")
    if found["sub"] != sub:
        raise OAuth2Error("the user's identifier contains characters that cannot be stored")
    return found


def single_sign_on_callback_view(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Handle the redirect from the provider."""
    try:
        view = OAuth2CallbackView.adapter_view(CheckedClaims(request, provider_id))
        answer: HttpResponse = view(request)
    except SocialApp.DoesNotExist:
        raise Http404 from None
    return answer


@receiver(user_logged_in)
def single_sign_on_groups_join(user: User, sociallogin: Any = None, **_more: object) -> None:
    """Add the signed-in user to the groups that ``OIDC_GROUPS`` maps to the values of the claim."""
    if sociallogin is None or not settings.OIDC_GROUPS:
        return
    claimed = _claim(sociallogin.account.extra_data)
    slugs = [slug for value, slug in settings.OIDC_GROUPS.items() if value in claimed]
    for group in Group.objects.filter(slug__in=slugs):
        try:
            group_member_admit(group=group, person=user)
        except (GroupClosed, GroupFull) as error:
            logger.warning("single sign-on: %s was not admitted to group %s: %s", user.pk, group.slug, error)


def single_sign_on_provider_wrapped(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wrap a view of allauth's that calls the provider: return 503 if the provider does not answer, and 429 above the
    rate limit."""

    @wraps(view)
    def asking(request: HttpRequest, **kwargs: str) -> HttpResponse:
        limits = {"app": ACCOUNTS, "action": "single_sign_on"}
        if ratelimit.consume(request, **limits) is None:
            return limit_exceeded_response(
                request, limit_seconds_left(request, config=app_settings.RATE_LIMITS, **limits)
            )
        try:
            return view(request, **kwargs)
        except RequestException:
            logger.warning("single sign-on failed: the provider does not answer", exc_info=True)
            return render(request, "socialaccount/authentication_error.html", status=503)

    return asking


def _claim(data: dict[str, Any]) -> set[str]:
    """Return the values of the groups claim in the provider's data: in the user information or the ID token."""
    found: set[str] = set()
    for part in (data.get("userinfo"), data.get("id_token")):
        value = (part or {}).get(settings.OIDC_GROUPS_CLAIM, [])
        found.update(str(one) for one in (value if isinstance(value, list) else [value]))
    return found
