"""What pages show of a format beside what they show of all: its templates and the half of its folder that knows Django.

A format's folder may have a module ``pages`` with ``round_context(stage, entries, number, *, drafts)``: what
``round.html`` shows of a round, nothing if the round is not there to be shown. Its ``tables`` are ``FixturePairing`` or
have one as their ``pairing``; a page shows a part of them.
"""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from tournaments.formats.format import Format
from tournaments.models import Entry, Stage
from tournaments.selectors.rounds.fixtures import pairings_of


def template_of(kind: Format, name: str) -> str:
    """Return the template of a format: ``facts.html`` or ``round.html``."""
    return f"formats/{kind.family}/{name}"


def round_context(stage: Stage, entries: Sequence[Entry], number: int, *, drafts: bool) -> dict[str, Any]:
    """Return what the page about a round of the stage shows; nothing if it is not there to be shown, or not to be
    explained. ``drafts``: those too that wait for the organiser.
    """
    if not stage.kind.draws_one_by_one:
        return {}
    folder = type(stage.kind).__module__.rpartition(".")[0]
    if find_spec(f"{folder}.pages") is not None:
        context: dict[str, Any] = import_module(f"{folder}.pages").round_context(stage, entries, number, drafts=drafts)
        return context
    pairings = pairings_of(stage, entries, [number], drafts=drafts)
    return {"tables": pairings} if pairings else {}
