"""What may be uploaded, and the name and message of everything that may not."""

import contextlib
import random
import struct
import time
import unicodedata
import zipfile
import zlib

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from bots import uploads
from bots.upload_errors import Problem, UploadError
from bots.uploads import upload_unpack
from tests.bots.archives import entry, packed
from tests.bots.factories import SOURCE
from tests.examples import examples


def refused(name: str, data: bytes) -> UploadError:
    with pytest.raises(UploadError) as caught:
        upload_unpack(name, data)
    assert caught.value.message == str(caught.value)
    return caught.value


def zlib_of_zeros(size: int) -> bytes:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = b"\0" * uploads.MIB
    return b"".join(squeeze.compress(block) for _ in range(size // uploads.MIB)) + squeeze.flush()


def _declaring(size: int, stream: bytes) -> bytes:
    """A zip of bot.py and one deflated ``stream`` declared to unpack to ``size`` bytes."""
    data = bytearray(packed((entry("zeros"), b""), how=zipfile.ZIP_STORED))
    local = data.rindex(b"PK\x03\x04")
    central = data.rindex(b"PK\x01\x02")
    for header, at in ((local, 8), (central, 10)):
        struct.pack_into("<H", data, header + at, zipfile.ZIP_DEFLATED)
        struct.pack_into("<II", data, header + at + 10, len(stream), size)
    tail = bytes(data[data.index(b"PK\x01\x02") :])
    content = bytes(data[local : local + 30 + len("zeros")]) + stream
    directory = local + len(content)
    end = tail.rindex(b"PK\x05\x06")
    return bytes(data[:local]) + content + tail[: end + 16] + struct.pack("<I", directory) + tail[end + 20 :]


def test_a_single_file_becomes_bot_py() -> None:
    assert upload_unpack("Clever Bot.PY", SOURCE) == {"bot.py": SOURCE}


def test_a_zip_may_hold_packages_data_and_names_of_standard_modules() -> None:
    files = {"random.py": b"x = 1\n", "brain/__init__.py": b"", "brain/table.npy": b"\x93NUMPY\0\xff", "päng.txt": b"1"}
    folder = (entry("brain/", 0o40755), b"")
    assert upload_unpack("bot.zip", packed(folder, *files.items())) == {"bot.py": SOURCE, **files}


def test_files_that_desktops_add_to_a_zip_are_left_out() -> None:
    names = ("__MACOSX/._bot.py", "a/.DS_Store", "__pycache__/bot.cpython-311.pyc", "a/__pycache__/b.pyc", "._bot.py")
    names += ("Thumbs.db", "a\\__pycache__\\c.pyc", *(f"__pycache__/{n}.pyc" for n in range(uploads.USUAL.files)))
    assert upload_unpack("bot.zip", packed(*((name, b"\0") for name in names))) == {"bot.py": SOURCE}


def test_names_are_those_that_the_author_wrote() -> None:
    unflagged = packed(("gewXXhte.txt", b"1"), ("brain/gewXXhte.txt", b"2")).replace(b"XXh", "äh".encode())
    assert set(upload_unpack("bot.zip", unflagged)) == {"bot.py", "gewähte.txt", "brain/gewähte.txt"}
    decomposed = packed((unicodedata.normalize("NFD", "müde/Überblick.txt"), b"1"))
    assert set(upload_unpack("bot.zip", decomposed)) == {"bot.py", "müde/Überblick.txt"}
    of_dos = packed(("gewXhte.txt", b"1")).replace(b"gewXhte", "gewähte".encode("cp437"))
    assert set(upload_unpack("bot.zip", of_dos)) == {"bot.py", "gewähte.txt"}


def test_backslashes_of_windows_part_folders() -> None:
    files = (("brain\\__init__.py", b""), ("brain\\deep\\think.py", b"x = 1\n"))
    assert set(upload_unpack("bot.zip", packed(*files))) == {"bot.py", "brain/__init__.py", "brain/deep/think.py"}


@pytest.mark.parametrize("name", ["Bot.py", "BOT.PY", "bot.py.txt"])
def test_a_name_close_to_bot_py_is_pointed_out(name: str) -> None:
    assert f"'{name}': did you mean bot.py?" in str(refused("bot.zip", packed((name, SOURCE), bot=False)))


@pytest.mark.parametrize(
    "source",
    [
        "class Bot:\n    def act(self, view): ...\n",
        "from brain import act\n",
        "from brain import play as act\n",
        "from brain import *\n",
        "act = lambda view: view['actions'][0]\n",
        "act: object = min\n",
        "try:\n    import numpy\nexcept ImportError:\n    def act(v): ...\nelse:\n    def act(v): ...\n",
        "\ufeffdef act(view): return 'é'\n",
        "match 1:\n    case _:\n        class Bot: ...\n",
    ],
)
def test_an_entry_point_is_any_name_bound_at_module_level(source: str) -> None:
    assert upload_unpack("bot.py", source.encode())


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("bot.py", b"", Problem.EMPTY),
        ("bot.zip", b"", Problem.EMPTY),
        ("bot.exe", SOURCE, Problem.WRONG_KIND),
        ("bot", SOURCE, Problem.WRONG_KIND),
        ("bot.py", packed(), Problem.WRONG_KIND),
        ("bot.py", b"#" * 5_000_000, Problem.TOO_LARGE),
        ("bot.zip", b"PK" + b"\0" * 5_000_000, Problem.TOO_LARGE),
        ("bot.zip", packed(("bot.py", b"#" * (uploads.USUAL.source + 1)), bot=False), Problem.BOMB),
        (
            "bot.zip",
            packed(("bot.py", random.Random(1).randbytes(uploads.USUAL.source + 1)), bot=False),
            Problem.TOO_LARGE,
        ),
        ("bot.zip", b"def act(view): ...", Problem.NOT_A_ZIP),
        ("bot.zip", packed()[:60], Problem.DAMAGED),
        ("bot.zip", packed(bot=False), Problem.NO_BOT),
        ("bot.zip", packed(("main.py", SOURCE), bot=False), Problem.NO_BOT),
        ("bot.zip", packed(("mine/bot.py", SOURCE), bot=False), Problem.NO_BOT),
        ("bot.zip", packed(("BOT.PY", SOURCE), bot=False), Problem.NO_BOT),
        ("bot.zip", packed(*((f"{n}.txt", b"") for n in range(uploads.USUAL.files))), Problem.TOO_MANY_FILES),
        ("bot.zip", packed(("x" * 121, b"")), Problem.LONG_NAME),
        ("bot.zip", packed(("鶏" * 41, b"")), Problem.LONG_NAME),
        ("bot.zip", packed(("a/" * 10_000 + "b", b"")), Problem.LONG_NAME),
        ("bot.zip", packed(("a/b/c/d/e/f/g/h/i", b"")), Problem.LONG_NAME),
        ("bot.zip", packed(("../bot.py", SOURCE)), Problem.UNSAFE_NAME),
        ("bot.zip", packed(("a/../../x.py", SOURCE)), Problem.UNSAFE_NAME),
        ("bot.zip", packed(("../", b"")), Problem.UNSAFE_NAME),
        ("bot.zip", packed(("/etc/passwd", b"")), Problem.UNSAFE_NAME),
        ("bot.zip", packed(("//x", b"")), Problem.UNSAFE_NAME),
        ("bot.zip", packed(("C:/x.py", b"")), Problem.UNSAFE_NAME),
        ("bot.zip", packed(("a\\..\\..\\x.py", b"")), Problem.UNSAFE_NAME),
        ("bot.zip", packed(("\\x.py", b"")), Problem.UNSAFE_NAME),
        ("bot.zip", packed(("a/b", b""), ("a\\b", b"")), Problem.DUPLICATE_NAME),
        ("bot.zip", packed(("./x.py", b"")), Problem.UNSAFE_NAME),
        ("bot.zip", packed(("a\x1b[31m.py", b"")), Problem.UNSAFE_NAME),
        ("bot.zip", packed(("a\u202egpj.py", b"")), Problem.UNSAFE_NAME),
        ("bot.zip", packed(("x-y.py", b"")).replace(b"x-y.py", b"x\0y.py"), Problem.UNSAFE_NAME),
        ("bot.zip", packed(("bot.py", b"other")), Problem.DUPLICATE_NAME),
        ("bot.zip", packed(("Bot.py", b"")), Problem.DUPLICATE_NAME),
        ("bot.zip", packed(("é", b""), ("e\u0301", b"")), Problem.DUPLICATE_NAME),
        ("bot.zip", packed(("a", b""), ("a/b", b"")), Problem.DUPLICATE_NAME),
        ("bot.zip", packed(("A/b", b""), ("a", b"")), Problem.DUPLICATE_NAME),
        ("bot.zip", packed(("bot.py/x", b"")), Problem.DUPLICATE_NAME),
        ("bot.zip", packed((entry("link", 0o120777), b"/etc/passwd")), Problem.SPECIAL_FILE),
        ("bot.zip", packed((entry("disk", 0o060600), b"")), Problem.SPECIAL_FILE),
        ("bot.zip", packed((entry("tty", 0o020600), b"")), Problem.SPECIAL_FILE),
        ("bot.zip", packed((entry("pipe", 0o010600), b"")), Problem.SPECIAL_FILE),
        ("bot.zip", packed((entry("suid.py", 0o104755), b"")), Problem.SPECIAL_FILE),
        ("bot.zip", packed((entry("sgid.py", 0o102755), b"")), Problem.SPECIAL_FILE),
        ("bot.zip", packed((entry("folder-without-slash", 0o040755), b"")), Problem.SPECIAL_FILE),
        ("bot.zip", packed(("x.so", b"\x7fELF")), Problem.COMPILED_CODE),
        ("bot.zip", packed(("a/X.PYD", b"MZ")), Problem.COMPILED_CODE),
        ("bot.zip", packed(("x.dll", b"MZ")), Problem.COMPILED_CODE),
        ("bot.zip", packed(("a/bot.cpython-311.pyc", b"")), Problem.COMPILED_CODE),
        ("bot.zip", packed(("evil.pth", b"import os")), Problem.COMPILED_CODE),
        ("bot.zip", packed(how=zipfile.ZIP_LZMA), Problem.COMPRESSION),
        ("bot.zip", packed(how=zipfile.ZIP_BZIP2), Problem.COMPRESSION),
        ("bot.py", b"\x89PNG\r\n\x1a\n\0\0", Problem.NOT_TEXT),
        ("bot.py", b"def act(view):\n    return '\xe9'\n", Problem.NOT_TEXT),
        ("bot.py", SOURCE + b"\0", Problem.NOT_TEXT),
        ("bot.py", b"def act(view):\n    return (\n", Problem.SYNTAX),
        ("bot.py", b"# coding: no-such-thing\n" + SOURCE, Problem.SYNTAX),
        ("bot.py", b"x = 1\n", Problem.NO_ENTRY_POINT),
        ("bot.py", b"def f():\n    def act(view): ...\n", Problem.NO_ENTRY_POINT),
        ("bot.py", b"async def act(view): ...\n", Problem.NO_ENTRY_POINT),
        ("bot.py", b"class bot:\n    def act(self, view): ...\n", Problem.NO_ENTRY_POINT),
        ("bot.py", b"x.act = 1\n", Problem.NO_ENTRY_POINT),
    ],
)
def test_a_bad_upload_is_refused_by_name(name: str, data: bytes, code: Problem) -> None:
    assert refused(name, data).code is code


