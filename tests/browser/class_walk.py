"""A person's walk through pages, with what they do counted and their time estimated."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from playwright.sync_api import Locator, Page

# Seconds of the keystroke-level model (Card, Moran and Newell 1980): a key of an average typist, pointing with the
# mouse, pressing its button, a hand that goes to the keyboard or back, and thinking of what to do next.
KEY: Final = 0.28
POINT: Final = 1.1
BUTTON: Final = 0.2
HAND: Final = 0.4
THINK: Final = 1.35
READ: Final = 4.0  # on a page that was not seen before, until the next thing to do is found


@dataclass(slots=True)
class Walk:
    """What somebody does on ``page``: each of these is one act. ``waited``: seconds until pages had loaded."""

    page: Page
    clicks: int = 0
    fields: int = 0
    keys: int = 0
    loads: int = 0
    waited: float = 0.0
    stages: dict[str, float] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """How long it takes a person."""
        acts = self.clicks * (THINK + POINT + BUTTON) + self.fields * (THINK + POINT + BUTTON + 2 * HAND)
        return acts + self.keys * KEY + self.loads * READ + self.waited

    def open(self, path: str) -> None:
        """Type an address."""
        self.keys += len(path)
        with self._loading():
            self.page.goto(path)

    def press(self, found: Locator) -> None:
        """Press what leads to another page."""
        self.clicks += 1
        with self._loading(), self.page.expect_navigation():
            found.click()

    def link(self, name: str) -> None:
        self.press(self.page.get_by_role("link", name=name, exact=True).first)

    def button(self, name: str) -> None:
        self.press(self.page.get_by_role("button", name=name, exact=True).first)

    def click(self, found: Locator) -> None:
        """Press what stays on the page."""
        self.clicks += 1
        found.click()

    def fill(self, name: str, text: str, *, pasted: bool = False) -> None:
        self.fields += 1
        self.keys += 2 if pasted else len(text)
        self.page.fill(f"[name={name}]", text)

    def choose(self, name: str, label: str) -> None:
        """Open a list and choose."""
        self.fields += 1
        self.clicks += 1
        self.page.select_option(f"[name={name}]", label=label)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measure a part of the walk."""
        before = self.seconds
        yield
        self.stages[name] = self.stages.get(name, 0) + self.seconds - before

    @contextmanager
    def _loading(self) -> Iterator[None]:
        began = time.monotonic()
        yield
        self.loads += 1
        self.waited += time.monotonic() - began

    def report(self) -> str:
        """Return what it came to, by stage."""
        lines = [f"{name:<28}{seconds:6.0f} s" for name, seconds in self.stages.items()]
        total = (
            f"{self.clicks} clicks, {self.fields} fields, {self.keys} keys, {self.loads} pages"
            f" ({self.waited:.0f} s of loading): {self.seconds / 60:.1f} minutes"
        )
        return "\n".join([*lines, total])
