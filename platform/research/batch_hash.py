"""Compute blocks of chance for many games at once: ``games.dealer.Dealer.block`` on arrays.

A block is keyed BLAKE2b (RFC 7693) of a short text. That takes two compressions: of the key and of the text. The key is
the seed of a game, so the state after its compression is stored for each game. numba compiles the compression to vector
instructions. Without numba, hashlib computes the same blocks.

A message is a row of six words: four words of bytes; the number of bytes up to the end of this message; and a word that
has all bits set in the last message of a hash, and none in others.
"""

from hashlib import blake2b
from typing import Any, Final

import numpy as np

from games.dealer import SEED_BYTES

BYTE, WORD = np.uint8, np.uint64
STATE: Final = 8  # words of a state
WORDS: Final = 4  # words of bytes in a message; all other words of a block of BLAKE2b are 0
LENGTH, LAST = WORDS, WORDS + 1
MESSAGE: Final = WORDS + 2
KEY_BYTES: Final = 128  # bytes of a key, including the zeros after it
LANES: Final = 32  # hashes that are computed in parallel
START: Final = np.array(
    [
        0x6A09E667F3BCC908,
        0xBB67AE8584CAA73B,
        0x3C6EF372FE94F82B,
        0xA54FF53A5F1D36F1,
        0x510E527FADE682D1,
        0x9B05688C2B3E6C1F,
        0x1F83D9ABFB41BD6B,
        0x5BE0CD19137E2179,
    ],
    WORD,
)
KEYED_START: Final = START ^ np.array([0x01010040 | SEED_BYTES << 8] + [0] * 7, WORD)
ORDERS: Final = (  # the order of the words in each round
    "0123456789abcdef",
    "ea489fd61c02b753",
    "b8c052fdae367194",
    "7931dcbe265a40f8",
    "905724afe1bc683d",
    "2c6a0b834d75fe19",
    "c51fed4a0763928b",
    "db7ec13950f4862a",
    "6fe9b308c2d714a5",
    "a2847615fb9e3cd0",
)
PLACES: Final = np.array([[order.index(f"{word:x}") for word in range(WORDS)] for order in (*ORDERS, *ORDERS[:2])])


def batch_hash_texts(texts: list[bytes]) -> Any:
    """Return the messages that hash these texts, after the state of a game. The texts must not be empty.

    Raises:
        ValueError: a text has more than 32 bytes.
    """
    messages = np.zeros((len(texts), MESSAGE), WORD)
    for message, text in zip(messages, texts, strict=True):
        message[:WORDS] = np.frombuffer(text.ljust(8 * WORDS, b"\0"), WORD)
        message[LENGTH:] = KEY_BYTES + len(text), 2**64 - 1
    return messages


