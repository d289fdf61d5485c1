"""Wait for a condition, never for a time: a loaded machine is slow, and a bound only ends what would never come."""

import asyncio
import time
from collections.abc import Callable


def eventually(condition: Callable[[], object], seconds: float = 120, every: float = 0.02) -> bool:
    """Check until ``condition`` holds; return whether it did within ``seconds``."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(every)
    return True


async def eventually_async(condition: Callable[[], object], seconds: float = 120, every: float = 0.01) -> bool:
    """Check as ``eventually`` does, while the event loop goes on."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        await asyncio.sleep(every)
    return True
