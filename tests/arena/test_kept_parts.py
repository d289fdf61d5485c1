"""Parts of pages: when one is rendered anew, and who is given an old one."""

from collections.abc import Iterator

import pytest
from django.core.cache import caches

from web import kept_parts
from web.kept_parts import REST, KeptPart, RenderedPart, part_kept


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    caches["optional"].clear()
    yield
    caches["optional"].clear()


class Board:
    """A large part that takes a second of the processor, and half of one more in a part that is kept by itself."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.spent, self.rendered, self.old_until = 1000.0, 0.0, 0, 0.0
        self.is_large = True
        monkeypatch.setattr(kept_parts, "time", lambda: self.now)
        monkeypatch.setattr(kept_parts, "thread_time", lambda: self.spent)

    def render(self) -> RenderedPart:
        self.rendered += 1
        self.spent += 1.5
        html = str(self.rendered)
        return RenderedPart(html, is_large=self.is_large, old_until=self.old_until, apart=0.5)

    def at(self, revision: int) -> KeptPart:
        return part_kept("board", revision, 600, self.render)


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Board:
    return Board(monkeypatch)


def test_a_large_part_is_rendered_for_a_twentieth_of_the_time(board: Board) -> None:
    assert board.at(1).again(1) == 0
    board.now += REST - 0.5
    old = board.at(2)
    assert (old.html, old.again(2)) == ("1", 1)
    board.now += 0.5
    newest = board.at(2)
    assert (newest.html, newest.again(2)) == ("2", 0)


def test_any_other_part_is_the_newest(board: Board) -> None:
    board.is_large = False
    assert [board.at(revision).html for revision in (1, 1, 2)] == ["1", "1", "2"]


def test_what_was_old_when_it_was_rendered_is_rendered_anew_as_soon_as_there_is_a_newer_one(board: Board) -> None:
    board.old_until = board.now + 2 * REST
    assert board.at(1).again(1) == 2 * REST
    board.now += 2 * REST - 1
    assert board.at(1).html == "1"
    board.now += 1
    board.old_until = 0
    assert (board.at(1).html, board.at(1).again(1)) == ("2", 0)


def test_news_do_not_wait_for_what_was_old(board: Board) -> None:
    board.old_until = board.now + 1000
    board.at(1)
    board.now += REST
    assert board.at(2).html == "2"


def test_what_was_old_and_is_rendered_anew_does_not_keep_news_waiting(board: Board) -> None:
    board.old_until = board.now + 1
    assert board.at(1).again(1) == REST, "for a twentieth of the time that, too"
    board.now += REST
    board.old_until = board.now + 1
    assert board.at(1).html == "2"
    assert board.at(2).html == "3"
    board.now += REST - 1
    assert [board.at(3).html, board.at(2).html] == ["3", "3"]
