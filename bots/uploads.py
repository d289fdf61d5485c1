"""Read uploads: one Python file, or a zip with ``bot.py`` at its root.

Every byte is untrusted. Nothing here imports, compiles or runs an upload: names and sizes are checked in the zip's
directory, contents are read up to a limit, and the source is parsed by a child process, so that only the child can
crash (``bots.source_check``).
"""

import stat
import unicodedata
import zipfile
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from typing import Final, Protocol

from bots.source_check import check_source
from bots.translation import gettext as _
from bots.upload_errors import Problem, UploadError

KIB: Final = 1024
MIB: Final = 1024 * KIB
# The largest ratio of unpacked to packed size; checked only if the unpacked size exceeds a mebibyte.
MAX_RATIO: Final = 100
MAX_NAME: Final = 120  # bytes of a path in UTF-8
MAX_DEPTH: Final = 8  # parts of a path
REFUSED_SUFFIXES: Final = (".so", ".pyd", ".dll", ".dylib", ".pyc", ".pyo", ".pth")
ENTRY: Final = "bot.py"
# Names that an author may have given to bot.py by mistake, in lower case.
_NEARLY: Final = (ENTRY, "bot.py.txt", "bot.pyw", "bot", "bot.txt", "bots.py")
_LITTER: Final = frozenset(("__MACOSX", "__pycache__", ".DS_Store", "Thumbs.db", "desktop.ini"))
_SAYS_UTF8: Final = 0x800
ZIP_MAGIC: Final = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """The limits of an upload.

    ``source`` is the largest size of a single .py file, and of bot.py inside a zip. ``zip`` is the largest size of a
    zip, and ``unpacked`` that of all its files together. These sizes are in bytes. ``files`` is the largest number of
    entries of a zip.
    """

    source: int = 1 * MIB
    zip: int = 2 * MIB
    unpacked: int = 4 * MIB
    files: int = 200

    @property
    def upload(self) -> int:
        """The size of the largest upload of any kind in bytes."""
        return max(self.source, self.zip)


USUAL: Final = UploadLimits()  # the default
# The upper bound for all sites, because sandboxes accept no more (``sandbox.files``). Stored uploads are read within
# these limits: they were checked when they were uploaded, and the limits of the site may have been larger then than
# they are now.
WIDEST: Final = UploadLimits(source=8 * MIB, zip=16 * MIB, unpacked=32 * MIB, files=500)


class Sent(Protocol):
    """An uploaded file."""

    name: str | None
    size: int | None

    def read(self) -> bytes: ...


def upload_bytes(file: Sent, limits: UploadLimits) -> bytes:
    """Return the bytes of an uploaded file, after checking its size.

    Raises:
        UploadError: the file is larger than an upload may be.
    """
    limit = limits.source if str(file.name).lower().endswith(".py") else limits.zip
    size = file.size or 0
    if size > limit:
        raise _too_large(size, limit)
    return file.read()


def upload_unpack(name: str, data: bytes, author: int = 0, limits: UploadLimits = USUAL) -> dict[str, bytes]:
    """Return the files of an upload by path, including ``bot.py``, after checking that they are well-formed, within the
    limits, and have an entry point.

    ``author`` is the primary key of the uploader's account; one upload of each account is parsed at a time.

    Raises:
        UploadError: the upload is invalid; the message says why, where, and what to do.
        BusyError: the site is too busy to check it.
    """
    files = upload_files(name, data, limits)
    check_source(files[ENTRY], author)
    return files


