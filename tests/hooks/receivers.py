"""Receivers of webhooks, well-behaved and hostile, on this machine."""

import hmac
import socket
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Receiver(ThreadingHTTPServer):
    """A server that stores the requests that it gets and answers ``status``."""

    daemon_threads = True

    def __init__(self, status: int = 204, headers: dict[str, str] | None = None) -> None:
        self.status, self.headers = status, headers or {}
        self.received: list[tuple[str, dict[str, str], bytes]] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook?key=1"


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        data = {name.lower(): value for name, value in self.headers.items()}
        self.server.received.append((self.path, data, body))
        self.send_response(self.server.status)
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None: ...


@contextmanager
def receiving(status: int = 204, **headers: str) -> Iterator[Receiver]:
    with Receiver(status, headers) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def talking(handle: Callable[[socket.socket, threading.Event], None]) -> Iterator[int]:
    """Run a server that calls ``handle`` with each connection; yield its port. The event is set at the end."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        threads: list[threading.Thread] = []

        def accept() -> None:
            while not over.is_set():
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                threads.append(threading.Thread(target=serve, args=[connection], daemon=True))
                threads[-1].start()

        def serve(connection: socket.socket) -> None:
            with connection:
                try:
                    handle(connection, over)
                except OSError:
                    return  # it hung up

        listener = threading.Thread(target=accept, daemon=True)
        listener.start()
        try:
            yield server.getsockname()[1]
        finally:
            over.set()
            server.shutdown(socket.SHUT_RDWR)
            for thread in [listener, *threads]:
                thread.join(5)


def is_genuine(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """What a receiver does, written again from the specification."""
    key = b64decode(secret.removeprefix("whsec_"))
    signed = b".".join((headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body))
    right = "v1," + b64encode(hmac.new(key, signed, sha256).digest()).decode()
    return right in headers["webhook-signature"].split()
