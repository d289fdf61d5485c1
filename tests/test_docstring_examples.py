"""Examples in docstrings are run."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = {ROOT / "platform": ROOT / "platform"} | {ROOT / room: ROOT for room in ("tournaments", "bots", "sandbox")}


def modules() -> list[str]:
    """Return the names of the modules whose docstrings hold examples."""
    return sorted(
        ".".join(path.relative_to(root).with_suffix("").parts)
        for folder, root in SOURCES.items()
        for path in folder.rglob("*.py")
        if ">>> " in path.read_text()
    )


@pytest.mark.parametrize("name", modules())
def test_the_examples_of_a_module_give_what_they_show(name: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert tried
    assert not failed
