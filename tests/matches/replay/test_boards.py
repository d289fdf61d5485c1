"""The board of every game in a real Chromium: it draws all that can happen, and hides what a seat cannot know."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from games.beats import beats_of
from games.catalogue import GAMES
from games.frames import frames
from tests.browser.chromium import WAIT_MS
from tests.games.sample import SAMPLES
from tests.matches.replay.player_server import canned, stage
from tests.waiting import eventually

pytestmark = pytest.mark.browser

MOVING = 60  # steps of a game that are drawn with motion each day; all of them are slow, for a browser too
STEP_THROUGH = """(steps) => Array.from({ length: steps }, () => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: ".", bubbles: true }));
  const broken = /undefined|NaN|%\\(/.exec(document.querySelector(".rp-stage").outerHTML);
  return broken ? broken[0] : document.querySelector(".rp-sentence").textContent;
})"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Whatever the browser complains about fails the test."""
    complaints: list[str] = []
    with stage() as url:
        page = browser.new_page(base_url=url, viewport={"width": 1280, "height": 900})
        page.set_default_timeout(WAIT_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None
        )
        yield page
        page.close()
    assert [text for text in complaints if "404" not in text] == []


def visit(page: Page, ruleset: str, query: str = "") -> None:
    page.goto(f"/boards/{ruleset}/{query}")
    expect(page.locator(".rp-count")).to_have_text(re.compile(r"/ [1-9]"))


