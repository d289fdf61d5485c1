"""The packages of games for download: as wheels for pip, and as part of the kit for browsers.

They are built from the files installed here, so nothing is uploaded or configured. Only packages of pure Python are
offered to pip. Such a package is offered to browsers too, together with its dependencies, if these are also pure
Python. A package with a classifier that begins with ``Private ::`` is not offered at all. The same installed files
always give the same bytes.

See https://packaging.python.org/specifications/binary-distribution-format/.
"""

import json
import os
import re
import sys
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from email import message_from_string
from functools import cache
from hashlib import sha256
from importlib.metadata import Distribution, distribution
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Final, TypeAlias
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from games.catalogue import GAMES, PACKAGES
from games.catalogue.discovery import ENGINES, GROUP, OWN

Written: TypeAlias = tuple[str, bytes]  # path in a zip, and content
WHEEL: Final = "Wheel-Version: 1.0\nGenerator: Pecking Order\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel of pure Python. ``name`` is the normalised name.

    ``pythons`` are the required versions of Python, "" for all. ``about`` are the metadata files, including METADATA.
    """

    name: str
    version: str
    pythons: str
    files: tuple[Written, ...]
    about: tuple[Written, ...]

    @property
    def stem(self) -> str:
        """The beginning of its file name and of its metadata folder."""
        return f"{self.name.replace('-', '_')}-{self.version}"

    @property
    def file_name(self) -> str:
        return f"{self.stem}-py3-none-any.whl"

    @property
    def written(self) -> tuple[Written, ...]:
        """All files except RECORD."""
        about = (*self.about, ("WHEEL", WHEEL.encode()))
        return (*self.files, *((f"{self.stem}.dist-info/{name}", data) for name, data in about))

    def data(self) -> bytes:
        """Return the wheel's bytes."""
        lines = [f"{name},sha256={_hash(data)},{len(data)}" for name, data in self.written]
        record = f"{self.stem}.dist-info/RECORD"
        return game_package_zip_of([*self.written, (record, "\n".join([*lines, f"{record},,", ""]).encode())])


def game_package_zip_of(written: Iterable[Written]) -> bytes:
    """Return these files as a zip. The first of several files with one path wins."""
    first: dict[str, bytes] = {}
    for name, data in written:
        first.setdefault(name, data)
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, data in first.items():
            info = ZipInfo(name)  # ZipInfo has a fixed time by default
            info.external_attr = 0o100644 << 16
            archive.writestr(info, data, ZIP_DEFLATED)
    return buffer.getvalue()


def _hash(data: bytes) -> str:
    return urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()


BYTES_MOST: Final = 4 * 2**20  # bytes of a package; everybody who opens the playground loads the packages
COMPILED: Final = re.compile(r"\.(so|pyd|dll|dylib)(\.|$)")
METADATA: Final = ("METADATA", "entry_points.txt")  # other metadata files describe this machine
TAKEN: Final = sys.stdlib_module_names | {"pecking"}


class NotGiven(Exception):
    """The package is not offered; the message says why."""


@dataclass(frozen=True, slots=True)
class GivenPackages:
    """The packages with games. For each, by its normalised name: the wheel for pip; the wheels for a browser, including
    dependencies; and the reason if one or both are missing.
    """

    wheels: dict[str, Wheel] = field(default_factory=dict)
    in_browsers: dict[str, tuple[Wheel, ...]] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)


@cache
def game_packages_given() -> GivenPackages:
    """Return the offered packages of the installed games."""
    given = GivenPackages()
    for name in sorted({canonicalize_name(name) for name, _ in PACKAGES.values()}):
        try:
            package = distribution(name)
            given.wheels[name] = own = _wheel(package)
            given.in_browsers[name] = (own, *map(_wheel, _needed(package, {name, *ENGINES})))
        # The metadata of the package may be anything, and the other packages must still be offered.
        except Exception as error:
            given.reasons[name] = str(error)
    return given


def game_package_in_browsers(game: str) -> bool:
    """Return whether browsers can play the game ``game``."""
    return game in OWN or (
        game in PACKAGES and canonicalize_name(PACKAGES[game][0]) in game_packages_given().in_browsers
    )


def game_packages_browser_games() -> list[str]:
    """Return the names of the games that browsers can play."""
    return [*filter(game_package_in_browsers, GAMES)]


