"""``python -m sandbox.probe`` prints the layers of the cage on this machine; exit 1 if bots would be refused."""
# ruff: noqa: T201 - a command line prints

import sys

from .layers import probe


def main() -> int:
    """Print the table; 0 if bots can be caged here."""
    report = probe()
    width = max(len(layer.name) for layer in report.layers)
    for layer in report.layers:
        print(f"{'ok     ' if layer.ok else 'MISSING'}  {layer.name:{width}}  {layer.detail}".rstrip())
        if not layer.ok:
            print(f"{'':{width + 11}}{layer.fix}")
    for layer in report.extra:
        print(f"{'extra  ' if layer.ok else 'without'}  {layer.name:{width}}  {layer.detail}")
    print("bots can be caged here" if report.ok else "bots are refused here")
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main())
