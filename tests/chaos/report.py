"""What a run of faults has shown: a table for people, JSON for programs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from tests.chaos.invariants import Kind, Violation
from tests.chaos.recovery import BOUND

COLUMNS: Final = "{:27} {:62} {:>8}  {:22} {:>4} {:>7} {:>6}"
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
    parts: dict[str, float] = field(default_factory=dict)

    @property
    def fine(self) -> bool:
        return bool(self.skipped) or (self.in_time and not (self.lost or self.doubled or self.blamed))

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
        worst = max(hit, key=lambda row: row.seconds, default=None)
        counts = ", ".join(f"{number} {name}" for name, number in self.counts.items())
        lines = [
            COLUMNS.format("fault", "what was hit", "recovery", "slowest part", "lost", "doubled", "blamed"),
            *(row.line() for row in self.rows),
            "",
            f"{len(hit)} faults in {self.seconds:.0f} s, seed {self.seed}: {counts}",
            f"slowest recovery {worst.seconds:.1f} s ({worst.fault}); bound {BOUND:.0f} s"
            if worst
            else "nothing was hit",
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
