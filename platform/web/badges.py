"""Badges: a label and a figure as a small picture, for a README or a page elsewhere."""

from html import escape
from typing import Final

from django.http import HttpResponse

from web.previews import ACCENT, GROUND, INK, LEFT_OUT

LABEL_MOST: Final = 30  # letters
_LETTER: Final = 7  # pixels, to which the text is stretched: fonts differ
_MARGIN: Final = 8
HEIGHT: Final = 20


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
            f'<rect x="{left}" width="{length + 2 * _MARGIN}" height="{HEIGHT}" fill="{ground}"/>'
            f'<text x="{left + _MARGIN}" y="14" textLength="{length}" lengthAdjust="spacingAndGlyphs" fill="{ink}">'
            f"{clean}</text>"
        )
        left += length + 2 * _MARGIN
    name = escape("".join(letter for letter in f"{label}: {figure}" if letter.isprintable()))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left}" height="{HEIGHT}" role="img"'
        f' font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><title>{name}</title>{"".join(parts)}</svg>'
    )
