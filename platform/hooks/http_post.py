"""Send one POST request to an untrusted server: the address is checked, the time is limited, and only the status is
read.

Only HTTPS and public addresses are allowed. A name is resolved once, and the connection goes to the address that was
checked, so a name that resolves differently the second time gains nothing."""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from functools import cache
from typing import Final
from urllib.parse import SplitResult, urlsplit

import h11
from django.conf import settings
from django.utils.translation import gettext as _

from games.version import VERSION
from web.errors import Refusal

LONGEST: Final = 500
PORTS: Final = {"https": 443, "http": 80}
GLOBAL_V6: Final = ipaddress.ip_network("2000::/3")  # without NAT64, IPv4-mapped, local and multicast addresses
# Reserved in IANA's registries, but public according to some versions of Python.
SPECIAL: Final = tuple(map(ipaddress.ip_network, ("192.0.0.0/24", "3fff::/20", "5f00::/16", "64:ff9b:1::/48")))
# Ranges whose addresses contain an IPv4 address, and the range of their former relays.
CARRIERS: Final = tuple(map(ipaddress.ip_network, ("2002::/16", "2001::/32", "192.88.99.0/24")))
SECONDS: Final = 10.0  # seconds in total: resolving, connecting, sending and reading the status
HEAD_MOST: Final = 16 * 1024  # bytes of a response's head that are read; its body is not read


class BadAddress(Refusal):
    """Nothing may be sent to this URL."""

    code = "bad_address"
    field = "url"


def hook_url_check(url: str) -> str:
    """Return ``url`` if requests to it are allowed, as far as that is known without resolving its name.

    Raises:
        BadAddress: it is not a valid URL, not HTTPS, or within this machine or its network.
    """
    if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url:
        raise BadAddress(_("An address has at most %(most)d characters, all of them ASCII.") % {"most": LONGEST})
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadAddress(_("This is not an address: write it like https://example.org/pecking.")) from error
    schemes = ("https", "http") if settings.HOOKS_ANYWHERE else ("https",)
    if parts.scheme not in schemes or not parts.hostname or port == 0:
        raise BadAddress(_("This is not an address: write it like https://example.org/pecking."))
    if parts.username is not None or parts.password is not None or parts.fragment or "\\" in url:
        raise BadAddress(_("An address here has no user name, password or fragment."))
    if not settings.HOOKS_ANYWHERE and _is_within(parts.hostname):
        raise BadAddress(_("This address is within a private network, or this machine itself: nothing is sent there."))
    return url


def hook_address_allowed(address: str) -> bool:
    """Return whether the IP address ``address`` is public."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:  # an address with a zone, or no IP address
        return False
    if any(found in carrier for carrier in (*CARRIERS, *SPECIAL) if carrier.version == found.version):
        return False
    if isinstance(found, ipaddress.IPv6Address) and found not in GLOBAL_V6:
        return False
    return found.is_global and not found.is_multicast


async def hook_addresses_of(parts: SplitResult) -> list[str]:
    """Resolve the name of a checked URL once. Return its allowed IP addresses.

    Raises:
        OSError: the name does not exist.
    """
    loop = asyncio.get_running_loop()
    port = parts.port or PORTS[parts.scheme]
    found = await loop.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    numbers = list(dict.fromkeys(str(one[4][0]) for one in found))
    return [one for one in numbers if settings.HOOKS_ANYWHERE or hook_address_allowed(one)]


def _is_within(host: str) -> bool:
    """Return whether ``host`` is an IP address that is not allowed, or a name that no public server has."""
    try:
        socket.inet_aton(host)  # this also accepts 127.1 and 0x7f000001, as the resolver does
        return not hook_address_allowed(socket.inet_ntoa(socket.inet_aton(host)))
    except OSError:
        pass
    if ":" in host:
        return not hook_address_allowed(host)
    name = host.rstrip(".")
    return "." not in name or name.endswith((".localhost", ".local", ".internal", ".home.arpa"))


class Unsent(Exception):
    """There was no response; ``problem`` is the reason as a code."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


async def hook_post(url: str, headers: Mapping[str, str], body: bytes, seconds: float = SECONDS) -> int:
    """Send a POST request and return the status of the response. Redirects are not followed.

    Raises:
        Unsent: "address" (not allowed), "name" (does not exist), "connection", "tls", "protocol" (the response is not
            HTTP), or "timeout".
    """
    try:
        async with asyncio.timeout(seconds):
            return await _post(urlsplit(hook_url_check(url)), headers, body)
    except TimeoutError as error:
        raise Unsent("timeout") from error
    except BadAddress as error:
        raise Unsent("address") from error
    except ssl.SSLError as error:  # this is also raised for an invalid certificate
        raise Unsent("tls") from error
    except h11.ProtocolError as error:
        raise Unsent("protocol") from error
    except (OSError, UnicodeError) as error:
        raise Unsent("connection") from error


async def _post(parts: SplitResult, headers: Mapping[str, str], body: bytes) -> int:
    try:
        addresses = await hook_addresses_of(parts)
    except (OSError, UnicodeError) as error:
        raise Unsent("name") from error
    if not addresses:
        raise Unsent("address")
    reader, writer = await _connected(parts, addresses)
    try:
        talk = h11.Connection(h11.CLIENT, max_incomplete_event_size=HEAD_MOST)
        target = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
        head = {
            "host": parts.netloc,
            "user-agent": f"pecking-order/{VERSION}",
            "content-type": "application/json",
            "content-length": str(len(body)),
            "connection": "close",
            **headers,
        }
        request = h11.Request(method="POST", target=target, headers=list(head.items()))
        writer.write(b"".join(talk.send(event) or b"" for event in (request, h11.Data(body), h11.EndOfMessage())))
        await writer.drain()
        return await _status(reader, talk)
    finally:
        writer.transport.abort()


async def _status(reader: asyncio.StreamReader, talk: h11.Connection) -> int:
    """Read up to the final status. Interim responses with a status of 1xx are skipped."""
    read = 0
    while True:
        event = talk.next_event()
        if isinstance(event, h11.Response):
            return event.status_code
        if event is h11.NEED_DATA:
            data = await reader.read(4096)
            read += len(data)
            if read > HEAD_MOST:
                raise Unsent("protocol")
            talk.receive_data(data)
        elif not isinstance(event, h11.InformationalResponse):
            raise Unsent("protocol")


async def _connected(parts: SplitResult, addresses: list[str]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the first of ``addresses`` that accepts. The certificate must match the name."""
    port = parts.port or PORTS[parts.scheme]
    context, name = (hook_tls_context(), parts.hostname) if parts.scheme == "https" else (None, None)
    failed = OSError("no address")
    for address in addresses:
        try:
            return await asyncio.open_connection(address, port, ssl=context, server_hostname=name)
        except ssl.SSLError:
            raise
        except OSError as error:
            failed = error
    raise failed


@cache
def hook_tls_context() -> ssl.SSLContext:
    """Return a TLS context with the certificates that this machine trusts."""
    return ssl.create_default_context()
