"""Certificates on paper: Chromium prints each as one sheet of A4, landscape, with a code and an address to read."""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from tests.browser.running import Site

pytestmark = [pytest.mark.browser, pytest.mark.postgres, pytest.mark.timeout(300)]

OVER = """
from bots.models import Bot
from tests.browser import cast
from tests.tournaments.rulings.rule import played
from tournaments.models import Tournament
where = cast.begin({name!r}, ('plum', 'quince', 'rowan', 'sloe'), rounds=3, tie_breaks=['buchholz', 'lot'])
played(Tournament.objects.get(name={name!r}))
print(where)
"""
A4: Final = (297 / 25.4 * 72, 210 / 25.4 * 72)  # points
SHEETS = re.compile(rb"/Type\s*/Page\b")
BOX = re.compile(rb"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)\s*\]")
# In millimetres of paper, as laid out for print: what else is there, what does not fit, how large is what is read.
LAID_OUT = """() => {
  const mm = (pixels) => pixels * 25.4 / 96;
  const shown = (element) => element.checkVisibility() && element.getBoundingClientRect().height > 0;
  const sheets = [...document.querySelectorAll(".certificate")];
  const besides = [...document.body.querySelectorAll("*")].filter(
    (one) => shown(one) && !one.closest(".certificate") && !one.querySelector(".certificate"));
  return [besides.map((one) => `${one.tagName} ${one.className}`), sheets.map((sheet) => {
    const [around, style] = [sheet.getBoundingClientRect(), getComputedStyle(sheet)];
    const beyond = [...sheet.querySelectorAll(":not(wbr)")].filter((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return left < around.left || right > around.right || top < around.top || bottom > around.bottom;
    });
    const [code, address] = ["svg", "small"].map((one) => sheet.querySelector(`.certificate-check ${one}`));
    const modules = code.viewBox.baseVal.width;
    return {
      left: mm(around.left), top: mm(around.top + scrollY), width: mm(around.width), height: mm(around.height),
      beyond: beyond.map((one) => one.textContent.trim()),
      module: mm(code.getBoundingClientRect().width) / modules,
      letters: parseFloat(getComputedStyle(address).fontSize) * 0.75,
      address: address.textContent,
      dark: [getComputedStyle(address).color, style.backgroundColor],
    };
  })];
}"""


def printed(page: Page) -> list[tuple[float, float]]:
    """The size of each sheet that the browser prints, in points."""
    file = page.pdf(prefer_css_page_size=True)
    assert len(SHEETS.findall(file)) == len(BOX.findall(file))
    return [(float(width), float(height)) for width, height in BOX.findall(file)]


def laid_out(page: Page) -> list[dict[str, Any]]:
    page.emulate_media(media="print", color_scheme="dark")
    extra, sheets = page.evaluate(LAID_OUT)
    assert extra == []
    found: list[dict[str, Any]] = sheets
    return found


@pytest.mark.parametrize(
    "name", ["Paper Cup", "The Grand Autumn Championship of All Woodworkers' Pickomino Clubs, Second Year"]
)
def test_each_certificate_is_one_sheet_with_a_code_and_an_address_that_can_be_read(
    somebody: Callable[[], Page], place: Site, name: str
) -> None:
    address = place.shell(OVER.format(name=name))
    page = somebody()
    page.set_viewport_size({"width": 1123, "height": 794})
    page.goto(f"{address}certificates/")
    single = page.locator(".certificate-check small").first.inner_text()
    for path, sheets in ((f"{address}certificates/", 4), (f"/{single.partition('/')[2]}", 1)):
        page.goto(path)
        assert printed(page) == [pytest.approx(A4, abs=1)] * sheets
        for number, sheet in enumerate(laid_out(page)):
            assert (sheet["left"], sheet["top"]) == pytest.approx((0, 210 * number), abs=0.5)
            assert (sheet["width"], sheet["height"]) == pytest.approx((297, 210), abs=0.5)
            assert sheet["beyond"] == []
            assert sheet["module"] >= 0.5  # a phone reads it at arm's length
            assert sheet["letters"] >= 8
            assert sheet["address"].startswith(place.url.partition("://")[2])
            assert sheet["dark"] == ["rgb(20, 33, 31)", "rgb(255, 255, 255)"]
        page.emulate_media(media="null", color_scheme="null")  # else the next page is printed as on a screen
