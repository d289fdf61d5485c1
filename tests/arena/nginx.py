"""nginx with the file that we hand out, before a site on this machine."""

import os
import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.browser.running import ROOT, free_port
from tests.waiting import eventually

CONFIGURATION = ROOT / "deploy/proxies/nginx.conf"
CERTIFICATE = (
    "openssl",
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "2",
    "-subj",
    "/CN=pecking.example.org",
)
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
# What an operator may add: a cache for all, of whatever says nothing else of itself.
CACHE = "proxy_cache_path {directory}/cache keys_zone=all:1m;"
CACHED = "proxy_cache all; proxy_cache_valid 200 10m; add_header X-Cache $upstream_cache_status always;"


def is_open(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def nginx(directory: Path, site: int, *, has_cache: bool = False) -> Iterator[int]:
    """Pass on to the port of a ``site``; the port that takes TLS."""
    port, plain = free_port(), free_port()
    files = ["-keyout", directory / "privkey.pem", "-out", directory / "fullchain.pem"]
    subprocess.run([*CERTIFICATE, *files], check=True, capture_output=True)
    text = re.sub(r" *listen \[::\].*\n", "", CONFIGURATION.read_text())
    text = text.replace("/etc/ssl/pecking-order", str(directory)).replace("127.0.0.1:8000", f"127.0.0.1:{site}")
    text = text.replace("listen 443", f"listen 127.0.0.1:{port}").replace("listen 80", f"listen 127.0.0.1:{plain}")
    if has_cache:
        text = CACHE.format(directory=directory) + text.replace("location / {", "location / {" + CACHED)
    (directory / "site.conf").write_text(text)
    paths = "".join(f"{one}_temp_path {directory}/{one};" for one in TEMPORARY)
    user = "user root;" if os.getuid() == 0 else ""  # the directory is the test's own
    main = f"daemon off; {user} pid {directory}/pid; events {{}} http {{ access_log off; {paths} include site.conf; }}"
    (directory / "nginx.conf").write_text(main)
    running = subprocess.Popen(["nginx", "-p", directory, "-e", "stderr", "-c", directory / "nginx.conf"])
    try:
        assert eventually(lambda: is_open(port))
        yield port
    finally:
        running.terminate()
        running.wait()
