"""How a bot's exception is told to its author: type, line and traceback, of the bot's own files only."""

import traceback
from typing import Final

from . import rules, wire
from .tree import BOT_FOLDER

_FRAMES: Final = 30
_PREFIX: Final = BOT_FOLDER + "/"


def describe(error: BaseException, verdict: str, output: str) -> wire.WireFailure:
    """The failure to report. Exceptions may be as hostile as their bot: whatever fails here is left out."""
    try:
        story = traceback.TracebackException.from_exception(error, limit=-_FRAMES, compact=True)
        passed = [frame.filename for frame in story.stack if not frame.filename.startswith(_PREFIX)]
        own = _own_frames(story)
        line = own[-1].lineno if own else None
        if issubclass(type(error), SyntaxError) and str(error.filename).startswith(_PREFIX):  # type: ignore[attr-defined]
            line = error.lineno  # type: ignore[attr-defined]
        detail = "".join(story.format())
        if own and (broken := rules.rule(error, passed)):
            detail += f"The rule: {broken}.\n"
    except BaseException:
        line, detail = None, ""
    name = str(type.__dict__["__name__"].__get__(type(error)))
    return wire.WireFailure(verdict, _cut(name, 100), line, _cut(detail or name, wire.DETAIL_CAP), output)


def _own_frames(story: traceback.TracebackException, depth: int = 0) -> traceback.StackSummary:
    """Leave only frames of the bot's files in the story, under their names in the upload, and return them."""
    story.stack = traceback.StackSummary.from_list(
        [
            traceback.FrameSummary(frame.filename.removeprefix(_PREFIX), frame.lineno, frame.name, line=frame.line)
            for frame in story.stack
            if frame.filename.startswith(_PREFIX)
        ]
    )
    if isinstance(name := getattr(story, "filename", None), str):  # a SyntaxError's
        story.filename = name.removeprefix(_PREFIX)
    for other in (story.__cause__, story.__context__):
        if other is not None and depth < 5:
            _own_frames(other, depth + 1)
    return story.stack


def _cut(text: str, size: int) -> str:
    """At most ``size`` bytes; of a long text the end, which says what happened."""
    data = text.encode("utf-8", "replace")
    return text if len(data) <= size and data.decode() == text else data[-size:].decode("utf-8", "ignore")
