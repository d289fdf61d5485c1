"""``peck``: where it begins. Its commands are imported only inside, so that Ctrl-C ends it then as it does later."""

import sys
from collections.abc import Sequence

INTERRUPTED = 130  # as ``peck.cli`` has it, which is not imported yet


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``peck``; the exit code is 0 if all went well, 1 if something did not hold, 2 for a wrong call."""
    try:
        from peck.verify import run_peck
    except KeyboardInterrupt:
        return INTERRUPTED
    return run_peck(argv)


if __name__ == "__main__":
    sys.exit(main())
