"""A web process that stops for good where a file ``hold`` in its data directory names, and says so by ``held`` there.

"render": while it renders a board, which the other processes then wait for. "push": with new cells in hand, before any
socket is sent them.
"""

import argparse
import asyncio
import time
from typing import Any
from unittest.mock import patch

from arena.serving import serve  # names the settings, so it comes first

import arena.asgi  # isort: skip
from django.conf import settings
from django.template import loader

from matches.live import pushed_cells


def is_held(where: str) -> bool:
    """Tell whether to stop at ``where``, and say that it is done."""
    hold = settings.VAR_DIR / "hold"
    if not hold.exists() or hold.read_text() != where:
        return False
    (settings.VAR_DIR / "held").touch()
    return True


async def ask(wanted: Any, have: str, scope: Any) -> Any:
    answer = await ask_site(wanted, have, scope)
    if answer is not None and answer.state != have and is_held("push"):
        await asyncio.Event().wait()
    return answer


def render_to_string(*given: Any) -> Any:
    while is_held("render"):
        time.sleep(1)
    return loader.render_to_string(*given)


if __name__ == "__main__":
    assert arena.asgi.application
    [ask_site] = pushed_cells._asks
    pushed_cells.cells_answered_by(ask)
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int)
    with (
        patch("tournaments.views.board_part.render_to_string", render_to_string),
        patch("matches.live.pushed_cells.ANSWER_SECONDS", 600.0),  # pages are told to ask after that
    ):
        serve(host="127.0.0.1", port=parser.parse_args().port)
