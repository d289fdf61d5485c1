"""Which workers are there, so that anybody can be told why matches wait."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.utils import timezone

from matches.models import WorkerPresence
from matches.persistence import persistent

SEEN_EVERY: Final = timedelta(seconds=5)
SEEN_WITHIN: Final = timedelta(seconds=20)  # longer than this, and a worker counts as gone
FORGOTTEN_AFTER: Final = timedelta(days=1)


@persistent
def worker_seen(*, name: str) -> None:
    """The worker is up and may run bots."""
    WorkerPresence.objects.update_or_create(name=name, defaults={"seen": timezone.now(), "denied": ""})


@persistent
def worker_denied(*, name: str, missing: Iterable[str]) -> None:
    """The worker refused to run bots; ``missing`` are sentences: the layer, and its fix."""
    WorkerPresence.objects.update_or_create(name=name, defaults={"seen": timezone.now(), "denied": "\n".join(missing)})


@persistent
def worker_gone(*, name: str) -> None:
    """The worker has stopped as it was told to."""
    WorkerPresence.objects.filter(name=name, denied="").delete()


@persistent
def workers_forget() -> None:
    """Drops workers that have not been seen for a day."""
    WorkerPresence.objects.filter(seen__lt=timezone.now() - FORGOTTEN_AFTER).delete()