def upload_content_key(files: Mapping[str, bytes]) -> str:
    """Return a SHA-256 of the files, in hexadecimal, that is equal for two uploads of the same program.

    Blank lines, comment lines, trailing spaces and line endings do not change it.
    """
    digest = sha256()
    for path in sorted(files):
        content = files[path]
        if path.endswith(".py"):
            lines = (line.rstrip() for line in content.removeprefix(BOM_UTF8).splitlines())
            content = b"\n".join(line for line in lines if line and not line.lstrip().startswith(b"#"))
        for part in (path.encode(), content):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def upload_files(name: str, data: bytes, limits: UploadLimits = WIDEST) -> dict[str, bytes]:
    """Read an upload as ``upload_unpack`` does, without parsing ``bot.py``, for content that was accepted before.

    Raises:
        UploadError: see ``upload_unpack``.
    """
    kind = name.lower().rpartition(".")[2]
    if kind not in ("py", "zip"):
        raise UploadError(Problem.WRONG_KIND, _("Upload one .py file, or a .zip with bot.py at its root."))
    if not data:
        raise UploadError(Problem.EMPTY, _("The file is empty. Choose the file that holds your bot."))
    if kind == "zip":
        return _read_zip(data, limits)
    if len(data) > limits.source:
        raise _too_large(len(data), limits.source)
    if data.startswith(ZIP_MAGIC):
        raise UploadError(Problem.WRONG_KIND, _("This is a zip archive named .py. Name it .zip and upload it again."))
    return {ENTRY: data}


def _read_zip(data: bytes, limits: UploadLimits) -> dict[str, bytes]:
    if len(data) > limits.zip:
        raise _too_large(len(data), limits.zip)
    if data.startswith(ZIP_MAGIC) and not zipfile.is_zipfile(BytesIO(data)):
        raise _damaged()
    if not zipfile.is_zipfile(BytesIO(data)):
        raise UploadError(
            Problem.NOT_A_ZIP, _("This is not a zip archive, though its name ends in .zip. Pack bot.py into a new zip.")
        )
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return dict(_contents(archive, _checked_entries(archive, len(data), limits), limits))
    except UploadError:
        raise
    except Exception as error:
        # For invalid data, zipfile raises a dozen kinds of exceptions, some undocumented. Each of them means that the
        # zip is damaged.
        raise _damaged() from error


def _checked_entries(archive: zipfile.ZipFile, packed: int, limits: UploadLimits) -> list[zipfile.ZipInfo]:
    for entry in archive.infolist():
        entry.filename = _name(entry)
    entries = [entry for entry in archive.infolist() if not _is_litter(entry.filename)]
    files = [entry for entry in entries if not entry.is_dir()]
    if len(entries) > limits.files:
        raise UploadError(
            Problem.TOO_MANY_FILES,
            _("The zip holds %(count)d entries; %(limit)d are allowed. Pack only what the bot needs.")
            % {"count": len(entries), "limit": limits.files},
        )
    for entry in entries:
        _check_name(entry.filename)
        _check_kind(entry)
    _check_collisions(files, entries)
    _check_bot_at_root(files)
    unpacked = sum(entry.file_size for entry in files)
    if unpacked > limits.unpacked or (unpacked > MIB and unpacked > MAX_RATIO * packed):
        raise _bomb(limits)
    return files


def _contents(
    archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], limits: UploadLimits
) -> Iterator[tuple[str, bytes]]:
    left = limits.unpacked
    for entry in entries:
        limit = min(left, limits.source) if entry.filename == ENTRY else left
        with archive.open(entry) as file:
            content = file.read(limit + 1)  # the size in the directory may be wrong
        if len(content) > left:
            raise _bomb(limits)
        if len(content) > limit:
            raise _too_large(len(content), limit)
        left -= len(content)
        yield entry.filename, content


def _is_litter(name: str) -> bool:
    """Return whether a desktop or Python added this file to the folder."""
    *folders, file = name.split("/")
    return not _LITTER.isdisjoint(folders) or file in _LITTER or file.startswith("._")


def _name(entry: zipfile.ZipInfo) -> str:
    """Return the entry's name as its author wrote it.

    Finder and ditto write UTF-8 without setting the flag, and decompose accents; old Windows programs write
    backslashes.
    """
    name = entry.orig_filename
    if not entry.flag_bits & _SAYS_UTF8:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode()
    return unicodedata.normalize("NFC", name).replace("\\", "/")


