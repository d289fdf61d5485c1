"""``make bench``: run the short benchmarks of all rooms, each beside a figure to compare it with."""

import importlib
import sys

ROOMS = (
    "engine",
    "cage",
    "orchestration",
    "broadcast",
    "weight",
    "tournaments",
    "ratings",
    "intervals",
    "variance",
    "luck",
)


def main() -> int:
    for room in sys.argv[1:] or ROOMS:
        print(f"\n== {room}", flush=True)
        importlib.import_module(f"benchmarks.{room}").main()
    return 0


sys.exit(main())
