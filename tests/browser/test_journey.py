"""From an uploaded bot to a watched replay: an author, an organiser and a spectator, in three browsers."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.browser import people
from tests.browser.running import Site
from tests.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.postgres, pytest.mark.timeout(420)]

MATCH_MS = 150_000


def test_from_an_uploaded_bot_to_a_watched_replay(somebody: Callable[[], Page], place: Site, tmp_path: Path) -> None:
    author, organiser, spectator = somebody(), somebody(), somebody()

    people.sign_up(author, "gallina")
    file = tmp_path / "bot.py"
    file.write_bytes(people.FIRST_BOT)
    people.upload_bot(author, "Early Worm", file)
    people.read_verdict(author, "accepted")

    people.sign_in(organiser, "organiser", place.organiser_password)
    address = draft(organiser, "Worm Derby")
    organiser.get_by_role("button", name="Open entries").click()
    expect(organiser.get_by_role("heading", name="Enter a bot")).to_be_visible()

    people.enter_bot(author, address, "Early Worm")
    people.enter_house_bots(organiser, address, "Scatterbrain", "Fat Crow")

    traffic = Traffic(spectator)
    spectator.goto(address)
    expect(spectator.locator("main table").get_by_role("link", name="Early Worm")).to_be_visible()
    spectator.evaluate(people.MARK)
    organiser.get_by_role("button", name="Start", exact=True).click()
    expect(organiser.get_by_role("button", name="Pause")).to_be_visible()
    expect(spectator.get_by_role("alert")).to_be_visible()  # it has started: told on the page, which does not jump
    people.stayed_on_the_page(spectator)
    spectator.get_by_role("alert").get_by_role("link").click()

    see_the_tournament_fill_in(spectator)
    assert address in traffic.requested
    assert [url for url in traffic.requested if "/live/" in url], "a small board is requested after each announcement"
    assert set(traffic.agreed) == {"permessage-deflate; server_no_context_takeover; client_no_context_takeover"}
    match = open_a_match(spectator, somebody())
    step_through_the_replay(spectator, match, somebody())


def test_a_verdict_arrives_where_the_network_lets_no_socket_through(
    somebody: Callable[[], Page], tmp_path: Path
) -> None:
    author = somebody()
    refused: list[str] = []

    def refuse(socket: WebSocketRoute) -> None:
        refused.append(socket.url)
        socket.close()

    author.route_web_socket("**/ws/live/", refuse)
    people.sign_up(author, "sockless")
    file = tmp_path / "bot.py"
    file.write_bytes(people.FIRST_BOT)
    people.upload_bot(author, "Sockless Hen", file)
    people.read_verdict(author, "accepted")
    assert refused


def draft(organiser: Page, name: str) -> str:
    """Fill the form in; the address of the draft."""
    organiser.goto("/tournaments/")
    organiser.get_by_role("link", name="New tournament").first.click()
    go_on = organiser.get_by_role("link", name="Continue")
    organiser.fill("[name=blocks]", "1")
    organiser.fill("[name=players_per_table]", "9")
    go_on.click()
    expect(organiser.locator("[name=players_per_table]")).to_be_focused()
    organiser.fill("[name=players_per_table]", "2")
    go_on.click()
    organiser.fill("[name=name]", name)
    organiser.get_by_label("Steps").get_by_role("link", name="Game and format").click()
    go_on.click()
    expect(organiser.locator("[name=name]")).to_have_value(name)
    go_on.click()
    expect(organiser.locator("#step-review .chosen")).to_contain_text(name)
    organiser.get_by_role("button", name="Create the draft").click()
    expect(organiser.get_by_role("heading", name=name)).to_be_visible()
    return organiser.url


class Traffic:
    """What a page requests from now on, and what it and the server agree of compression for each socket."""

    def __init__(self, page: Page) -> None:
        self.requested: list[str] = []
        self.agreed: list[str] = []
        page.on("request", lambda request: self.requested.append(request.url))
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        network.on(
            "Network.webSocketHandshakeResponseReceived",
            lambda event: self.agreed.append(event["response"]["headers"].get("Sec-WebSocket-Extensions", "")),
        )


def see_the_tournament_fill_in(spectator: Page) -> None:
    rows = spectator.locator("table.standings tbody tr")
    expect(rows).to_have_count(3)
    before = [row.get_attribute("id") for row in rows.all()]
    spectator.evaluate(people.MARK)
    expect(spectator.locator("main .page-head [data-state=finished]")).to_be_visible(timeout=MATCH_MS)
    expect(spectator.get_by_role("link", name="Replay")).to_have_count(3, timeout=MATCH_MS)
    expect(spectator.locator("table.standings td[id$=-played]")).to_have_text(["2/2"] * 3)
    assert [row.get_attribute("id") for row in rows.all()] == before, "rows moved"
    people.stayed_on_the_page(spectator)


def open_a_match(spectator: Page, latecomer: Page) -> str:
    """Open the first match of the list; matches on air and live are other tests' (on_air, doubt)."""
    spectator.locator("main").get_by_role("link", name="Replay").first.click()
    people.loaded(spectator)
    match = spectator.url.split("?")[0]
    latecomer.goto(match)
    last = people.loaded(latecomer)
    people.press(latecomer, ".", f"1 / {last}")
    people.press(latecomer, "Home", f"0 / {last}")
    return match


