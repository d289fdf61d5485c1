"""What a board shows beside the position: what is within reach, who would get what, how the bids stand, who won."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games.frames import frames
from tests.browser.chromium import WAIT_MS
from tests.browser.people import loaded
from tests.matches.replay.player_server import canned, stage

pytestmark = pytest.mark.browser

LETTERS = "ABC"


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    contexts = []

    def come(address: str, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": 1280, "height": 720}, base_url=url, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        page.goto(address)
        loaded(page)
        return page

    with stage() as url:
        yield come
        for context in contexts:
            context.close()


@pytest.mark.parametrize("game", ["pickomino", "heckmeck"])
def test_a_tile_that_a_turn_wins_was_within_reach_all_through_it(visit: Callable[..., Page], game: str) -> None:
    game_frames = list(frames(canned(game)))
    page = visit(f"/boards/{game}/")
    script = "async (all) => { const { reach } = await import('/static/matches/replay/boards/grill/reach.js'); "
    reached = page.evaluate(
        script + "return all.map(reach); }",
        [{"actor": one.actor, "key": one.key, "view": one.view} for one in game_frames],
    )
    turn: list[int] = []
    checked = 0
    for frame, found in zip(game_frames, reached, strict=True):
        if not frame.key:
            turn = [*turn, frame.n] if frame.action.startswith(("roll", "take")) else turn
            assert found["now"] is None or found["now"] not in found["near"]
            continue
        assert found == {"now": None, "near": []}
        tile = frame.view["last"]["tile"]
        for n in turn if tile and tile >= 21 else ():
            within = {reached[n]["now"], *reached[n]["near"]}
            lower = game_frames[n].view["sum"] > tile  # the tile below what the dice have come to
            assert tile in within or lower, (n, tile)
            checked += tile in within
        turn = []
    assert checked > 50


@pytest.mark.parametrize(
    ("view", "now", "near"),
    [
        (
            {"sum": 22, "aside": {"W": 2}, "dice_left": 2},
            22,
            [24, 25, 30],
        ),
        ({"sum": 12, "aside": {"4": 3}, "dice_left": 5, "rolled": ["W", "4", "4", "1", "1"]}, None, [22, 24, 25, 30]),
        ({"sum": 20, "aside": {"5": 4}, "dice_left": 1}, None, [22, 24, 25]),
        ({"sum": 25, "aside": {"5": 5}, "dice_left": 0}, None, []),  # no worm, and no die to throw one
    ],
)
def test_what_is_within_reach(
    visit: Callable[..., Page], view: dict[str, Any], now: int | None, near: list[int]
) -> None:
    page = visit("/boards/pickomino/")
    aside = {**dict.fromkeys("12345W", 0), **view["aside"]}
    whole = {"actor": 0, "grill": [22, 24, 30], "stacks": [[33], [21, 25]], "rolled": [], **view, "aside": aside}
    script = "async (view) => (await import('/static/matches/replay/boards/grill/reach.js'))"
    assert page.evaluate(script + ".reach({ actor: -1, key: '', view })", whole) == {"now": now, "near": near}


def test_karteneck_shows_who_would_get_which_portion_and_every_total(visit: Callable[..., Page]) -> None:
    game_frames = list(frames(canned("karteneck")))

    def claims(view: dict[str, Any]) -> dict[int, str]:
        """By the rules, of those who have a worm and are still in."""
        shown = [
            (view["totals"][seat], max(int(card[1:]) for card in cards if card[0] == "W"), LETTERS[seat])
            for seat, cards in enumerate(view["displays"])
            if any(card[0] == "W" for card in cards) and view["passed"][seat] != "invalid"
        ]
        best = sorted(view["grill"], reverse=True)
        return {portion: letter for portion, (_, _, letter) in zip(best, sorted(shown, reverse=True), strict=False)}

    rows = [frame for frame in game_frames if len(claims(frame.view)) > 1 and not frame.key]
    menu = next(frame for frame in game_frames if frame.key == "menu")
    for frame in (rows[0], rows[len(rows) // 2], rows[-1]):
        page = visit(f"/boards/karteneck/?step={frame.n}", reduced_motion="reduce")
        read = (
            "all => Object.fromEntries(all.map(one => [one.dataset.portion, one.querySelector('.seat')?.textContent]))"
        )
        seen = page.eval_on_selector_all(".kk-grill .kk-portion", read)
        assert {int(value): letter for value, letter in seen.items() if letter} == claims(frame.view)
        for value, letter in claims(frame.view).items():
            name = ("Fat Crow", "Wise Owl", "Early Bird")[LETTERS.index(letter)]
            expect(page.get_by_role("group", name=f"{name} {value}")).to_have_count(1)  # told in words, too
        expect(page.locator(".kk-at:visible")).to_have_count(sum(bool(cards) for cards in frame.view["displays"]))
    page = visit(f"/boards/karteneck/?step={menu.n}", reduced_motion="reduce")
    expect(page.locator(".kk-at:visible")).to_have_count(len(menu.view["last"]["menu"]))
    order = page.eval_on_selector_all(
        ".kk-at:not([hidden])",
        "all => all.sort((a, b) => parseFloat(a.style.insetInlineStart) - "
        "parseFloat(b.style.insetInlineStart)).map(one => one.textContent)",
    )
    assert order == [f"{LETTERS[share['seat']]}{share['total']}" for share in reversed(menu.view["last"]["menu"])]


def test_laghetti_shows_bids_ashore_before_the_first_card_and_the_balance(visit: Callable[..., Page]) -> None:
    game_frames = list(frames(canned("laghetti")))
    bid = next(frame for frame in game_frames if frame.view["phase"] == "lead" and sum(frame.view["bids"]) > 3)
    page = visit(f"/boards/laghetti/?step={bid.n}", reduced_motion="reduce")
    ashore = page.locator(".lg-bid-of")
    expect(ashore).to_have_count(3)
    expect(page.locator(".lg-shore .lg-words")).to_have_text(re.compile(f"^{bid.view['cards_each']} cards? each$"))
    for seat, count in enumerate(bid.view["bids"]):
        expect(ashore.nth(seat)).to_have_text(f"{LETTERS[seat]}{count}")
        expect(ashore.nth(seat).locator("[data-kind=open]")).to_have_count(count)
        expect(page.locator(".lg-player").nth(seat).locator(".lg-hut")).to_have_count(count)
    over = sum(bid.view["bids"]) - bid.view["cards_each"]
    tilt = page.locator(".lg-balance g").evaluate("beam => parseFloat(beam.style.transform.slice(7))")
    assert tilt == pytest.approx(max(-20, min(20, -5 * over)))
    won = next(
        frame
        for frame in game_frames
        if frame.n > bid.n and frame.view["phase"] == "lead" and sum(frame.view["won"]) == 1
    )
    page.goto(f"/boards/laghetti/?step={won.n}")
    loaded(page)
    lit = page.locator(".lg-player").nth(won.view["won"].index(1)).locator("[data-kind=won], [data-kind=over]")
    expect(lit).to_have_count(1)
    expect(ashore).to_have_count(0)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_end_has_the_places_below_the_board_which_stays_in_sight(visit: Callable[..., Page], motion: str) -> None:
    game = canned("pickomino")
    last = len(list(frames(game))) - 1
    page = visit(f"/boards/pickomino/?step={last}", reduced_motion=motion)
    worms = list(frames(game))[-1].view["worms"]
    order = sorted(range(3), key=lambda seat: -worms[seat])
    places = page.locator(".rp-standing li")
    expect(places).to_have_count(3)
    for place, seat in enumerate(order):
        expect(places.nth(place)).to_contain_text(LETTERS[seat])
        expect(places.nth(place)).to_contain_text(str(worms[seat]).replace("-", "\N{MINUS SIGN}"))
    board, strip = (page.locator(part).bounding_box() for part in (".pk-grill", ".rp-end"))
    assert board
    assert strip
    assert board["y"] + board["height"] <= strip["y"]


PLAYERS = ("Fat Crow", "Wise Owl", "Early Bird")


def wins_and_losses(game: str) -> tuple[list[int], list[int], list[int]]:
    """What each seat won and lost again in the canned game, and its score at the end."""
    scores = [frame.view["worms"] for frame in frames(canned(game))]
    steps = [[now - then for now, then in zip(*pair, strict=True)] for pair in zip(scores[1:], scores, strict=False)]
    sums = [[sum(step[seat] for step in steps if sign * step[seat] > 0) for seat in range(3)] for sign in (1, -1)]
    return sums[0], [-lost for lost in sums[1]], scores[-1]


def won_and_lost(first: int, second: int, won: list[int], lost: list[int]) -> str:
    both = ", ".join(f"{PLAYERS[seat]} {won[seat]} \N{MINUS SIGN} {lost[seat]}" for seat in (first, second))
    return f"Worms won and lost again: {both}."


@pytest.mark.parametrize("game", ["pickomino", "heckmeck"])
def test_the_end_card_says_why_the_winner_won_at_the_grill(visit: Callable[..., Page], game: str) -> None:
    won, lost, final = wins_and_losses(game)
    first, second, _ = sorted(range(3), key=lambda seat: -final[seat])
    assert final[first] > final[second]
    page = visit(f"/boards/{game}/?step={len(list(frames(canned(game)))) - 1}")
    assert [one - other for one, other in zip(won, lost, strict=True)] == final
    expect(page.locator(".rp-because")).to_have_text(won_and_lost(first, second, won, lost))


def test_the_end_card_says_how_many_bids_the_winner_kept(visit: Callable[..., Page]) -> None:
    game_frames = list(frames(canned("laghetti")))
    view = game_frames[-1].view
    first, second, _ = sorted(range(3), key=lambda seat: -view["scores"][seat])
    assert view["scores"][first] > view["scores"][second]
    points = [[done["points"][seat] for done in view["sheet"]] for seat in (first, second)]
    fulfilled = [sum(one > 0 for one in row) for row in points]
    won = [sum(one for one in row if one > 0) for row in points]
    lost = [-sum(one for one in row if one < 0) for row in points]
    page = visit(f"/boards/laghetti/?step={len(game_frames) - 1}")
    if won[0] - won[1] >= lost[1] - lost[0]:
        pattern = (
            rf"^Bids kept of {len(view['sheet'])}: .* {fulfilled[0]},.* {won[0]}; .* {fulfilled[1]},.* {won[1]}\.$"
        )
    else:
        pattern = rf"^What missed bids cost: .* {lost[1]}, .* {lost[0]}\.$"
    expect(page.locator(".rp-because")).to_have_text(re.compile(pattern))


def test_the_end_card_says_why_the_winner_won_at_karteneck(visit: Callable[..., Page]) -> None:
    game_frames = list(frames(canned("karteneck")))
    page = visit(f"/boards/karteneck/?step={len(game_frames) - 1}")
    won, lost, final = wins_and_losses("karteneck")
    first, second, _ = sorted(range(3), key=lambda seat: -final[seat])
    menus = [frame.view["last"]["menu"] for frame in game_frames if frame.key and frame.view["last"]["menu"]]
    best = [sum(menu[0]["seat"] == seat for menu in menus) for seat in (first, second)]
    reason = page.locator(".rp-because")
    if final[first] == final[second]:
        expect(reason).to_have_count(0)
    elif won[first] - won[second] < lost[second] - lost[first]:
        expect(reason).to_have_text(won_and_lost(first, second, won, lost))
    elif best[0] > best[1]:
        expect(reason).to_contain_text(re.compile(rf"best portion of (a menu once|{best[0]} menus).* {best[1]}"))
    else:
        expect(reason).not_to_be_empty()


def test_a_specialist_says_what_it_does_where_one_points_at_it_or_taps_it(visit: Callable[..., Page]) -> None:
    page = visit("/boards/heckmeck/?step=1")
    page.locator(".hk-stand [data-specialist=hen]").hover()
    page.keyboard.press(".")  # what is for later comes with the first move, and the pointer is there before it
    meaning = page.locator(".rp-meaning")
    expect(meaning).to_have_text("hen: guards the top tile: a thief gets only the hen")
    page.locator(".rp-sentence").hover()
    page.locator(".pk-dice").hover()
    expect(meaning).to_be_hidden()
