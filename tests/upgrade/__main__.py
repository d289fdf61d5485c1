"""Upgrade a site that has data: what every address answered before, and what it answers after.

``python -m tests.upgrade OLD VAR [MOST]``: OLD is a checkout of the release that the site ran until now, VAR the
directory of its data (SQLite), of a site that is stopped; it is copied and not changed. At most MOST addresses of each
visitor (600) are read by OLD's code, the copy is migrated by this checkout, and the same addresses are read by it.

Answers are compared by status; files (records, proofs, exports) by their bytes; pages by their text; JSON by its
values, whatever their names. Exits with 1 where anything differs but what is the release's own: the schema of the API,
the documents, the kit and the house bots' sources.
"""

import datetime
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
READING: Final = Path(__file__).with_name("reading.py")
OWN: Final = re.compile(r"^/(docs|help|rules|about|status|jsi18n|api/schema|api/docs)|\.(pyz|py|js|css)$|/source/")
SHOWN: Final = 20


def main(old: Path, var: Path, most: int) -> int:
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
        before = _read(old, work, "before", environment, most)
        _run(ROOT, [sys.executable, "manage.py", "migrate", "--verbosity=0"], environment)
        after = _read(ROOT, work, "after", environment, most)
    return _compare(before, after)


def _read(checkout: Path, work: Path, name: str, environment: dict[str, str], most: int) -> list[dict[str, Any]]:
    out = work / f"{name}.jsonl"
    _run(checkout, [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity=0"], environment)
    command = [sys.executable, str(READING), str(work / "addresses.json"), str(out), str(most)]
    _run(checkout, command, environment)
    return [json.loads(line) for line in out.read_text().splitlines()]


def _run(checkout: Path, command: list[str], environment: dict[str, str]) -> None:
    path = f"{checkout / 'platform'}{os.pathsep}{checkout}"
    subprocess.run(command, cwd=checkout, env=environment | {"PYTHONPATH": path}, check=True)


def _compare(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> int:
    alike: Counter[str] = Counter()
    bytes_alike: Counter[str] = Counter()
    own = 0
    differ: defaultdict[str, list[str]] = defaultdict(list)
    for old, new in zip(before, after, strict=True):
        if old["digest"] == new["digest"]:
            bytes_alike[old["kind"]] += 1
        if _same(old, new):
            alike[old["kind"]] += 1
        elif OWN.search(old["address"].partition("?")[0]):
            own += 1
        else:
            differ[_difference(old, new)].append(f"{old['visitor']} {old['address']}")
    statuses = Counter(one["status"] for one in before)
    print(f"{len(before)} answers read before and after; statuses {dict(sorted(statuses.items()))}")
    for kind, number in sorted(alike.items()):
        print(f"  {kind or 'no type':<40}{number:>6} alike, {bytes_alike[kind]} of them in every byte")
    print(f"  {'the release itself':<40}{own:>6} differ")
    print(f"  {'anything else':<40}{sum(map(len, differ.values())):>6} differ")
    for difference, addresses in sorted(differ.items(), key=lambda one: -len(one[1]))[:SHOWN]:
        print(f"\n{len(addresses)} answers, such as {', '.join(addresses[:3])}:\n  {difference}")
    return 1 if differ else 0


def _same(old: dict[str, Any], new: dict[str, Any]) -> bool:
    if old["status"] != new["status"] or old["kind"] != new["kind"]:
        return False
    compared = next((key for key in ("text", "leaves") if key in old), "digest")
    return bool(old[compared] == new[compared])


def _difference(old: dict[str, Any], new: dict[str, Any]) -> str:
    if old["status"] != new["status"]:
        return f"{old['status']} then {new['status']}"
    for key in ("leaves", "text"):
        if key in old and key in new:
            one, other = (part if key == "leaves" else part.split() for part in (old[key], new[key]))
            lines = list(difflib.unified_diff(one, other, n=0, lineterm=""))[2:]
            return " ".join(line for line in lines if not line.startswith("@@"))[:300]
    return "bytes differ"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 600))
