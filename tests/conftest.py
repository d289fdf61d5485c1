"""Shared by every test."""

from collections.abc import Iterator

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

import tests.examples  # noqa: F401  for properties that say nothing of how often they are tried


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
