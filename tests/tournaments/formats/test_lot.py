"""Lots: fixed by the secret, different by purpose."""

from hashlib import blake2b

from games.contest_luck import contest_luck_lot


def test_a_lot_is_what_the_docstring_lets_anyone_compute():
    key = blake2b(b"secret").digest()
    assert contest_luck_lot(b"secret", "tie", 17) == blake2b(b"tie/17", key=key, digest_size=8).digest()


def test_lots_differ_by_purpose_entrant_and_secret():
    assert len({contest_luck_lot(s, p, e) for s in (b"a", b"b") for p in ("tie", "seeding") for e in range(50)}) == 200
