"""What a run of faults has shown: a table for people, JSON for programs."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from tests.chaos.invariants import Kind, Violation
from tests.chaos.recovery import BOUND

COLUMNS: Final = "{:27} {:62} {:>8}  {:22} {:>4} {:>7} {:>6}"
MEMORY: Final = 512  # MiB that the web process may have, whatever happens
SHOWN: Final = 20  # violations in the table; JSON has all


@dataclass(frozen=True, slots=True)
class Row:
    """One fault: ``seconds`` to recover from it, of which ``slowest`` took longest; or why it was ``skipped``."""

    fault: str
    hit: str = ""
    seconds: float = 0.0
    slowest: str = ""
    in_time: bool = True
    lost: int = 0
    doubled: int = 0
    blamed: int = 0
    skipped: str = ""
    web_megabytes: int = 0  # the most memory of the web process until it had recovered
    parts: dict[str, float] = field(default_factory=dict)

    @property
    def fine(self) -> bool:
        harm = self.lost or self.doubled or self.blamed or self.web_megabytes > MEMORY
        return bool(self.skipped) or (self.in_time and not harm)

    def line(self) -> str:
        if self.skipped:
            return f"{self.fault:27} skipped: {self.skipped}"
        seconds = f"{self.seconds:.1f}" if self.in_time else f"{self.seconds:.1f} !"
        return COLUMNS.format(
            self.fault, self.hit[:62], seconds, self.slowest[:22], self.lost, self.doubled, self.blamed
        )


@dataclass(frozen=True, slots=True)
class Report:
    """A whole run. ``counts`` says how much went through it."""

    seed: int
    seconds: float
    rows: Sequence[Row]
    violations: Sequence[Violation]
    counts: dict[str, int]

    @property
    def fine(self) -> bool:
        return not self.violations and all(row.fine for row in self.rows)

    def table(self) -> str:
        """Return the report as text."""
        hit = [row for row in self.rows if not row.skipped]
        kinds = Counter(violation.kind for violation in self.violations)
        counts = ", ".join(f"{number} {name}" for name, number in self.counts.items())
        lines = [
            COLUMNS.format("fault", "what was hit", "recovery", "slowest part", "lost", "doubled", "blamed"),
            *(row.line() for row in self.rows),
            "",
            f"{len(hit)} faults in {self.seconds:.0f} s, seed {self.seed}: {counts}",
            *_extremes(hit),
            "at the end: " + ", ".join(f"{kinds[kind]} {kind}" for kind in Kind),
            *(f"  {violation.kind}: {violation.text}" for violation in self.violations[:SHOWN]),
            "all holds" if self.fine else "NOT ALL HOLDS",
        ]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return {
            "fine": self.fine,
            "seed": self.seed,
            "seconds": round(self.seconds, 1),
            "counts": self.counts,
            "faults": [asdict(row) for row in self.rows],
            "violations": [asdict(violation) for violation in self.violations],
        }


def _extremes(hit: Sequence[Row]) -> Iterator[str]:
    if hit:
        slow, large = max(hit, key=lambda row: row.seconds), max(hit, key=lambda row: row.web_megabytes)
        yield f"slowest recovery {slow.seconds:.1f} s ({slow.fault}); bound {BOUND:.0f} s"
        yield f"most memory of a web process {large.web_megabytes} MiB ({large.fault}); bound {MEMORY} MiB"
