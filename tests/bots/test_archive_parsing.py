"""Uploaded sources are parsed in a child with limits, few at a time, and nothing in them runs."""

import ast
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bots import source_check, uploads
from bots.source_check import source_tokens_counted
from bots.upload_errors import BusyError, Problem, UploadError
from bots.uploads import upload_unpack
from tests.bots.archives import packed
from tests.bots.factories import SOURCE
from tests.waiting import eventually


def refused(name: str, data: bytes) -> UploadError:
    with pytest.raises(UploadError) as caught:
        upload_unpack(name, data)
    assert caught.value.message == str(caught.value)
    return caught.value


NESTS = {
    "parentheses": "(" * 90_000 + ")" * 90_000,
    "brackets": "[" * 199 + "]" * 199 + "\n" + "[" * 100_000,
    "signs": "-" * 900_000 + "1",
    "attributes": "a" + ".b" * 400_000,
    "calls": "a" + "()" * 400_000,
    "sums": "1" + "+1" * 400_000,
    "powers": "1**" * 300_000 + "1",
    "lambdas": "lambda:" * 100_000 + "1",
    "conditions": "a if b else " * 80_000 + "c",
    "branches": "if a:\n pass\n" + "elif a:\n pass\n" * 60_000,
    "indents": "\n".join(" " * n + "if 1:" for n in range(1000)),
    "digits": "9" * 1_000_000,
    "f-strings": "f'{" * 50_000,
}


@pytest.mark.parametrize("nest", NESTS)
def test_a_source_that_kills_the_parser_kills_only_the_child(nest: str) -> None:
    code = refused("bot.py", NESTS[nest].encode() + b"\ndef act(view): ...\n").code
    assert code in (Problem.TOO_COMPLEX, Problem.SYNTAX)