def step_through_the_replay(spectator: Page, match: str, friend: Page) -> None:
    spectator.goto(match)
    count = spectator.locator(".rp-count")
    last = people.loaded(spectator)
    people.press(spectator, ".", f"1 / {last}")
    people.press(spectator, ".", f"2 / {last}")
    people.press(spectator, ",", f"1 / {last}")
    people.press(spectator, "End", f"{last} / {last}")
    spectator.keyboard.press("q")
    expect(count).not_to_have_text(f"{last} / {last}")
    people.press(spectator, "Home", f"0 / {last}")
    spectator.keyboard.press("e")
    expect(count).not_to_have_text(f"0 / {last}")
    expect(spectator.locator(".rp-sentence")).not_to_have_text(re.compile("…$"))  # the dice lie
    there = people.step(spectator)
    sentence = spectator.locator(".rp-sentence").inner_text()

    spectator.keyboard.press("c")
    expect(spectator.get_by_text("Link copied")).to_be_visible()
    link = spectator.evaluate("navigator.clipboard.readText()")
    assert f"step={there}" in link
    friend.goto(link)
    expect(friend.locator(".rp-count")).to_have_text(f"{there} / {last}")
    expect(friend.locator(".rp-sentence")).to_have_text(sentence)

    friend.keyboard.press("k")
    assert eventually(lambda: people.step(friend) > there), "it does not play"


def test_the_buttons_of_a_list_are_on_a_phone_without_scrolling_aside(
    somebody: Callable[[], Page], tmp_path: Path
) -> None:
    author = somebody()
    author.set_viewport_size({"width": 390, "height": 844})
    people.sign_up(author, "beginner")
    author.goto("/bots/")
    for button in author.locator(".empty .button").all():
        box = button.bounding_box()
        assert box is not None
        assert abs(box["x"] + box["width"] / 2 - 195) < 2

    file = tmp_path / "bot.py"
    file.write_bytes(people.FIRST_BOT)
    people.upload_bot(author, "Pocket Worm", file)
    people.read_verdict(author, "accepted")
    author.goto("/bots/")
    assert_within(author.locator("main table").get_by_role("link", name="Upload"), 390)
    author.goto(reverse("accounts:tokens"))
    author.fill("[name=name]", "telephone")
    author.get_by_role("button", name="Create token").click()
    assert_within(author.get_by_role("button", name="Revoke telephone"), 390)


def test_reloading_the_page_of_a_secret_creates_no_other(somebody: Callable[[], Page]) -> None:
    def reload(page: Page) -> None:
        """Load the page again once its scripts have run: it is one of them that makes the reload a GET."""
        page.wait_for_load_state("load")
        page.reload()

    author = somebody()
    people.sign_up(author, "keeper")
    author.goto(reverse("accounts:tokens"))
    author.fill("[name=name]", "laptop")
    author.get_by_role("button", name="Create token").click()
    expect(author.locator("#secret")).to_be_visible()
    reload(author)
    expect(author.locator("#secret")).to_have_count(0)
    expect(author.get_by_role("button", name="Revoke laptop")).to_have_count(1)

    author.goto(reverse("hooks:list"))
    author.fill("[name=url]", "https://example.org/told")
    author.get_by_role("checkbox", name="Select all").first.check()
    author.get_by_role("button", name="Create webhook").click()
    expect(author.locator("#secret")).to_be_visible()
    reload(author)
    expect(author.locator("#secret")).to_have_count(0)
    author.get_by_role("link", name="https://example.org/told").click()
    author.get_by_role("button", name="Rotate secret").click()
    expect(author.locator("#secret")).to_be_visible()
    reload(author)
    expect(author.locator("#secret")).to_have_count(0)
    expect(author.get_by_role("button", name="Rotate secret")).to_be_visible()


def test_one_box_ticks_all_events_of_a_webhook_below_one_heading(somebody: Callable[[], Page]) -> None:
    author = somebody()
    people.sign_up(author, "listener")
    author.goto(reverse("hooks:list"))
    group = author.get_by_role("group", name="My bots")
    everything, first = group.get_by_label("Select all"), group.get_by_role("checkbox").nth(1)
    everything.press("Space")
    expect(first).to_be_checked()
    first.uncheck()
    expect(everything).to_have_js_property("indeterminate", True)
    everything.check()
    expect(group.get_by_role("checkbox", checked=False)).to_have_count(0)
    expect(author.get_by_role("group", name="Leagues").get_by_role("checkbox", checked=True)).to_have_count(0)


def assert_within(button: Locator, width: int) -> None:
    """What has to be scrolled into sight within its table lies beyond the edge of the screen."""
    box = button.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