def test_an_encrypted_zip_is_refused() -> None:
    data = bytearray(packed(bot=False) + packed())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1
    assert refused("bot.zip", bytes(data)).code is Problem.ENCRYPTED


def test_a_message_says_what_where_and_what_to_do() -> None:
    assert "line 2" in refused("bot.py", b"def act(view):\n    return (\n").message
    assert "mine/bot.py" in refused("bot.zip", packed(("mine/bot.py", SOURCE), bot=False)).message
    assert "1024 KiB" in refused("bot.py", b"#" * 5_000_000).message


def test_a_hostile_name_is_quoted_in_the_message() -> None:
    assert refused("bot.zip", packed(("\x1b[2J\u202e<script>", b""))).message.isprintable()


@pytest.mark.parametrize("size", [uploads.USUAL.unpacked + 1, 300 * uploads.MIB])
def test_a_zip_bomb_is_refused_before_it_unpacks(size: int) -> None:
    data = _declaring(size, zlib_of_zeros(min(size, 300 * uploads.MIB)))
    started = time.process_time()
    assert refused("bot.zip", data).code is Problem.BOMB
    assert time.process_time() - started < 5


def test_a_zip_with_a_false_size_is_read_up_to_its_declared_size() -> None:
    data = _declaring(10, zlib_of_zeros(300 * uploads.MIB))
    started = time.process_time()
    assert refused("bot.zip", data).code is Problem.DAMAGED
    assert time.process_time() - started < 5


