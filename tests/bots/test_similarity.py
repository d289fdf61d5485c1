"""How alike two programs are, whatever their names, numbers and comments."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.similarity import HASH_BYTES, KEPT, NEAR, similarity_of, similarity_sketch_of
from games.catalogue import GAMES

HOUSE = {f"{game.name}/{bot.name}": bot.source() for game in GAMES.values() for bot in game.house_bots}


def alike(one: bytes, other: bytes) -> float:
    return similarity_of(similarity_sketch_of({"bot.py": one}), similarity_sketch_of({"bot.py": other}))


def renamed(source: bytes) -> bytes:
    return source.replace(b"view", b"seen").replace(b"return", b"return  ") + b"\n# mine\n"


@pytest.mark.parametrize("name", sorted(HOUSE))
def test_a_program_with_other_names_and_comments_is_the_same(name):
    if len(similarity_sketch_of({"bot.py": HOUSE[name]})) >= 32 * HASH_BYTES:
        assert alike(HOUSE[name], renamed(HOUSE[name])) >= NEAR


def test_a_line_more_is_near_and_another_program_is_not():
    source = HOUSE["pickomino/sage"]
    assert alike(source, source) == 1
    assert NEAR <= alike(source, source + b"\n\ndef more(a, b):\n    return a + b\n") < 1
    assert alike(source, HOUSE["laghetti/guide"]) < NEAR


def test_short_programs_are_never_similar():
    short = b"def act(view):\n    return view['actions'][0]\n"
    assert alike(short, short) == 0
    assert alike(b"", b"") == 0


@given(st.binary(max_size=400))
def test_any_bytes_have_a_sample_of_bounded_size(source):
    sketch = similarity_sketch_of({"bot.py": source, "notes.txt": source})
    assert len(sketch) % HASH_BYTES == 0
    assert len(sketch) <= KEPT * HASH_BYTES


@pytest.mark.parametrize("part", [b"'''", b'"""', b"\\'''", b"'", b'rb"\\', b"\\", b"#", b"x.", b"\xff", b"1e", b"f'{"])
def test_no_source_takes_long(part):
    began = time.process_time()
    similarity_sketch_of({"bot.py": part * (1_000_000 // len(part))})
    assert time.process_time() - began < 5


def test_shuffled_lines_differ_by_their_order():
    lines = HOUSE["pickomino/sage"].splitlines()
    random.Random(1).shuffle(lines)
    assert alike(HOUSE["pickomino/sage"], b"\n".join(lines)) < 1
