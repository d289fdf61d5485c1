"""Passkeys and security keys as a second factor, by ``allauth.mfa.webauthn``.

This site adds three things: a limit of passkeys for each user, checks of the size and type of what browsers send, and a
stored credential with only the data that signing in needs.
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

PASSKEYS_MOST: Final = 10  # passkeys of one user
NAME_MOST: Final = 40
SENT_MOST: Final = 20_000  # characters of a browser's response; some 1,000 are usual
Response: TypeAlias = AuthenticationResponse | RegistrationResponse


class _NotShownAgain(forms.HiddenInput):
    """A hidden field for a browser's response. It is empty when the form is shown again: each response answers one
    challenge, and the page that is shown again has a new one.
    """

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        return super().get_context(name, None, attrs)


class CredentialField(forms.CharField):
    """A browser's response to a request for a passkey, as JSON; ``of`` is the kind of response."""

    widget = _NotShownAgain

    def __init__(self, of: type[Response]) -> None:
        super().__init__(max_length=SENT_MOST)
        self.of = of

    def clean(self, value: Any) -> Mapping[str, Any]:
        """Return the parsed response.

        Raises:
            ValidationError: it is not a response of this kind, or it was not given to a page of exactly this host. Safe
                for hostile text.
        """
        text = super().clean(value)
        try:
            sent: dict[str, Any] = json.loads(text)
            answer = self.of.from_dict(sent)
            if answer.response.client_data.origin != f"{context.request.scheme}://{context.request.get_host()}":
                raise ValueError("it belongs to another site")
            return _stored(answer) if isinstance(answer, RegistrationResponse) else sent
        except Exception as error:  # the library does not document what it raises for invalid bytes
            raise get_adapter().validation_error("incorrect_code") from error


class AddPasskeyForm(allauth_forms.AddWebAuthnForm):  # type: ignore[misc]  # allauth is untyped
    """Add a passkey with a name."""

    name = forms.CharField(max_length=NAME_MOST, required=False)
    credential = CredentialField(RegistrationResponse)

    def clean(self) -> dict[str, Any]:
        if Authenticator.objects.filter(user=self.user, type=Authenticator.Type.WEBAUTHN).count() >= PASSKEYS_MOST:
            raise ValidationError(_("You have %(most)d passkeys, the most allowed.") % {"most": PASSKEYS_MOST})
        try:
            super().clean()
        except ValidationError as error:
            self.add_error("credential", error)
        found: dict[str, Any] = self.cleaned_data
        return found


class EditPasskeyForm(allauth_forms.EditWebAuthnForm):  # type: ignore[misc]
    """Rename a passkey."""

    name = forms.CharField(max_length=NAME_MOST)


class AuthenticatePasskeyForm(allauth_forms.AuthenticateWebAuthnForm):  # type: ignore[misc]
    """Sign in with a passkey as the second factor."""

    credential = CredentialField(AuthenticationResponse)


class ReauthenticatePasskeyForm(allauth_forms.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """Confirm an action with a passkey."""

    credential = CredentialField(AuthenticationResponse)


class AddPasskeyView(allauth_views.AddWebAuthnView):  # type: ignore[misc]
    """Add a passkey."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Add the passkey. Simultaneous requests wait for each other, so each counts the passkeys that the earlier ones
        added.
        """
        with transaction.atomic():
            User.objects.select_for_update().get(username=request.user.get_username())
            answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the context with the form that was checked already. allauth would check the form again, against the
        next challenge.
        """
        found: dict[str, Any] = super().get_context_data()
        return found | kwargs


class ReauthenticatePasskeyView(allauth_views.ReauthenticateWebAuthnView):  # type: ignore[misc]
    """Confirm the identity of the signed-in user with a passkey."""

    def form_invalid(self, form: forms.Form) -> HttpResponse:
        """Show the same page again."""
        answer: HttpResponse = self.render_to_response(self.get_context_data() | {"form": form})
        return answer


def _stored(answer: RegistrationResponse) -> Mapping[str, Any]:
    """Return the data of a new passkey that signing in needs.

    Raises:
        Exception: of any kind, if the passkey has no public key, or one that cannot check signatures.
    """
    response = answer.response
    data = response.attestation_object.auth_data.credential_data
    if data is None:
        raise ValueError("it has no key")
    try:
        data.public_key.verify(b"", b"")
    except InvalidSignature:  # this error is expected, and shows that the key can check signatures
        pass
    else:
        raise ValueError("its key accepts every signature")
    return {
        "rawId": websafe_encode(answer.raw_id),
        "response": {
            "clientDataJSON": websafe_encode(response.client_data),
            "attestationObject": websafe_encode(response.attestation_object),
        },
        "type": "public-key",
        "clientExtensionResults": {},
    }
