"""On how many examples a property is tried: always the same in ``make test``, so that it fails by what has changed and
not by luck, and a quarter of what the test names; other ones, and many more, in ``make test-properties``."""

import os
from typing import Any, Final

from hypothesis import settings

TIMES: Final = float(os.environ.get("EXAMPLES_TIMES", "0.25"))
FEWEST: Final = 10  # where the test does not name fewer


def _many(count: int) -> int:
    return max(min(count, FEWEST), round(count * TIMES))


settings.register_profile("tests", max_examples=_many(100), derandomize=TIMES <= 1, deadline=None, print_blob=TIMES > 1)
settings.load_profile("tests")


def examples(count: int, **more: Any) -> settings:
    """``count`` examples, ``EXAMPLES_TIMES`` over; ``more`` as hypothesis's settings take it."""
    return settings(max_examples=_many(count), **more)
