"""The ceremony of a tournament as a video: Chromium draws and encodes it, faster than it plays.

python -m tests.browser.ceremony_video SLUG FILE [ADDRESS] [SECONDS from one rank to the next]

Reads the page of a ceremony that is over, so that nothing sealed is read, and reveals its ranks once more, twice as
slowly on the podium. The clock of the page is stopped: animations are moved by hand, a frame lasts until something
changes, and WebCodecs encodes VP9. The file, without sound, is WebM with what a player needs to seek.
"""

import base64
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin

from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.chromium import chromium
from tests.browser.webm import BLOCK_MOST_MS, Frame, webm

SIZE: Final[ViewportSize] = {"width": 1280, "height": 720}
FRAME_MS: Final = 40
REVEAL_MS: Final = 1520  # the animations of ceremony.css: the number, then the name
KEY_EVERY: Final = 50  # frames: where a player can seek to
PODIUM: Final = 3
BITS: Final = 2_000_000  # a second, at most
# Only the stage and the rail are filmed, on the whole window; the bots that are not revealed yet are put aside.
PREPARE: Final = """() => {
  const show = document.querySelector("ceremony-show");
  const aside = ".site-header, .site-footer, .phone-bar, .crumbs, .ceremony-controls, .ceremony-tools";
  for (const one of document.querySelectorAll(aside)) one.remove();
  document.documentElement.style.overflow = "hidden";
  Object.assign(show.closest(".wrap").style, { maxWidth: "none", padding: "28px 40px" });
  Object.assign(show.style, { height: "664px", minHeight: "0" });
  window.ranks = [...show.querySelectorAll("#ceremony-rail > ol > li")];
  window.list = show.querySelector("#ceremony-rail > ol");
  window.list.replaceChildren();
  const curtain = Object.assign(document.createElement("p"), { className: "ceremony-curtain" });
  curtain.textContent = document.querySelector(".ceremony-head h1").lastChild.textContent.trim();
  show.querySelector("#ceremony-stage").replaceChildren(curtain);
  return window.ranks.map((one) => one.querySelector("[data-place]") !== null);
}"""
REVEAL: Final = """() => {
  const stage = document.querySelector("#ceremony-stage");
  const rank = window.ranks.pop();
  stage.classList.remove("revealing");
  stage.replaceChildren(rank.querySelector(".ceremony-rank").cloneNode(true));
  window.list.prepend(rank);
  void stage.offsetWidth;
  stage.classList.add("revealing");
  window.moving = document.getAnimations();
  for (const one of window.moving) one.pause();
}"""
SEEK: Final = "(ms) => { for (const one of window.moving) one.currentTime = ms; }"
OPEN: Final = """([width, height, bitrate]) => {
  window.chunks = [];
  window.encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      window.chunks.push([chunk.timestamp / 1000, chunk.type === "key", data.toBase64()]);
    },
    error: (error) => { window.failed = String(error); },
  });
  window.encoder.configure({ codec: "vp09.00.31.08", width, height, bitrate, framerate: 25, latencyMode: "quality" });
}"""
ENCODE: Final = """async ([png, ms, keyFrame]) => {
  const image = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
  const frame = new VideoFrame(image, { timestamp: ms * 1000 });
  window.encoder.encode(frame, { keyFrame });
  frame.close();
  if (window.failed) throw new Error(window.failed);
}"""
CLOSE: Final = "async () => { await window.encoder.flush(); return window.chunks; }"


def shots(page: Page, seconds: float) -> Iterator[tuple[bytes, int]]:
    """Yield each picture with the millisecond from which it is seen, and at the end the last one again."""
    podium = page.evaluate(PREPARE)
    png, now = page.screenshot(), 0
    yield png, now
    now += round(seconds * 1000)
    for is_podium in reversed(podium):
        page.evaluate(REVEAL)
        for ms in range(0, REVEAL_MS + 1, FRAME_MS):
            page.evaluate(SEEK, ms)
            png = page.screenshot()
            yield png, now + ms
        now += round(seconds * 1000 * (2 if is_podium else 1))
    yield png, now


def record(browser: Browser, address: str, seconds: float) -> list[Frame]:
    """Encode the ceremony at ``address``, an ended one, or end with a message."""
    context = browser.new_context(viewport=SIZE, bypass_csp=True)
    page, easel = context.new_page(), context.new_page()
    answer = page.goto(address)
    if answer is None or not answer.ok or not page.locator("#ceremony-rail > ol > li").count():
        raise SystemExit(f"{address} shows no ceremony")
    if not page.locator("#ceremony-controls .notice").count():
        raise SystemExit("The ceremony is not over yet")
    page.evaluate("document.fonts.ready")
    easel.goto(address)  # encoders are there on secure pages alone
    easel.evaluate(OPEN, [SIZE["width"], SIZE["height"], BITS])
    key = 0  # the millisecond of the last key frame
    for count, (png, ms) in enumerate(shots(page, seconds)):
        is_key = count % KEY_EVERY == 0 or ms - key > BLOCK_MOST_MS  # ranks may be far apart
        key = ms if is_key else key
        easel.evaluate(ENCODE, [base64.b64encode(png).decode(), ms, is_key])
    found: list[Any] = easel.evaluate(CLOSE)
    context.close()
    return [Frame(round(ms), is_key, base64.b64decode(data)) for ms, is_key, data in found]


def main(slug: str, file: Path, site: str = "http://127.0.0.1:8000/", pace: str = "8") -> None:
    """Write the video."""
    seconds = float(pace)
    if seconds * 1000 <= REVEAL_MS:
        raise SystemExit(f"A rank needs {REVEAL_MS / 1000} s to be revealed")
    with chromium() as browser:
        frames = record(browser, urljoin(site, f"/tournaments/{slug}/ceremony/"), seconds)
    data = webm(frames, SIZE["width"], SIZE["height"])
    file.write_bytes(data)
    print(f"{file}: {frames[-1].ms / 1000:.0f} s, {len(frames)} frames, {len(data):,} bytes")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
