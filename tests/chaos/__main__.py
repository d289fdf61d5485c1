"""``python -m tests.chaos``: break a site of its own for some minutes and report the outcome (``make chaos``).

Ends with 0 if every fault was recovered from in time and every invariant holds, else with 1.
"""

import argparse
import json
import random
import sys
from pathlib import Path

from tests.chaos import hosts


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0, help="which faults come when; default: another each time")
    parser.add_argument("--only", default="", help="faults to choose from, by a regular expression")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--logs", help="a folder to leave the programs' logs in")
    parser.add_argument("--port", type=int, default=9300, help="this one and the twenty above it are used")
    args = parser.parse_args()
    if not (hosts.apart() or hosts.hindrance()):
        return hosts.inside([sys.executable, "-m", "tests.chaos", *sys.argv[1:]])

    from tests.chaos.site import Site

    seed = args.seed or random.SystemRandom().randrange(1, 10**6)
    print(f"seed {seed}", file=sys.stderr)
    with Site(args.port) as site:
        import django

        django.setup()  # as a program of that site
        from tests.chaos.run import chaos

        try:
            report = chaos(site, seed=seed, minutes=args.minutes, only=args.only)
        finally:
            if args.logs:
                site.logs_copy(Path(args.logs))
    print(json.dumps(report.as_dict(), indent=1) if args.json else report.table())
    return 0 if report.fine else 1


if __name__ == "__main__":
    sys.exit(main())
