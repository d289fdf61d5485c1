"""Similarity of two programs, estimated from shingles of their tokens. A sample of the shingles is stored with an
upload.

Names, numbers, strings, comments and spaces are ignored, so that renaming hides nothing. The sample has the smallest
hashes (Broder, 1997: "On the resemblance and containment of documents"), regardless of the length of the program.
"""

import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from keyword import iskeyword
from typing import Final, TypeAlias

SHINGLE: Final = 5  # tokens of a shingle
HASH_BYTES: Final = 8
KEPT: Final = 128  # hashes of a sample
LEAST: Final = 32  # least hashes of a program that is compared; shorter programs are not
READ_MOST: Final = 256 * 1024  # bytes of source that are read
NEAR: Final = 0.8
Line: TypeAlias = tuple[str, int]

# The pattern never backtracks: each part has one possible end, and an unclosed string ends with the file.
TOKEN: Final = re.compile(
    rb"#[^\n]*|\s+|\\\n"
    rb"|(?P<text>[rRbBuUfF]{0,2}(?:'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\Z)?"
    rb'|"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)?'
    rb"""|'(?:[^'\\\n]|\\.)*+'?|"(?:[^"\\\n]|\\.)*+"?))"""
    rb"|(?P<name>[A-Za-z_\x80-\xff][\w\x80-\xff]*+)|(?P<number>\d[\w.]*+)|(?P<sign>.)",
    re.DOTALL,
)


def similarity_sketch_of(files: Mapping[str, bytes]) -> bytes:  # frozen: sample of a program
    """Return the sample of a program, given as its sources by path: at most ``KEPT`` hashes, sorted."""
    tokens = list(_tokens(files))
    shingles = {b" ".join(tokens[at : at + SHINGLE]) for at in range(len(tokens) - SHINGLE + 1)}
    hashes = sorted(blake2b(one, digest_size=HASH_BYTES).digest() for one in shingles)
    return b"".join(hashes[:KEPT])


def similarity_of(one: bytes, other: bytes) -> float:
    """Return the share of common shingles of two programs, from 0 to 1, estimated from their samples.

    It is 0 if a program is too short to compare.
    """
    first, second = _hashes(one), _hashes(other)
    if min(len(first), len(second)) < LEAST:
        return 0.0
    smallest = sorted(first | second)[:KEPT]
    return sum(one in first and one in second for one in smallest) / len(smallest)


def _hashes(sketch: bytes) -> set[bytes]:
    return {sketch[at : at + HASH_BYTES] for at in range(0, len(sketch), HASH_BYTES)}


def similarity_lines(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> tuple[set[Line], set[Line]]:
    """Return the lines of each program that belong to a common shingle, as pairs of path and line number. Lines count
    from 1.
    """
    first, second = _shingle_lines(one), _shingle_lines(other)
    both = first.keys() & second.keys()
    return {line for shingle in both for line in first[shingle]}, {line for shingle in both for line in second[shingle]}


def _shingle_lines(files: Mapping[str, bytes]) -> dict[bytes, set[Line]]:
    placed = list(_placed_tokens(files))
    found: dict[bytes, set[Line]] = {}
    for at in range(len(placed) - SHINGLE + 1):
        part = placed[at : at + SHINGLE]
        found.setdefault(b" ".join(token for token, _line in part), set()).update(line for _token, line in part)
    return found


def _tokens(files: Mapping[str, bytes]) -> Iterator[bytes]:
    return (token for token, _line in _placed_tokens(files))


def _placed_tokens(files: Mapping[str, bytes]) -> Iterator[tuple[bytes, Line]]:
    left = READ_MOST
    for path in sorted(files):
        if not path.endswith(".py"):
            continue
        source, line, counted = files[path][:left], 1, 0
        for found in TOKEN.finditer(source):
            if not found.lastgroup:
                continue
            line += source.count(b"\n", counted, found.start())
            counted = found.start()
            token = found.group()
            if found.lastgroup == "name":
                token = token if iskeyword(token.decode(errors="replace")) else b"name"
            elif found.lastgroup != "sign":
                token = found.lastgroup.encode()
            yield token, (path, line)
        left = max(0, left - len(files[path]))
