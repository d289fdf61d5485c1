"""What a version's report may hold: plain JSON that every database stores, each text cut to a readable length."""

import math
from collections.abc import Mapping
from typing import Any, Final

MAX_TEXT: Final = 20_000  # characters of one text
MAX_ITEMS: Final = 2_000  # of one list or mapping
MAX_DEPTH: Final = 12


def report_cleaned(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``report`` without what PostgreSQL's JSON refuses (NUL, lone surrogates, NaN) and without excess.

    A bot wrote parts of it: its prints, its exception, its traceback.
    """
    return {_text(str(key)): _clean(value, MAX_DEPTH) for key, value in report.items()}


def _clean(value: Any, depth: int) -> Any:
    match value:
        case None | bool() | int():
            return value
        case float():
            return value if math.isfinite(value) else None
        case str():
            return _text(value)
        case Mapping() if depth:
            return {_text(str(key)): _clean(inner, depth - 1) for key, inner in list(value.items())[:MAX_ITEMS]}
        case list() | tuple() if depth:
            return [_clean(inner, depth - 1) for inner in value[:MAX_ITEMS]]
        case _:
            return _text(str(value))


def _text(text: str) -> str:
    kept = text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + " …"
    return str(kept).replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()
