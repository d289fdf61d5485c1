"""Snapshots: who is given what, who computes it, how often, and which of two computations is stored."""

import zlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from django.core.cache import caches
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from tests.racing import at_once, on_postgres
from tests.waiting import eventually
from web import snapshots
from web.models import Snapshot
from web.snapshots import (
    LATE,
    Lines,
    SnapshotKey,
    SnapshotPart,
    StoredPart,
    snapshot_table_decode,
    snapshot_table_encode,
    snapshot_write,
)
from web.tasks import web_forget_answers

KEY = SnapshotKey("thing.1", "text")
START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    caches["optional"].clear()
    yield
    caches["optional"].clear()


class Thing:
    """Has a revision; its text takes three seconds to compute, and may take a tenth of a processor. ``comes``: a worker
    does what is requested for now at once."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.revision, self.computed, self.sent = 1000.0, 1, 0, list[float]()
        self.comes, self.worked = True, 0.0
        monkeypatch.setattr(snapshots, "time", lambda: self.now)
        monkeypatch.setattr(snapshots, "thread_time", lambda: self.worked)

    def part(self, **about: Any) -> SnapshotPart[str]:
        given: dict[str, Any] = {"compute": self.compute, "refresh_ratio": 10, **about}
        return SnapshotPart(
            key=KEY,
            moment=lambda: (self.revision, START + timedelta(seconds=self.now)),
            encode=msgspec.msgpack.encode,
            decode=msgspec.msgpack.Decoder(str).decode,
            send=self.send,
            **given,
        )

    def compute(self) -> str:
        self.computed += 1
        self.work(3)
        return f"the {self.computed}."

    def work(self, seconds: float) -> None:
        self.now += seconds
        self.worked += seconds

    def send(self, wait: float) -> None:
        self.sent.append(wait)
        if self.comes and not wait:
            self.part().refresh()

    def last(self, **about: Any) -> StoredPart[str]:
        return self.part(**about).read(lambda _value: True)

    def newest(self) -> StoredPart[str]:
        return self.part().read(lambda _value: False)


@pytest.fixture
def thing(monkeypatch: pytest.MonkeyPatch, db: None) -> Thing:
    return Thing(monkeypatch)


def test_where_there_is_none_a_reader_computes_and_stores_it_and_the_next_reads_it(thing: Thing) -> None:
    first, second = thing.last(), thing.last()
    assert first == second
    assert (first.value, first.revision, first.is_stale) == ("the 1.", 1, False)
    assert (thing.computed, thing.sent) == (1, [])


def test_where_there_is_none_a_reader_with_a_substitute_has_a_worker_compute_it(thing: Thing) -> None:
    thing.comes = False
    first = thing.part().read(lambda _value: True, "nothing yet")
    assert (first.value, first.stale_until, thing.sent, thing.computed) == ("nothing yet", thing.now + 1, [0], 0)
    thing.part().refresh()
    assert thing.part().read(lambda _value: True, "nothing yet").value == "the 1."


def test_a_stale_one_is_refreshed_by_a_worker_once_its_time_is_over(thing: Thing) -> None:
    thing.last()
    thing.revision = 2
    stale = thing.last()
    assert (stale.value, stale.stale_until, thing.sent) == ("the 1.", 1030, [])
    thing.now = 1030
    current = thing.last()
    assert (current.value, current.revision, current.is_stale) == ("the 2.", 2, False)
    assert (thing.sent, thing.computed) == ([0], 2)


def test_waiting_for_a_busy_machine_counts_as_no_work(thing: Thing) -> None:
    def compute() -> str:
        thing.now += 60  # others have the processor
        thing.work(3)
        return "late"

    begun = thing.now
    assert thing.part(compute=compute).recompute().refresh_at.timestamp() == begun + 30


def test_a_reader_that_needs_the_current_one_gets_no_stale_one(thing: Thing) -> None:
    thing.last()
    thing.revision = 2
    assert thing.newest().value == "the 2."
    assert thing.sent == []


def test_a_change_is_requested_for_the_time_when_a_refresh_may_begin_and_once(thing: Thing) -> None:
    thing.last()
    thing.now = 1010
    for revision in (2, 3, 4):
        thing.revision = revision
        thing.part().request()
    assert thing.sent == [20]
    thing.part().refresh()  # a message that comes too early
    assert thing.computed == 1
    assert thing.sent == [20, 20]
    thing.now = 1030
    thing.part().refresh()
    assert thing.last().revision == 4


def test_where_there_is_no_ratio_a_stale_one_is_refreshed_at_once_whatever_was_requested_before(thing: Thing) -> None:
    thing.last()
    thing.now, thing.revision = 1010, 2
    thing.part().request()
    assert thing.sent == [20]
    thing.comes = False
    assert thing.last(refresh_ratio=0).stale_until == thing.now + 1
    assert thing.last(refresh_ratio=0).value == "the 1."
    assert thing.sent == [20, 0]
    thing.part(refresh_ratio=0).refresh()
    assert thing.last().value == "the 2."
    thing.part(refresh_ratio=0, is_pending=lambda _value: True).request()
    assert thing.last(refresh_ratio=0, is_pending=lambda _value: True).value == "the 2."


def test_a_change_during_a_computation_is_computed_after_it(thing: Thing) -> None:
    def compute() -> str:
        thing.revision = 2
        thing.part().request()
        thing.work(3)
        return "before the change"

    thing.comes = False
    thing.part(compute=compute).refresh()
    assert Snapshot.objects.get().revision == 1
    assert thing.sent == [0]
    thing.part().refresh()  # that message
    assert thing.sent == [0, 27]
    thing.now += thing.sent[-1]
    thing.part().refresh()
    assert Snapshot.objects.get().revision == 2


def test_a_request_that_comes_while_another_computes_is_put_off_and_survives_its_death(thing: Thing) -> None:
    assert thing.part()._begins()  # and is killed
    thing.part().refresh()
    assert (thing.computed, thing.sent) == (0, [snapshots.REFRESH_EVERY])
    caches["optional"].delete(thing.part()._busy)  # which it is by itself after COMPUTING seconds
    thing.part().refresh()
    assert thing.last().value == "the 1."


def test_where_no_worker_answers_one_reader_computes_it(thing: Thing) -> None:
    thing.comes = False
    thing.last()
    thing.revision, thing.now = 2, 2000.0
    assert {thing.last().value for _ in range(5)} == {"the 1."}
    assert (thing.sent, thing.computed) == ([0], 1)
    thing.now += LATE + 1
    assert [thing.last().value for _ in range(5)] == ["the 2."] * 5
    assert (thing.sent, thing.computed) == ([0], 2)


def test_one_that_lacks_data_is_stale_after_a_while_though_its_revision_does_not_move(thing: Thing) -> None:
    about: dict[str, Any] = {"is_pending": lambda value: value == "the 1."}
    assert not thing.last(**about).is_stale
    thing.now = 1030 + snapshots.PENDING + 1
    assert thing.last(**about).value == "the 2."
    thing.now += 10_000
    assert not thing.last(**about).is_stale
    assert thing.computed == 2


def test_one_that_is_not_valid_or_of_another_format_counts_as_none(thing: Thing) -> None:
    thing.last()
    assert thing.last(is_valid=lambda value: value != "the 1.").value == "the 2."
    for number, payload in enumerate((msgspec.msgpack.encode(["another", "format"]), b"\xc1"), start=3):
        Snapshot.objects.update(payload=zlib.compress(payload))
        assert thing.last().value == f"the {number}."
    Snapshot.objects.update(payload=b"broken")
    assert thing.last().value == "the 5."


def test_a_failed_computation_can_be_repeated(thing: Thing) -> None:
    def fail() -> str:
        raise OSError("no")

    for _ in range(2):
        with pytest.raises(OSError, match="no"):
            thing.last(compute=fail)
    assert thing.last().value == "the 1."


def test_a_reader_is_answered_though_nothing_can_be_stored(thing: Thing, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_given: object) -> bool:
        raise DatabaseError("read only")

    monkeypatch.setattr(snapshots, "snapshot_write", fail)
    monkeypatch.setattr(snapshots, "connection", SimpleNamespace(in_atomic_block=False))
    assert thing.last().value == "the 1."
    assert not Snapshot.objects.exists()


def test_nobody_waits_for_ever_for_a_reader_who_was_killed(thing: Thing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "WAITED", 0.1)
    assert thing.part()._begins()
    assert thing.newest().value == "the 1."


def stored(revision: int, second: int, text: str) -> bool:
    made_at = START + timedelta(seconds=second)
    return snapshot_write(KEY, (revision, made_at), made_at, text.encode())


@pytest.mark.django_db
def test_an_older_computation_never_replaces_a_newer_one() -> None:
    assert stored(5, 10, "first")
    for revision, second in ((4, 11), (4, 9), (5, 9)):
        assert not stored(revision, second, "older")
    assert stored(5, 11, "later at the same revision")
    assert stored(6, 2, "by a clock that is slow")
    found = Snapshot.objects.get()
    assert (found.revision, zlib.decompress(found.payload)) == (6, b"by a clock that is slow")
    assert found.made_at == START + timedelta(seconds=2)


@pytest.mark.django_db
def test_each_part_of_each_topic_is_a_row_of_its_own_and_is_rolled_back_with_its_transaction() -> None:
    for topic in ("a.1", "a.2"):
        for part in ("x", "y"):
            assert snapshot_write(SnapshotKey(topic, part), (1, START), START, b"")
    assert Snapshot.objects.count() == 4
    with transaction.atomic():
        assert stored(1, 1, "gone")
        transaction.set_rollback(True)
    assert Snapshot.objects.count() == 4


@pytest.mark.django_db
def test_old_snapshots_are_deleted_by_housekeeping() -> None:
    now = timezone.now()
    for part, age in (
        ("old", snapshots.STORED_FOR + timedelta(seconds=9)),
        ("new", snapshots.STORED_FOR - timedelta(hours=1)),
    ):
        snapshot_write(SnapshotKey("gone.1", part), (1, now - age), now, b"")
    web_forget_answers()
    assert [one.part for one in Snapshot.objects.all()] == ["new"]


@on_postgres
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_latest_of_simultaneous_computations_stays() -> None:
    for round_number in range(5):
        first = 100 * round_number
        written = at_once(lambda number, first=first: (stored(first + number, number, f"{number}"), number)[1], 12)  # type: ignore[misc]
        found = Snapshot.objects.get()
        assert (found.revision, zlib.decompress(found.payload)) == (first + max(written), b"11")


@on_postgres
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_one_of_simultaneous_readers_computes_and_the_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "WAITED", 60.0)
    begun, may_end, given = Event(), Event(), list[str]()

    def compute() -> str:
        assert not begun.is_set(), "computed twice"
        begun.set()
        assert may_end.wait(20)
        return "once"

    def read() -> None:
        part = SnapshotPart(
            KEY,
            lambda: (1, timezone.now()),
            compute,
            msgspec.msgpack.encode,
            msgspec.msgpack.decode,
            lambda _wait: None,
            1,
        )
        given.append(part.read(lambda _value: False).value)
        connection.close()

    readers = [Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    assert begun.wait(20)
    assert given == []
    may_end.set()
    assert eventually(lambda: len(given) == 3)
    assert given == ["once"] * 3
    for reader in readers:
        reader.join()


class Decoded:
    """A table of lines, and how many of them were decoded."""

    def __init__(self, count: int) -> None:
        self.lines = tuple((number, f"line {number}") for number in range(count))
        self.count = 0
        head, encoded = snapshot_table_decode(snapshot_table_encode(3, {"of": count}, self.lines), 3, dict[str, int])
        assert head == {"of": count}
        self.table: Lines[tuple[int, str]] = Lines(encoded, self._decode)

    def _decode(self, line: msgspec.Raw) -> tuple[int, str]:
        self.count += 1
        return msgspec.msgpack.decode(line, type=tuple[int, str])


@pytest.mark.parametrize("count", [0, 1, 157])
def test_the_lines_of_a_table_are_those_that_were_encoded(count: int) -> None:
    found = Decoded(count)
    assert (len(found.table), bool(found.table)) == (count, bool(count))
    assert tuple(found.table) == found.lines
    assert found.table == found.lines
    assert found.table == Decoded(count).table
    assert hash(found.table) == hash(found.lines)
    assert found.table != (*found.lines, (0, ""))
    assert found.table != list(found.lines)


@pytest.mark.parametrize("start", [None, 0, 1, 49, 150, 500, -1, -500])
@pytest.mark.parametrize("stop", [None, 0, 50, 157, 500, -60])
@pytest.mark.parametrize("step", [None, 7, -1])
def test_every_slice_of_lines_is_that_of_a_tuple(start: int | None, stop: int | None, step: int | None) -> None:
    found = Decoded(157)
    assert found.table[start:stop:step] == found.lines[start:stop:step]


def test_every_line_is_where_a_tuple_has_it_and_others_are_refused() -> None:
    found = Decoded(57)
    assert [found.table[at] for at in range(-57, 57)] == [*found.lines, *found.lines]
    for at in (57, -58):
        with pytest.raises(IndexError):
            found.table[at]


def test_a_page_of_lines_decodes_these_alone() -> None:
    found = Decoded(1000)
    assert found.table[50:100] == found.lines[50:100]
    assert found.count == 50
    assert len(found.table) == 1000
    assert found.count == 50


@pytest.mark.parametrize("payload", [b"", b"\xc1", b"\x93\x01", msgspec.msgpack.encode([2, {}, []])])
def test_a_table_of_another_format_is_refused(payload: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        snapshot_table_decode(payload, 1, dict[str, int])