def test_a_highly_compressed_zip_within_the_size_limit_is_still_a_bomb() -> None:
    assert refused("bot.zip", packed(("zeros", b"\0" * 3 * uploads.MIB))).code is Problem.BOMB


def test_a_zip_inside_a_zip_is_only_bytes() -> None:
    inner = packed(("zeros", b"\0" * 50 * uploads.MIB))
    assert upload_unpack("bot.zip", packed(("inner.zip", inner)))["inner.zip"] == inner


GOOD_ZIP = packed(("brain/__init__.py", b"x = 1\n" * 50), ("data.bin", bytes(range(256))))


def survives(name: str, data: bytes) -> None:
    try:
        files = uploads.upload_files(name, data, uploads.USUAL)
    except UploadError:
        return
    assert "bot.py" in files
    assert sum(map(len, files.values())) <= uploads.USUAL.unpacked


@examples(400)
@given(st.text(max_size=20), st.sampled_from(["", ".py", ".zip"]), st.binary(max_size=400))
def test_random_bytes_are_refused_or_read(stem: str, kind: str, data: bytes) -> None:
    survives(stem + kind, data)


@examples(600)
@given(st.lists(st.tuples(st.integers(0, len(GOOD_ZIP) - 1), st.integers(0, 255)), min_size=1, max_size=12))
def test_a_mutated_zip_is_refused_or_read(changes: list[tuple[int, int]]) -> None:
    data = bytearray(GOOD_ZIP)
    for at, value in changes:
        data[at] = value
    survives("bot.zip", bytes(data))


