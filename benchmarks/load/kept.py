"""Cache a large site as a database dump for a day: creating it takes five minutes, restoring it seconds."""

import hashlib
import subprocess
import time
from collections.abc import Callable
from typing import Final

from tests.databases import KEPT, ROOT, version

OLDEST: Final = 86_400.0  # seconds; dates in the dump become too old


def grown(make: Callable[[], None], url: str, size: str) -> None:
    """Fill the empty database at ``url`` with the site that ``make`` creates, or with a dump of a site of this
    ``size``."""
    KEPT.mkdir(exist_ok=True)
    kept = KEPT / f"grown-{size}-{_made_by()}.dump"
    if kept.exists() and time.time() - kept.stat().st_mtime < OLDEST:
        _run("pg_restore", "--no-owner", f"--dbname={url}", str(kept))
        return
    make()
    for old in KEPT.glob("grown-*"):
        old.unlink()
    half = kept.with_suffix(".half")
    _run("pg_dump", "--format=custom", "--compress=1", f"--file={half}", url)
    half.rename(kept)


def _made_by() -> str:
    """Return a digest of the tables, and of the code that fills them."""
    code = sorted((ROOT / "benchmarks" / "pages").glob("*.py"))
    return hashlib.sha256(b"".join([version().encode(), *(path.read_bytes() for path in code)])).hexdigest()[:16]


def _run(*command: str) -> None:
    subprocess.run(command, check=True)
