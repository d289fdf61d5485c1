"""Idempotency keys: a POST that is sent twice runs once (draft-ietf-httpapi-idempotency-key-header).

A key belongs to a user and is stored for a day. Only successes are stored: a rejected request changed nothing, and may
be repeated. An interrupted request is never run again, because it is unknown what it has already changed.
"""

import json
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.http import Http404, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import status
from rest_framework.exceptions import APIException
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from web.api_errors import Refused
from web.errors import Refusal
from web.models import KeptAnswer

HEADER: Final = "Idempotency-Key"
STORED_FOR: Final = timedelta(days=1)
MOST: Final = 255  # characters
PARAMETER: Final = OpenApiParameter(
    HEADER,
    str,
    OpenApiParameter.HEADER,
    description="A key that you choose: 1 to 255 printable ASCII characters. If you send the request again with the"
    " same key within a day, it is not executed again, and you get the first answer.",
)
REFUSALS: Final = (APIException, Refusal, Http404, PermissionDenied)  # nothing was changed


def idempotent_answer(request: Request, answer: Callable[[], Response]) -> Response:
    """Return the ``answer`` to a request with a key, or the stored answer to an earlier one.

    Raises:
        Refused: the key is invalid or belongs to another request (422), or its request has not finished (409).
    """
    user: Any = request.user
    key, digest = _key(request), _digest(request)
    KeptAnswer.objects.filter(user=user.pk, key=key, created_at__lt=timezone.now() - STORED_FOR).delete()
    try:
        with transaction.atomic():
            kept = KeptAnswer.objects.create(user=user, key=key, digest=digest)
    except IntegrityError:
        return _again(KeptAnswer.objects.filter(user=user.pk, key=key).first(), digest)
    try:
        made = answer()
    except REFUSALS:
        kept.delete()
        raise
    if "no-store" in made.get("Cache-Control", ""):  # it contains a secret, which must not be stored
        kept.delete()
        return made
    kept.status, kept.location = made.status_code, made.get("Location", "")
    kept.body = JSONRenderer().render(made.data).decode() or "null"
    kept.save(update_fields=["status", "location", "body"])
    return made


def idempotent_answers_forget() -> int:
    """Delete answers that are older than a day. Return their number."""
    return KeptAnswer.objects.filter(created_at__lt=timezone.now() - STORED_FOR).delete()[0]


def _again(answer: KeptAnswer | None, digest: str) -> Response:
    if answer is not None and answer.digest != digest:
        detail = _("Another request was sent with this key. Choose a new key for each.")
        raise Refused("key_reused", detail, HEADER, status.HTTP_422_UNPROCESSABLE_ENTITY)
    if answer is None or answer.status is None:
        detail = _("The request with this key has not finished, or was interrupted. Check whether it was carried out.")
        raise Refused("in_progress", detail, HEADER, status.HTTP_409_CONFLICT)
    headers = {"Idempotency-Replayed": "true"} | ({"Location": answer.location} if answer.location else {})
    return Response(json.loads(answer.body), status=answer.status, headers=headers)


def _key(request: Request) -> str:
    key = str(request.headers[HEADER])
    if not (0 < len(key) <= MOST and key.isascii() and key.isprintable()):
        raise Refused("invalid", _("A key has 1 to %(most)d printable ASCII characters.") % {"most": MOST}, HEADER)
    return key


def _digest(request: Request) -> str:
    """Return the SHA-256 of a request. For a form it covers the values, not the boundaries of its parts."""
    digest = sha256(f"{request.method} {request.get_full_path()}\n".encode())
    data: Any = request.data
    if not isinstance(data, QueryDict):
        digest.update(json.dumps(data, sort_keys=True).encode())
        return digest.hexdigest()
    for name, values in sorted(data.lists()):
        for value in values:
            content = _content(value) if isinstance(value, UploadedFile) else str(value).encode("utf-8", "replace")
            digest.update(json.dumps([name, getattr(value, "name", None), sha256(content).hexdigest()]).encode())
    return digest.hexdigest()


def _content(file: "UploadedFile[bytes]") -> bytes:
    content = b"".join(file.chunks())
    file.seek(0)
    return content