def game_package_pip_command(game: str, index: str) -> str:
    """Return the command that installs the kit and the package of ``game`` from this site's ``index``; "" if the kit
    includes the game, or the package is not offered. Its dependencies come from other indexes."""
    name, given = canonicalize_name(PACKAGES.get(game, ("",))[0]), game_packages_given()
    if name not in given.wheels:
        return ""
    option = "--index-url" if len(given.in_browsers.get(name, ())) == 1 else "--extra-index-url"
    return f"pip install {option} {index} pecking {name}"


def game_packages_browser_files() -> Iterator[Written]:
    """Yield the files of packages for browsers. Their entry points name the games."""
    for wheels in game_packages_given().in_browsers.values():
        for path, data in (written for wheel in wheels for written in wheel.written):
            for folder in PurePosixPath(path).parents[:-1]:
                yield f"{folder}/", b""  # before 3.13, Python needs entries for folders in a zip
            yield path, data


def _wheel(package: Distribution) -> Wheel:
    """Return an installed package as a wheel.

    Raises:
        NotGiven: it is private, compiled, too large, or otherwise cannot be offered.
        OSError, ValueError: the installed files cannot be read.
    """
    about = message_from_string(package.read_text("METADATA") or "")
    if any(one.startswith("Private ::") for one in about.get_all("Classifier", ())):
        raise NotGiven(f"{package.name} is private")
    if "root-is-purelib: false" in (package.read_text("WHEEL") or "").lower():
        raise NotGiven(f"{package.name} is compiled")
    written = tuple((name, text.encode()) for name in METADATA if (text := package.read_text(name)))
    places = dict(sorted(_places(package)))
    tops = {path.partition("/")[0].removesuffix(".py") for path in places}
    if not places or not written:
        raise NotGiven(f"{package.name} has no files, or no metadata")
    if tops & TAKEN:
        raise NotGiven(f"{package.name} would hide {', '.join(sorted(tops & TAKEN))}")
    if compiled := next(filter(COMPILED.search, places), ""):
        raise NotGiven(f"{package.name} is compiled: {compiled}")
    if sum(place.stat().st_size for place in places.values()) > BYTES_MOST:
        raise NotGiven(f"{package.name} has more than {BYTES_MOST} bytes")
    return Wheel(
        canonicalize_name(package.name),
        str(Version(package.version)),
        about.get("Requires-Python", ""),
        tuple((path, place.read_bytes()) for path, place in places.items()),
        written,
    )


def _places(package: Distribution) -> Iterator[tuple[str, Path]]:
    """Yield the path in the wheel and the place on the disk of each file except metadata. The file list of an editable
    package has no modules. So its files are those below the modules of its entry points.
    """
    if json.loads(package.read_text("direct_url.json") or "{}").get("dir_info", {}).get("editable"):
        for top in {entry.module.partition(".")[0] for entry in package.entry_points if entry.group == GROUP}:
            spec = find_spec(top)
            for folder in (spec and spec.submodule_search_locations) or ():
                yield from _below(Path(folder), top)
        return
    base = Path(str(package.locate_file(""))).resolve()
    for listed in package.files or ():
        place = Path(str(listed.locate()))
        if _is_part(listed) and ".dist-info" not in listed.parts[0] and place.resolve().is_relative_to(base):
            yield listed.as_posix(), place


def _below(root: Path, top: str) -> Iterator[tuple[str, Path]]:
    """Yield the files in a folder and below it, without following links."""
    for folder, _, names in os.walk(root):
        for name in names:
            place = Path(folder, name)
            path = PurePosixPath(top, *place.relative_to(root).parts)
            if _is_part(path) and not place.is_symlink():
                yield str(path), place


def _is_part(path: PurePosixPath) -> bool:
    hidden = any(part.startswith(".") or part == "__pycache__" for part in path.parts)
    return not (hidden or path.is_absolute() or path.suffix in (".pyc", ".pth"))


def _needed(package: Distribution, known: set[str]) -> Iterator[Distribution]:
    """Yield the dependencies of a package, also indirect ones, except those in ``known``. Add them to ``known``.

    Raises:
        PackageNotFoundError: a dependency is not installed.
    """
    for text in package.requires or ():
        requirement = Requirement(text)
        name = canonicalize_name(requirement.name)
        if name not in known and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
            known.add(name)
            found = distribution(name)
            yield found
            yield from _needed(found, known)
