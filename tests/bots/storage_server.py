"""The part of S3 that the site uses, on this machine: objects of one bucket, put, read, listed and deleted."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit
from xml.sax.saxutils import escape


class Bucket:
    """Its objects by key, and the requests that it got without a signature."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.unsigned: list[str] = []
        self.url = ""
        self.is_away = False


@contextmanager
def bucket() -> Iterator[Bucket]:
    held = Bucket()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            key = unquote(urlsplit(self.path).path).removeprefix("/eggs").lstrip("/")
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if not self.headers.get("Authorization", "").startswith("AWS4-HMAC-SHA256 "):
                held.unsigned.append(f"{self.command} {self.path}")
            if held.is_away:
                self.answer(403)
            elif self.command == "PUT":
                held.objects[key] = body
                self.answer(200)
            elif self.command == "DELETE":
                held.objects.pop(key, None)
                self.answer(204)
            elif not key:
                self.answer(200, self.listed().encode())
            elif key in held.objects:
                self.answer(200, held.objects[key])
            else:
                self.answer(404)

        def __getattr__(self, name: str) -> Callable[[], None]:
            if name in ("do_GET", "do_HEAD", "do_PUT", "do_DELETE"):
                return self.handle_any
            raise AttributeError(name)

        def answer(self, status: int, body: bytes = b"") -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Last-Modified", formatdate(0, usegmt=True))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def listed(self) -> str:
            found = "".join(
                f"<Contents><Key>{escape(key)}</Key><Size>{len(data)}</Size></Contents>"
                for key, data in sorted(held.objects.items())
            )
            return f"<ListBucketResult><IsTruncated>false</IsTruncated>{found}</ListBucketResult>"

        def log_message(self, *_args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    held.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield held
    finally:
        server.shutdown()
        server.server_close()
