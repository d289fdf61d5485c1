"""Read untrusted files, JSON and zip archives within limits, and clean untrusted text for a terminal."""

import json
import re
import stat
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn, TypeVar, overload
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

T = TypeVar("T")

JSON_BYTES: Final = 16 * 2**20
JSON_COST: Final = 180_000_000  # bytes of Python objects, estimated before parsing
# For each of these bytes in JSON, the most bytes of memory that CPython uses. E.g. three bytes can make a list of 72
# bytes.
_COSTS: Final = {b"{": 230, b"[": 90, b",": 40, b'"': 30, b":": 50}
ARCHIVE_BYTES: Final = 256 * 2**20  # compressed; an archive is never loaded as a whole
UNPACKED_BYTES: Final = 2**32  # bytes of all unpacked files of an archive together
DIRECTORY_BYTES: Final = 8 * 2**20  # bytes of an archive's directory; Python uses ten times as much memory for it
TEXT_MOST: Final = 2000  # characters of one line for a terminal

_END: Final = struct.Struct("<4s4H2LH")  # the end of central directory record of a zip archive, without its comment
_END64: Final = struct.Struct("<4sQ2H2L4Q")
_LOCATOR: Final = struct.Struct("<4sLQL")
_COMMENT_MOST: Final = 0xFFFF

# Terminal escapes, bidirectional controls, and characters that some programs take for the end of a line: C0 without tab
# and newline, C1, line and paragraph separators.
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class UntrustedError(ValueError):
    """Input that is too large, damaged or of the wrong kind. The message says which."""


