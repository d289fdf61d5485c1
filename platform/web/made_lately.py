"""What takes long to make and is wanted by everybody: readers are given the last one, and a worker makes it anew.

It is of a ``revision``, which is another one as soon as it would come out otherwise. Whoever finds an old one has a
worker make the next, and is given the old one meanwhile; where no worker has done so after a while, a reader does.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import sleep, time
from typing import Final, Generic, TypeVar

from django.core.cache import caches

Value = TypeVar("Value")
LATE: Final = 15.0  # seconds after which a worker that was asked is not waited for any more
ASKED: Final = 60  # seconds for which it is known that one was asked
MAKING: Final = 20  # seconds for which one makes it and others do not begin
WAITED: Final = 5.0  # seconds for which a reader who wants the newest waits for whoever makes it
LOOK: Final = 0.05  # seconds after which those who wait look again


@dataclass(frozen=True, slots=True)
class LastMade(Generic[Value]):
    """A ``value`` as it was at a ``revision``; ``until``: when it may be made anew. ``old_until``: not 0 where this is
    not the newest, which can be had then."""

    value: Value
    revision: object
    until: float = 0
    old_until: float = 0


@dataclass(frozen=True, slots=True)
class MadeLately(Generic[Value]):
    """What is kept as ``key`` and wanted at ``revision``. ``make`` takes the time; ``ask`` has a worker call ``renew``
    of the same. It is made anew for one part in ``rest`` of the time at most (0: whenever it is old), and kept for so
    many ``seconds``; what is not ``worth_keeping`` is always made by who wants it."""

    key: str
    revision: object
    make: Callable[[], Value]
    ask: Callable[[], None]
    rest: int
    seconds: int
    worth_keeping: Callable[[Value], bool] = lambda _value: True

    def last(self) -> LastMade[Value] | None:
        """Return the last one, and have the next one made if it is old; None if there is none."""
        found = self._kept()
        if found is not None and not self._serves(found):
            found = self._asked_for() or found
        return found and self._with_its_age(found)

    def last_or(self, instead: Value) -> LastMade[Value]:
        """Return the last one, or ``instead`` where there is none, and have the next one made."""
        return self.last() or self._with_its_age(self._asked_for() or LastMade(instead, None))

    def newest(self) -> LastMade[Value]:
        """Return the newest one. It is made here, unless another process makes it already: that one is waited for, for
        ``WAITED`` seconds at most.
        """
        for _ in range(int(WAITED / LOOK)):
            found = self._kept()
            if found is not None and found.revision == self.revision:
                return found
            if self._begins():
                break
            sleep(LOOK)
        return self.made_here()

    def renew(self) -> None:
        """Make the next one, if the last one is old and has served its time."""
        found = self._kept()
        if (found is None or not self._serves(found)) and self._begins():
            self.made_here()

    def made_here(self) -> LastMade[Value]:
        """Make it, whoever else does."""
        begun, cache = time(), caches["optional"]
        try:
            value = self.make()
            if not self.worth_keeping(value):
                return LastMade(value, self.revision)
            made = LastMade(value, self.revision, begun + self.rest * (time() - begun))
            cache.set(self.key, made, self.seconds)
            cache.delete(f"{self.key}/asked")
            return made
        finally:
            cache.delete(f"{self.key}/busy")

    def _kept(self) -> LastMade[Value] | None:
        found: LastMade[Value] | None = caches["optional"].get(self.key)
        return found

    def _with_its_age(self, found: LastMade[Value]) -> LastMade[Value]:
        return found if found.revision == self.revision else replace(found, old_until=max(found.until, time() + 1))

    def _serves(self, found: LastMade[Value]) -> bool:
        return found.revision == self.revision or (bool(self.rest) and time() < found.until)

    def _begins(self) -> bool:
        """Tell whether nobody else makes it, and note that it is made here."""
        return caches["optional"].add(f"{self.key}/busy", 1, MAKING)

    def _asked_for(self) -> LastMade[Value] | None:
        """Ask a worker, if none was asked yet; return what there is then, or what is made here where none comes."""
        cache, key = caches["optional"], f"{self.key}/asked"
        asked: float | None = cache.get(key)
        if asked is None and cache.add(key, time(), ASKED):
            self.ask()
            return self._kept()
        return self.made_here() if asked is not None and time() - asked > LATE and self._begins() else None