def _check_name(name: str) -> None:
    parts = name.removesuffix("/").split("/")
    if not name.isprintable() or ":" in name or {"", ".", ".."} & set(parts):
        raise UploadError(
            Problem.UNSAFE_NAME,
            _("The zip holds the name %(name)s. Names must be plain relative paths with forward slashes, without '..'.")
            % {"name": _shown(name)},
        )
    if len(name.encode()) > MAX_NAME or len(parts) > MAX_DEPTH:
        raise UploadError(
            Problem.LONG_NAME,
            _("The name %(name)s is too long or too deep: %(length)d bytes and %(depth)d levels are allowed.")
            % {"name": _shown(name), "length": MAX_NAME, "depth": MAX_DEPTH},
        )
    if name.lower().endswith(REFUSED_SUFFIXES):
        raise UploadError(
            Problem.COMPILED_CODE,
            _("The zip holds %(name)s. Compiled code and path files are refused: upload Python source only.")
            % {"name": _shown(name)},
        )


def _check_kind(entry: zipfile.ZipInfo) -> None:
    mode = entry.external_attr >> 16
    plain = stat.S_IFMT(mode) in (0, stat.S_IFDIR if entry.is_dir() else stat.S_IFREG)
    if not plain or mode & (stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX):
        raise UploadError(
            Problem.SPECIAL_FILE,
            _("%(name)s is a link, a device or has special permission bits. Pack plain files only.")
            % {"name": _shown(entry.filename)},
        )
    if entry.flag_bits & 0x1:
        raise UploadError(Problem.ENCRYPTED, _("The zip is protected by a password. Pack it without one."))
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise UploadError(
            Problem.COMPRESSION,
            _("%(name)s is packed in an unusual way. Use the ordinary zip compression (deflate).")
            % {"name": _shown(entry.filename)},
        )


def _check_collisions(files: list[zipfile.ZipInfo], entries: list[zipfile.ZipInfo]) -> None:
    """Reject two files with the same name, ignoring case and composition, and a file with the name of a folder."""
    seen: set[str] = set()
    folders = {_folded(parent) for entry in entries for parent in _parents(entry.filename)}
    for entry in files:
        key = _folded(entry.filename)
        if key in seen or key in folders:
            raise UploadError(
                Problem.DUPLICATE_NAME,
                _("The zip holds %(name)s more than once (upper and lower case count as the same). Keep one.")
                % {"name": _shown(entry.filename)},
            )
        seen.add(key)


def _parents(name: str) -> Iterator[str]:
    for at, letter in enumerate(name):
        if letter == "/":
            yield name[:at]


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _check_bot_at_root(files: list[zipfile.ZipInfo]) -> None:
    names = [entry.filename for entry in files]
    if ENTRY in names:
        return
    inside = next((name for name in names if name.endswith(f"/{ENTRY}")), None)
    if inside is not None:
        raise UploadError(
            Problem.NO_BOT,
            _("bot.py is in a subfolder (%(name)s). Zip what is inside that folder, so that bot.py lies at the root.")
            % {"name": _shown(inside)},
        )
    other = next((name for name in names if name.casefold() in _NEARLY), None)
    if other is not None:
        raise UploadError(
            Problem.NO_BOT, _("The zip holds %(name)s: did you mean bot.py? Rename it.") % {"name": _shown(other)}
        )
    raise UploadError(Problem.NO_BOT, _("There is no bot.py at the root of the zip. Add the file that defines act."))


def _shown(name: str) -> str:
    """Return an untrusted name, quoted, for display in one line."""
    return ascii(name[:60])


def _too_large(size: int, limit: int) -> UploadError:
    return UploadError(
        Problem.TOO_LARGE,
        _("The file has %(size)d KiB; %(limit)d KiB are allowed. Leave out what the bot does not need.")
        % {"size": -(-size // KIB), "limit": limit // KIB},
    )


def _bomb(limits: UploadLimits) -> UploadError:
    return UploadError(
        Problem.BOMB,
        _("The zip would unpack to more than it may: %(limit)d KiB, and at most %(ratio)d times its own size.")
        % {"limit": limits.unpacked // KIB, "ratio": MAX_RATIO},
    )


def _damaged() -> UploadError:
    return UploadError(Problem.DAMAGED, _("The zip is damaged: it cannot be read to its end. Pack it again."))
