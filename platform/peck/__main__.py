"""``peck``: where it begins. Its commands are imported only inside, so that Ctrl-C ends it then as it does later."""

import sys
from collections.abc import Sequence

from peck import INTERRUPTED


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``peck`` and return its exit code, see ``peck``."""
    try:
        from peck.commands import run_peck
    except KeyboardInterrupt:
        return INTERRUPTED
    return run_peck(argv)


if __name__ == "__main__":
    sys.exit(main())