@pytest.fixture(autouse=True)
def _samples(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in SAMPLES:
        monkeypatch.setitem(GAMES, game.name, game)  # type: ignore[arg-type]


@pytest.mark.parametrize("moving", [MOVING, pytest.param(10**6, marks=pytest.mark.slow)], ids=["some move", "all move"])
@pytest.mark.parametrize("ruleset", [*GAMES, *(game.name for game in SAMPLES)])
def test_a_board_draws_every_step_of_a_game_and_says_what_happens(page: Page, ruleset: str, moving: int) -> None:
    visit(page, ruleset)
    game_frames = list(frames(canned(ruleset)))
    keys = [
        beat
        for beat in beats_of(GAMES[ruleset].mark, game_frames)
        if any(game_frames[n].key for n in range(beat.first, beat.last + 1))
    ]
    last = len(game_frames) - 1
    sentences = page.evaluate(STEP_THROUGH, min(moving, last))
    page.emulate_media(reduced_motion="reduce")
    sentences += page.evaluate(STEP_THROUGH, max(last - moving, 0))
    expect(page.locator(".rp-count")).to_have_text(f"{last} / {last}")
    assert sum(not text for text in sentences) <= last / 4
    assert [text for text in sentences if re.search(r"undefined|NaN|%\(", text)] == []
    expect(page.locator(".rp-events [data-event]")).to_have_count(len(keys))


# Names that are cut, names over pieces, and pieces that leave their place.
MISFITS = """() => {
  const box = (one) => one.getBoundingClientRect();
  const wrong = [];
  for (const place of document.querySelectorAll(".bd-place")) {
    const name = place.querySelector(".bd-name > *");
    const [its, room] = [box(name), box(place)];
    const isCut = name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 1;
    if (isCut) wrong.push(`cut: ${name.textContent}`);
    for (const piece of place.querySelectorAll(".tile, .kk-card, .lg-card, .hk-owned, .bd-worms, output, .seat")) {
      const at = box(piece);
      if (!at.width || !at.height) continue;
      const over = Math.min(at.right, its.right) - Math.max(at.left, its.left);
      const under = Math.min(at.bottom, its.bottom) - Math.max(at.top, its.top);
      if (Math.min(over, under) > 1) wrong.push(`over ${piece.getAttribute("class")}: ${name.textContent}`);
      if (at.bottom > room.bottom + 1) wrong.push(`out: ${piece.getAttribute("class")}`);
    }
  }
  return [...new Set(wrong)];
}"""


@pytest.mark.parametrize("size", [(390, 844), (1280, 800), (1440, 900)])
@pytest.mark.parametrize("ruleset", GAMES)
def test_long_names_are_whole_and_over_no_piece(page: Page, ruleset: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(reduced_motion="reduce")
    visit(page, f"{ruleset}/full")
    last = int(page.get_by_role("slider", name="Step").get_attribute("max") or 0)
    for share in (0.3, 0.6, 0.87):
        page.get_by_role("slider", name="Step").fill(str(round(share * last)))
        assert eventually(lambda: page.evaluate(MISFITS) == [], 5), page.evaluate(MISFITS)


MARKED = {
    "pickomino": ("take ", "face"),
    "heckmeck": ("keep ", "specialist"),
    "karteneck": ("play ", "card"),
    "laghetti": ("play ", "card"),
}


@pytest.mark.parametrize("ruleset", MARKED)
def test_a_mark_may_be_a_seat_or_the_action_that_is_about_a_piece(page: Page, ruleset: str) -> None:
    begins, attribute = MARKED[ruleset]
    steps = ((n, one.action) for n, one in enumerate(canned(ruleset).replay(), 1))
    step, action = next((n, action) for n, action in steps if action.startswith(begins))
    piece = action.split(" ")[1].split("x")[-1]
    page.goto(f"/boards/{ruleset}/notes/?step={step}")
    expect(page.locator(f'[data-noted][data-{attribute}="{piece}"]').first).to_be_visible()
    expect(page.locator(f"[data-noted]:not([data-{attribute}])")).to_have_count(1)
    expect(page.locator(".bd-place").nth(1)).to_have_attribute("data-noted", "")
    expect(page.locator(".nt-note")).to_contain_text(f"It marks: {action}, seat 1.")


@pytest.mark.parametrize("pov", range(4))
def test_karteneck_shows_a_seat_no_hand_but_its_own_and_no_card_that_another_draws(page: Page, pov: int) -> None:
    game = list(frames(canned("karteneck")))
    ends = {beat.last for beat in beats_of(GAMES["karteneck"].mark, game)}  # where a whole move is told
    drawn = next(frame for frame in game if frame.action.startswith("draw ") and frame.turn and frame.n not in ends)
    visit(page, "karteneck", f"?step={drawn.n}&pov={pov}")
    expect(page.locator(".rp-count")).to_have_text(re.compile(f"^{drawn.n} /"))
    places = page.locator(".kk-player")
    for seat, size in enumerate(drawn.view["hand_sizes"]):
        hand = places.nth(seat).locator(".kk-hand")
        expect(hand.locator(".kk-card")).to_have_count(size)
        expect(hand.locator("[data-type]")).to_have_count(size if pov in (0, seat + 1) else 0)
    sentence = page.locator(".rp-sentence")
    if pov in (0, game[drawn.n - 1].view["drawing"] + 1):
        expect(sentence).not_to_contain_text("draws a card")
    else:
        expect(sentence).to_contain_text("draws a card")


@pytest.mark.parametrize("pov", range(4))
def test_laghetti_shows_a_seat_no_hand_but_its_own_and_no_card_that_another_is_dealt(page: Page, pov: int) -> None:
    game = list(frames(canned("laghetti")))
    dealt = next(frame for frame in game if frame.view["round"] == 4 and min(frame.view["hand_sizes"]) == 3)
    receiver = game[dealt.n - 1].view["hand_sizes"].index(2)
    visit(page, "laghetti", f"?step={dealt.n}&pov={pov}")
    expect(page.locator(".rp-count")).to_have_text(re.compile(f"^{dealt.n} /"))
    places = page.locator(".lg-player")
    for seat, size in enumerate(dealt.view["hand_sizes"]):
        hand, seen = places.nth(seat).locator(".lg-hand"), pov in (0, seat + 1)
        expect(hand.locator(".lg-card")).to_have_count(size)
        expect(hand.locator(".lg-back")).to_have_count(0 if seen else size)
        expect(hand.locator(".lg-value")).to_have_count(4 * size if seen else 0)
    sentence = page.locator(".rp-sentence")
    if pov in (0, receiver + 1):
        expect(sentence).to_contain_text("altitude")
    else:
        expect(sentence).to_contain_text("is dealt a card")


COVERED = """() => Array.from(document.querySelectorAll(".kk-stack"), (stack) =>
  Array.from(stack.children).slice(0, -1).map((portion) => {
    const value = portion.querySelector(".tile-number").getBoundingClientRect();
    const next = portion.nextElementSibling.getBoundingClientRect();
    return [Math.floor(next.left - value.right), Math.round(value.height)];
  })
)"""


@pytest.mark.parametrize("width", [390, 1280])
def test_every_covered_portion_of_karteneck_shows_its_whole_value(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    end = list(frames(canned("karteneck")))[-1]
    visit(page, "karteneck", f"?step={end.n}")
    expect(page.locator(".kk-portion")).to_have_count(sum(map(len, end.view["stacks"])))
    covered = page.evaluate(COVERED)
    assert [len(stack) + 1 for stack in covered] == [len(stack) for stack in end.view["stacks"]]
    assert all(room >= -1 and height >= 12 for stack in covered for room, height in stack), covered


DESK = {"width": 1280, "height": 800}


def halfway(ruleset: str) -> int:
    return len(list(frames(canned(ruleset)))) // 2


@pytest.mark.parametrize("ruleset", ["pickomino", "heckmeck"])
def test_dice_and_words_are_large_on_a_desk(page: Page, ruleset: str) -> None:
    page.set_viewport_size(DESK)
    rolled = next(frame for frame in frames(canned(ruleset)) if frame.view["rolled"] and not frame.key)
    visit(page, ruleset, f"?step={rolled.n}")
    dice = page.locator(".pk-rolled .die.rolled")
    expect(dice).to_have_count(len(rolled.view["rolled"]))
    assert min(box["width"] for one in dice.all() if (box := one.bounding_box())) >= 72
    labels = page.locator(".pk-label").evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).fontSize))")
    assert min(labels) >= 14


