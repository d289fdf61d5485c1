"""Names that are taken for each other: their skeletons are equal (Unicode Technical Standard 39).

Letters that look alike count as one, and neither capitals nor spaces nor punctuation count. No Django: proofs are
read at home too.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

PACKED: Final = "looks.json"
# Default_Ignorable_Code_Point of Unicode, which Python's own data lack, and a letter of Braille that has no dots.
UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
SEPARATORS: Final = re.compile(r"[\W_]+")


def skeletons(name: str) -> Iterator[str]:
    """Return what ``name`` looks like, as it stands, in small and in large letters: a small l is a large I, no small
    i.
    """
    for spelt in (name, name.casefold(), name.upper()):
        yield SEPARATORS.sub("", _skeleton(spelt)) or name


def alike(names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the key of each name that can be taken for an earlier one, with the key of that one."""
    first: dict[str, str] = {}
    for whose, name in names.items():
        spelt = set(skeletons(UNSEEN.sub("", name)))
        if (other := next((first[one] for one in spelt if one in first), None)) is not None:
            yield whose, other
        for one in spelt:
            first.setdefault(one, whose)


def _skeleton(text: str) -> str:
    prototypes = looks()
    mapped = "".join(prototypes.get(letter, letter) for letter in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", mapped).casefold()


@cache
def looks() -> dict[str, str]:
    """Return the prototype of each letter that has one. The kit at home brings them as a file.

    The library lists each pair both ways, so of a group that looks alike the prototype is the one in its middle; of a
    mere pair it does not matter which, but letters are looked up one by one, so it is the longer.
    """
    packed = files(__package__) / PACKED
    if packed.is_file():
        return dict(json.loads(packed.read_text(encoding="utf-8")))
    from confusable_homoglyphs.confusables import confusables_data  # a megabyte, read when the first name is checked

    listed = {  # the data put marks of direction around letters that are written from the right
        letter.strip("\u200e"): [other["c"].strip("\u200e") for other in others]
        for letter, others in confusables_data.items()
    }
    found = {}
    for letter, others in listed.items():
        if len(letter) == 1 and len(others) == 1:
            other = others[0]
            is_middle = len(listed.get(other, ())) > 1
            found[letter] = other if is_middle else max(letter, other, key=lambda one: (len(one), one))
    return found
