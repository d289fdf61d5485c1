"""A failure of a bot for its author: what happened, where, on which view, and how much time it took. Pages escape all
of it.

Reports contain English sentences of the referee beside text from the bot, such as a traceback or its output. The
referee's sentences are recognised and translated when a report is read; other text is unchanged.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self
from urllib.parse import quote

from bots.translation import gettext
from bots.translation import gettext_noop as _
from bots.uploads import ENTRY
from bots.verdicts import Explanation, bot_verdict_explanation, verdict_stage_label
from games.protocol import Verdict

# Each of these is a line of its own, or follows one of ``NAMES``.
SENTENCES: Final = (
    _("%(used)s s of CPU time; %(allowed)s s are allowed at the start"),
    _("%(used)s s of CPU time; %(allowed)s s are allowed for one action"),
    _("%(used)s s of time on the clock; %(allowed)s s are allowed at the start"),
    _("%(used)s s of time on the clock; %(allowed)s s are allowed for one action"),
    _("%(used)s s of CPU time with %(left)s s left of the %(bank)s s for the game"),
    _("%(used)s s of time on the clock with %(left)s s left of the %(bank)s s for the game"),
    _("%(used)s s of CPU time with %(left)s s left of the %(bank)s s for the game; it has slept %(slept)s s"),
    _("%(used)s s of time on the clock with %(left)s s left of the %(bank)s s for the game; it has slept %(slept)s s"),
    _("%(used)s s of CPU time while it was not its turn"),
    _("%(used)s s of CPU time in all"),
    _("killed for using more than %(most)s MiB of memory, including what the kernel holds for it"),
    _("the bot's process ended itself with code %(code)s"),
    _("the bot's process crashed: %(signal)s (signal %(number)s)"),
    _("the bot made a system call that no bot needs"),
    _("the bot does not read what it is sent"),
    _("the bot closed its channel, or sent an empty message"),
    _("a message of %(size)s bytes; at most %(most)s are read"),
    _("a second answer to the turn before"),
    _("an answer without this turn's tag"),
    _("the action has %(size)s bytes; at most %(most)s are allowed"),
    _("the answer has %(size)s characters; at most %(most)s bytes are allowed"),
    _("act must return text, one of view['actions']; it returned %(kind)s"),
    _("bot.py defines neither act(view) nor class Bot"),
    _("class Bot in bot.py has no method act(self, view)"),
    _("class Bot in bot.py has no method act(self, view); the function act beside it is not used"),
    _("%(action)s is not legal here; legal: %(legal)s"),
    _("When its time was up, it was here (most recent call last):"),
    _("The rule: a bot is one thread: threads, and asyncio.run, do not work in the cage."),
    _("The rule: a bot is one process: it cannot start others (os.fork, subprocess, multiprocessing)."),
    _("The rule: there is no network in the cage, not even a socket."),
    _("The rule: nothing can be written in the cage; what a bot wants to keep for its game it keeps in memory."),
    _("The rule: a bot can read its own files, beside bot.py, and Python's library: Path(__file__).parent / 'name'."),
    _("The rule: a bot can import Python's standard library, numpy and its own files; 'Write a bot' has the list."),
    _("The rule: there are no time zone files in the cage; datetime.timezone works."),
    _("The rule: the cage does not allow this call to the operating system."),
)
NAMES: Final = re.compile(r"(?:sandbox\.inside\.entry\.)?(?:NoEntryPointError|NotTextError|TooLongError): ")
_PLACE: Final = re.compile(r"%\\\((\w+)\\\)s")
_FORMS: Final = {sentence: re.compile(_PLACE.sub(r"(?P<\1>.{1,2000}?)", re.escape(sentence))) for sentence in SENTENCES}


def failure_sentence(detail: str) -> str:
    """Return the detail of a fault, with the referee's sentences translated to the reader's language."""
    return "\n".join(map(_text_line, detail.split("\n")))


def _text_line(line: str) -> str:
    name = NAMES.match(line)
    text = line[name.end() :] if name else line
    for sentence, form in _FORMS.items():
        if found := form.fullmatch(text):
            return (name[0] if name else "") + gettext(sentence) % found.groupdict()
    return line


AROUND: Final = 4  # source lines shown before and after the line in question
LINE_WIDTH: Final = 200


@dataclass(frozen=True, slots=True)
class SourceLine:
    number: int
    text: str
    is_culprit: bool


@dataclass(frozen=True, slots=True)
class Failure:
    """A fault, from a version's report or from a match. Times are in seconds, None if they are not relevant."""

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
        """Make a failure from ``report``, which has the keys of ``BotVersion.report`` or of a match's fault.

        ``files`` must be empty for users who may not see the source.
        """
        line = report.get("line")
        verdict = str(report.get("verdict", ""))
        return cls(
            verdict=verdict,
            explanation=bot_verdict_explanation(verdict),
            stage=verdict_stage_label(str(report.get("stage", ""))),
            exception=str(report.get("exception") or ""),
            detail=failure_sentence(str(report.get("detail") or "")),
            line=line if isinstance(line, int) else None,
            excerpt=failure_source_excerpt(files.get(ENTRY, b""), line) if isinstance(line, int) else (),
            view=report.get("view"),
            answer=str(report.get("answer") or ""),
            output=str(report.get("output") or ""),
            cpu=_seconds(report.get("cpu")),
            wall=_seconds(report.get("wall")),
            limit=_seconds(report.get("limit")),
        )

    @property
    def view_text(self) -> str:
        """The view as formatted JSON, or ""."""
        return failure_view_text(self.view)

    @property
    def view_link(self) -> str:
        """The view as a data URL to download. With a page of its own, that page would also have to check who may read
        the view.
        """
        return failure_data_url(self.view_text)

    @property
    def used(self) -> float | None:
        """The time in seconds that counts against ``limit``: wall time if the bot waited, otherwise CPU time."""
        return self.wall if self.verdict in (Verdict.WALL_TIME, Verdict.SLEPT) else self.cpu

    @property
    def spent(self) -> float:
        """The share of ``limit`` that was used; 0 without a limit."""
        return (self.used or 0.0) / self.limit if self.limit else 0.0


def failure_data_url(text: str) -> str:
    """Return a data URL with this JSON."""
    return "data:application/json;charset=utf-8," + quote(text, safe="")


def failure_view_text(view: Any) -> str:
    """Return JSON with each key of the outermost object on its own line; "" without a view."""
    if not isinstance(view, dict) or not view:
        return json.dumps(view, ensure_ascii=False) if view else ""
    lines = (f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in view.items())
    return "{\n" + ",\n".join(lines) + "\n}"


def failure_source_excerpt(source: bytes, line: int) -> tuple[SourceLine, ...]:
    """Return the numbered lines around ``line``; empty if the source has no such line."""
    lines = source.decode("utf-8", "replace").removesuffix("\n").split("\n")  # as Python counts them
    if not 1 <= line <= len(lines):
        return ()
    numbers = range(max(line - AROUND, 1), min(line + AROUND, len(lines)) + 1)
    return tuple(SourceLine(number, lines[number - 1][:LINE_WIDTH].rstrip("\r"), number == line) for number in numbers)


def _seconds(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