FILLED = """() => {
  const box = (element) => element.getBoundingClientRect();
  const [stage, board] = [box(document.querySelector(".rp-stage")), box(document.querySelector(".bd-board"))];
  const places = [...document.querySelectorAll(".bd-place")];
  const above = places.map((place) => box(place.firstElementChild).top - box(place).top);
  const reached = Math.max(...[...document.querySelectorAll(".bd-board > *")].map((part) => box(part).bottom));
  return { above: Math.max(...above), below: stage.bottom - reached, beside: stage.width - board.width };
}"""


@pytest.mark.parametrize("size", [DESK, {"width": 390, "height": 844}], ids=["desk", "phone"])
@pytest.mark.parametrize("ruleset", GAMES)
def test_a_board_fills_its_stage_and_places_begin_at_their_top(page: Page, ruleset: str, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    visit(page, ruleset, f"?step={halfway(ruleset)}")
    left = page.evaluate(FILLED)
    assert left["above"] <= 16
    assert (left["below"], left["beside"]) < (4, 4)


def test_an_empty_display_of_karteneck_says_so_and_hands_can_be_read(page: Page) -> None:
    page.set_viewport_size(DESK)
    visit(page, "karteneck", f"?step={next(f.n for f in frames(canned('karteneck')) if f.view['phase'] == 'turn')}")
    empty = page.locator(".kk-display:empty").first
    assert empty.evaluate("one => getComputedStyle(one, '::before').content") == '"nothing played"'
    hand = page.locator(".kk-hand .kk-card:last-child").first.bounding_box()
    assert hand is not None
    assert hand["width"] >= 50


def test_the_lakes_are_a_square_with_features_named_and_bids_shown(page: Page) -> None:
    page.set_viewport_size(DESK)
    led = next(frame for frame in frames(canned("laghetti")) if frame.view["trick"])
    visit(page, "laghetti", f"?step={led.n}")
    water = page.locator(".lg-water").bounding_box()
    assert water is not None
    assert water["width"] == pytest.approx(water["height"], rel=0.02)
    expect(page.locator(".lg-legend li")).to_have_text(["altitude", "area", "hut", "trail"])
    expect(page.locator(".lg-legend [data-named]")).to_have_count(1)
    tallies = [f"bid {bid} · won 0" for bid in led.view["bids"]]
    expect(page.locator(".lg-tally .lg-words")).to_have_text(tallies)
    visit(page, "laghetti", "?step=1")
    expect(page.locator(".lg-tally .lg-words").first).to_have_text("no bid yet")


# The size on the screen of what is drawn, too.
DRAWN = """() => [...document.querySelectorAll(".rp-stage svg text")].flatMap((text) => {
  if (!text.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
  const size = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().d;
  return size < 11 ? [`${text.getAttribute("class")} ${text.textContent}: ${size.toFixed(1)} px`] : [];
})"""


@pytest.mark.parametrize("size", [{"width": 844, "height": 390}, {"width": 740, "height": 360}], ids=["844", "740"])
@pytest.mark.parametrize("ruleset", GAMES)
def test_no_drawn_word_is_small_on_a_phone_on_its_side(page: Page, ruleset: str, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    visit(page, ruleset, f"?step={halfway(ruleset) * 3 // 2}")
    assert page.evaluate(DRAWN) == []


def chips(page: Page, ruleset: str, step: int) -> list[str]:
    visit(page, ruleset, f"?step={step}")
    expect(page.locator(".rp-count")).to_have_text(re.compile(f"^{step} /"))
    expect(page.locator(".rp-sentence")).not_to_have_text(re.compile("…$"))  # the dice lie
    return page.get_by_role("list", name="What's happening?").locator("li").all_inner_texts()


def test_newcomers_see_what_a_turn_at_the_grill_needs_and_how_likely_it_fails(page: Page) -> None:
    """Worked out here from the rules: nothing new in a roll of n dice with k faces kept has the chance (k/6)^n."""
    game_frames = list(frames(canned("pickomino")))
    decisions = [f for f in game_frames if f.view["phase"] == "decide" and not f.key]
    for frame in (
        decisions[0],
        decisions[len(decisions) // 2],
        next(f for f in decisions if f.view["aside"]["W"] and f.view["sum"] < 21),
    ):
        view = frame.view
        faces = sum(bool(count) for count in view["aside"].values())
        labels = chips(page, "pickomino", frame.n)
        assert ("Needs a worm" in labels) == (not view["aside"]["W"])
        if view["dice_left"]:
            risk = (faces / 6) ** view["dice_left"]
            assert (f"{round(100 * risk)}\u00a0% bust" in labels) == (risk >= 0.005)
        lowest = min(tile for tile in [*view["grill"], *(stack[-1] for stack in view["stacks"] if stack)])
        if view["aside"]["W"] and view["sum"] < lowest:
            assert any(re.fullmatch(r"Needs \d\d or more|Nothing within reach", text) for text in labels)
    assert chips(page, "pickomino", game_frames[-1].n) == []


def test_newcomers_see_how_many_tricks_are_missing(page: Page) -> None:
    game_frames = list(frames(canned("laghetti")))
    frame = next(f for f in game_frames if f.view["phase"] == "lead" and f.view["round"] == 5)
    left = frame.view["bids"][frame.view["actor"]] - frame.view["won"][frame.view["actor"]]
    texts = {0: "Needs no more tricks", 1: "Needs one more trick"}
    assert chips(page, "laghetti", frame.n) == [texts.get(left, f"Needs {left} more tricks")]
