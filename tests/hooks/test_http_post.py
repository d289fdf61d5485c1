"""What goes over the wire: to public addresses alone, to that which was checked, signed, in bounded time and size."""

import asyncio
import socket
import ssl
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from hooks import http_post
from hooks.http_post import BadAddress, Unsent, hook_address_allowed, hook_post, hook_url_check
from hooks.messages import hook_message_signature
from tests.hooks.receivers import receiving, talking

PRIVATE = [
    *("127.0.0.1", "10.0.0.1", "172.16.5.4", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
    *("255.255.255.255", "224.0.0.1", "240.0.0.1", "192.0.2.1", "198.18.0.1", "192.88.99.1", "::1", "::"),
    *("fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8"),
    *("64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "2002:7f00:1::1", "2001:0:7f00:1::1"),
    *("2001:db8::1", "100::1", "::127.0.0.1", "nonsense"),
    *("192.0.0.1", "192.0.0.8", "192.0.0.9", "192.0.0.192", "192.0.0.255", "3fff::1", "3fff:fff::1", "5f00::1"),
]


@pytest.mark.parametrize("address", PRIVATE)
def test_nothing_is_sent_to_an_address_that_is_not_public(address: str) -> None:
    assert not hook_address_allowed(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001:81b::200e"])
def test_public_addresses_are_allowed(address: str) -> None:
    assert hook_address_allowed(address)


BAD = [
    *("http://example.org/", "ftp://example.org/", "https://", "https:///x", "example.org", "https://example.org:0/"),
    *("https://example.org:99999/", "https://u:p@example.org/", "https://u@example.org/", "https://example.org/#x"),
    *("https://127.0.0.1/", "https://127.1/", "https://2130706433/", "https://0x7f.1/", "https://0177.0.0.1/"),
    *(
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://[64:ff9b::1]/",
        "https://localhost/",
        "https://LOCALHOST./",
    ),
    *(
        "https://router.local/",
        "https://db.internal/",
        "https://a.localhost/",
        "https://exämple.org/",
        "https://a b.org/",
    ),
    *("https://example.org/\r\nx: y", "https://example.org\\@127.0.0.1/", "https://[::1/", "https://169.254.169.254/"),
    "https://example.org/" + "x" * 500,
]


@pytest.mark.parametrize("url", BAD)
def test_an_address_that_is_none_or_private_is_refused_in_a_sentence(url: str) -> None:
    with pytest.raises(BadAddress) as refused:
        hook_url_check(url)
    assert str(refused.value).endswith((".", "pecking."))
    assert (refused.value.field, refused.value.status) == ("url", 400)


@pytest.mark.parametrize("url", ["https://example.org", "https://example.org:8443/a?b=c", "https://8.8.8.8/x"])
def test_a_public_address_is_taken(url: str) -> None:
    assert hook_url_check(url) == url


def test_http_and_this_machine_are_for_development_alone(settings: Any) -> None:
    settings.HOOKS_ANYWHERE = True
    assert hook_url_check("http://localhost:8000/x")


def test_a_signature_is_that_of_the_standard() -> None:
    """The example that the specification's own libraries are tested with."""
    signed = hook_message_signature(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
    )
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def send(url: str, seconds: float = 5.0, body: bytes = b"{}") -> int:
    return asyncio.run(hook_post(url, {"webhook-id": "msg_1"}, body, seconds))


def problem(url: str, seconds: float = 5.0) -> str:
    with pytest.raises(Unsent) as unsent:
        send(url, seconds)
    return unsent.value.problem


@pytest.fixture
def anywhere(settings: Any) -> None:
    settings.HOOKS_ANYWHERE = True


@pytest.mark.usefixtures("anywhere")
def test_a_body_arrives_with_its_headers() -> None:
    with receiving(202) as server:
        assert send(server.url, body=b'{"a":1}') == 202
    ((path, headers, body),) = server.received
    assert (path, body) == ("/hook?key=1", b'{"a":1}')
    assert headers["webhook-id"] == "msg_1"
    assert headers["content-type"] == "application/json"
    assert headers["host"] == f"127.0.0.1:{server.server_port}"


@pytest.mark.usefixtures("anywhere")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirection_is_followed_nowhere(status: int) -> None:
    with receiving() as inside, receiving(status, Location=inside.url) as server:
        assert send(server.url) == status
    assert len(server.received) == 1
    assert inside.received == []


HANGS_SECONDS = 60


def hang(_connection: socket.socket, over: threading.Event) -> None:
    over.wait(HANGS_SECONDS)


def drip(connection: socket.socket, over: threading.Event) -> None:
    """One byte after the other of an answer that never ends, each in time for those who wait for the next alone."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nx: ")
    while not over.wait(0.02):
        connection.sendall(b"a")


def flood(connection: socket.socket, over: threading.Event) -> None:
    while not over.is_set():
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)


def endless_head(connection: socket.socket, over: threading.Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while not over.is_set():
        connection.sendall(b"x: " + b"a" * 1000 + b"\r\n")


def endless_body(connection: socket.socket, over: threading.Event) -> None:
    connection.recv(65536)
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while not over.is_set():
        connection.sendall(b"a" * 65536)


def hang_up(connection: socket.socket, _over: threading.Event) -> None:
    connection.recv(65536)


def nonsense(connection: socket.socket, _over: threading.Event) -> None:
    connection.recv(65536)
    connection.sendall(b"SSH-2.0-OpenSSH_9.6\r\n")


@pytest.mark.usefixtures("anywhere")
@pytest.mark.parametrize(
    ("handle", "seconds", "reason"),
    [
        *((hang, 0.5, "timeout"), (drip, 0.5, "timeout")),
        *(
            (flood, 60, "protocol"),
            (endless_head, 60, "protocol"),
            (hang_up, 60, "protocol"),
            (nonsense, 60, "protocol"),
        ),
    ],
)
def test_a_server_that_does_not_answer_is_given_up(handle: Any, seconds: float, reason: str) -> None:
    with talking(handle) as port:
        began = time.monotonic()
        assert problem(f"http://127.0.0.1:{port}/", seconds) == reason
        assert time.monotonic() - began < HANGS_SECONDS


@pytest.mark.usefixtures("anywhere")
def test_a_body_that_never_ends_is_not_read() -> None:
    with talking(endless_body) as port:
        assert send(f"http://127.0.0.1:{port}/") == 200


@pytest.mark.usefixtures("anywhere")
def test_an_unreachable_server_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert problem(f"http://127.0.0.1:{port}/") == "connection"


class Names:
    """A resolver that gives the next of its answers at each call, and counts the calls."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers, self.calls = list(answers), 0

    def __call__(self, host: Any, port: Any, *_: Any, **__: Any) -> list[Any]:
        if host in ("127.0.0.1", "93.184.216.34"):  # numbers, which asyncio asks about again
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port))]
        self.calls += 1
        numbers = self.answers[min(self.calls, len(self.answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, port)) for number in numbers]


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """To which numbers a connection was to be made; none is."""
    numbers: list[str] = []

    async def refuse(host: str, *_: Any, **__: Any) -> Any:
        numbers.append(host)
        raise ConnectionRefusedError

    monkeypatch.setattr(http_post.asyncio, "open_connection", refuse)
    return numbers


