"""Draw a spectator's view as a small picture: SVG of at most 2 kB, without scripts, styles or identifiers.

A game draws the middle of the table and gives the text beside each name; the frame, the names and the words are the
same for all games. Inside a page, the picture uses the colours of the page (``--surface``, ``--seat-0`` ...), with
fallbacks for use as a file. A picture shows nothing that a seat hides from the others.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from html import escape as escape_html
from itertools import accumulate
from typing import Any, Final, NamedTuple, TypeAlias

escape: Final = partial(escape_html, quote=False)
BYTES_MAX: Final = 2048
WIDTH, HEIGHT = 320, 168  # the aspect ratio of link previews on other sites
PANEL: Final = 160  # side of a game's own drawing, a square at (6, 4)
# Limits: for all names together, and for one name in bytes and in letters
NAMES_BYTES, NAME_BYTES, NAME_LENGTH = 112, 24, 13
# The seats' colours on the site, in the light and the dark theme.
SEATS: Final = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")
# For each token of the site, its colour in the light theme, which is also the fallback, and in the dark theme.
COLOURS: Final = {
    "surface": ("#fff", "#152023"),
    "ink": ("#14211f", "#e7efee"),
    "ink-soft": ("#4a5b57", "#a5b5b5"),
    "accent-soft": ("#d8ebec", "#14363c"),
    "good": ("#17693d", "#6fd19a"),
    "bad": ("#a82318", "#ff9a8c"),
}
ALONE: Final = (
    "<style>:root{color-scheme:light dark;"
    + "".join(f"--{name}:light-dark({day},{night});" for name, (day, night) in COLOURS.items())
    + "}</style>"
)


LEFT_OUT: Final = "…"


class PictureText(StrEnum):
    """The texts of a picture for screen readers."""

    LEADS = "%(name)s leads with %(points)s."
    LEVEL = "Level at the top with %(points)s."
    MOVES = "%(name)s is to move."
    OVER = "The game is over."


class PicturePlayer(NamedTuple):
    """The player at a table position. ``seat`` is the seat in the match, which determines the colour in every game."""

    name: str
    seat: int


class PictureRow(NamedTuple):
    """The text beside a name. ``mark`` is "good", "bad" or ""."""

    points: int | None
    detail: str = ""
    mark: str = ""


class Drawing(NamedTuple):
    """What a game draws: SVG for the square of ``PANEL``, and a row for each table position."""

    panel: str
    rows: Sequence[PictureRow]
    over: bool = False


View: TypeAlias = Mapping[str, Any]
# Called with the spectator's view, and a colour for each table position
Painter: TypeAlias = Callable[[View, Sequence[str]], Drawing]


def plain(view: View, paints: Sequence[str]) -> Drawing:
    """Draw the table of a game that has no drawing: whose turn it is, and the points if the view has them."""
    points = view.get("points")
    known = points if isinstance(points, list) and len(points) == len(paints) else [None] * len(paints)
    size = PANEL / len(paints)
    blobs = "".join(
        f'<circle cx="86" cy="{4 + size * (seat + 0.5):.0f}" r="{size / 3:.0f}" fill="{paint}"'
        f' opacity="{1 if seat == view["actor"] else 0.35}"/>'
        for seat, paint in enumerate(paints)
    )
    return Drawing(blobs, [PictureRow(point) for point in known])


def picture_piece(text: str) -> str:
    """Draw a piece, card or tile with ``text`` on it: SVG of height 28 for use within a line of text."""
    return picture_piece_box(
        max(20, 12 + 8 * len(text)), f'<text x="50%" y="20" text-anchor="middle">{escape(text)}</text>'
    )


def picture_piece_box(width: int, content: str, *, back: str = "#fff", ink: str = "#14211f") -> str:
    """Return a piece of ``width`` by 28 with ``content``, which is SVG, on it."""
    return (
        f'<svg viewBox="0 0 {width} 28" width="{width}" height="28" font-family="sans-serif" font-size="15" '
        f'font-weight="700" fill="{ink}"><rect x="1" y="1" width="{width - 2}" height="26" rx="5" fill="{back}" '
        f'stroke="{ink}" stroke-opacity=".35"/>{content}</svg>'
    )


def picture(
    title: str, draw: Painter, view: View, players: Sequence[PicturePlayer], translate: Callable[[str], str] = str
) -> str:
    """Return the picture of a spectator's ``view``. ``players`` are in table order; their names may be hostile.

    ``title`` is shown as it is. ``translate`` translates the texts of ``PictureText``.
    """
    drawing = draw(view, [picture_seat_paint(player.seat) for player in players])
    room = min(NAME_BYTES, NAMES_BYTES // len(players))
    named = [_cut(player.name, room, NAME_LENGTH) for player in players]
    label = " ".join(_label(view, drawing, named, translate))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="sans-serif" font-size="12" fill="{picture_paint("ink")}">'
        f"<title>{_cut(title, 60, 40)}</title><desc>{label}</desc>"
        f"{drawing.panel}{_rows(drawing, named, [player.seat for player in players], view['actor'])}</svg>"
    )


def picture_board(draw: Painter, view: View, seats: Sequence[int]) -> str:
    """Return the middle of the table in a spectator's ``view``, a square without words. ``seats`` are in
    table order.
    """
    panel = draw(view, [picture_seat_paint(seat) for seat in seats]).panel
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="6 4 {PANEL} {PANEL}" aria-hidden="true"'
        f' font-family="sans-serif" font-size="12" fill="{picture_paint("ink")}">{panel}</svg>'
    )


def picture_alone(svg: str) -> str:
    """Return ``svg`` as a stand-alone file that follows the theme of the reader's browser."""
    start = svg.index("<title>")
    return f'{svg[:start]}{ALONE}<path fill="{picture_paint("surface")}" d="M0 0h{WIDTH}v{HEIGHT}H0z"/>{svg[start:]}'


