"""Upgrade a site that has data: what every address answered before, and what it answers after.

``python -m tests.upgrade OLD VAR [MOST [NAME ...]]``: OLD is a checkout of the release that the site ran until now, VAR
the directory of its data (SQLite), of a site that is stopped; it is copied and not changed. At most MOST addresses of
each visitor (600) are read by OLD's code, the copy is migrated by this checkout, and the same addresses are read by it.
Visitors are somebody without an account, the people with these user names, and the site's organiser.

Answers are compared by status; files (records, proofs, exports) by their bytes; pages by their text; JSON by its
values, whatever their names. Exits with 1 where anything differs but what is the release's own: the schema of the API,
the documents, the kit and the house bots' sources.
"""

import datetime
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.upgrade.comparing import ROOT, answers_compare, answers_read, run


def main(old: Path, var: Path, most: int, names: Sequence[str]) -> int:
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        copy = work / "var"
        copy.mkdir(mode=0o700)
        for file in ("db.sqlite3", "db.sqlite3-wal", "secret_key", "organiser_password"):
            if (var / file).exists():
                shutil.copy2(var / file, copy / file)
        if (var / "bundles").exists():
            shutil.copytree(var / "bundles", copy / "bundles")
        environment = os.environ | {
            "PECKING_ORDER_VAR": str(copy),
            "DJANGO_SETTINGS_MODULE": "arena.settings.dev",
            "READ_AT": datetime.datetime.now(datetime.UTC).isoformat(),
        }
        visitors = ["anonymous", *names, "organiser"]
        before = answers_read(old, work, "before", environment, most, visitors)
        run(ROOT, [sys.executable, "manage.py", "migrate", "--verbosity=0"], environment)
        after = answers_read(ROOT, work, "after", environment, most, visitors)
    return answers_compare(before, after)


if __name__ == "__main__":
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 600
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]), most, sys.argv[4:]))
