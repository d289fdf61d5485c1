"""Previews of pages on other sites (title, description and a picture with the same words), and badges.

Pictures are requested by programs of other sites, so they show only public data.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Final
from unicodedata import east_asian_width

from django.http import HttpRequest, HttpResponse
from resvg_py import svg_to_bytes

WIDTH, HEIGHT = 1200, 630
TITLE_CELLS, LINE_CELLS = 25, 43  # the width of a line: lowercase letters that fit into it
TITLE_LINES: Final = 2
LEFT_OUT: Final = "…"
BROAD: Final = frozenset("MWmw@%…")
FONT: Final = "DejaVu Sans"  # resvg's default, Arial, is on few servers
GROUND, INK, SOFT, ACCENT = "#14211f", "#f2f5f4", "#a5b5b5", "#f0b12d"


@dataclass(frozen=True, slots=True)
class PreviewCard:
    """The text of a preview. ``kicker`` is the kind of the page, ``lines`` are at most three lines about its state."""

    kicker: str
    title: str
    lines: tuple[str, ...] = ()

    @property
    def description(self) -> str:
        return " · ".join((self.kicker, *self.lines))


@dataclass(frozen=True, slots=True)
class PreviewHead:
    """The values for ``site/preview_head.html``. ``page`` and ``picture`` are absolute URLs."""

    title: str
    description: str
    page: str
    picture: str
    width: int = WIDTH
    height: int = HEIGHT


def preview_head(request: HttpRequest, card: PreviewCard, page: str, picture: str) -> PreviewHead:
    """Return the preview tags for the head of ``page``. ``page`` and ``picture`` are paths."""
    whole = request.build_absolute_uri
    return PreviewHead(card.title, card.description, whole(page), whole(picture))


def preview_picture(card: PreviewCard) -> HttpResponse:
    """Return the card as a PNG of 1200 by 630 pixels, the size that link previews expect."""
    return HttpResponse(_card_png(card), content_type="image/png")


def preview_png(svg: str) -> bytes:
    """Return ``svg`` as a PNG, 1200 pixels wide.

    Text needs the font in docs/how-to/deploy.md; without the font, the text is missing.
    """
    return bytes(svg_to_bytes(svg_string=svg, width=WIDTH, sans_serif_family=FONT))


@lru_cache(maxsize=64)  # about 30 kB each
def _card_png(card: PreviewCard) -> bytes:
    return preview_png(preview_card_svg(card))


def preview_card_svg(card: PreviewCard) -> str:
    """Return the picture of a card as SVG. Rendering it needs an installed font."""
    title = _wrapped(card.title, TITLE_CELLS, TITLE_LINES)
    parts = [(card.kicker, 36, SOFT, 130, 400)]
    parts += [(line, 64, INK, 240 + 80 * at, 700) for at, line in enumerate(title)]
    below = 250 + 80 * len(title)
    parts += [
        (short, 42, ACCENT if at == 0 else INK, below + 62 * at, 400)
        for at, line in enumerate(card.lines[:3])
        for short in _wrapped(line, LINE_CELLS, 1)
    ]
    written = "".join(
        f'<text x="80" y="{y}" font-size="{size}" font-weight="{weight}" fill="{fill}">{escape(_clean(text))}</text>'
        for text, size, fill, y, weight in parts
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{GROUND}"/>'
        f'<rect width="24" height="{HEIGHT}" fill="{ACCENT}"/>{written}'
        f'<text x="1120" y="580" font-size="30" text-anchor="end" fill="{SOFT}">Pecking Order</text></svg>'
    )


def _clean(text: str) -> str:
    """Return ``text`` without the characters that XML forbids."""
    return "".join(letter for letter in text if letter.isprintable())


def _wrapped(text: str, cells: int, most: int) -> Sequence[str]:
    lines = list(_lines(text.split(), cells))
    if len(lines) > most:
        lines = [*lines[: most - 1], _cut(" ".join(lines[most - 1 :]), cells)]
    return lines


def _lines(words: Sequence[str], cells: int) -> Iterator[str]:
    line = ""
    for word in words:
        longer = f"{line} {word}" if line else word
        if line and _cells(longer) > cells:
            yield line
            line = word
        else:
            line = longer
        if _cells(line) > cells:
            line = _cut(line, cells)
    if line:
        yield line


def _cut(text: str, cells: int) -> str:
    while _cells(text) > cells:
        text = text.removesuffix(LEFT_OUT)[:-1] + LEFT_OUT
    return text


def _cells(text: str) -> float:
    """Return an upper bound for the width of ``text``, in lowercase letters."""
    return sum(2 if east_asian_width(one) in "WF" or one in BROAD else 1 if one.islower() else 1.3 for one in text)


LABEL_MOST: Final = 30  # letters
_LETTER: Final = 7  # pixels; the text is stretched to this width, because fonts differ
_MARGIN: Final = 8
BADGE_HEIGHT: Final = 20


def badge_response(label: str, figure: str) -> HttpResponse:
    """Return the badge as SVG."""
    return HttpResponse(badge_svg(label, figure), content_type="image/svg+xml")


def badge_svg(label: str, figure: str) -> str:
    """Return a badge; a long label is cut.

    >>> badge_svg("Yard", "#3").startswith('<svg xmlns="http://www.w3.org/2000/svg" width="74" height="20"')
    True
    """
    short = label if len(label) <= LABEL_MOST else label[: LABEL_MOST - 1] + LEFT_OUT
    parts = []
    left = 0
    for text, ground, ink in ((short, GROUND, INK), (figure, ACCENT, GROUND)):
        clean = escape("".join(letter for letter in text if letter.isprintable()))
        length = _LETTER * max(1, len(text))
        parts.append(
            f'<rect x="{left}" width="{length + 2 * _MARGIN}" height="{BADGE_HEIGHT}" fill="{ground}"/>'
            f'<text x="{left + _MARGIN}" y="14" textLength="{length}" lengthAdjust="spacingAndGlyphs" fill="{ink}">'
            f"{clean}</text>"
        )
        left += length + 2 * _MARGIN
    name = escape("".join(letter for letter in f"{label}: {figure}" if letter.isprintable()))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left}" height="{BADGE_HEIGHT}" role="img"'
        f' font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><title>{name}</title>{"".join(parts)}</svg>'
    )
