"""What takes long: who is given what, who makes it, and how often."""

from collections.abc import Iterator
from threading import Event, Thread
from typing import Any

import pytest
from django.core.cache import caches

from tests.waiting import eventually
from web import made_lately
from web.made_lately import LATE, MadeLately


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    caches["optional"].clear()
    yield
    caches["optional"].clear()


class Thing:
    """What has a revision, takes three seconds to make, and may be made anew for a tenth of the time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.revision, self.made, self.asked = 1000.0, 1, 0, 0
        self.comes = True
        monkeypatch.setattr(made_lately, "time", lambda: self.now)

    def lately(self, **about: Any) -> MadeLately[str]:
        given: dict[str, Any] = {"rest": 10, "seconds": 3600, **about}
        return MadeLately("thing", self.revision, self.make, self.ask, **given)

    def make(self) -> str:
        self.made += 1
        self.now += 3
        return f"the {self.made}."

    def ask(self) -> None:
        self.asked += 1
        if self.comes:
            self.lately().renew()


@pytest.fixture
def thing(monkeypatch: pytest.MonkeyPatch) -> Thing:
    return Thing(monkeypatch)


def test_where_there_is_none_a_reader_is_given_nothing_or_what_stands_for_it(thing: Thing) -> None:
    assert thing.lately().last() is None
    thing.comes = False
    first = thing.lately().last_or("nothing yet")
    assert (first.value, first.old_until) == ("nothing yet", thing.now + 1)
    thing.lately().renew()
    assert thing.lately().last_or("nothing yet").value == "the 1."


def test_who_finds_an_old_one_has_a_worker_make_the_next_once_its_time_is_over(thing: Thing) -> None:
    thing.lately().made_here()
    thing.revision = 2
    old = thing.lately().last()
    assert old is not None
    assert (old.value, old.old_until, thing.asked) == ("the 1.", 1030, 0)
    thing.now = 1030
    newest = thing.lately().last()
    assert newest is not None
    assert (newest.value, newest.old_until, thing.asked, thing.made) == ("the 2.", 0, 1, 2)


def test_what_rests_for_no_time_is_made_whenever_it_is_old(thing: Thing) -> None:
    thing.lately().made_here()
    thing.revision = 2
    newest = thing.lately(rest=0).last()
    assert newest is not None
    assert thing.asked == 1


def test_of_many_who_find_an_old_one_one_asks_and_one_makes_it_where_nobody_comes(thing: Thing) -> None:
    thing.comes = False
    thing.lately().made_here()
    thing.revision, thing.now = 2, 2000.0
    for _ in range(5):
        old = thing.lately().last()
        assert old is not None
        assert (old.value, old.old_until) == ("the 1.", 2001)
    assert (thing.asked, thing.made) == (1, 1)
    thing.now += LATE + 1
    assert [found.value for _ in range(5) if (found := thing.lately().last())] == ["the 2."] * 5
    assert (thing.asked, thing.made) == (1, 2)


def test_a_worker_makes_nothing_that_is_there_or_that_somebody_makes(thing: Thing) -> None:
    thing.lately().renew()
    thing.lately().renew()
    assert thing.made == 1
    thing.revision, thing.now = 2, 2000.0

    def make() -> str:
        thing.lately().renew()
        return "once"

    MadeLately("thing", 2, make, thing.ask, 10, 3600).renew()
    assert thing.made == 1


def test_what_is_not_worth_keeping_is_made_by_everybody(thing: Thing) -> None:
    lately = thing.lately(worth_keeping=lambda _value: False)
    assert [lately.made_here().value, lately.made_here().value] == ["the 1.", "the 2."]
    assert lately.last() is None


def test_a_failure_keeps_nobody_from_making_it(thing: Thing) -> None:
    def fail() -> str:
        raise OSError("no")

    for _ in range(2):
        with pytest.raises(OSError, match="no"):
            MadeLately("thing", 1, fail, thing.ask, 10, 3600).newest()
    assert thing.lately().newest().value == "the 1."


def test_who_wants_the_newest_does_not_wait_for_ever_for_somebody_who_was_killed(
    thing: Thing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(made_lately, "WAITED", 0.1)
    assert thing.lately()._begins()
    assert thing.lately().newest().value == "the 1."


def test_who_wants_the_newest_waits_for_whoever_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made_lately, "WAITED", 60.0)
    begun, may_end = Event(), Event()
    given: list[str] = []

    def make() -> str:
        assert not begun.is_set(), "made twice"
        begun.set()
        assert may_end.wait(20)
        return "made once"

    def want() -> None:
        given.append(MadeLately("thing", 1, make, lambda: None, 10, 3600).newest().value)

    readers = [Thread(target=want) for _ in range(3)]
    for reader in readers:
        reader.start()
    assert begun.wait(20)
    assert given == []
    may_end.set()
    assert eventually(lambda: len(given) == 3)
    assert given == ["made once"] * 3
    for reader in readers:
        reader.join()
