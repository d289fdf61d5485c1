"""Read and write the archive of a proof: a zip of four parts. Each part is read or written once, in pieces.

So memory use is small. The parts are:

- ``proof.json``: ``format``; the ``name`` of the tournament; ``head``, the ``number`` and the ``digest`` of the last
  link; and the ``secrets`` in hexadecimal, in the order in which their hashes were committed. If the game comes from a
  package, there is also ``code``: for each name of a game, the ``str`` of every ``games.catalogue.code.Code`` that
  played it.

- ``chain.jsonl``: the links, one a line. Each is the canonical JSON of its fields and its digest.

- ``names.json``: for each owner of a name ("entry/12", "person/3", "alias/5"), its last ``name`` and the ``salt``. The
  chain has digests of names. The last one for this owner is the digest of this salt and name.

- ``records.txt``: the records of all games in the order in which the chain lists them, in Base64, one a line.

The format is ``WITH_UPDATES`` if bots may be updated during the tournament. Otherwise it is ``WITH_CODE`` if there is
``code``, and ``FORMAT`` if there is none.
"""

import binascii
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import IO, Any, Final, cast
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from bots.lookalikes import lookalike_keys
from games.catalogue.code import game_code_read
from games.encoding import LONGEST
from games.untrusted import JSON_BYTES, untrusted_json_parse, untrusted_lines_read, untrusted_member_read
from matches.proof.chain import (
    Fields,
    Link,
    ProofError,
    chain_canonical_json,
    chain_digest_read,
    chain_fields_read,
    chain_name_digest,
)

FORMAT: Final = "pecking-order-proof/2"  # frozen: proof
WITH_CODE: Final = "pecking-order-proof/3"  # frozen: proof of a package's game
WITH_UPDATES: Final = "pecking-order-proof/4"  # frozen: proof of a tournament whose bots are updated
SUPERSEDED: Final = "pecking-order-proof/1"
INDEX, CHAIN, NAMES, RECORDS = PARTS = ("proof.json", "chain.jsonl", "names.json", "records.txt")
CHAIN_BYTES: Final = 2**30  # unpacked
LINK: Final = {"number": int, "kind": str, "at": str, "content": dict, "previous": str, "digest": str}
SALT: Final = re.compile(r"[0-9a-f]{16,128}")
SECRETS_MOST: Final = 1000


@dataclass(frozen=True, slots=True)
class Index:
    """The content of ``proof.json``."""

    name: str
    number: int
    digest: str
    secrets: tuple[bytes, ...]
    code: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    has_updates: bool = False  # whether the terms of the tournament allow updates of bots


def proof_archive_index_of(archive: ZipFile) -> Index:
    """Read ``proof.json`` from the archive.

    Raises:
        ProofError: the archive is not a proof of a known format, or has other parts.
        UntrustedError: the archive cannot be read.
    """
    data = untrusted_json_parse(untrusted_member_read(archive, INDEX, JSON_BYTES))
    if isinstance(data, dict) and data.get("format") == SUPERSEDED:
        raise ProofError(
            f"it is of the format {SUPERSEDED}, which is superseded: that one proved single games and neither draws"
            " nor standings; take the proof from the site again"
        )
    if isinstance(data, dict) and data.get("format") not in (FORMAT, WITH_CODE, WITH_UPDATES):
        raise ProofError(f"{INDEX}: not of the format {FORMAT}")
    for one in sorted({*PARTS} ^ {*archive.namelist()}):
        raise ProofError(f"{one:.100} is {'missing' if one in PARTS else 'foreign'}")
    has_code = isinstance(data, dict) and (data.get("format") == WITH_CODE or "code" in data)
    more: Fields = {"code": dict} if has_code else {}
    found = chain_fields_read(data, {"format": str, "name": str, "head": dict, "secrets": list, **more}, INDEX)
    head = chain_fields_read(found["head"], {"number": int, "digest": str}, f"{INDEX}: the head")
    head_facts = (
        found["name"],
        head["number"],
        chain_digest_read(head["digest"], "the head"),
        _secrets(found["secrets"]),
    )
    return Index(*head_facts, _code(found.get("code", {})), has_updates=found["format"] == WITH_UPDATES)


