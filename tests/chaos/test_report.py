"""The table of a run, and what it ends with."""

from tests.chaos.invariants import Kind, Violation
from tests.chaos.recovery import Recovery
from tests.chaos.report import MEMORY, Report, Row

PEACE = Row("broker flushed", "26 keys", 3.6, "books", web_megabytes=150)


def report(*rows: Row, violations: tuple[Violation, ...] = ()) -> Report:
    return Report(5, 60, rows, violations, {"matches": 132})


def test_a_run_after_which_everything_holds_is_fine() -> None:
    assert report(PEACE).fine
    assert report(PEACE).table().endswith("all holds")
    assert "most memory of a web process 150 MiB (broker flushed)" in report(PEACE).table()


def test_what_was_skipped_says_why_and_spoils_nothing() -> None:
    skipped = Row("full disk", skipped="no disk of its own can be mounted")
    assert report(PEACE, skipped).fine
    assert "skipped: no disk of its own can be mounted" in report(PEACE, skipped).table()


def test_a_late_recovery_a_loss_a_leak_and_a_violation_each_spoil_it() -> None:
    late = Row("broker down", "8 s", 31.0, "books", in_time=False)
    lost = Row("broker down", "8 s", 3.0, "books", lost=1)
    large = Row("broker down", "8 s", 3.0, "books", web_megabytes=MEMORY + 1)
    wrong = Violation(Kind.WRONG, "cup: its standings are not what its records give")
    for spoiled in (report(late), report(lost), report(large), report(PEACE, violations=(wrong,))):
        assert not spoiled.fine
        assert spoiled.table().endswith("NOT ALL HOLDS")
        assert spoiled.as_dict()["fine"] is False
    assert wrong.text in report(PEACE, violations=(wrong,)).table()


def test_a_recovery_lasts_until_its_slowest_part_and_fails_with_what_is_missing() -> None:
    found = Recovery({"pages": 2.0, "books": 29.0})
    assert (found.seconds, found.slowest, found.in_time) == (29.0, "books", True)
    assert not Recovery({"pages": 31.0}).in_time
    assert (Recovery({"pages": 2.0}, ["books"]).slowest, Recovery({}, ["books"]).in_time) == ("books", False)
