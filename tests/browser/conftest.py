"""One site for all journeys; each person has a browser profile of their own."""

from collections.abc import Callable, Generator, Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from tests.browser.chromium import NO_FADE, WAIT_MS
from tests.browser.running import Site, StartedSite, site

A_FORM_CAME_BACK = "status of 422"  # the browser logs the answer to a form with errors as an error
OUTPUT_MOST = 20_000  # characters of the site's log, with a test that failed


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Print the output of the site with a failed test: only it has the traceback of a response 500."""
    report = yield
    place = getattr(item, "funcargs", {}).get("place")
    if report.failed and isinstance(place, Site):
        report.sections.append(("Output of the site", place.output[-OUTPUT_MOST:]))
    return report


@pytest.fixture(scope="package")
def quiet_site() -> Iterator[StartedSite]:
    """Without the demo, whose cups and ladders would take the workers; the cast has arrived.

    It ends with the journeys: its processes would take their share of the machine from all tests that follow.
    """
    with site("--no-demo", "--workers", "2", DJANGO_SETTINGS_MODULE="tests.browser.site_settings") as running:
        running.shell("cast.arrive()")
        yield running


@pytest.fixture(scope="module")
def place(quiet_site: StartedSite) -> Site:
    """Where the people of a journey are; a file may have another."""
    return quiet_site


@pytest.fixture
def complaints() -> list[str]:
    """What the browser complained about: scripts that failed, resources refused by the security policy or missing."""
    return []


@pytest.fixture
def somebody(browser: Browser, place: Site, complaints: list[str]) -> Iterator[Callable[[], Page]]:
    """A page in a fresh profile, on each call."""
    contexts = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" and A_FORM_CAME_BACK not in message.text:
            complaints.append(f"{message.page.url if message.page else ''}: {message.text}")

    def arrive() -> Page:
        context = browser.new_context(base_url=place.url, viewport={"width": 1280, "height": 900})
        context.set_default_timeout(WAIT_MS)
        context.add_init_script(NO_FADE)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        page.on("console", note)
        contexts.append(context)
        return page

    yield arrive
    for context in contexts:
        context.close()
    assert not complaints