def proof_archive_links_of(archive: ZipFile) -> Iterator[tuple[Link, object]]:
    """Yield the links in order, each with its content.

    Raises:
        ProofError, UntrustedError: a line is not a link, or is not canonical JSON.
    """
    for at, line in enumerate(untrusted_lines_read(archive, CHAIN, JSON_BYTES, CHAIN_BYTES), start=1):
        what = f"{CHAIN}, line {at}"
        found = chain_fields_read(untrusted_json_parse(line), LINK, what)
        if chain_canonical_json(found).encode("ascii") != line:
            raise ProofError(f"{what}: not in the form of a link")
        link = Link(
            found["number"], found["kind"], found["at"], chain_canonical_json(found["content"]), found["previous"]
        )
        if not (link.kind + link.at + link.previous).isascii():
            raise ProofError(f"{what}: a text that is not ASCII")
        if link.digest != found["digest"]:
            raise ProofError(f"{what}: its digest does not match its content: it was changed")
        yield link, found["content"]


def proof_archive_records_of(archive: ZipFile) -> Iterator[bytes]:
    """Yield the records in order.

    Raises:
        ProofError, UntrustedError: a line is not a record.
    """
    for at, line in enumerate(untrusted_lines_read(archive, RECORDS, 2 * LONGEST, CHAIN_BYTES), start=1):
        try:
            yield b64decode(line, validate=True)
        except (binascii.Error, ValueError):
            raise ProofError(f"{RECORDS}, line {at}: not Base64") from None


def proof_archive_names_check(archive: ZipFile, digests: Mapping[str, str]) -> dict[str, str]:
    """Return the name of each owner, after checking it against ``digests``: the digests in the chain, by owner.

    Raises:
        ProofError, UntrustedError: a name is missing, is in no link, or differs from its digest.
    """
    listed = untrusted_json_parse(untrusted_member_read(archive, NAMES, JSON_BYTES))
    if not isinstance(listed, dict):
        raise ProofError(f"{NAMES}: no JSON object")
    for whose in sorted(listed.keys() ^ digests.keys()):
        raise ProofError(f"{NAMES}: {whose!r:.40} is {'foreign' if whose in listed else 'missing'}")
    names = {}
    for whose, one in listed.items():
        found = chain_fields_read(one, {"salt": str, "name": str}, f"{NAMES}, {whose}")
        if chain_name_digest(found["salt"], found["name"]) != digests[whose]:
            raise ProofError(f"{NAMES}: the name of {whose} differs from that in the chain")
        if not SALT.fullmatch(found["salt"]):
            raise ProofError(f"{NAMES}: the salt of {whose} is not written in hexadecimal")
        if not found["name"].isprintable() or not found["name"].strip():
            raise ProofError(f"{NAMES}: the name of {whose} cannot be read on one line")
        names[whose] = found["name"]
    return names


def proof_archive_names_are_distinct(names: Mapping[str, str]) -> None:
    """Check that no two names can be mistaken for each other.

    Raises:
        ProofError: two names look alike.
    """
    for one, other in lookalike_keys(names):
        raise ProofError(f"{NAMES}: the name of {one}, {names[one]!r:.60}, can be taken for that of {other}")