def test_a_name_that_changes_its_answer_gains_nothing(monkeypatch: pytest.MonkeyPatch, connected: list[str]) -> None:
    """DNS rebinding: public when it is checked, private when it would be connected to."""
    monkeypatch.setattr(socket, "getaddrinfo", names := Names(["93.184.216.34"], ["127.0.0.1"]))
    assert problem("https://rebind.example.org/") == "connection"
    assert (names.calls, connected) == (1, ["93.184.216.34"])


def test_a_name_that_leads_inside_is_not_connected_to(monkeypatch: pytest.MonkeyPatch, connected: list[str]) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", Names(["127.0.0.1", "10.0.0.1"]))
    assert problem("https://inside.example.org/") == "address"
    assert connected == []


def test_a_host_with_public_and_private_addresses_uses_the_public_one(
    monkeypatch: pytest.MonkeyPatch, connected: list[str]
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", Names(["10.0.0.1", "93.184.216.34", "169.254.169.254"]))
    assert problem("https://both.example.org/") == "connection"
    assert connected == ["93.184.216.34"]


def test_an_unknown_host_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, "none")

    monkeypatch.setattr(socket, "getaddrinfo", none)
    assert problem("https://nowhere.example.org/") == "name"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=hook"
    command += f" -addext subjectAltName=DNS:hook.example.org -keyout {path} -out {path}.crt"
    subprocess.run(command.split(), check=True, capture_output=True)
    path.write_text(path.read_text() + Path(f"{path}.crt").read_text())
    return path


@pytest.mark.parametrize(
    ("host", "is_trusted", "result"),
    [("hook.example.org", True, 200), ("other.example.org", True, "tls"), ("hook.example.org", False, "tls")],
)
def test_a_server_is_known_by_the_name_and_not_by_the_number(
    host: str, is_trusted: bool, result: Any, certificate: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(certificate)
    requests: list[Any] = []
    served.sni_callback = lambda _socket, name, _context: requests.append(name)

    def answer(connection: socket.socket, _over: threading.Event) -> None:
        with served.wrap_socket(connection, server_side=True) as secure:
            secure.recv(65536)
            secure.sendall(b"HTTP/1.1 200 OK\r\n\r\n")

    trusted = ssl.create_default_context(cafile=str(certificate) if is_trusted else None)
    monkeypatch.setattr(http_post, "hook_tls_context", lambda: trusted)
    monkeypatch.setattr("hooks.http_post.hook_address_allowed", lambda number: number == "127.0.0.1")
    monkeypatch.setattr(socket, "getaddrinfo", Names(["127.0.0.1"]))
    with talking(answer) as port:
        url = f"https://{host}:{port}/"
        assert (send(url) if isinstance(result, int) else problem(url)) == result
    assert requests == [host]
