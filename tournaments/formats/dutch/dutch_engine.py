"""The child process of ``pairing`` for the rules before 2026.

It reads a TRF file from stdin, and writes pairs as JSON to stdout. It imports py4swiss after the limits are set, and
nothing from this project. So it can be run by its path, isolated from the environment.
"""

import json
import resource
import sys
from pathlib import Path
from typing import Final

MEMORY: Final = 2 * 1024**3  # bytes of address space
IMPOSSIBLE: Final = 3  # exit status: the rules allow no round


def main(seconds: int) -> int:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    from py4swiss.engines import DutchEngine
    from py4swiss.engines.common import PairingError
    from py4swiss.trf import TrfParser

    report = TrfParser.parse(Path("/dev/stdin"), strict=True)
    try:
        pairings = DutchEngine.generate_pairings(report)
    except PairingError:
        return IMPOSSIBLE
    sys.stdout.write(json.dumps([(pairing.white, pairing.black) for pairing in pairings]))
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
