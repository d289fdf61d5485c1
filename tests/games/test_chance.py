"""The dealer's dice: reproducible in any language, even, and a seat's own."""

from collections import Counter
from hashlib import blake2b
from itertools import product

import pytest

from games.chance import EVEN, FACES, Dice, Pick, Roll, chance_even, draws, roll_odds, rolls
from games.dealer import Dealer, block_seed
from pecking.testing.random_games import random_game_seed


def dice_by_the_book(key: bytes, seat: int, turn: int, roll: int, number: int) -> str:
    """The definition in games.chance, written out a second time without a thought for speed."""
    shown = []
    for slot in range(number):
        attempt = 0
        while True:
            text = f"dice/{seat}/{turn}/{roll // 4}/{attempt}"
            byte = blake2b(text.encode(), key=key, digest_size=64).digest()[16 * (roll % 4) + slot]
            if byte < 252:
                break
            attempt += 1
        shown.append(FACES[byte % 6])
    return "roll " + " ".join(sorted(shown))


def test_dice_follow_their_definition() -> None:
    for game in range(40):
        dealer = Dealer(random_game_seed(game))
        for turn in range(5):
            for roll in range(7):
                for number in (8, 5, 1):
                    assert dealer.deal(Dice(game % 7, turn, roll, number)) == dice_by_the_book(
                        random_game_seed(game), game % 7, turn, roll, number
                    )


def test_a_known_roll_never_changes() -> None:
    assert Dealer(bytes(16)).deal(Dice(0, 0, 0, 8)) == "roll 1 2 2 2 2 2 5 W"
    assert block_seed(b"secret", "match", 7).hex() == "64b520a7475bd80788d15540649234a9"
    assert len({block_seed(b"secret", *key) for key in ((1,), ("1",), (1, 1), ("11",), ("1,1",))}) == 5


def test_all_faces_are_equally_likely() -> None:
    tally: Counter[str] = Counter()
    for game in range(400):
        dealer = Dealer(random_game_seed("fair", game))
        for turn in range(10):
            tally.update(dealer.deal(Dice(0, turn, 0, 8)).split()[1:])
    expected = sum(tally.values()) / 6
    chi_square = sum((tally[face] - expected) ** 2 / expected for face in FACES)
    assert chi_square < 20.5  # one seed in a thousand is beyond; the seeds are fixed


def test_dice_left_lie_the_same_whatever_was_taken() -> None:
    dealer = Dealer(random_game_seed("slots"))
    three, five = (Counter(dealer.deal(Dice(1, 2, 1, number)).split()[1:]) for number in (3, 5))
    assert three <= five


def test_a_pick_is_even_and_rejects_what_would_make_it_uneven() -> None:
    picked = Counter(Dealer(random_game_seed("pick", game)).deal(Pick("start", 7)) for game in range(1400))
    assert set(picked) == {f"start {seat}" for seat in range(7)}
    assert all(140 < count < 260 for count in picked.values())

    class Loaded:
        def block(self, key: str) -> bytes:
            return bytes([255]) if key == "x/0" else bytes([9])

    assert chance_even(Loaded(), "x", 0, 6) == 3


@pytest.mark.parametrize("wrong", [b"", b"short", bytes(17)])
def test_a_seed_is_sixteen_bytes(wrong: bytes) -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        Dealer(wrong)


def test_an_empty_secret_is_refused() -> None:
    with pytest.raises(ValueError, match="secret"):
        block_seed(b"", 1)


def test_plain_dice_follow_their_definition() -> None:
    dealer, texts = Dealer(random_game_seed("plain")), set(rolls(3, 6))
    for number in range(50):
        faces = []
        for die in range(3):
            blocks = (dealer.block(f"roll/1/{number}/{attempt}") for attempt in range(9))
            faces.append(next(block[die] for block in blocks if block[die] < EVEN) % 6 + 1)
        text = dealer.deal(Roll(f"1/{number}", 3))
        assert text == f"roll {' '.join(map(str, sorted(faces)))}"
        assert text in texts


def test_plain_dice_of_any_number_of_sides_are_even() -> None:
    dealer = Dealer(random_game_seed("even"))
    for sides in (2, 6, 7, 20, 100):
        counts = Counter(dealer.deal(Roll(f"{sides}/{number}", 1, sides)) for number in range(200 * sides))
        assert set(counts) == set(rolls(1, sides))
        # Chi-squared, five standard deviations above its mean; the seeds are fixed.
        assert sum((count - 200) ** 2 / 200 for count in counts.values()) < sides + 5 * (2 * sides) ** 0.5


def test_every_text_of_plain_dice_is_listed_once_with_its_odds() -> None:
    for number, sides in ((1, 6), (2, 6), (3, 4), (5, 6)):
        ways = Counter(product(range(1, sides + 1), repeat=number))
        odds = Counter(f"roll {' '.join(map(str, sorted(faces)))}" for faces in ways)
        texts = rolls(number, sides)
        assert len(set(texts)) == len(texts)
        assert {text: roll_odds(text) for text in texts} == odds
    assert draws(0b10110) == ("draw 1", "draw 2", "draw 4")
