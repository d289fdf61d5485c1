"""Report a bot's exception to its author: type, line and a traceback of the bot's own files only."""

import traceback
from typing import Final

from . import rules

DETAIL_CAP: Final = 4096  # bytes of traceback
FRAMES: Final = 30


def describe(error: BaseException, folder: str) -> tuple[str, int | None, str]:
    """Return the exception's name, the line in the bot's folder, and the traceback of the bot's files alone.

    Exceptions may be as hostile as their bot: parts that raise while they are read are left out.
    """
    prefix = folder + "/"
    try:
        story = traceback.TracebackException.from_exception(error, limit=-FRAMES, compact=True)
        passed = [frame.filename for frame in story.stack if not frame.filename.startswith(prefix)]
        own = _own_frames(story, prefix)
        line = own[-1].lineno if own else None
        if issubclass(type(error), SyntaxError) and str(error.filename).startswith(prefix):  # type: ignore[attr-defined]
            line = error.lineno  # type: ignore[attr-defined]
        detail = "".join(story.format())
        if own and (broken := rules.rule(error, passed)):
            detail += f"The rule: {broken}.\n"
    except BaseException:
        line, detail = None, ""
    name = str(type.__dict__["__name__"].__get__(type(error)))
    return _cut(name, 100), line, _cut(detail or name, DETAIL_CAP)


def _own_frames(story: traceback.TracebackException, prefix: str, depth: int = 0) -> traceback.StackSummary:
    """Reduce the traceback to frames of the bot's files, named as in the upload, and return these frames."""
    story.stack = traceback.StackSummary.from_list(
        [
            traceback.FrameSummary(frame.filename.removeprefix(prefix), frame.lineno, frame.name, line=frame.line)
            for frame in story.stack
            if frame.filename.startswith(prefix)
        ]
    )
    if isinstance(name := getattr(story, "filename", None), str):  # only a SyntaxError has this attribute
        story.filename = name.removeprefix(prefix)
    for other in (story.__cause__, story.__context__):
        if other is not None and depth < 5:
            _own_frames(other, prefix, depth + 1)
    return story.stack


def _cut(text: str, size: int) -> str:
    """Return at most ``size`` bytes of the text. Of a long text this is the end, because the end says what happened."""
    data = text.encode("utf-8", "replace")
    return text if len(data) <= size and data.decode() == text else data[-size:].decode("utf-8", "ignore")