@examples(300)
@given(st.integers(0, len(GOOD_ZIP)), st.integers(0, len(GOOD_ZIP)), st.binary(max_size=40))
def test_a_spliced_zip_is_refused_or_read(start: int, end: int, middle: bytes) -> None:
    survives("bot.zip", GOOD_ZIP[:start] + middle + GOOD_ZIP[end:])


@examples(25, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=200).map(lambda text: text.encode(errors="replace")) | st.binary(max_size=200))
@example(b"\xef\xbb\xbf")
@example(b"\x0c")
@example(b"# coding: utf-7\n+AAo-")
def test_any_source_is_refused_or_read(data: bytes) -> None:
    with contextlib.suppress(UploadError):
        assert upload_unpack("bot.py", data) == {"bot.py": data}


@pytest.mark.slow
def test_ten_thousand_mutated_zips_are_refused_or_read() -> None:
    chance = random.Random(11)
    for _ in range(10_000):
        data = bytearray(GOOD_ZIP)
        for _ in range(chance.randrange(1, 12)):
            at = chance.randrange(len(data) + 1)
            match chance.randrange(4):
                case 0 if at < len(data):
                    data[at] = chance.choice((0, 1, 0x7F, 0xFF, chance.randrange(256)))
                case 1:
                    del data[at : at + chance.randrange(1, 60)]
                case 2:
                    data[at:at] = GOOD_ZIP[: chance.randrange(120)]
                case _:
                    data[at:at] = chance.randbytes(chance.randrange(1, 9))
        survives("bot.zip", bytes(data))
