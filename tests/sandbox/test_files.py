"""File names that a box accepts: those that stay below its folder."""

import pytest

from games.protocol import BotFault, Verdict
from sandbox.files import upload_paths_check, upload_pieces
from sandbox.inside import wire

BOT = {"bot.py": b""}


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "/etc/passwd", "../x", "a/../../x", "a//b", "a/", "/", "a/./b", "a\0b", "a\nb", "\ud800", "x" * 201,
     "/".join("a" * 17), "bot.py/x"],
)  # fmt: skip
def test_a_name_that_leads_elsewhere_is_refused(name: str) -> None:
    with pytest.raises(BotFault) as caught:
        upload_paths_check({**BOT, name: b""})
    assert caught.value.verdict is Verdict.IMPORT_ERROR
    assert "name" in caught.value.detail


@pytest.mark.parametrize("name", ["a.py", "a/b/c.txt", "..py", "a..b/c", "größe.txt", "with space.py", "-rf"])
def test_an_ordinary_name_is_accepted(name: str) -> None:
    upload_paths_check({**BOT, name: b""})


def test_bot_py_must_be_there() -> None:
    with pytest.raises(BotFault, match=r"bot\.py"):
        upload_paths_check({"act.py": b""})


def test_too_many_files_or_bytes_are_refused() -> None:
    with pytest.raises(BotFault, match="files"):
        upload_paths_check({**BOT, **{f"f{n}": b"" for n in range(2000)}})
    with pytest.raises(BotFault, match="bytes"):
        upload_paths_check({"bot.py": bytes(33 << 20)})


def test_contents_are_sent_whole_and_in_pieces_that_fit() -> None:
    files = {"bot.py": b"a" * 150_000, "empty": b"", "b": b"b" * wire.CHUNK}
    sent = list(upload_pieces(files))
    assert b"".join(sent) == b"".join(files.values())
    assert all(0 < len(piece) <= wire.CHUNK for piece in sent)
