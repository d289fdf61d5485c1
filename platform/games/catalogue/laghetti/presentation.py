"""How In cammino tra i laghetti is shown: small picture, and the beats of replays."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.beats import END, Frame, Mark, Weight, ending
from games.picture import Drawing, PictureRow, View, escape, picture_piece_box
from games.state import CHANCE

LAKE, MIST, NIGHT = "#1d5563", "#eef4f2", "#10313a"
CARD: Final = 34  # width, without a gap of 4


def laghetti_presentation_draw(view: View, paints: Sequence[str]) -> Drawing:
    """Draw the small picture, see ``games.picture.Painter``. A tick means as many tricks as bid, a cross more."""
    rows = [
        PictureRow(score, f"{won}/{'-' if bid is None else bid}", _mark(bid, won))
        for score, bid, won in zip(view["scores"], view["bids"], view["won"], strict=True)
    ]
    done = round(148 * view["round"] / len(view["schedule"]))
    trick = view["trick"] or view["last_trick"]
    panel = (
        f'<path fill="{LAKE}" d="M6 4h160v160H6z"/>'
        f'<path d="M6 52l34-36 22 22 26-30 40 40 20-18 18 22z" fill="{NIGHT}"/>'
        + (_trick(trick, paints) if trick else "")
        + f'<path d="M12 158h{done}" stroke="#f0b12d" stroke-width="3"/>'
    )
    return Drawing(panel, rows, view["phase"] == "over")


def laghetti_presentation_card(text: str) -> str:
    """Draw the value of a card, "24", or the feature with which it is led, "C 24".

    See ``games.picture.picture_piece``.
    """
    width = 14 + 9 * len(text)
    content = f'<text x="{width / 2:g}" y="20" text-anchor="middle">{escape(text)}</text>'
    return picture_piece_box(width, content, back=MIST, ink=NIGHT)


def _mark(bid: int | None, won: int) -> str:
    return "" if bid is None or won < bid else "good" if won == bid else "bad"


def _trick(trick: Mapping[str, Any], paints: Sequence[str]) -> str:
    """Draw the cards of a trick from the leader on, with the value that counts. The winning card is outlined."""
    at = [11 + (CARD + 4) * place for place in range(len(trick["values"]))]
    owners = [(trick["leader"] + place) % len(paints) for place in range(len(at))]
    cards = "".join(f"M{x} 76h{CARD}v56h-{CARD}z" for x in at)
    bars = "".join(f'<path d="M{x} 128h{CARD}" stroke="{paints[seat]}"/>' for x, seat in zip(at, owners, strict=True))
    values = "".join(
        f'<text x="{x + CARD // 2}" y="110">{value}</text>' for x, value in zip(at, trick["values"], strict=True)
    )
    won = [x for x, seat in zip(at, owners, strict=True) if seat == trick["winner"]]
    frame = f'<path d="M{won[0]} 76h{CARD}v56h-{CARD}z" stroke="#f0b12d" stroke-width="4" fill="none"/>' if won else ""
    return (
        f'<g fill="{MIST}"><text x="14" y="40" font-size="32">{trick["feature"]}</text><path d="{cards}"/></g>'
        f'<g stroke-width="8">{bars}</g>{frame}'
        f'<g fill="{NIGHT}" font-size="20" text-anchor="middle">{values}</g>'
    )


def laghetti_presentation_mark(frames: Sequence[Frame]) -> Mark | None:
    """End a beat with the last card dealt, with each bid ("bids" for the last bid) and with each card."""
    frame = frames[-1]
    if frame.key == END:
        return ending()
    phase, action = frame.view["phase"], frame.action.partition(" ")[0]
    if frame.key:
        return Mark("round", frame.view["last_trick"]["winner"], 2400, Weight.KEY)
    if action == "draw":
        return Mark("deal", CHANCE, 1500, Weight.MOVE) if phase == "bid" else None
    if action == "bid":
        last = phase == "lead"
        return Mark("bids", frame.actor, 1200, Weight.MOVE) if last else Mark("bid", frame.actor, 700, Weight.STEP)
    if action != "play":
        return None
    if phase == "lead":
        return Mark("trick", frame.view["last_trick"]["winner"], 1500, Weight.MOVE)
    return Mark("card", frame.actor, 900, Weight.STEP)
