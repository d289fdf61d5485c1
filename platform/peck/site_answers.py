"""What a site answers of a version, a match, a failure and a game's prints, in lines for a terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from games.untrusted import field, items, quoted_lines


def verdict_lines(version: Mapping[str, Any]) -> Iterator[str]:
    """Say of a version what the check said.

    Raises:
        UntrustedError: the site's answer lacks something.
    """
    yield f"version {field(version, 'number', int)}: {field(version, 'state', str)}"
    report = version.get("report") or {}
    if isinstance(report, dict):
        if verdict := report.get("verdict"):
            yield str(verdict)
        for name in ("exception", "detail"):
            yield from quoted_lines(report.get(name) or "")
    yield field(version, "page", str)


def result_line(result: Mapping[str, Any]) -> str:
    """Say of a match in one line how it went.

    Raises:
        UntrustedError: see ``verdict_lines``.
    """
    others = ", ".join(
        f"{field(one, 'name', str)} v{field(one, 'version', int)}" for one in items(result, "opponents", dict)
    )
    faulty = field(result, "faulty_games", int)
    share = field(result, "share", (float, int))
    # Sites before these fields tell nothing of rulings.
    ruling, counts = field({"ruling": "", **result}, "ruling", str), field({"counts": True, **result}, "counts", bool)
    return (
        f"match {field(result, 'match', int)}: v{field(result, 'version', int)} against {others}: {share:.0%} of the"
        f" opponents beaten in {field(result, 'games', int)} games"
        + (f", {faulty} games with faults" if faulty else "")
        + (f"; ruled: {ruling}" if ruling else "")
        + ("" if counts else ", does not count")
    )


def failure_lines(failure: Mapping[str, Any]) -> Iterator[str]:
    """Say what happened, where, and what to do about it.

    Raises:
        UntrustedError: see ``verdict_lines``.
    """
    match, game, action, version = (field(failure, name, int) for name in ("match", "game", "action", "version"))
    yield f"match {match}, game {game + 1}, action {action + 1}: v{version}"
    yield f"{field(failure, 'title', str)} {field(failure, 'advice', str)}"
    yield from quoted_lines(field(failure, "detail", str) or field(failure, "exception", str))
    if answer := field(failure, "answer", str):
        yield f"it answered {answer!r}"
    if failure.get("limit") is not None:
        cpu, wall, limit = (field(failure, name, (float, int)) for name in ("cpu", "wall", "limit"))
        yield f"{cpu:.3f} s of processor, {wall:.3f} s by the clock; the limit is {limit} s"
    if output := field(failure, "output", str):
        yield "it printed:"
        yield from quoted_lines(output)


def output_lines(game: Mapping[str, Any]) -> Iterator[str]:
    """Say of a game what the bot printed in it, each print behind the number of actions before it.

    Raises:
        UntrustedError: see ``verdict_lines``.
    """
    match, index, version, actions = (field(game, name, int) for name in ("match", "game", "version", "actions"))
    slowest, limit = (field(game, name, (float, int)) for name in ("slowest_ms", "limit_ms"))
    yield f"match {match}, game {index + 1}: v{version}, {actions} actions, the slowest {slowest:.1f} of {limit:.0f} ms"
    if cut := field(game, "cut", int):
        yield f"  {cut} characters before are not kept"
    for one in items(game, "prints", dict):
        yield f"  after action {field(one, 'action', int)}:"
        yield from quoted_lines(field(one, "text", str))
