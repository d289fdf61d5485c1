"""The figures of a load test: durations and errors of requests, and the report."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Final

PAGE_BAR_MS: Final = 200.0  # p95 of pages
SOCKET_BAR_MS: Final = 200.0  # p99 of deliveries to spectators
LINE: Final = "{:26} {:>8} {:>9} {:>9} {:>9} {:>9}"


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that is exceeded by a share of 1 - ``share`` of the ``values``; 0 if there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


@dataclass(slots=True)
class Notes:
    """Durations in milliseconds by group, and errors by group and kind."""

    taken: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[tuple[str, str]] = field(default_factory=Counter)

    def note(self, group: str, seconds: float) -> None:
        self.taken[group].append(1000 * seconds)

    def fail(self, group: str, kind: str) -> None:
        self.errors[group, kind] += 1

    def all(self, groups: Iterable[str]) -> list[float]:
        return [value for group in groups for value in self.taken.get(group, [])]

    def failed(self, groups: Iterable[str]) -> int:
        """Return the number of errors in these groups."""
        wanted = set(groups)
        return sum(number for (group, _kind), number in self.errors.items() if group in wanted)


@dataclass(frozen=True, slots=True)
class Load:
    """The results of a load test. ``cpu`` is in cores by group of processes; ``rates`` are games per second without and
    with visitors.
    """

    seconds: float
    notes: Notes
    pages: Sequence[str]  # groups of pages; the others are files and requests of authors
    sockets: Sequence[str]
    cpu: Mapping[str, float]
    rates: tuple[float, float]
    cores: str

    def _durations(self, groups: Sequence[str]) -> list[float]:
        """Return the durations of all requests in these groups. Failed requests count as infinite."""
        return self.notes.all(groups) + [inf] * self.notes.failed(groups)

    @property
    def page_p95(self) -> float:
        return percentile(self._durations(self.pages), 0.95)

    @property
    def socket_p99(self) -> float:
        return percentile(self._durations(self.sockets), 0.99)

    @property
    def ratio(self) -> float:
        """The games per second with visitors, relative to those without."""
        return self.rates[1] / self.rates[0] if self.rates[0] else 0.0

    def table(self) -> str:
        """Return the report as a text."""
        lines = [LINE.format("", "answers", "p50 ms", "p95 ms", "p99 ms", "most ms")]
        lines += [_line(group, self.notes.taken[group]) for group in sorted(self.notes.taken)]
        lines += [_line("all pages", self.notes.all(self.pages)), _line("all sockets", self.notes.all(self.sockets))]
        lines += ["", "errors: " + (", ".join(f"{n} {kind} ({group})" for (group, kind), n in self._worst()) or "none")]
        lines += [f"cores used in {self.seconds:.0f} s, {self.cores}:"]
        lines += [f"  {name:14} {used:5.2f}" for name, used in self.cpu.items()]
        alone, visited = self.rates
        lines += [f"games a second: {alone:.1f} without visitors, {visited:.1f} with them ({self.ratio:.2f} of that)"]
        lines += [_bar("p95 of all pages", self.page_p95, PAGE_BAR_MS, self.notes.failed(self.pages))]
        lines += [_bar("p99 of all sockets", self.socket_p99, SOCKET_BAR_MS, self.notes.failed(self.sockets))]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        groups = {name: _figures(values) for name, values in sorted(self.notes.taken.items())}
        return {
            "seconds": self.seconds,
            "groups": groups,
            "pages": _figures(self.notes.all(self.pages)),
            "sockets": _figures(self.notes.all(self.sockets)),
            "errors": {f"{group}: {kind}": number for (group, kind), number in self._worst()},
            "cpu": dict(self.cpu),
            "games_a_second": self.rates,
            "ratio": self.ratio,
        }

    def _worst(self) -> list[tuple[tuple[str, str], int]]:
        return self.notes.errors.most_common()


def _figures(values: Sequence[float]) -> dict[str, float]:
    shares = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "most": 1.0}
    return {"answers": len(values)} | {name: round(percentile(values, share), 1) for name, share in shares.items()}


def _line(name: str, values: Sequence[float]) -> str:
    figures = _figures(values)
    numbers = [f"{figures[name]:.1f}" for name in ("p50", "p95", "p99", "most")]
    return LINE.format(name, len(values), *numbers)


def _bar(name: str, ms: float, bar: float, failed: int) -> str:
    return f"{name}: {ms:.0f} ms with {failed} that failed, bar {bar:.0f} ms: {'met' if 0 < ms <= bar else 'NOT MET'}"
