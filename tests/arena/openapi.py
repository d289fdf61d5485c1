"""What the OpenAPI page promises of an answer, held against the answer."""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.test import Client
from django.urls import resolve, reverse
from jsonschema import Draft202012Validator

MEMBERS = {"type", "title", "status", "detail", "instance", "code", "field", "errors"}  # of a problem document


@cache
def description() -> dict[str, Any]:
    """The site's OpenAPI schema."""
    answer: dict[str, Any] = Client().get(reverse("api-schema"), {"format": "json"}).json()
    return answer


def readings() -> list[str]:
    """Every address that can be read, with its arguments in braces."""
    return [path for path, methods in description()["paths"].items() if "get" in methods]


def parameters(path: str) -> list[str]:
    """Return the query parameters of an address."""
    return [one["name"] for one in description()["paths"][path]["get"].get("parameters", []) if one["in"] == "query"]


def body_of(answer: Any) -> bytes:
    """The whole body; what is sent piece by piece can be read again after this."""
    body: bytes = answer.getvalue()
    if answer.streaming:
        answer.streaming_content = [body]
    return body


def is_json(kind: str) -> bool:
    """Whether a media type is that of one JSON document, and not of lines."""
    return "json" in kind and "ndjson" not in kind


def broken_promises(answer: Any) -> list[str]:
    """Where an ``answer`` of the test client is not as described; nothing may be in it that is not."""
    route = resolve(answer.request["PATH_INFO"]).route.replace(":pk>", ":id>")
    method = answer.request["REQUEST_METHOD"].lower()
    address = "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", route)
    content = description()["paths"][address][method]["responses"][str(answer.status_code)]["content"]
    kind = answer.headers["Content-Type"].partition(";")[0]
    if kind not in content:
        return [f"{kind} is not one of {', '.join(content)}"]
    data = json.loads(body_of(answer)) if is_json(kind) else body_of(answer).decode("latin-1")
    errors = Draft202012Validator(described_schema(content[kind])).iter_errors(data)
    broken = [f"{error.json_path}: {error.message}" for error in errors]
    example = content[kind].get("examples", {}).get("Example", {}).get("value")  # of a file
    if isinstance(example, Mapping) and example.keys() != data.keys():
        broken.append(f"the example has other keys: {example.keys() ^ data.keys()}")
    if kind == "text/csv" and not data.startswith(example):
        broken.append(f"it has not the columns of the example: {example}")
    return broken


def described_schema(content: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a content of the description; nothing may be there that it does not name."""
    return {**_strict(content["schema"]), "components": {"schemas": _schemas()}}


@cache
def _schemas() -> Any:
    return _strict(description()["components"]["schemas"])


def as_described(answer: Any) -> Any:
    """The ``answer`` itself, if it is JSON and as described."""
    assert not is_json(answer.headers["Content-Type"]) or broken_promises(answer) == []
    return answer


def _strict(schema: Any) -> Any:
    """OpenAPI 3.0 as JSON schema: what is nullable may be null, and objects have no other keys than those named."""
    if isinstance(schema, list):
        return [_strict(one) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    strict = {key: _strict(value) for key, value in schema.items() if key != "nullable"}
    if schema.get("type") == "object" and "properties" in schema:
        strict.setdefault("additionalProperties", False)
    return {"anyOf": [strict, {"type": "null"}]} if schema.get("nullable") is True else strict