def batch_hash_keys(seeds: list[bytes]) -> Any:
    """Return the messages that hash the keys of games with these seeds, with ``KEYED_START``."""
    messages = np.zeros((len(seeds), MESSAGE), WORD)
    messages[:, : SEED_BYTES // 8] = np.frombuffer(b"".join(seeds), WORD).reshape(len(seeds), -1)
    messages[:, LENGTH] = KEY_BYTES
    return messages


def batch_hash_compress_with_hashlib(states: Any, messages: Any, pairs: Any, number: int, found: Any) -> None:
    """Do what ``batch_hash_compress`` does, slowly. Here, the state of a game is its seed."""
    for place in range(number):
        message = messages[pairs[1, place]]
        if message[LAST]:
            text = message.tobytes()[: int(message[LENGTH]) - KEY_BYTES]
            seed = states[pairs[0, place]].tobytes()[:SEED_BYTES]
            found[place] = np.frombuffer(blake2b(text, key=seed).digest(), WORD)
        else:
            found[place, :WORDS] = message[:WORDS]


def batch_hash_compress(states: Any, messages: Any, pairs: Any, number: int, found: Any) -> None:
    """Hash ``states[i]`` with ``messages[j]`` for each of the first ``number`` pairs (i, j).

    Write the resulting states into ``found``. After a last message, the state is the digest.
    """
    v, words, m = np.empty(16 * LANES, WORD), np.empty(WORDS * LANES, WORD), np.empty(16 * LANES, WORD)
    for first in range(0, number, LANES):
        lanes = min(LANES, number - first)
        for lane in range(lanes):
            state, message = states[pairs[0, first + lane]], messages[pairs[1, first + lane]]
            for word in range(STATE):
                v[word * LANES + lane] = state[word]
                v[(STATE + word) * LANES + lane] = START[word]
            v[12 * LANES + lane] ^= message[LENGTH]
            v[14 * LANES + lane] ^= message[LAST]
            for word in range(WORDS):
                words[word * LANES + lane] = message[word]
        for places in PLACES:
            m[:] = 0
            for word in range(WORDS):
                for lane in range(LANES):
                    m[places[word] * LANES + lane] = words[word * LANES + lane]
            batch_hash_round(v, m)
        for lane in range(lanes):
            state = states[pairs[0, first + lane]]
            for word in range(STATE):
                found[first + lane, word] = state[word] ^ v[word * LANES + lane] ^ v[(STATE + word) * LANES + lane]


def batch_hash_round(v: Any, m: Any) -> None:
    """Mix the words ``m``, in the order of a round, into the 16 words ``v`` of each lane.

    All indexes are constant offsets, because the compiler vectorises the lanes only then.
    """
    for at in range(LANES):
        a0, a1, a2, a3 = v[at], v[LANES + at], v[2 * LANES + at], v[3 * LANES + at]
        b0, b1, b2, b3 = v[4 * LANES + at], v[5 * LANES + at], v[6 * LANES + at], v[7 * LANES + at]
        c0, c1, c2, c3 = v[8 * LANES + at], v[9 * LANES + at], v[10 * LANES + at], v[11 * LANES + at]
        d0, d1, d2, d3 = v[12 * LANES + at], v[13 * LANES + at], v[14 * LANES + at], v[15 * LANES + at]
        a0, b0, c0, d0 = batch_hash_mix(a0, b0, c0, d0, m[at], m[LANES + at])
        a1, b1, c1, d1 = batch_hash_mix(a1, b1, c1, d1, m[2 * LANES + at], m[3 * LANES + at])
        a2, b2, c2, d2 = batch_hash_mix(a2, b2, c2, d2, m[4 * LANES + at], m[5 * LANES + at])
        a3, b3, c3, d3 = batch_hash_mix(a3, b3, c3, d3, m[6 * LANES + at], m[7 * LANES + at])
        a0, b1, c2, d3 = batch_hash_mix(a0, b1, c2, d3, m[8 * LANES + at], m[9 * LANES + at])
        a1, b2, c3, d0 = batch_hash_mix(a1, b2, c3, d0, m[10 * LANES + at], m[11 * LANES + at])
        a2, b3, c0, d1 = batch_hash_mix(a2, b3, c0, d1, m[12 * LANES + at], m[13 * LANES + at])
        a3, b0, c1, d2 = batch_hash_mix(a3, b0, c1, d2, m[14 * LANES + at], m[15 * LANES + at])
        v[at], v[LANES + at], v[2 * LANES + at], v[3 * LANES + at] = a0, a1, a2, a3
        v[4 * LANES + at], v[5 * LANES + at], v[6 * LANES + at], v[7 * LANES + at] = b0, b1, b2, b3
        v[8 * LANES + at], v[9 * LANES + at], v[10 * LANES + at], v[11 * LANES + at] = c0, c1, c2, c3
        v[12 * LANES + at], v[13 * LANES + at], v[14 * LANES + at], v[15 * LANES + at] = d0, d1, d2, d3


def batch_hash_mix(a: Any, b: Any, c: Any, d: Any, x: Any, y: Any) -> Any:
    a = a + b + x
    d = batch_hash_rotated(d ^ a, 32)
    c = c + d
    b = batch_hash_rotated(b ^ c, 24)
    a = a + b + y
    d = batch_hash_rotated(d ^ a, 16)
    c = c + d
    return a, batch_hash_rotated(b ^ c, 63), c, d


def batch_hash_rotated(word: Any, bits: int) -> Any:
    """Return a word rotated to the right by ``bits``."""
    return word >> WORD(bits) | word << WORD(64 - bits)
