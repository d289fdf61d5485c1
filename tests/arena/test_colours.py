"""The colours can be read, by the contrast of WCAG 2.2, in the light and in the dark."""

import re
from pathlib import Path

import pytest

import arena.site

TOKENS = (Path(arena.site.__file__).parent / "static/site/css/tokens.css").read_text()
THEMES = ("light", "dark")
TEXT = 4.5
GRAPHICS = 3.0


def colour(name: str, theme: str) -> str:
    """The hex colour of a token."""
    value = re.search(rf"--{name}: ([^;]+);", TOKENS)
    assert value, name
    both = re.findall(r"#[0-9a-f]{6}", value[1])
    return str(both[THEMES.index(theme) if len(both) == 2 else 0])


def luminance(hex_colour: str) -> float:
    channels = (int(hex_colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_agrees_with_the_standards_own_examples() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


WRITTEN_ON = [
    *((ink, ground) for ink in ("ink", "ink-soft") for ground in ("ground", "surface", "sunk", "raised")),
    *(("accent", ground) for ground in ("ground", "surface", "sunk")),
    ("accent-ink", "accent"),
    ("accent-strong", "accent-soft"),
    *((tone, ground) for tone in ("good", "warn", "bad") for ground in (f"{tone}-soft", "surface", "ground")),
    *(("ink", f"{tone}-soft") for tone in ("good", "warn", "bad", "accent")),
    *((f"seat-{seat}-ink", f"seat-{seat}") for seat in range(7)),
    *((f"seat-{seat}-line", "surface") for seat in range(7)),
]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("ink", "ground"), WRITTEN_ON)
def test_text_is_readable(ink: str, ground: str, theme: str) -> None:
    assert contrast(colour(ink, theme), colour(ground, theme)) >= TEXT


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", ["surface", "ground"])
def test_edges_of_fields_are_visible(ground: str, theme: str) -> None:
    assert contrast(colour("line-strong", theme), colour(ground, theme)) >= GRAPHICS


def test_the_seats_wear_the_colours_of_okabe_and_ito() -> None:
    published = {"#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"}
    assert {colour(f"seat-{seat}", "light") for seat in range(7)} == published
