"""What can be prepared, and by which task: the rooms above register both."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, TypeAlias

Beat: TypeAlias = Callable[[], None]


@dataclass(frozen=True, slots=True)
class PreparedKind:
    """Files of one kind. ``revision`` tells of a subject what it is made of, as a digest, or None when there is nothing
    to be had; it takes a query or two. ``make`` yields the file ``name`` of a subject; it calls ``beat`` every now and
    then, at least once in a few seconds, and lets pass what that raises."""

    revision: Callable[[int], str | None]
    make: Callable[[int, str, Beat], Iterator[bytes]]


KINDS: Final[dict[str, PreparedKind]] = {}
WORKER_TASKS: Final[set[str]] = set()


def prepared_register(kind: str, prepared: PreparedKind) -> None:
    """Let files of a kind be prepared. A room calls this once for each of its kinds when it starts."""
    KINDS[kind] = prepared


def prepared_worker_register(task: str) -> None:
    """Let the Celery task of this name make files, by ``file_prepare_next``. The room whose workers make them, and
    which knows when one is to end, calls this when it starts."""
    WORKER_TASKS.add(task)


def revision_of(*facts: Any) -> str:
    """Return a digest of what a file is made of."""
    return sha256(repr(facts).encode()).hexdigest()
