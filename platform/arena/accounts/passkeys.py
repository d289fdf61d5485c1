"""Passkeys and security keys as a second factor, by ``allauth.mfa.webauthn``.

What this site adds: a person has only so many of them, what a browser sends is bounded and read before anything works
with it, and of a new one no more is stored than signing in takes.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms as allauth_forms
from allauth.mfa.webauthn import views as allauth_views
from cryptography.exceptions import InvalidSignature
from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from fido2.utils import websafe_encode
from fido2.webauthn import AuthenticationResponse, RegistrationResponse

from arena.accounts.models import User

PASSKEYS_MOST: Final = 10  # of one person
NAME_MOST: Final = 40
SENT_MOST: Final = 20_000  # characters of what a browser answers with; some 1,000 are usual
Response: TypeAlias = AuthenticationResponse | RegistrationResponse


class _NotShownAgain(forms.HiddenInput):
    """An answer is to one challenge: a form that comes back has none."""

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        return super().get_context(name, None, attrs)


class CredentialField(forms.CharField):
    """A browser's answer to a request for a passkey (``of`` is the kind of answer), as JSON."""

    widget = _NotShownAgain

    def __init__(self, of: type[Response]) -> None:
        super().__init__(max_length=SENT_MOST)
        self.of = of

    def clean(self, value: Any) -> Mapping[str, Any]:
        """Return the answer.

        Raises:
            ValidationError: it is not an answer of that kind, or not given to a page of this site, of which a host
                below ours is none. Safe for hostile text.
        """
        text = super().clean(value)
        try:
            sent: dict[str, Any] = json.loads(text)
            answer = self.of.from_dict(sent)
            if answer.response.client_data.origin != f"{context.request.scheme}://{context.request.get_host()}":
                raise ValueError("of another site")
            return _stored(answer) if isinstance(answer, RegistrationResponse) else sent
        except Exception as error:  # the library names no list of what it raises at bytes that somebody made up
            raise get_adapter().validation_error("incorrect_code") from error


class AddPasskeyForm(allauth_forms.AddWebAuthnForm):  # type: ignore[misc]  # allauth is untyped
    """A new passkey and what its owner calls it."""

    name = forms.CharField(max_length=NAME_MOST, required=False)
    credential = CredentialField(RegistrationResponse)

    def clean(self) -> dict[str, Any]:
        if Authenticator.objects.filter(user=self.user, type=Authenticator.Type.WEBAUTHN).count() >= PASSKEYS_MOST:
            raise ValidationError(_("You have %(most)d passkeys, and may have no more.") % {"most": PASSKEYS_MOST})
        try:
            super().clean()
        except ValidationError as error:
            self.add_error("credential", error)
        found: dict[str, Any] = self.cleaned_data
        return found


class EditPasskeyForm(allauth_forms.EditWebAuthnForm):  # type: ignore[misc]
    """Another name for a passkey."""

    name = forms.CharField(max_length=NAME_MOST)


class AuthenticatePasskeyForm(allauth_forms.AuthenticateWebAuthnForm):  # type: ignore[misc]
    """The second factor of signing in."""

    credential = CredentialField(AuthenticationResponse)


class ReauthenticatePasskeyForm(allauth_forms.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """The second factor once more, for what needs it."""

    credential = CredentialField(AuthenticationResponse)


class AddPasskeyView(allauth_views.AddWebAuthnView):  # type: ignore[misc]
    """Add a passkey."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Add it; of several at once each counts those before it."""
        with transaction.atomic():
            User.objects.select_for_update().get(username=request.user.get_username())
            answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the form as it was checked: allauth would check it against the next challenge."""
        found: dict[str, Any] = super().get_context_data()
        return found | kwargs


class ReauthenticatePasskeyView(allauth_views.ReauthenticateWebAuthnView):  # type: ignore[misc]
    """Confirm by a passkey who asks."""

    def form_invalid(self, form: forms.Form) -> HttpResponse:
        """Ask again on the same page."""
        answer: HttpResponse = self.render_to_response(self.get_context_data() | {"form": form})
        return answer


def _stored(answer: RegistrationResponse) -> Mapping[str, Any]:
    """Return of a new passkey what signing in by it takes.

    Raises:
        Exception: of any kind: it has no key, or one by which no signature can be checked.
    """
    response = answer.response
    data = response.attestation_object.auth_data.credential_data
    if data is None:
        raise ValueError("no key")
    try:
        data.public_key.verify(b"", b"")
    except InvalidSignature:  # so it can be checked by this key
        pass
    else:
        raise ValueError("a key to which every signature is right")
    return {
        "rawId": websafe_encode(answer.raw_id),
        "response": {
            "clientDataJSON": websafe_encode(response.client_data),
            "attestationObject": websafe_encode(response.attestation_object),
        },
        "type": "public-key",
        "clientExtensionResults": {},
    }