def picture_paint(token: str) -> str:
    """Return a colour of the site, with a fallback for use outside the site."""
    return f"var(--{token},{COLOURS[token][0]})"


def picture_seat_paint(seat: int) -> str:
    """Return the colour of a seat of the match."""
    return SEATS[seat]


def picture_glyphs(letters: Iterable[tuple[str, float]], y: float, attributes: str = "") -> str:
    """Return a line of text with each letter at its own x; "" if there are no letters."""
    placed = list(letters)
    if not placed:
        return ""
    xs = " ".join(f"{x:g}" for _, x in placed)
    return f'<text x="{xs}" y="{y:g}"{attributes}>{"".join(letter for letter, _ in placed)}</text>'


def _rows(drawing: Drawing, named: Sequence[str], seats: Sequence[int], actor: int) -> str:
    high = min(30, PANEL // len(named))
    tops = [4 + (PANEL - high * len(named)) // 2 + high * row for row in range(len(named))]
    lines = [top + high // 2 + 4 for top in tops]
    bars = "".join(
        f'<path stroke="{picture_seat_paint(seat)}" d="M175 {top + 2}v{high - 4}"/>'
        for seat, top in zip(seats, tops, strict=True)
    )
    points = ["" if row.points is None else str(row.points) for row in drawing.rows]
    active = (
        f'<path fill="{picture_paint("accent-soft")}" d="M172 {tops[actor]}h144v{high}H172z"/>' if actor >= 0 else ""
    )
    return (
        f'{active}<g stroke-width="6">{bars}</g>'
        f'<svg x="182" width="{76 if any(row.mark for row in drawing.rows) else 86}">{_column(named, lines)}</svg>'
        f'<g text-anchor="end" transform="translate(289)">{_column([row.detail for row in drawing.rows], lines)}'
        f'<g transform="translate(25)" font-weight="700">{_column(points, lines)}</g></g>'
        f"{_marks(drawing.rows, lines)}"
    )


def _column(texts: Sequence[str], lines: Sequence[int]) -> str:
    return "".join(f'<text y="{y}">{text}</text>' for text, y in zip(texts, lines, strict=True) if text)


def _marks(rows: Sequence[PictureRow], lines: Sequence[int]) -> str:
    """Draw ticks and crosses, left of the details."""
    shapes = {"good": "l3 3 5-7", "bad": "l6-6m0 6l-6-6"}
    return "".join(
        f'<path d="{d}" fill="none" stroke="{picture_paint(mark)}" stroke-width="2"/>'
        for mark, shape in shapes.items()
        if (d := "".join(f"M261 {y - 3}{shape}" for row, y in zip(rows, lines, strict=True) if row.mark == mark))
    )


def _label(view: View, drawing: Drawing, named: Sequence[str], translate: Callable[[str], str]) -> Iterable[str]:
    if drawing.over:
        yield escape(translate(PictureText.OVER))
    known = [row.points for row in drawing.rows if row.points is not None]
    if len(known) == len(named):
        best = max(known)
        leads = known.count(best) == 1
        name = named[known.index(best)]
        yield escape(translate(PictureText.LEADS if leads else PictureText.LEVEL)) % {"name": name, "points": best}
    if view["actor"] >= 0:
        yield escape(translate(PictureText.MOVES)) % {"name": named[view["actor"]]}


def _cut(text: str, most_bytes: int, length: int) -> str:
    """Return ``text`` cut to ``length`` letters and, after escaping, to ``most_bytes`` bytes of UTF-8. An ellipsis
    shows that it was cut.
    """
    clean = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    letters = [escape(letter) for letter in clean]
    if len(letters) <= length and sum(len(one.encode()) for one in letters) <= most_bytes:
        return "".join(letters)
    sizes = accumulate(len(one.encode()) for one in letters)
    fitting = sum(size <= most_bytes - len(LEFT_OUT.encode()) for size in sizes)
    return "".join(letters[: min(fitting, length - 1)]).rstrip() + LEFT_OUT
