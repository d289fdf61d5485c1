"""Shared by every test."""

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

import tests.examples  # noqa: F401  for properties that say nothing of how often they are tried

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A database that PostgreSQL can empty after a test and drop after the run."""
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        # Our own tokens took the place of knox's: Django empties this table no more, but it refers to people.
        cursor.execute("DROP TABLE IF EXISTS knox_authtoken")
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            # Threads of an event loop's pool keep their connections as long as they live.
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid != pg_backend_pid()"
            )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the browser's tests last: Playwright's event loop runs on in this thread, where others need theirs."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """One Chromium for all tests of a process; each opens contexts of its own."""
    from tests.browser.chromium import chromium, chromium_path

    if chromium_path() is None:
        without = "no Chromium on this machine ('apt-get install chromium' brings this back)"
        warnings.warn(without, stacklevel=1)
        pytest.skip(without)
    with chromium() as running:
        yield running