def untrusted_file_read(path: Path, most: int) -> bytes:
    """Read a file of at most ``most`` bytes.

    Raises:
        UntrustedError: the file is larger. At most ``most + 1`` bytes were read.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise UntrustedError(f"larger than {most} bytes")
    return data


def untrusted_json_parse(data: bytes, *, most: int = JSON_BYTES, cost: int = JSON_COST) -> Any:
    """Parse UTF-8 JSON of at most ``most`` bytes whose objects take at most about ``cost`` bytes of memory. NaN is
    refused.

    Raises:
        UntrustedError: ``data`` is no such JSON, or is nested too deeply.
    """
    if len(data) > most:
        raise UntrustedError(f"larger than {most} bytes")
    if sum(data.count(sign) * each for sign, each in _COSTS.items()) > cost:
        raise UntrustedError("too many JSON values")
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise UntrustedError(f"not JSON: {error}") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number in JSON")


@overload
def untrusted_field(holder: object, name: str, kind: type[T]) -> T: ...
@overload
def untrusted_field(holder: object, name: str, kind: tuple[type[T], ...]) -> T: ...
def untrusted_field(holder: object, name: str, kind: type[Any] | tuple[type[Any], ...]) -> Any:
    """Return ``holder[name]``, which must be of ``kind``. ``True`` and ``False`` do not count as ``int``.

    Raises:
        UntrustedError: ``holder`` is not a JSON object, or has no such field of this kind.
    """
    if not isinstance(holder, dict):
        raise UntrustedError(f"{_kind(holder)} instead of an object with {name!r}")
    if name not in holder:
        raise UntrustedError(f"{name!r} is missing")
    return _checked(holder[name], f"{name!r}", kind)


def untrusted_items(holder: object, name: str, kind: type[T]) -> list[T]:
    """Return the list ``holder[name]``, whose items must all be of ``kind``.

    Raises:
        UntrustedError: see ``untrusted_field``.
    """
    found: list[Any] = untrusted_field(holder, name, list)
    return [_checked(one, f"a value of {name!r}", kind) for one in found]


def _checked(value: Any, what: str, kind: Any) -> Any:
    allowed = kind if isinstance(kind, tuple) else (kind,)
    if not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed):
        raise UntrustedError(f"{what} is {_kind(value)}, not {' or '.join(one.__name__ for one in allowed)}")
    return value


def _kind(value: object) -> str:
    return f"of the kind {type(value).__name__}"


@contextmanager
def untrusted_archive_open(path: Path, most: int = ARCHIVE_BYTES, unpacked: int = UNPACKED_BYTES) -> Iterator[ZipFile]:
    """Open a zip archive of at most ``most`` bytes with a bounded directory. File names are unique and stay within the
    folder, there are no links, and the declared sizes sum to at most ``unpacked`` bytes.

    Raises:
        UntrustedError: the archive is damaged or violates these conditions, or the zip reader raised within the block.
        OSError: it cannot be read.
    """
    if path.stat().st_size > most:
        raise UntrustedError(f"larger than {most} bytes")
    if _directory_bytes(path) > DIRECTORY_BYTES:
        raise UntrustedError(f"its list of files is larger than {DIRECTORY_BYTES} bytes")
    try:
        with ZipFile(path) as archive:
            _check_members(archive, unpacked)
            yield archive
    except (BadZipFile, NotImplementedError, EOFError, RuntimeError) as error:
        raise UntrustedError(f"not a zip archive that can be read: {error}") from None


def _check_members(archive: ZipFile, total: int) -> None:
    seen: set[str] = set()
    declared = 0
    for info in archive.infolist():
        name, declared = info.orig_filename, declared + info.file_size
        if name.startswith(("/", "~")) or "\\" in name or ":" in name or "\0" in name or ".." in name.split("/"):
            raise UntrustedError(f"{name!r:.100} is a path out of the archive")
        if stat.S_ISLNK(info.external_attr >> 16):
            raise UntrustedError(f"{name:.100} is a link")
        if name in seen:
            raise UntrustedError(f"{name:.100} is in the archive twice")
        if declared > total:
            raise UntrustedError(f"it says that its files have more than {total} bytes, unpacked")
        seen.add(name)


def untrusted_member_read(archive: ZipFile, name: str, most: int) -> bytes:
    """Decompress one file of at most ``most`` bytes. Only stored and deflated files are accepted.

    Raises:
        UntrustedError: the file is missing, encrypted, damaged, larger, or uses another method.
    """
    info = _member(archive, name)
    try:
        with archive.open(info) as file:
            data = file.read(most + 1)
    except Exception as error:  # zlib.error, BadZipFile and others: the bytes are damaged
        raise UntrustedError(f"{name:.100} cannot be unpacked: {error}") from None
    if len(data) > most:
        raise UntrustedError(f"{name:.100} is larger than {most} bytes")
    return data


def untrusted_lines_read(archive: ZipFile, name: str, most: int, total: int) -> Iterator[bytes]:
    """Decompress one file of at most ``total`` bytes and yield its lines. Each has at most ``most`` bytes and ends with
    a line feed.

    Raises:
        UntrustedError: see ``untrusted_member_read``; or a line is too long, or the last line has no line feed.
    """
    info = _member(archive, name)
    taken = 0
    try:
        with archive.open(info) as file:
            while line := file.readline(most + 1):
                taken += len(line)
                if taken > total:
                    raise UntrustedError(f"{name:.100} is larger than {total} bytes")
                if not line.endswith(b"\n"):
                    what = f"longer than {most} bytes" if len(line) > most else "cut short"
                    raise UntrustedError(f"{name:.100} has a line that is {what}")
                yield line[:-1]
    except (UntrustedError, GeneratorExit):
        raise
    except (BadZipFile, EOFError, OSError, RuntimeError, NotImplementedError, zlib.error) as error:
        raise UntrustedError(f"{name:.100} cannot be unpacked: {error}") from None


def _member(archive: ZipFile, name: str) -> ZipInfo:
    try:
        info = archive.getinfo(name)
    except KeyError:
        raise UntrustedError(f"{name:.100} is missing") from None
    # Other methods are refused before decompression: LZMA allocates as much memory as the archive asks for.
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED) or info.flag_bits & 1:
        raise UntrustedError(f"{name:.100} is neither stored nor deflated, or is encrypted")
    return info


def _directory_bytes(path: Path) -> int:
    """Return the size of a zip archive's directory as declared at its end."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        start = file.seek(max(0, size - _END.size - _COMMENT_MOST))
        tail = file.read()
        at = len(tail) - _END.size
        if at < 0 or tail[at : at + 4] != b"PK\5\6" or tail[-2:] != b"\0\0":
            at = tail.rfind(b"PK\5\6")
        if at < 0 or len(tail) - at < _END.size:
            raise UntrustedError("not a zip archive: it has no end record")
        declared: int = _END.unpack_from(tail, at)[5]
        locator = start + at - _LOCATOR.size
        if locator < 0 or (end := _unpacked_at(file, locator, _LOCATOR))[0] != b"PK\6\7":
            return declared
        # Releases of Python look for the record in different places: directly before the locator, or where the locator
        # points.
        found = [_unpacked_at(file, offset, _END64) for offset in (locator - _END64.size, int(end[2]))]
        sizes = [int(one[8]) for one in found if one[0] == b"PK\6\6"]
        return max(sizes, default=declared)


def _unpacked_at(file: BinaryIO, offset: int, kind: struct.Struct) -> tuple[Any, ...]:
    """Return the record at ``offset``; ``(b"",)`` if the file ends before."""
    if not 0 <= offset < 2**63:
        return (b"",)
    file.seek(offset)
    data = file.read(kind.size)
    return kind.unpack(data) if len(data) == kind.size else (b"",)


def untrusted_text_clean(text: str, cap: int) -> str:
    """Return the text with each control character replaced by U+FFFD. The text is first cut to ``cap`` bytes."""
    if len(text) * 4 > cap:
        text = text.encode()[:cap].decode("utf-8", "ignore")
    return _CONTROL.sub("\ufffd", text)


def untrusted_line(text: object, most: int = TEXT_MOST) -> str:
    """Return untrusted text as one line for a terminal, without characters that move the cursor, change direction or
    break the line.
    """
    plain = str(text)[:most].replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
    shown = "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in plain)
    return shown if len(str(text)) <= most else shown + " ..."


def untrusted_lines_quoted(text: object, most: int = 200) -> Iterator[str]:
    """Yield the lines of untrusted text, each prefixed with a bar, so that none looks like a line of ours."""
    lines = str(text).splitlines()
    for line in lines[:most]:
        yield "  | " + untrusted_line(line.expandtabs(4))
    if len(lines) > most:
        yield f"  | ... and {len(lines) - most} more lines"
