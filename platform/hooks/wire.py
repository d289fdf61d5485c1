"""One POST to a stranger's server: to an address that was checked, in bounded time, hearing no more than the status."""

import asyncio
import ssl
from collections.abc import Mapping
from functools import cache
from typing import Final
from urllib.parse import SplitResult, urlsplit

import h11

from games.version import VERSION
from hooks.addresses import PORTS, BadAddress, addresses_of, url_check

SECONDS: Final = 10.0  # for all of it: the name, the connection, the request and the status
HEAD_MOST: Final = 16 * 1024  # bytes of an answer that are read; its body is not


class Unsent(Exception):
    """No answer came; ``problem`` says why, in a word."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


async def post(url: str, headers: Mapping[str, str], body: bytes, seconds: float = SECONDS) -> int:
    """Return the status of the answer. Redirections are an answer like any other, and followed nowhere.

    Raises:
        Unsent: "address", nothing may be sent there; "name", there is no such name; "connection"; "tls"; "protocol",
            what came is not HTTP; "timeout".
    """
    try:
        async with asyncio.timeout(seconds):
            return await _post(urlsplit(url_check(url)), headers, body)
    except TimeoutError as error:
        raise Unsent("timeout") from error
    except BadAddress as error:
        raise Unsent("address") from error
    except ssl.SSLError as error:  # also of a certificate that does not hold
        raise Unsent("tls") from error
    except h11.ProtocolError as error:
        raise Unsent("protocol") from error
    except (OSError, UnicodeError) as error:
        raise Unsent("connection") from error


async def _post(parts: SplitResult, headers: Mapping[str, str], body: bytes) -> int:
    try:
        addresses = await addresses_of(parts)
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
    """Read up to the final status; of 1xx there may be several."""
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
    """Connect to the first of ``addresses`` that answers. The certificate must be of the name, not of the number."""
    port = parts.port or PORTS[parts.scheme]
    context, name = (tls(), parts.hostname) if parts.scheme == "https" else (None, None)
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
def tls() -> ssl.SSLContext:
    """Return how servers are known: by the certificates that this machine trusts."""
    return ssl.create_default_context()
