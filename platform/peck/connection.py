"""Requests to a site's API: addresses, the token, refusals, and limits on answers."""

import json
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from pathlib import Path
from threading import Timer
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from games.untrusted import UntrustedError, untrusted_field, untrusted_items, untrusted_json_parse, untrusted_line
from games.version import VERSION

TIMEOUT: Final = 30  # seconds for one answer, from the connection to its last byte
ANSWER_MOST: Final = 8 * 2**20  # bytes of one answer
OK_STATUS, ACCEPTED, NO_CONTENT = (200, 202, 204)
NOT_PREPARED: Final = "not_prepared"  # the code of this refusal: the file must be ordered first
PAUSE_MOST: Final = 30  # seconds between two requests for a file that is being prepared
CHUNK: Final = 2**16


class SiteError(Exception):
    """The site refused, or its answer is malformed. ``status`` is the HTTP status, 0 without an answer. ``code`` is the
    code in the site's problem document. ``wrong`` maps fields of the request to their errors.
    """

    def __init__(self, text: str, status: int = 0, code: str = "", wrong: Mapping[str, str] | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.code = code
        self.wrong = wrong or {}


def connection_address(typed: str) -> str:
    """Return the address of a site with a scheme. The default is https, or http for this machine.

    Raises:
        SiteError: no site can have this address.
    """
    text = typed.strip()
    try:
        named = urlsplit((text if "://" in text else f"//{text}").rstrip("/"))
        whole = named if named.scheme else named._replace(scheme="http" if _is_here(named.hostname) else "https")
        if whole.scheme in ("http", "https") and whole.hostname and whole.port != 0:
            return whole.geturl()
    except ValueError:  # the address or its port is invalid
        pass
    raise SiteError(f"{text!r} is no address of a site: give it as https://peck.example.org")


def _is_here(host: str | None) -> bool:
    with suppress(ValueError):
        return ip_address(host or "").is_loopback
    return host == "localhost"


@dataclass(frozen=True, slots=True)
class Connection:
    """Requests to one site. It never follows a redirect, because the token is for the named site only."""

    address: str
    token: str

    @property
    def sends_token_in_the_clear(self) -> bool:
        """Whether the token would cross a network unencrypted: plain HTTP to another host."""
        named = urlsplit(self.address)
        return bool(self.token) and named.scheme == "http" and not _is_here(named.hostname)

    def _file(self, path: str) -> bytes:
        status, data = self._fetch("GET", path, None, {})
        if status != 200:
            raise SiteError(f"{self.address}: no such file (status {status})", status=status)
        return data

    def _send(self, method: str, path: str, **fields: object) -> dict[str, Any]:
        return self._request(method, path, json.dumps(fields).encode(), "application/json")

    def _list(self, path: str, **query: object) -> list[dict[str, Any]]:
        return untrusted_items(self._request("GET", f"{path}?{urlencode(query)}"), "results", dict)

    def _request(self, method: str, path: str, body: bytes | None = None, kind: str = "") -> dict[str, Any]:
        """Return the JSON object in the site's answer.

        Raises:
            SiteError: the site refused, or its answer is too long, too slow or malformed.
        """
        headers = {"Accept": "application/json", **({"Content-Type": kind} if kind else {})}
        status, data = self._fetch(method, path, body, headers)
        try:
            answer = {} if 300 <= status < 400 or status == NO_CONTENT else untrusted_json_parse(data)
            if not isinstance(answer, dict):
                raise UntrustedError("not a JSON object")
        except ValueError as error:
            raise self._malformed(error) from error
        if not 200 <= status < 300:
            raise self._refusal(status, answer)
        return answer

    def _refusal(self, status: int, answer: Mapping[str, Any]) -> SiteError:
        detail = f"{self.address}: {answer.get('detail', f'status {status}')}"
        try:
            wrong = {
                untrusted_field(one, "field", str): untrusted_field(one, "detail", str)
                for one in untrusted_items(answer, "errors", dict)
            }
        except UntrustedError:  # no site of this project sends such an answer
            wrong = {}
        return SiteError(detail, status, str(answer.get("code", "")), wrong)

    def prepared(self, path: str, target: Path, most: int) -> int:
        """Store the file at ``path`` of the site, of at most ``most`` bytes, as ``target`` and return 0. If the site
        must prepare the file first, order it and return the seconds after which to request it again.

        Raises:
            SiteError: see ``_request``; or the file is larger, or cut off.
            OSError: ``target`` cannot be written. After any error, there is no partial file at ``target``.
        """
        try:
            with self._connected(TIMEOUT) as connection:
                answer = self._open(connection, "GET", path)
                refusal = self._refused(answer)
                if refusal is not None and refusal.code == NOT_PREPARED:
                    answer = self._open(connection, "POST", path)
                    refusal = self._refused(answer)
                if refusal is not None:
                    raise refusal
                if answer.status == ACCEPTED:
                    return min(PAUSE_MOST, max(1, int(answer.getheader("Retry-After") or 1)))
                part = target.with_name(f"{target.name}.part")
                try:
                    _store(answer, part, most)
                    part.replace(target)
                finally:
                    part.unlink(missing_ok=True)
                return 0
        except (HTTPException, ValueError, ConnectionError, TimeoutError) as error:
            raise self._malformed(error) from error

    def _refused(self, answer: HTTPResponse) -> SiteError | None:
        if answer.status in (OK_STATUS, ACCEPTED):
            return None
        data = untrusted_json_parse(answer.read(ANSWER_MOST))
        return self._refusal(answer.status, data if isinstance(data, dict) else {})

    def _open(self, connection: HTTPConnection, method: str, path: str) -> HTTPResponse:
        token = {"Authorization": f"Token {self.token}"} if self.token else {}
        base = urlsplit(self.address).path
        connection.request(method, f"{base}/api/{path}", headers={"Accept": "application/json, */*", **token})
        return connection.getresponse()

    @contextmanager
    def _connected(self, seconds: float) -> Iterator[HTTPConnection]:
        named = urlsplit(self.address)
        secure = {"https": HTTPSConnection, "http": HTTPConnection}[named.scheme]
        with closing(secure(named.netloc, timeout=seconds)) as connection:
            yield connection

    def _fetch(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> tuple[int, bytes]:
        """Return the status and the content of the site's answer.

        Raises:
            SiteError: there is no answer, or the answer is too long or too slow.
        """
        try:
            return self._answer(method, path, body, headers)
        except (OSError, HTTPException, ValueError) as error:
            raise self._malformed(error) from error

    def _malformed(self, error: Exception) -> SiteError:
        why = error.strerror if isinstance(error, OSError) and error.strerror else repr(error)
        return SiteError(f"{self.address}: no answer that makes sense ({why})")

    def _answer(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> tuple[int, bytes]:
        named = urlsplit(self.address)
        with self._connected(TIMEOUT) as connection:
            # A socket's timeout starts again with every byte; this time limit does not.
            deadline = Timer(TIMEOUT, _hang_up, [connection])
            deadline.daemon = True
            deadline.start()
            try:
                token = {"Authorization": f"Token {self.token}"} if self.token else {}
                connection.request(method, f"{named.path}/api/{path}", body, {**headers, **token})
                answer = connection.getresponse()
                data = answer.read(ANSWER_MOST + 1)
                _warn_of_version(answer.getheader("Pecking-Version"))
            finally:
                deadline.cancel()
            if len(data) > ANSWER_MOST:
                raise UntrustedError(f"an answer of more than {ANSWER_MOST} bytes")
            return answer.status, data


def _store(answer: HTTPResponse, path: Path, most: int) -> None:
    size, announced = 0, answer.getheader("Content-Length")
    with path.open("wb") as file:
        while piece := answer.read(CHUNK):
            size += len(piece)
            if size > most:
                raise UntrustedError(f"a file of more than {most} bytes")
            file.write(piece)
    if announced is not None and size != int(announced):
        raise UntrustedError("the file was cut off")


@lru_cache(maxsize=1)  # cached, so that it warns only once
def _warn_of_version(version: str | None) -> None:
    if version and version != VERSION:
        answer = untrusted_line(version, 40)
        sys.stderr.write(f"note: the site is of version {answer}, this peck of {VERSION}: take the site's\n")


def _hang_up(connection: HTTPConnection) -> None:
    with suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)
