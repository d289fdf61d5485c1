"""How a page asks to be sent cells, and what is refused: the address that it names is hostile."""

import json
from typing import Any

import pytest

from web.topics import DUE_MAX, SRC_MAX, TEXT_MAX, CellsRequest, RequestError, read_request, topic_ticket

SRC = "/tournaments/first/live/?stage=1&page=2"
CUP = "tournament.5"


def words(**changed: Any) -> str:
    cells = {"topic": topic_ticket(CUP), "src": SRC, "language": "de", "state": "a" * 32, "due": 0} | changed
    return json.dumps({"cells": [{name: value for name, value in cells.items() if value is not ...}]})


def test_what_a_page_wants_is_read() -> None:
    [asked] = read_request(words()).cells
    assert asked == CellsRequest(CUP, SRC, "de", "a" * 32, 0)
    [asked] = read_request(words(state=..., due=...)).cells
    assert (asked.state, asked.due) == ("", None)
    league = words(topic=topic_ticket("league.5"), src="/leagues/first/live/")
    assert read_request(league).cells[0].topic == "league.5"
    assert read_request('{"subscribe": []}').cells == ()


HOSTILE = [
    ({"topic": CUP}, "unknown_topic"),
    ({"topic": topic_ticket(CUP) + "x"}, "unknown_topic"),
    ({"topic": ...}, "unknown_topic"),
    ({"topic": topic_ticket("league.5")}, "unknown_address"),
    ({"topic": topic_ticket("match.5")}, "unknown_address"),
    ({"src": "/tournaments/first/"}, "unknown_address"),
    ({"src": "/api/me/"}, "unknown_address"),
    ({"src": "/tournaments/first/live"}, "unknown_address"),
    ({"src": "/nowhere/"}, "unknown_address"),
    ({"src": "/admin/?next=/tournaments/first/live/"}, "unknown_address"),
    ({"src": "/tournaments/first%2F..%2F/live/"}, "unknown_address"),
    ({"src": ""}, "bad_address"),
    ({"src": ...}, "bad_address"),
    ({"src": 5}, "bad_address"),
    ({"src": "tournaments/first/live/"}, "bad_address"),
    ({"src": "//elsewhere/tournaments/first/live/"}, "bad_address"),
    ({"src": "https://elsewhere/tournaments/first/live/"}, "bad_address"),
    ({"src": SRC + "\r\nCookie: sessionid=x"}, "bad_address"),
    ({"src": SRC + " HTTP/1.1"}, "bad_address"),
    ({"src": SRC + "\x00"}, "bad_address"),
    ({"src": SRC + "\n"}, "bad_address"),
    ({"src": SRC + "#x"}, "bad_address"),
    ({"src": SRC + "\\"}, "bad_address"),
    ({"src": SRC + "é"}, "bad_address"),
    ({"src": SRC + "x" * SRC_MAX}, "bad_address"),
    ({"language": "xx"}, "unknown_language"),
    ({"language": "de\r\nCookie: x"}, "unknown_language"),
    ({"language": ["de"]}, "unknown_language"),
    ({"language": ...}, "unknown_language"),
    ({"state": "a" * 31}, "bad_state"),
    ({"state": "a" * 32 + "\n"}, "bad_state"),
    ({"state": "A" * 32}, "bad_state"),
    ({"state": None}, "bad_state"),
    ({"due": -1}, "bad_due"),
    ({"due": DUE_MAX + 1}, "bad_due"),
    ({"due": 1.5}, "bad_due"),
    ({"due": True}, "bad_due"),
    ({"due": "0"}, "bad_due"),
]


@pytest.mark.parametrize(("changed", "code"), HOSTILE)
def test_what_makes_no_sense_is_refused(changed: dict[str, Any], code: str) -> None:
    with pytest.raises(RequestError) as refused:
        read_request(words(**changed))
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("cells", "code"),
    [({"src": SRC}, "not_a_list"), ([SRC], "not_an_object"), ([[]], "not_an_object"), ([{}] * 60, "not_a_list")],
)
def test_what_has_another_shape_is_refused(cells: Any, code: str) -> None:
    with pytest.raises(RequestError) as refused:
        read_request(json.dumps({"cells": cells}))
    assert refused.value.code == code


def test_the_longest_address_has_room_in_a_request() -> None:
    longest = SRC + "&bot=" + "x" * (SRC_MAX - len(SRC) - 5)
    assert read_request(words(src=longest)).cells[0].src == longest
    assert len(words(src=longest)) < TEXT_MAX
