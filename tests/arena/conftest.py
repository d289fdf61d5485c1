"""Shared by the tests of people and site-wide pages."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def _fresh_rate_limits() -> None:
    """What one test tried too often is not held against the next."""
    cache.clear()
