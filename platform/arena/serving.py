"""A web process: uvicorn with the bounds of this site. ``python -m arena.serving --host 0.0.0.0 --port 8000``

On SIGTERM it leaves service before it closes: for ``WEB_DRAIN_SECONDS`` it answers as before, but ``/readyz`` says
503, so that a load balancer sends requests elsewhere. Then it takes no more connections, closes its sockets with
1012, upon which pages come back to another process, and ends what it is answering within as many seconds, at least one.
"""

import argparse
import os
import sys
import threading
from types import FrameType
from typing import Final

import uvicorn

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.dev")

from django.conf import settings

from arena.operations.health import LEAVING

SWITCH_SECONDS: Final = (
    0.001  # until a thread that computes lets another one on: the event loop needs many turns a page
)
MESSAGE_BYTES_MOST: Final = 65536  # pages say little: a longer message is refused before it is read


class Server(uvicorn.Server):
    """Leaves service at the first signal, and closes after a while or at the second."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Note the signal; uvicorn calls this in its handler."""
        if LEAVING.is_set() or not settings.WEB_DRAIN_SECONDS:
            super().handle_exit(sig, frame)
            return
        LEAVING.set()
        later = threading.Timer(settings.WEB_DRAIN_SECONDS, super().handle_exit, [sig, frame])
        later.daemon = True
        later.start()


def serve(*, host: str, port: int) -> None:
    """Serve until a signal comes, with which the process then ends."""
    config = uvicorn.Config(
        "arena.asgi:application",
        host=host,
        port=port,
        http="arena.http_protocol:BoundedHttpProtocol",
        ws="arena.websocket:BoundedWebSocketProtocol",
        ws_max_size=MESSAGE_BYTES_MOST,
        lifespan="off",
        log_level="warning",
        timeout_graceful_shutdown=max(1, settings.WEB_DRAIN_SECONDS),
    )
    sys.setswitchinterval(SWITCH_SECONDS)
    Server(config).run()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m arena.serving", description="Serve the pages and sockets of the site."
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    serve(**vars(parser.parse_args()))
