"""The static files of a site on one machine: collected at its start, where anything has changed since the last one."""

import hashlib
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command

STAMP: Final = ".collected"
UNUSED: Final = ("redoc", "swagger-ui-es-*", "rest_framework")  # of packages, and asked for by no page of ours


def static_files_collect() -> None:
    """Collect, hash and compress the static files into ``STATIC_ROOT``, unless they are what they were last time."""
    root = Path(settings.STATIC_ROOT)
    now = _state()
    stamp = root / STAMP
    if stamp.is_file() and stamp.read_text() == now:
        return
    call_command("collectstatic", interactive=False, clear=True, verbosity=0, ignore_patterns=list(UNUSED))
    stamp.write_text(now)


def _state() -> str:
    digest = hashlib.sha256()
    for finder in finders.get_finders():
        for path, storage in finder.list(list(UNUSED)):
            found = Path(storage.path(path)).stat()
            digest.update(f"{path} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()
