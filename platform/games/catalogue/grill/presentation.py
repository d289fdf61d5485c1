"""How Pickomino and Heckmeck are shown: small pictures, and the beats of replays."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from games.beats import END, Frame, Mark, Weight, ending
from games.picture import View, picture_glyphs, picture_piece, picture_piece_box

ACTIONS: Final = {
    "take *": "set aside all dice of the roll with this face",
    "roll": "throw the dice that are left",
    "stop": "end the turn with what is set aside",
    "steal": "steal a tile that lies on top of a stack",
    "decline": "do not steal",
    "tile *": "take this tile from the grill",
}
IRON, CLAY, INK, BACK, OPEN = "#43383a", "#fbf1dd", "#3d2413", "#6b5b52", "#b9a58c"
LEFT: Final = 12
HIGH: Final = 30  # height of a row of tiles
DIE: Final = 14  # width, including a gap of 1
_NEAR, _MIDDLE, _FAR = 8, 14, 20  # positions of the pips on a die of size 28
_SLOPE: Final = ((_NEAR, _NEAR), (_FAR, _FAR))
_CORNERS: Final = (*_SLOPE, (_FAR, _NEAR), (_NEAR, _FAR))
_CENTRE: Final = ((_MIDDLE, _MIDDLE),)
PIPS: Final = {"1": _CENTRE, "2": _SLOPE, "3": _SLOPE + _CENTRE, "4": _CORNERS, "5": _CORNERS + _CENTRE}
WORM: Final = (
    '<path d="M5.6 18.2c1.8 4.4 6 3.4 6.8-1s4.2-5.8 5.8-2.8 4 1.4 4.2-3.2" fill="none" stroke="#b4532a" '
    'stroke-width="4.6" stroke-linecap="round"/><circle cx="22" cy="10.6" r=".9" fill="#fff"/>'
)


def grill_presentation_table(view: View, tiles: Sequence[int], columns: int, guarded: Collection[int] = ()) -> str:
    """Draw the ``tiles`` in rows of ``columns``: face up, face down, or gone. Tiles in ``guarded`` have a spot. Below
    the tiles, draw the dice that were set aside in this turn, the other dice of the roll, and the sum.
    """
    pitch = 152 // columns
    at = {tile: (LEFT + place % columns * pitch, 10 + place // columns * HIGH) for place, tile in enumerate(tiles)}
    up = [tile for tile in tiles if tile in view["grill"]]
    numbers = "".join(
        picture_glyphs(
            (one for tile in up if at[tile][1] == y for one in _digits(tile, at[tile][0] + pitch // 2 - 2)), y + 18
        )
        for y in sorted({at[tile][1] for tile in up})
    )
    spots = "".join(f"M{at[tile][0] + pitch - 7} {at[tile][1] + 4}h0" for tile in up if tile in guarded)
    kept = [face for face, count in view["aside"].items() for _ in range(count)]
    open_ = [face.lstrip("+") for face in view["rolled"]]
    dice = [(face, LEFT + DIE // 2 + DIE * place) for place, face in enumerate([*kept, *open_])]
    total = f'<text x="148" y="153" fill="{CLAY}">{view["sum"]}</text>' if kept else ""
    return (
        f'<path fill="{IRON}" d="M6 4h160v160H6z"/>'
        + f'<g stroke-width="26" stroke-dasharray="{pitch - 4} 4">'
        + _bars([at[tile] for tile in view["facedown"]], pitch, BACK)
        + _bars([at[tile] for tile in up], pitch, CLAY)
        + f'</g><g stroke-width="14" stroke-dasharray="{DIE - 1} 1">'
        + _bars([(LEFT + DIE * place, 135) for place in range(len(kept))], DIE, CLAY)
        + _bars([(LEFT + DIE * place, 135) for place in range(len(kept), len(dice))], DIE, OPEN)
        + "</g>"
        + (f'<path d="{spots}" stroke="#e89a1d" stroke-width="8" stroke-linecap="round"/>' if spots else "")
        + f'<g fill="{INK}" text-anchor="middle">{numbers}{picture_glyphs(dice, 152)}{total}</g>'
    )


def grill_presentation_die(face: str) -> str:
    """Draw a die that shows ``face``, "1" to "5" or "W"; see ``games.picture.picture_piece``."""
    if face not in PIPS and face != "W":
        return picture_piece(face)
    pips = "".join(f'<circle cx="{x}" cy="{y}" r="2.6"/>' for x, y in PIPS.get(face, ()))
    return picture_piece_box(28, pips or WORM, back=CLAY, ink=INK)


def grill_presentation_top_tile(stack: Sequence[int]) -> str:
    """Return the number of the top tile, which may be stolen, or "" if there is none."""
    return str(stack[-1]) if stack else ""


def _bars(corners: Iterable[tuple[int, int]], pitch: int, paint: str) -> str:
    """Draw boxes as dashes of lines 13 below their corners. Neighbours in the given order share one line."""
    lines: list[tuple[int, int, int]] = []  # (x of the start, y, length)
    for x, y in corners:
        if lines and lines[-1][0] + lines[-1][2] == x and lines[-1][1] == y:
            lines[-1] = (*lines[-1][:2], lines[-1][2] + pitch)
        else:
            lines.append((x, y, pitch))
    d = "".join(f"M{x} {y + 13}h{long}" for x, y, long in lines)
    return f'<path d="{d}" stroke="{paint}"/>' if d else ""


def _digits(tile: int, middle: int) -> tuple[tuple[str, int], tuple[str, int]]:
    tens, ones = divmod(tile, 10)
    return (str(tens), middle - 4), (str(ones), middle + 4)


DECIDE: Final = "decide"  # the phase after dice were kept
_TURN_ENDS: Final = {"take": (1800, Weight.KEY), "bust": (2000, Weight.KEY), "steal": (2400, Weight.TURNING)}


def grill_presentation_mark(frames: Sequence[Frame]) -> Mark | None:
    """End a beat after dice were set aside ("keep"), when a roll is thrown again ("weasel"), and at the
    end of a turn.
    """
    frame = frames[-1]
    if frame.key == END:
        return ending()
    if frame.key:
        return Mark(frame.key, frame.view["last"]["seat"], *_TURN_ENDS[frame.key])
    if frame.view["phase"] == DECIDE:
        return Mark("keep", frame.actor, 1300, Weight.MOVE)
    if frame.action == "use weasel":
        return Mark("weasel", frame.actor, 1300, Weight.MOVE)
    return None
