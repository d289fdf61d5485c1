"""What is on: given from memory to readers who have not chosen to be shown results at once, and it is nobody's own."""

import pytest
from django.test import Client
from django.urls import reverse

from matches.pages.choices import COOKIE, SHOWN
from tests.arena.factories import UserFactory
from tests.matches.factories import FinishedMatchFactory
from web.page_cache import _topic_of

pytestmark = pytest.mark.django_db
CELLS = (reverse("watch:all-cells"), reverse("watch:channel-cells", args=["pickomino"]))
PAGES = (reverse("home"), reverse("watch:all"), reverse("watch:channel", args=["pickomino"]))


def people() -> dict[str, Client]:
    found = {role: Client() for role in ("stranger", "author", "staff")}
    found["author"].force_login(UserFactory())
    found["staff"].force_login(UserFactory(is_staff=True))
    return found


@pytest.mark.parametrize("address", CELLS)
def test_cells_are_everyones_and_hold_no_token(address: str) -> None:
    sent = []
    for role, client in people().items():
        answer = client.get(address)
        start = {"status": answer.status_code, "headers": [(k.encode(), v.encode()) for k, v in answer.items()]}
        assert _topic_of(start) == ("watch.1", 2), role
        assert not answer.cookies, role
        assert b"csrf" not in answer.content
        sent.append(answer.content)
    assert len(set(sent)) == 1


@pytest.mark.parametrize("address", CELLS)
def test_a_reader_with_results_shares_no_page(address: str) -> None:
    for role, client in people().items():
        client.cookies[COOKIE] = SHOWN
        assert "X-Live-Shared" not in client.get(address), role


@pytest.mark.parametrize("address", PAGES)
def test_a_page_follows_public_topics_and_keeps_the_choice_of_its_reader(address: str) -> None:
    FinishedMatchFactory()  # without one home has no place for results
    for role, client in people().items():
        hidden = client.get(address).content.decode()
        client.cookies[COOKIE] = SHOWN
        shown = client.get(address).content.decode()
        assert [" data-shared" in page for page in (hidden, shown)] == [True, False], role
        assert all(reverse("matches:results") in page for page in (hidden, shown))


@pytest.mark.django_db
def test_where_nothing_failed_no_part_is_missing(client: Client) -> None:
    for address in ("/watch/", "/watch/pickomino/", "/"):
        assert "Not available right now." not in client.get(address).content.decode(), address
