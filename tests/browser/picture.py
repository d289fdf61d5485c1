"""Make the moving picture of the README: a game in the replay player, step by step, as an animated WebP.

python -m tests.browser.picture FILE

Chromium draws each step of a canned game and encodes it. The container is written here, after Google's "WebP Container
Specification" (RIFF chunks VP8X, ANIM and one ANMF for each frame).
"""

import base64
import re
import sys
from pathlib import Path
from typing import Final

import django
from playwright.sync_api import FloatRect, Page, expect

from games.frames import frames
from games.record import Record
from tests.browser.chromium import chromium

GAME: Final = "pickomino"
FIRST, STEPS = 40, 30
WIDTH, TOP, HEIGHT = 960, 0, 674  # of the page: the player without what is below its buttons
CLIP: Final[FloatRect] = {"x": 0, "y": TOP, "width": WIDTH, "height": HEIGHT}
QUALITY: Final = 0.55
STEP_MS, KEY_MS = 700, 1600  # steps at which something is decided stay longer
MOST_BYTES: Final = 1_500_000
ENCODE: Final = """async ([png, quality]) => {
  const image = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", quality).split(",")[1];
}"""


def chunk(name: bytes, data: bytes) -> bytes:
    """A RIFF chunk, padded to an even length."""
    return name + len(data).to_bytes(4, "little") + data + b"\0" * (len(data) % 2)


def chunks(webp: bytes) -> dict[bytes, bytes]:
    """The chunks of a WebP file by name."""
    found, at = {}, 12
    while at + 8 <= len(webp):
        size = int.from_bytes(webp[at + 4 : at + 8], "little")
        found[webp[at : at + 4]] = webp[at + 8 : at + 8 + size]
        at += 8 + size + size % 2
    return found


def animation(images: list[tuple[bytes, int]], width: int, height: int) -> bytes:
    """Join lossy WebP images of one size, each with how long it stays in milliseconds, to one that repeats for ever."""
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = chunk(b"VP8X", bytes([0b10, 0, 0, 0]) + size) + chunk(b"ANIM", b"\xff\xff\xff\xff" + b"\0\0")
    for webp, stays in images:
        picture = chunk(b"VP8 ", chunks(webp)[b"VP8 "])
        body += chunk(b"ANMF", bytes(6) + size + stays.to_bytes(3, "little") + b"\x02" + picture)
    return chunk(b"RIFF", b"WEBP" + body)


def steps(page: Page, encoder: Page, record: Record) -> list[tuple[bytes, int]]:
    """A picture of every step, with how long it stays."""
    keys = {frame.n for frame in frames(record) if frame.key}
    images = []
    for step in range(FIRST, FIRST + STEPS):
        expect(page.locator(".rp-count")).to_have_text(re.compile(f"^{step} /"))
        png = base64.b64encode(page.screenshot(animations="disabled", clip=CLIP)).decode()
        webp = base64.b64decode(encoder.evaluate(ENCODE, [png, QUALITY]))
        images.append((webp, KEY_MS if step in keys else STEP_MS))
        page.keyboard.press(".")
    return images


def main(file: Path) -> None:
    """Write the picture, or end with a message if it is too large for the repository."""
    django.setup()
    from tests.matches.replay.player_server import canned, stage  # it imports models

    with stage() as url, chromium() as browser:
        encoder, page = browser.new_page(), browser.new_page(viewport={"width": WIDTH, "height": 738})
        page.goto(f"{url}/boards/{GAME}/?step={FIRST}")
        page.evaluate("document.querySelector('main').style.padding = '12px 16px'")
        data = animation(steps(page, encoder, canned(GAME)), WIDTH, HEIGHT)
    if len(data) > MOST_BYTES:
        raise SystemExit(f"{len(data):,} bytes: more than {MOST_BYTES:,}; take fewer steps or a lower quality")
    file.write_bytes(data)
    print(f"{file}: {STEPS} steps, {len(data):,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
