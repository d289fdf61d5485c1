"""Names that look alike: their skeletons are equal (Unicode Technical Standard 39).

Letters that look alike count as equal, and case, spaces and punctuation are ignored. ``looks.json`` has the letters
from Unicode's own list (``manage.py write_lookalikes``). This module does not use Django, because proofs are also
checked on users' machines.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

TABLE: Final = "looks.json"
# The characters with Unicode's property Default_Ignorable_Code_Point, which Python's data lack, and the blank Braille
# pattern.
UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
SEPARATORS: Final = re.compile(r"[\W_]+")


def lookalike_skeletons(name: str) -> Iterator[str]:
    """Yield the skeletons of ``name`` as it is, and in lower and upper case: a small l looks like a capital I."""
    for spelt in (name, name.casefold(), name.upper()):
        yield SEPARATORS.sub("", _skeleton(spelt)) or name


def lookalike_keys(names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the key of each name that can be mistaken for an earlier name, with the key of the earlier name."""
    first: dict[str, str] = {}
    for whose, name in names.items():
        spelt = set(lookalike_skeletons(UNSEEN.sub("", name)))
        if (other := next((first[one] for one in spelt if one in first), None)) is not None:
            yield whose, other
        for one in spelt:
            first.setdefault(one, whose)


def _skeleton(text: str) -> str:
    prototypes = lookalike_prototypes()
    mapped = "".join(prototypes.get(letter, letter) for letter in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", mapped).casefold()


@cache
def lookalike_prototypes() -> dict[str, str]:
    """Return the prototype, one or more characters, of each letter that has one."""
    table = json.loads(files(__package__).joinpath(TABLE).read_text(encoding="utf-8"))
    return dict(table["prototypes"])
