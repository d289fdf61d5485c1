"""Examples of responses in the OpenAPI page, generated from the schema.

A field shows the value from ``api_example_shown``. Without one it shows a value for its type: the first choice, a time,
a number. A text field without a value from ``api_example_shown`` raises an error, because an example such as "string"
is useless.
"""

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final, TypeVar

from drf_spectacular.drainage import get_override
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from games.catalogue import FIRST, GAMES
from web.api_errors import PROBLEM, api_error_document

SHOWN: Final = "x-shown"
SITE: Final = "https://peck.example.org"
GAME: Final = FIRST  # the game in examples
RULESET: Final = GAMES[GAME].current.id
DIGEST: Final = sha256(b"an example").hexdigest()
TIME: Final = "2027-01-30T19:00:00Z"
BY_TYPE: Final[Mapping[str, Any]] = {"integer": 1, "number": 0.5, "boolean": False, "object": {}}
# For each status: code, field and detail of a typical problem.
PROBLEMS: Final = {
    400: ("invalid", "page_size", "A page has from 1 to 100 rows."),
    401: (
        *("not_authenticated", ""),
        "This needs a token: make one under “Access tokens”, and send it in the header “Authorization: Token …”.",
    ),
    403: ("scope", "", "This token may not do this: make one with the scope “upload” under “Access tokens”."),
    404: (
        *("not_found", ""),
        "There is nothing at this address that you can see. Check the address, and send your token if it is yours.",
    ),
    409: (
        *("in_progress", "Idempotency-Key"),
        "The request with this key has not finished, or was interrupted. Check whether it was carried out.",
    ),
    412: (
        *("stale", ""),
        "Meanwhile a bot has entered, or the tournament was changed: nothing is saved. Look again, then save.",
    ),
    413: ("too_large", "file", "The request is larger than 64 KiB."),
    422: ("key_reused", "Idempotency-Key", "Another request was sent with this key. Choose a new key for each."),
    428: ("if_match", "", "Send the ETag of the settings that you have read in the header “If-Match”."),
    429: ("throttled", "", "Request was throttled. Expected available in 60 seconds."),
    503: ("unavailable", "", "A part of the site does not answer at the moment. Try again in a minute."),
}

Made = TypeVar("Made", bound=type[serializers.BaseSerializer[Any]])


def api_example_shown(**fields: Any) -> Callable[[Made], Made]:
    """Return a decorator that sets the values of ``fields`` in examples. Subclasses of the serializer inherit them."""

    def decorate(serializer: Made) -> Made:
        inherited = get_override(serializer, "extensions", {}).get(SHOWN, {})
        extended: Made = extend_schema_serializer(extensions={SHOWN: {**inherited, **fields}})(serializer)
        return extended

    return decorate


def api_example_of_file(kind: str, content: Any) -> list[OpenApiExample]:
    """Return the example of a file of media type ``kind``; none if ``content`` is None."""
    return [OpenApiExample("Example", value=content, media_type=kind, response_only=True)] if content else []


def api_examples_show(result: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
    """Add an example to each response in the schema ``result``, except binary ones. drf-spectacular calls this last.

    Raises:
        LookupError: no serializer gives an example for a text field.
    """
    schemas = result["components"]["schemas"]
    examples: dict[str, Any] = {}
    for status, kind, content in _answers(result):
        name = content["schema"].get("$ref", "").rpartition("/")[2]
        if kind == PROBLEM:
            name = f"{name}{status}"
            code, field, detail = PROBLEMS[int(status)]
            wrong = [{"field": field, "code": code, "detail": detail}]
            examples[name] = api_error_document("/api/bots/", int(status), wrong)
        elif name:
            examples[name] = _example(name, schemas[name], schemas)
        else:
            continue  # a file: its view has an example, or it is binary
        content["examples"] = {"Example": {"$ref": f"#/components/examples/{name}"}}
    for schema in schemas.values():
        schema.pop(SHOWN, None)
    result["components"]["examples"] = {name: {"value": value} for name, value in sorted(examples.items())}
    return result


def _answers(result: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the status, media type and content of each response of each operation."""
    for operations in result["paths"].values():
        for operation in operations.values():
            for status, answer in operation["responses"].items():
                for kind, content in answer.get("content", {}).items():
                    yield status, kind, content


def _example(name: str, schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Any:
    """Return an example for the ``schema`` called ``name``. For alternatives, the first is used."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return _example(name, schemas[name], schemas)
    for parts in ("allOf", "oneOf"):
        if parts in schema:
            return _example(name, schema[parts][0], schemas)
    if "enum" in schema:
        return schema["enum"][0]
    if "properties" in schema:
        texts = schema.get(SHOWN, {})
        if unknown := texts.keys() - schema["properties"]:
            raise LookupError(f"{name} has examples of unknown fields: {', '.join(sorted(unknown))}")
        fields = schema["properties"].items()
        return {one: texts[one] if one in texts else _example(f"{name}.{one}", of, schemas) for one, of in fields}
    match schema.get("type"), schema.get("format"):
        case "array", _format:
            return [_example(name, schema["items"], schemas)]
        case "string", "date-time":
            return TIME
        case "string", "uri":
            return None  # for the links to the next and previous pages: there is only one page
        case str(kind), _format if kind in BY_TYPE:
            return BY_TYPE[kind]
    raise LookupError(f"{name}: no example; set one with web.api_examples.api_example_shown")


def serializer_example(**sent: Any) -> Callable[[Made], Made]:
    """Set the example of request bodies in the OpenAPI page. If a response has the same fields, it shows the
    same values.
    """

    def decorate(serializer: Made) -> Made:
        examples = [OpenApiExample("Example", value=sent, request_only=True)]
        made: Made = extend_schema_serializer(examples=examples)(api_example_shown(**sent)(serializer))
        return made

    return decorate
