"""``python -m sandbox.probe`` prints the layers of the cage on this machine; exit status 1 if it cannot cage bots."""
# ruff: noqa: T201 - a command line prints

import sys
from typing import Final

from .layers import layers_probe
from .zygote_client import Backend

_WORDS: Final = {
    Backend.OWN: "bots can be caged here",
    Backend.BWRAP: "bots can be caged here, by way of bwrap",
    None: "bots are refused here",
}


def main() -> int:
    """Print the table; return 0 if this machine can cage bots."""
    report = layers_probe()
    width = max(len(layer.name) for layer in report.layers)
    for layer in report.layers:
        print(f"{'ok     ' if layer.ok else 'MISSING'}  {layer.name:{width}}  {layer.detail}".rstrip())
        if layer in report.missing:
            print(f"{'':{width + 11}}{layer.fix}")
    for layer in report.extra:
        print(f"{'extra  ' if layer.ok else 'without'}  {layer.name:{width}}  {layer.detail}")
    print(_WORDS[report.backend])
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main())
