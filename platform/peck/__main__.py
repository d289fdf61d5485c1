"""The entry point of ``peck``. It imports the commands late, so that Ctrl-C ends the import in the same way as a
command.
"""

import sys
from collections.abc import Sequence

from peck import INTERRUPTED


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``peck`` and return its exit code; see the package's docstring."""
    try:
        from peck.commands import commands_run
    except KeyboardInterrupt:
        return INTERRUPTED
    return commands_run(argv)


if __name__ == "__main__":
    sys.exit(main())
