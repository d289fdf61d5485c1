"""Wheels and other zips that are the same bytes every time they are made of the same files.

See https://packaging.python.org/specifications/binary-distribution-format/.
"""

from base64 import urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from typing import Final, TypeAlias
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

Written: TypeAlias = tuple[str, bytes]  # the path of a file in a zip, and its content
WHEEL: Final = "Wheel-Version: 1.0\nGenerator: Pecking Order\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel of pure Python; ``name`` is as an index writes it, ``pythons`` the versions that it is for, "" for all.

    ``about``: the files of its metadata, METADATA among them.
    """

    name: str
    version: str
    pythons: str
    files: tuple[Written, ...]
    about: tuple[Written, ...]

    @property
    def stem(self) -> str:
        """What its file and its folder of metadata begin with."""
        return f"{self.name.replace('-', '_')}-{self.version}"

    @property
    def file_name(self) -> str:
        return f"{self.stem}-py3-none-any.whl"

    @property
    def written(self) -> tuple[Written, ...]:
        """All files but the list of them."""
        about = (*self.about, ("WHEEL", WHEEL.encode()))
        return (*self.files, *((f"{self.stem}.dist-info/{name}", data) for name, data in about))

    def data(self) -> bytes:
        """Return the file."""
        lines = [f"{name},sha256={_hash(data)},{len(data)}" for name, data in self.written]
        record = f"{self.stem}.dist-info/RECORD"
        return zip_of([*self.written, (record, "\n".join([*lines, f"{record},,", ""]).encode())])


def zip_of(written: Iterable[Written]) -> bytes:
    """Return these files as a zip; of two at one path it has the first."""
    first: dict[str, bytes] = {}
    for name, data in written:
        first.setdefault(name, data)
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, data in first.items():
            info = ZipInfo(name)  # an info of its own carries no time
            info.external_attr = 0o100644 << 16
            archive.writestr(info, data, ZIP_DEFLATED)
    return buffer.getvalue()


def _hash(data: bytes) -> str:
    return urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
