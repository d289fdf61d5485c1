"""Hostile uploads: what the site's archive reader must refuse, or let into the cage and nowhere else."""

import builtins
import io
import pickle
import random
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from bots.upload_errors import UploadError
from bots.uploads import upload_unpack
from games.protocol import Verdict
from tests.bots.archives import entry, packed

from .cases import HONEST, PLAYS_ON, REFUSED

UNPICKLED: Final = "A_PICKLE_OF_A_BOT_WAS_LOADED"


class _Pickled:
    def __reduce__(self) -> tuple[Any, ...]:
        return exec, (f"import builtins; builtins.{UNPICKLED} = True",)


@dataclass(frozen=True, slots=True)
class Upload:
    name: str
    numbers: tuple[int, ...]
    file: str
    data: Callable[[], bytes]
    expected: frozenset[str] = frozenset({REFUSED})
    numpy: bool = False

    def files(self) -> dict[str, bytes]:
        """What comes out of the upload.

        Raises:
            UploadError: the site refuses it.
        """
        return upload_unpack(self.file, self.data())


def unpickled() -> bool:
    """A pickle of an upload was loaded in this process, the judge's."""
    return hasattr(builtins, UNPICKLED)


def _zip(*files: tuple[str | zipfile.ZipInfo, bytes], how: int = zipfile.ZIP_DEFLATED) -> Callable[[], bytes]:
    return lambda: packed(*files, how=how)


def _four_gigabytes() -> bytes:
    """One entry declared as 4 GB less one byte: its size is only written in the directory."""
    data = bytearray(packed((entry("huge.bin"), b"x" * 100)))
    at = data.rindex(b"PK\x01\x02")
    data[at + 24 : at + 28] = b"\xfe\xff\xff\xff"
    return bytes(data)


def _million_files() -> bytes:
    """A directory of as many empty files as fit below the cap of an upload; it says a million."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("bot.py", HONEST)
        for n in range(15_000):
            archive.writestr(f"{n}", b"")
    return out.getvalue()


def _upload(name: str, number: int | None, file: str, data: bytes | Callable[[], bytes], *expected: str) -> Upload:
    made = data if callable(data) else lambda: data
    return Upload(name, () if number is None else (number,), file, made, frozenset(expected or {REFUSED}))


UPLOADS: Final = {
    upload.name: upload
    for upload in (
        _upload("u07_zip_bomb", 7, "bot.zip", _zip(("zeros", bytes(100 << 20)))),
        _upload("u07_bzip2_bomb", 7, "bot.zip", _zip(("zeros", bytes(10 << 20)), how=zipfile.ZIP_BZIP2)),
        _upload("u07_lzma_bomb", 7, "bot.zip", _zip(("zeros", bytes(10 << 20)), how=zipfile.ZIP_LZMA)),
        _upload("u07_source_of_100_mb", 7, "bot.py", lambda: b"#" * (100 << 20)),
        _upload("u07_parentheses", 7, "bot.py", b"(" * 90_000 + b")" * 90_000 + b"\n" + HONEST),
        _upload("u07_giant_number", 7, "bot.py", b"X = " + b"9" * 900_000 + b"\n" + HONEST),
        _upload(
            "u07_giant_literal",
            7,
            "bot.py",
            lambda: b"X = [" + b"0," * 500_000 + b"]\n" + HONEST,
            *(REFUSED, PLAYS_ON, Verdict.CPU_TIME, Verdict.MEMORY),
        ),
        _upload("u11_many_files", 11, "bot.zip", _million_files),
        _upload("u11_four_gigabytes", 11, "bot.zip", _four_gigabytes),
        _upload("u11_path_10000_deep", 11, "bot.zip", _zip(("a/" * 10_000 + "b", b""))),
        _upload("u17_shared_object", 17, "bot.zip", _zip(("evil.so", b"\x7fELF"))),
        _upload("u19_symlink", 19, "bot.zip", _zip((entry("link", 0o120777), b"/etc/passwd"))),
        _upload("u19_parent_folder", 19, "bot.zip", _zip(("../../settings.py", b""))),
        _upload("u19_absolute_name", 19, "bot.zip", _zip(("/etc/cron.d/x", b""))),
        _upload("u19_device", 19, "bot.zip", _zip((entry("disk", 0o060600), b""))),
        _upload("u19_setuid", 19, "bot.zip", _zip((entry("suid.py", 0o104755), b""))),
        _upload("u19_same_name_twice", 19, "bot.zip", _zip(("bot.py", HONEST))),
        _upload("u20_pth_file", 20, "bot.zip", _zip(("evil.pth", b"import os"))),
        _upload(
            "u20_shadows",
            20,
            "bot.zip",
            _zip(*((n, b"1 / 0\n") for n in ("msgspec.py", "random.py", "os.py"))),
            PLAYS_ON,
        ),
        _upload("u21_compiled", 21, "bot.zip", _zip(("helper.pyc", b"\0" * 16))),
        _upload("u21_cached", 21, "bot.zip", _zip(("__pycache__/bot.cpython-311.pyc", b"\0" * 16)), PLAYS_ON),
        _upload("u21_pickle", 21, "bot.zip", _zip(("model.pkl", pickle.dumps(_Pickled()))), PLAYS_ON),
        _upload("x25_noise", None, "bot.zip", lambda: b"PK\x03\x04" + random.Random(4).randbytes(50_000)),
    )
}

__all__ = ["UPLOADS", "Upload", "UploadError", "unpickled"]