def _code(told: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    for game, codes in told.items():
        if not isinstance(codes, list) or not all(isinstance(one, str) and game_code_read(one) for one in codes):
            raise ProofError(f"{INDEX}: the code of {game!r:.40} is not a distribution, a version and a digest")
    return {game: tuple(codes) for game, codes in told.items()}


def _secrets(digits: list[Any]) -> tuple[bytes, ...]:
    if not 0 < len(digits) <= SECRETS_MOST:
        raise ProofError("there is no secret, or there are too many")
    try:
        secrets = tuple(bytes.fromhex(one) for one in digits if isinstance(one, str))
    except ValueError:
        raise ProofError("a secret is not written in hexadecimal") from None
    if [one.hex() for one in secrets] != digits or not all(secrets):
        raise ProofError("a secret is not written in hexadecimal")
    return secrets


def proof_archive_line_of(link: Link) -> str:
    """Return a link as a line of ``chain.jsonl``, without the line break."""
    fields = {"at": link.at, "digest": link.digest, "kind": link.kind, "number": link.number, "previous": link.previous}
    head, _, rest = chain_canonical_json(fields | {"content": 0}).partition('"content":0')
    return f'{head}"content":{link.content}{rest}'


def proof_archive_index_text(
    name: str,
    head: Link,
    secrets: list[bytes],
    code: Mapping[str, list[str]] = MappingProxyType({}),
    *,
    has_updates: bool = False,
) -> str:
    """Return the text of ``proof.json``.

    ``code`` has the code by game, only for games from packages. ``has_updates`` tells whether the terms allow updates
    of bots.
    """
    index = {
        "format": WITH_UPDATES if has_updates else WITH_CODE if code else FORMAT,
        "name": name,
        "head": {"number": head.number, "digest": head.digest},
        "secrets": [secret.hex() for secret in secrets],
        **({"code": code} if code else {}),
    }
    return json.dumps(index, indent=1)


def proof_archive_packed(
    *,
    name: str,
    head: Link,
    secrets: list[bytes],
    names: Mapping[str, object],
    links: Iterable[Link],
    records: Iterable[bytes],
    code: Mapping[str, list[str]] = MappingProxyType({}),
    has_updates: bool = False,
) -> Iterator[bytes]:
    """Return the pieces of the zip; see ``proof.archive`` and ``proof_archive_index_text``."""
    return proof_archive_zip_pieces(
        [
            (INDEX, [proof_archive_index_text(name, head, secrets, code, has_updates=has_updates).encode()]),
            (NAMES, [chain_canonical_json(names).encode("ascii")]),
            (CHAIN, (line + b"\n" for line in _lines(links))),
            (RECORDS, (b64encode(record) + b"\n" for record in records)),
        ]
    )


def _lines(links: Iterable[Link]) -> Iterator[bytes]:
    for link in links:
        yield proof_archive_line_of(link).encode("ascii")


PIECE: Final = 2**16  # about as many bytes are sent at once


def proof_archive_zip_pieces(
    parts: Iterable[tuple[str, Iterable[bytes]]], *, is_large: bool = False
) -> Iterator[bytes]:
    """Return the pieces of a zip of ``parts``. The zip contains no times.

    Each part is a name and the pieces of its content. Parts and pieces are read once, in order. With ``is_large``, a
    part may have more than 2 GiB.
    """
    sent = _Sent()
    with ZipFile(cast("IO[bytes]", sent), "w", ZIP_DEFLATED) as archive:
        for name, content in parts:
            with archive.open(_info(name), "w", force_zip64=is_large) as file:
                for data in content:
                    file.write(data)
                    if sent.waiting > PIECE:
                        yield sent.taken()
            if sent.waiting > PIECE:
                yield sent.taken()
    yield sent.taken()


class _Sent:
    """An output file that cannot seek. It collects what is written, until ``taken`` returns it."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self.waiting = 0

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        self.waiting += len(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: there is no buffer."""

    def taken(self) -> bytes:
        pieces, self._pieces, self.waiting = self._pieces, [], 0
        return b"".join(pieces)


def _info(name: str) -> ZipInfo:
    info = ZipInfo(name)  # with its default date, 1980
    info.compress_type = ZIP_DEFLATED
    return info
