"""What two states of a site answered at every address: read by the code of a checkout each, and compared."""

import difflib
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
READING: Final = Path(__file__).with_name("reading.py")
OWN: Final = re.compile(r"^/(docs|help|rules|about|status|jsi18n|api/schema|api/docs)|\.(pyz|py|js|css)$|/source/")
SHOWN: Final = 20


def answers_read(
    checkout: Path, work: Path, name: str, environment: dict[str, str], most: int, visitors: Sequence[str]
) -> list[dict[str, Any]]:
    """What the code in ``checkout`` answers at the addresses that ``work`` lists, or, listing them there, at those it
    finds, ``most`` for each of the ``visitors``: "anonymous", or a user name.
    """
    out = work / f"{name}.jsonl"
    run(checkout, [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity=0"], environment)
    command = [sys.executable, str(READING), str(work / "addresses.json"), str(out), str(most), *visitors]
    run(checkout, command, environment)
    return [json.loads(line) for line in out.read_text().splitlines()]


def run(checkout: Path, command: list[str], environment: dict[str, str]) -> None:
    path = f"{checkout / 'platform'}{os.pathsep}{checkout}"
    subprocess.run(command, cwd=checkout, env=environment | {"PYTHONPATH": path}, check=True)


def answers_compare(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> int:
    """Print how they differ; 1 where they do in anything but what is the release's own."""
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
    visitors = Counter(one["visitor"] for one in before)
    print(f"{len(before)} answers read before and after; statuses {dict(sorted(statuses.items()))}")
    print(f"  visitors {dict(visitors)}")
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
