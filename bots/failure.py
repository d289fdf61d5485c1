"""A failure as its author sees it: what happened, where, on which view, at what cost. Shown escaped, never run."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self
from urllib.parse import quote

from bots.archive import ENTRY
from bots.fault_words import fault_sentence
from bots.verdicts import Explanation, explain, stage_label
from games.protocol import Verdict

AROUND: Final = 4  # source lines shown before and after the line in question
LINE_WIDTH: Final = 200


@dataclass(frozen=True, slots=True)
class SourceLine:
    number: int
    text: str
    is_culprit: bool


@dataclass(frozen=True, slots=True)
class Failure:
    """One fault, from a version's report or from a match. Times are in seconds, None where they say nothing."""

    verdict: str
    explanation: Explanation
    stage: str
    exception: str
    detail: str
    line: int | None
    excerpt: tuple[SourceLine, ...]
    view: Any  # a JSON object, or None
    answer: str
    output: str
    cpu: float | None
    wall: float | None
    limit: float | None

    @classmethod
    def of(cls, report: Mapping[str, Any], files: Mapping[str, bytes]) -> Self:
        """Make one of ``report``, which has the keys of ``BotVersion.report`` or of a match's fault; ``files`` is empty
        for those who may not see the source.
        """
        line = report.get("line")
        verdict = str(report.get("verdict", ""))
        return cls(
            verdict=verdict,
            explanation=explain(verdict),
            stage=stage_label(str(report.get("stage", ""))),
            exception=str(report.get("exception") or ""),
            detail=fault_sentence(str(report.get("detail") or "")),
            line=line if isinstance(line, int) else None,
            excerpt=excerpt(files.get(ENTRY, b""), line) if isinstance(line, int) else (),
            view=report.get("view"),
            answer=str(report.get("answer") or ""),
            output=str(report.get("output") or ""),
            cpu=_seconds(report.get("cpu")),
            wall=_seconds(report.get("wall")),
            limit=_seconds(report.get("limit")),
        )

    @property
    def view_text(self) -> str:
        """The view as pretty JSON, or nothing."""
        return pretty(self.view)

    @property
    def view_link(self) -> str:
        """The view as a file to download, in a link of its own: no second page has to know who may read it."""
        return as_download(self.view_text)

    @property
    def used(self) -> float | None:
        """What counts against ``limit``: wall time where the bot waited, processor time otherwise."""
        return self.wall if self.verdict in (Verdict.WALL_TIME, Verdict.SLEPT) else self.cpu

    @property
    def spent(self) -> float:
        """The part of ``limit`` that was used; 0 where there was none."""
        return (self.used or 0.0) / self.limit if self.limit else 0.0


def as_download(text: str) -> str:
    """Return an address that holds this JSON itself."""
    return "data:application/json;charset=utf-8," + quote(text, safe="")


def pretty(view: Any) -> str:
    """Return JSON with each key of the outermost object on a line of its own; nothing for no view."""
    if not isinstance(view, dict) or not view:
        return json.dumps(view, ensure_ascii=False) if view else ""
    lines = (f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in view.items())
    return "{\n" + ",\n".join(lines) + "\n}"


def excerpt(source: bytes, line: int) -> tuple[SourceLine, ...]:
    """Return the numbered lines around ``line``; nothing where the source has no such line."""
    lines = source.decode("utf-8", "replace").removesuffix("\n").split("\n")  # as Python counts them
    if not 1 <= line <= len(lines):
        return ()
    numbers = range(max(line - AROUND, 1), min(line + AROUND, len(lines)) + 1)
    return tuple(SourceLine(number, lines[number - 1][:LINE_WIDTH].rstrip("\r"), number == line) for number in numbers)


def _seconds(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
