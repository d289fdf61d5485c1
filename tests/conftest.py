"""Shared by every test."""

import pytest


@pytest.hookimpl(tryfirst=True)  # before xdist writes the groups down
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With ``--dist loadgroup`` the tests of a file share a process, and all that use the demo's site share another."""
    for item in items:
        on_demo = "demo_site" in getattr(item, "fixturenames", ())
        item.add_marker(pytest.mark.xdist_group("demo site" if on_demo else item.path.name))