def test_the_child_is_stopped_when_it_takes_too_long(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sleeper = tmp_path / "child.py"
    sleeper.write_text("while True: pass\n")
    monkeypatch.setattr(source_check, "CHILD", sleeper)
    monkeypatch.setattr(source_check, "WALL_SECONDS", 0.2)
    assert refused("bot.py", SOURCE).code is Problem.TOO_COMPLEX


def test_nothing_that_is_uploaded_runs(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    touch = f"open({str(mark)!r}, 'w')\n".encode()
    files = dict.fromkeys(("ast.py", "json.py", "sitecustomize.py", "usercustomize.py", "resource.py"), touch)
    upload_unpack("bot.zip", packed(*files.items(), ("bot.py", touch + SOURCE), bot=False))
    upload_unpack("bot.py", b"from ast import *\n" + touch + SOURCE)
    assert not mark.exists()


def test_however_many_upload_at_once_few_files_are_parsed_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    alive: list[int] = []
    most = 0

    def parse(_source: bytes) -> dict[str, list[str]]:
        nonlocal most
        alive.append(1)
        most = max(most, len(alive))
        time.sleep(0.01)
        alive.pop()
        return {"names": ["act"]}

    monkeypatch.setattr(source_check, "_parse", parse)
    crowd = [threading.Thread(target=source_check.check_source, args=[SOURCE, author]) for author in range(8)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    assert most == 2


@pytest.fixture
def parsing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Let this author's upload be parsed until the test ends."""
    ended, threads = threading.Event(), []
    begun = threading.Semaphore(0)

    def parse(_source: bytes) -> dict[str, list[str]]:
        begun.release()
        assert ended.wait(30)
        return {"names": ["act"]}

    def begin(author: int) -> None:
        threads.append(threading.Thread(target=source_check.check_source, args=[SOURCE, author]))
        threads[-1].start()
        assert begun.acquire(timeout=30)

    monkeypatch.setattr(source_check, "_parse", parse)
    monkeypatch.setattr(source_check, "PATIENCE", 0.05)
    yield begin
    ended.set()
    for thread in threads:
        thread.join()


def test_two_simultaneous_uploads_of_an_author_leave_a_place_to_others(
    parsing: Callable[[int], None],
) -> None:
    parsing(1)
    with pytest.raises(BusyError) as caught:
        upload_unpack("bot.py", SOURCE, 1)
    assert (caught.value.code, caught.value.wait) == (Problem.BUSY, 10)
    parsing(2)
    with pytest.raises(BusyError):
        upload_unpack("bot.py", SOURCE, 3)


def test_an_author_who_uploads_often_at_once_holds_two_threads(
    parsing: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    parsing(1)
    monkeypatch.setattr(source_check, "PATIENCE", 60.0)
    monkeypatch.setattr(source_check, "CHILDREN", 3)
    waits = threading.Thread(target=source_check.check_source, args=[SOURCE, 1], daemon=True)
    waits.start()
    assert eventually(lambda: source_check._turns._waiting == {1})
    with pytest.raises(BusyError):
        source_check.check_source(SOURCE, 1)
    parsing(2)
    assert waits.is_alive()


DENSE = {
    "list": b"x = [" + b"1," * 524_000 + b"]",
    "targets": b"a=b=c=" * 170_000 + b"1",
    "lines": b"x\n" * 500_000,
    "signs": b"x = " + b"-" * 1_000_000 + b"1",
    "in a format": b'x = f"{[' + b"1," * 500_000 + b']}"',
}


@pytest.mark.parametrize("kind", DENSE)
def test_a_source_too_dense_to_be_parsed_is_counted_out_before(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_check, "_parse", None)  # would raise
    assert len(DENSE[kind]) <= uploads.USUAL.source
    refusal = refused("bot.py", DENSE[kind])
    assert refusal.code is Problem.TOO_COMPLEX
    assert "400000 are allowed" in refusal.message


HONEST = {
    "code": Path(ast.__file__).read_bytes() * (uploads.USUAL.source // Path(ast.__file__).stat().st_size),
    "a table": b"x = [" + b"-0.123, " * 130_000 + b"]\n",
    "a text": b'x = """' + b"Zm9vYmFyYmF6+w/A" * 65_000 + b'"""\n',
}


@pytest.mark.parametrize("kind", HONEST)
def test_a_megabyte_of_ordinary_source_is_parsed(kind: str) -> None:
    data = HONEST[kind] + SOURCE
    assert uploads.USUAL.source * 0.9 < len(data) <= uploads.USUAL.source
    assert upload_unpack("bot.py", data) == {"bot.py": data}


WORST = {
    "lines": b"x\n" * 199_000,
    "statements": b"x;" * 199_000,
    "items": b"x = [" + b"[]," * 133_000 + b"]",
    "blocks": b"with a:0\n" * 79_000,
}


@pytest.mark.processes
@pytest.mark.parametrize("kind", WORST)
def test_what_is_not_counted_out_fits_into_the_childs_memory(kind: str) -> None:
    assert source_check.MAX_TOKENS * 0.98 < source_tokens_counted(WORST[kind]) <= source_check.MAX_TOKENS
    assert refused("bot.py", WORST[kind]).code is Problem.NO_ENTRY_POINT


def test_the_child_has_a_limit_of_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    greedy = tmp_path / "child.py"
    text = source_check.CHILD.read_text()
    greedy.write_text(text.replace("return {", "bytearray(600 << 20)\n    return {", 1))
    monkeypatch.setattr(source_check, "CHILD", greedy)
    with pytest.raises(UploadError):
        upload_unpack("bot.py", b"def act(:")
    assert refused("bot.py", b"def act(:").code is Problem.TOO_COMPLEX


def test_words_signs_and_lines_are_counted() -> None:
    assert source_tokens_counted(b"") == 0
    assert source_tokens_counted(b"def act(view):\n    return view['actions'][-1]\n") == 19
    assert source_tokens_counted("größe = 0.5".encode()) == 3
