"""On how many examples a property is tried: always the same in ``make test``, so that it fails by what has changed and
not by luck; other ones, and many more, in ``make test-properties``."""

import os
from typing import Any, Final

from hypothesis import settings

TIMES: Final = int(os.environ.get("EXAMPLES_TIMES", "1"))

settings.register_profile(
    "tests", max_examples=100 * TIMES, derandomize=TIMES == 1, deadline=None, print_blob=TIMES > 1
)
settings.load_profile("tests")


def examples(count: int, **more: Any) -> settings:
    """``count`` examples, ``EXAMPLES_TIMES`` over; ``more`` as hypothesis's settings take it."""
    return settings(max_examples=count * TIMES, **more)
