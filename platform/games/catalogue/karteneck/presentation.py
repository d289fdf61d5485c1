"""How Karteneck is shown: small picture, and the beats of replays."""

from collections.abc import Sequence
from typing import Final

from games.beats import END, Frame, Mark, Weight, ending
from games.catalogue.grill.presentation import CLAY, INK, IRON
from games.picture import Drawing, PictureRow, View, escape, picture_glyphs, picture_piece_box
from games.state import CHANCE

MARKS: Final = {"": "", "valid": "good", "invalid": "bad"}


def karteneck_presentation_draw(view: View, paints: Sequence[str]) -> Drawing:
    """Draw the small picture, see ``games.picture.Painter``."""
    seat = view["actor"] if view["actor"] >= 0 else (view["last"] or {"seat": 0})["seat"]
    rows = [
        PictureRow(worms, str(total or ""), MARKS[passed])
        for worms, total, passed in zip(view["worms"], view["totals"], view["passed"], strict=True)
    ]
    done = round(148 * view["round"] / view["rounds"])
    panel = (
        f'<path fill="{IRON}" d="M6 4h160v160H6z"/><g fill="{INK}" text-anchor="middle">'
        + _portions(view["grill"])
        + _shown([card[0] for card in view["displays"][seat]], paints[seat])
        + f'</g><path d="M12 157h{done}" stroke="#f0b12d" stroke-width="4"/>'
    )
    return Drawing(panel, rows, view["phase"] == "over")


def karteneck_presentation_card(face: str) -> str:
    """Draw a card, "1" to "5" or a worm card such as "W20"; see ``games.picture.picture_piece``."""
    worm, number = face.startswith("W"), face.removeprefix("W")
    width = 12 + 9 * len(number) + 8 * worm
    content = f'<text x="{width / 2 - 4 * worm:g}" y="20" text-anchor="middle">{escape(number)}</text>'
    mark = f'<path d="M{width - 6} 7v14" stroke="#b4532a" stroke-width="3" stroke-linecap="round"/>' if worm else ""
    return picture_piece_box(width, content + mark, back="#ffd9b0" if worm else CLAY, ink=INK)


def _portions(values: Sequence[int]) -> str:
    """Draw plates, three in a row."""
    at = [(37 + place % 3 * 49, 30 + place // 3 * 45) for place in range(len(values))]
    plates = "".join(f"M{x} {y}h0" for x, y in at)
    numbers = "".join(f'<text x="{x}" y="{y + 6}">{value}</text>' for value, (x, y) in zip(values, at, strict=True))
    return (
        f'<path d="{plates}" stroke="{CLAY}" stroke-width="41" stroke-linecap="round"/><g font-size="17">{numbers}</g>'
        if values
        else ""
    )


def _shown(faces: Sequence[str], paint: str) -> str:
    """Return the cards of one seat from left to right, closer together if there are many."""
    pitch = min(16, 152 // max(len(faces), 1))
    line = f'd="M12 130h{pitch * len(faces) - 1}" stroke-dasharray="{pitch - 1} 1"'
    return (
        f'<path {line} stroke="{paint}" stroke-width="28"/><path {line} stroke="{CLAY}" stroke-width="22"/>'
        + picture_glyphs(((face, 12 + pitch * place + (pitch - 1) / 2) for place, face in enumerate(faces)), 135)
        if faces
        else ""
    )


_BEATS: Final = {
    "play": (1400, Weight.MOVE),
    "pass": (1400, Weight.MOVE),
    "bust": (2000, Weight.KEY),
    "steal": (2400, Weight.TURNING),
    "menu": (3000, Weight.TURNING),
}


def karteneck_presentation_mark(frames: Sequence[Frame]) -> Mark | None:
    """End a beat when a player must play or pass, after the deal, and after a menu was shared."""
    frame, phase = frames[-1], frames[-1].view["phase"]
    if frame.key == END:
        return ending()
    if phase == "reveal" and frame.action.startswith("draw "):
        return Mark("deal", CHANCE, 1500, Weight.MOVE)
    if phase != "turn" and frame.key != "menu":
        return None
    if frame.action.startswith("reveal "):
        return Mark("grill", CHANCE, 1500, Weight.MOVE)
    acted = next(one for one in frames if one.actor != CHANCE)
    kind = next((one.key for one in frames if one.key), acted.action.partition(" ")[0])
    return Mark(kind, acted.actor, *_BEATS[kind])
