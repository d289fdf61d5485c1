"""A security key of a test's own: it answers as a browser does with a real one."""

import json
import os
from collections.abc import Mapping
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import sha256, websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

PRESENT = AuthenticatorData.FLAG.UP


class SecurityKey:
    """One key pair, for the site at ``origin``."""

    def __init__(self, origin: str = "https://testserver", host: str = "testserver") -> None:
        self.origin = origin
        self.host = host
        self.id = os.urandom(32)
        self.private = ec.generate_private_key(ec.SECP256R1())

    def made(self, options: Mapping[str, Any], **changed: Any) -> str:
        """What the browser sends to add the key, to the page's ``options``."""
        challenge = options["creation_options"]["publicKey"]["challenge"]
        public = ES256.from_cryptography_key(self.private.public_key())
        credential = AttestedCredentialData.create(Aaguid.NONE, self.id, public)
        data = AuthenticatorData.create(sha256(self.host.encode()), PRESENT | AuthenticatorData.FLAG.AT, 0, credential)
        return self._sent(
            {
                "clientDataJSON": self._client_data(CollectedClientData.TYPE.CREATE, challenge),
                "attestationObject": AttestationObject.create("none", data, {}),
                **changed,
            }
        )

    def used(self, options: Mapping[str, Any], **changed: Any) -> str:
        """What the browser sends to sign in by the key."""
        challenge = options["request_options"]["publicKey"]["challenge"]
        client = self._client_data(CollectedClientData.TYPE.GET, challenge)
        data = AuthenticatorData.create(sha256(self.host.encode()), PRESENT, 1)
        signature = self.private.sign(data + sha256(client), ec.ECDSA(hashes.SHA256()))
        return self._sent({"clientDataJSON": client, "authenticatorData": data, "signature": signature, **changed})

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return CollectedClientData.create(kind, challenge, self.origin)

    def _sent(self, response: Mapping[str, bytes]) -> str:
        return json.dumps(
            {
                "id": websafe_encode(self.id),
                "rawId": websafe_encode(self.id),
                "type": "public-key",
                "clientExtensionResults": {"credProps": {"rk": False}},
                "response": {name: websafe_encode(value) for name, value in response.items()},
            }
        )
