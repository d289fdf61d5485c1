"""How much of one program is in another: shingles of its tokens, of which a fixed sample is stored with an upload.

Names, numbers, texts, comments and spaces count for nothing, so that renaming hides nothing. The sample holds the
smallest hashes (Broder, 1997: "On the resemblance and containment of documents"), whatever the length of the program.
"""

import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from keyword import iskeyword
from typing import Final

SHINGLE: Final = 5  # tokens
HASH_BYTES: Final = 8
KEPT: Final = 128  # hashes
LEAST: Final = 32  # hashes of a program that is long enough to be compared
READ_MOST: Final = 256 * 1024  # bytes of source
NEAR: Final = 0.8

# Every part ends by itself, an open text at the end of the file: no source takes more than one way through it.
TOKEN: Final = re.compile(
    rb"#[^\n]*|\s+|\\\n"
    rb"|(?P<text>[rRbBuUfF]{0,2}(?:'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\Z)?"
    rb'|"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)?'
    rb"""|'(?:[^'\\\n]|\\.)*+'?|"(?:[^"\\\n]|\\.)*+"?))"""
    rb"|(?P<name>[A-Za-z_\x80-\xff][\w\x80-\xff]*+)|(?P<number>\d[\w.]*+)|(?P<sign>.)",
    re.DOTALL,
)


def sketch_of(files: Mapping[str, bytes]) -> bytes:  # frozen: sample of a program
    """Return the sample of a program, given as its sources by path: at most ``KEPT`` hashes, in order."""
    tokens = list(_tokens(files))
    shingles = {b" ".join(tokens[at : at + SHINGLE]) for at in range(len(tokens) - SHINGLE + 1)}
    hashes = sorted(blake2b(one, digest_size=HASH_BYTES).digest() for one in shingles)
    return b"".join(hashes[:KEPT])


def resemblance(one: bytes, other: bytes) -> float:
    """Return the share of shingles that two programs have in common, from 0 to 1, estimated from their samples; 0 for
    those that are too short to tell.
    """
    first, second = _hashes(one), _hashes(other)
    if min(len(first), len(second)) < LEAST:
        return 0.0
    smallest = sorted(first | second)[:KEPT]
    return sum(one in first and one in second for one in smallest) / len(smallest)


def _hashes(sketch: bytes) -> set[bytes]:
    return {sketch[at : at + HASH_BYTES] for at in range(0, len(sketch), HASH_BYTES)}


def _tokens(files: Mapping[str, bytes]) -> Iterator[bytes]:
    left = READ_MOST
    for path in sorted(files):
        if not path.endswith(".py"):
            continue
        for found in TOKEN.finditer(files[path][:left]):
            if found.lastgroup == "name":
                word = found.group()
                yield word if iskeyword(word.decode(errors="replace")) else b"name"
            elif found.lastgroup:
                yield found.group() if found.lastgroup == "sign" else found.lastgroup.encode()
        left = max(0, left - len(files[path]))
