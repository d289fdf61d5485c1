"""The address of a site as people type it."""

import pytest

from peck.connection import SiteError, connection_address


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("peck.example.org", "https://peck.example.org"),
        ("peck.example.org:8443/club/", "https://peck.example.org:8443/club"),
        (" localhost:8000", "http://localhost:8000"),
        ("127.0.0.1", "http://127.0.0.1"),
        ("[::1]:8000", "http://[::1]:8000"),
        ("http://peck.example.org/", "http://peck.example.org"),
    ],
)
def test_an_address_without_a_scheme_is_one_of_https_or_of_this_machine(typed: str, address: str) -> None:
    assert connection_address(typed) == address


@pytest.mark.parametrize(
    "typed",
    ["", " ", "ftp://peck.example.org", "https://", "http://[", "[::1", "peck.example.org:port", "://x", "/club"],
)
def test_what_is_no_address_is_refused_with_an_example(typed: str) -> None:
    with pytest.raises(SiteError, match=r"is no address of a site: give it as https://peck\.example\.org"):
        connection_address(typed)
