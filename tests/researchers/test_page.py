"""The page for researchers: every example runs as it is printed."""

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs/how-to/research.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def as_in_a_checkout(example: str) -> str:
    """The example with the rooms' own names for the modules; ``pecking.simulate`` has no other."""
    return re.sub(r"^(from|import) pecking\.(?!simulate)", r"\1 ", example, flags=re.MULTILINE)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs(example: str) -> None:
    names: dict[str, Any] = {}
    exec(compile(as_in_a_checkout(example), str(PAGE), "exec"), names)


def test_there_is_one_for_each_loop_each_adapter_and_the_engine() -> None:
    assert len(EXAMPLES) == 7
