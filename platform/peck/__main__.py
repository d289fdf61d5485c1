"""``peck``: where it begins. Its commands are imported only inside, so that Ctrl-C ends it then as it does later."""

import sys
from collections.abc import Sequence

from peck import INTERRUPTED


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``peck`` and return its exit code, see ``peck``."""
    try:
        from peck.commands import commands_run
    except KeyboardInterrupt:
        return INTERRUPTED
    return commands_run(argv)


if __name__ == "__main__":
    sys.exit(main())
