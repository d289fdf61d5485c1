"""The static files of a site on one machine: collected at its start, where anything has changed since the last one."""

import hashlib
import shutil
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command

from web import pyodide

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


def playground_collect() -> bool:
    """Add what npm has brought since the static files were collected; False if that is nothing."""
    before = pyodide.version(), pyodide.snapshot()
    pyodide.version.cache_clear()
    pyodide.snapshot.cache_clear()
    if (pyodide.version(), pyodide.snapshot()) == before:
        return False
    finder, root = pyodide.PyodideFinder(), Path(settings.STATIC_ROOT)
    for name, storage in finder.list([]):
        copy = root / storage.prefix / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(storage.path(name), copy)
    (root / STAMP).write_text(_state())
    return True


def _state() -> str:
    digest = hashlib.sha256()
    for finder in finders.get_finders():
        for path, storage in finder.list(list(UNUSED)):
            found = Path(storage.path(path)).stat()
            digest.update(f"{path} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()
