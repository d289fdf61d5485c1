"""Cache a large site as a database dump for a day: creating it takes five minutes, restoring it seconds."""

import hashlib
import subprocess
import time
from collections.abc import Callable
from typing import Final

from tests.databases import CACHE, ROOT, version

OLDEST: Final = 86_400.0  # seconds; dates in the dump become too old


def grown(make: Callable[[], None], url: str, size: str) -> None:
    """Fill the empty database at ``url`` with the site that ``make`` creates, or with a dump of a site of this
    ``size``."""
    CACHE.mkdir(exist_ok=True)
    dump = CACHE / f"grown-{size}-{_made_by()}.dump"
    if dump.exists() and time.time() - dump.stat().st_mtime < OLDEST:
        _run("pg_restore", "--no-owner", f"--dbname={url}", str(dump))
        return
    make()
    for old in CACHE.glob("grown-*"):
        old.unlink()
    half = dump.with_suffix(".half")
    _run("pg_dump", "--format=custom", "--compress=1", f"--file={half}", url)
    half.rename(dump)


def _made_by() -> str:
    """Return a digest of the tables, and of the code that fills them."""
    code = sorted((ROOT / "benchmarks" / "pages").glob("*.py"))
    return hashlib.sha256(b"".join([version().encode(), *(path.read_bytes() for path in code)])).hexdigest()[:16]


def _run(*command: str) -> None:
    subprocess.run(command, check=True)
