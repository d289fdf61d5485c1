"""Proofs taken apart, altered as a clever forger would, and put together again with every digest right."""

import copy
import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from matches.proof.archive import CHAIN, INDEX, NAMES, RECORDS, proof_archive_line_of
from matches.proof.chain import FIRST, Link, chain_canonical_json


@dataclass
class Parts:
    """The four parts; of each link its kind, time and content."""

    index: dict[str, Any]
    links: list[dict[str, Any]]
    names: dict[str, Any]
    records: list[bytes] = field(default_factory=list)
    honest_head: dict[str, Any] = field(default_factory=dict)  # as it was before anything was altered

    @classmethod
    def of(cls, path: Path) -> "Parts":
        with ZipFile(path) as archive:
            links = [json.loads(line) for line in archive.read(CHAIN).splitlines()]
            index = json.loads(archive.read(INDEX))
            return cls(
                index,
                [{name: link[name] for name in ("number", "kind", "at", "content")} for link in links],
                json.loads(archive.read(NAMES)),
                [b64decode(line) for line in archive.read(RECORDS).splitlines()],
                copy.deepcopy(index["head"]),
            )

    def copy(self) -> "Parts":
        return copy.deepcopy(self)

    def find(self, kind: str, number: int = 0) -> dict[str, Any]:
        """The content of the first link of a kind, or of a later one."""
        return [link["content"] for link in self.links if link["kind"] == kind][number]

    def write(self, path: Path) -> Path:
        """Put together, numbers, digests and head made right; those that were altered themselves stay so."""
        previous, lines = FIRST, []
        for at, link in enumerate(self.links, start=1):
            number = link["number"] if link["number"] < 0 else at
            made = Link(number, link["kind"], link["at"], chain_canonical_json(link["content"]), previous)
            lines.append(proof_archive_line_of(made))
            previous = made.digest
        index = copy.deepcopy(self.index)
        if isinstance(index.get("head"), dict) and index["head"] == self.honest_head:
            index["head"] = {"number": len(self.links), "digest": previous}
        with ZipFile(path, "w", ZIP_DEFLATED) as archive:
            archive.writestr(INDEX, json.dumps(index))
            archive.writestr(CHAIN, "".join(line + "\n" for line in lines))
            archive.writestr(NAMES, chain_canonical_json(self.names))
            archive.writestr(RECORDS, b"".join(b64encode(record) + b"\n" for record in self.records))
        return path


@dataclass(frozen=True)
class Alteration:
    """One: what is done, where (a path whose numbers are those of list items), and the path without numbers."""

    doing: str
    path: tuple[Any, ...]
    general: str

    def __str__(self) -> str:
        return f"{self.doing} {'/'.join(map(str, self.path))} ({self.general})"


def alterations(parts: Parts) -> Iterator[Alteration]:
    """Every leaf altered, every list item dropped, doubled and swapped with the next."""
    yield from _of(parts.index, ("index",), "proof.json")
    yield from _of(parts.names, ("names",), "names.json")
    yield from _of_list(parts.records, ("records",), "records")
    for at in range(len(parts.records)):
        yield Alteration("alter", ("records", at), "records[]")
    yield from _of_list(parts.links, ("links",), "chain")
    for at, link in enumerate(parts.links):
        for name in ("number", "kind", "at"):
            yield Alteration("alter", ("links", at, name), f"link.{name}")
        yield from _of(link["content"], ("links", at, "content"), link["kind"])


def altered(parts: Parts, how: Alteration) -> Parts:
    """A copy with the one alteration."""
    forged = parts.copy()
    holder: Any = forged
    *way, last = how.path
    for step in way:
        holder = getattr(holder, step) if isinstance(holder, Parts) else holder[step]
    match how.doing:
        case "alter":
            holder[last] = -1 if how.general == "link.number" else other(holder[last])
        case "drop":
            del holder[last]
        case "double":
            holder.insert(last, copy.deepcopy(holder[last]))
        case "swap":
            holder[last], holder[last + 1] = holder[last + 1], holder[last]
        case "add":
            (getattr(holder, last) if isinstance(holder, Parts) else holder[last]).append(0)
    return forged


def other(leaf: Any) -> Any:
    """Another value of the kind that is meant: a digest stays a digest."""
    if isinstance(leaf, bytes):
        return leaf[:-17] + bytes([leaf[-17] ^ 1]) + leaf[-16:]
    if isinstance(leaf, bool):
        return not leaf
    if isinstance(leaf, int | float):
        return leaf + 1
    if leaf is None:
        return 1
    if leaf and set(leaf) <= set("0123456789abcdef") and len(leaf) >= 32:
        return ("0" if leaf[0] != "0" else "1") + leaf[1:]
    if leaf.endswith("Z") and leaf[:2] == "20":
        return leaf[:-2] + ("0" if leaf[-2] != "0" else "1") + "Z"
    return leaf + "x"


def _of(value: Any, path: tuple[Any, ...], general: str) -> Iterator[Alteration]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield Alteration("drop", (*path, name), f"{general}.{_general(name)}")
            yield from _of(one, (*path, name), f"{general}.{_general(name)}")
    elif isinstance(value, list):
        yield from _of_list(value, path, general)
        for at, one in enumerate(value):
            yield from _of(one, (*path, at), f"{general}[]")
    else:
        yield Alteration("alter", path, general)


def _of_list(value: list[Any], path: tuple[Any, ...], general: str) -> Iterator[Alteration]:
    for at in range(len(value)):
        yield Alteration("drop", (*path, at), f"{general}[]")
        yield Alteration("double", (*path, at), f"{general}[]")
        if at + 1 < len(value) and value[at] != value[at + 1]:
            yield Alteration("swap", (*path, at), f"{general}[]")
    if not value:
        yield Alteration("add", path, f"{general}[]")


def _general(name: str) -> str:
    return "N" if name.isdecimal() or "/" in name else name
