"""A site's API as an author uses it from the command line: upload a bot, read how it did, fetch where it failed."""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep
from typing import Any, Final, Self
from urllib.parse import quote, urlencode, urlsplit

HERE: Final = "http://127.0.0.1:8000"  # where `make run` serves
TIMEOUT: Final = 30  # seconds for one answer
VERDICT_WITHIN: Final = 120  # seconds
OPEN: Final = ("queued", "checking")


class SiteError(Exception):
    """The site said no, or nothing that makes sense; the text says why."""


@dataclass(frozen=True, slots=True)
class Site:
    """Never follows a redirect: the token is for the site that was named, and for no other."""

    address: str
    token: str

    @classmethod
    def named(cls, environment: Mapping[str, str]) -> Self:
        """By ``PECK_SITE`` and ``PECK_TOKEN``."""
        return cls(environment.get("PECK_SITE", HERE).rstrip("/"), environment.get("PECK_TOKEN", ""))

    def upload(self, bot: str, file: Path) -> dict[str, Any]:
        """The new version, or the one that this very file is already, with its verdict if that comes in time."""
        boundary, name = token_hex(16), "".join(one if one.isalnum() or one in "._-" else "_" for one in file.name)
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + file.read_bytes() + f"\r\n--{boundary}--\r\n".encode()
        path = f"bots/{quote(bot, safe='')}/versions/"
        version = self._ask("POST", path, body, f"multipart/form-data; boundary={boundary}")
        until = monotonic() + VERDICT_WITHIN
        while version["state"] in OPEN and monotonic() < until:
            sleep(0.5)
            version = self._ask("GET", f"{path}{version['number']}/")
        return version

    def results(self, bot: str, most: int) -> list[dict[str, Any]]:
        """The bot's last matches, newest first."""
        return self._list(f"bots/{quote(bot, safe='')}/results/", page_size=most)

    def failure(self, bot: str, match: int | None = None) -> dict[str, Any] | None:
        """The bot's last failure, or its last in ``match``."""
        asked = {} if match is None else {"match": match}
        return next(iter(self._list(f"bots/{quote(bot, safe='')}/failures/", page_size=1, **asked)), None)

    def _list(self, path: str, **asked: object) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._ask("GET", f"{path}?{urlencode(asked)}")["results"]
        return found

    def _ask(self, method: str, path: str, body: bytes | None = None, kind: str = "") -> dict[str, Any]:
        headers = {"Accept": "application/json"}
        if self.token:
            headers["Authorization"] = f"Token {self.token}"
        if kind:
            headers["Content-Type"] = kind
        try:
            status, told = self._answer(method, path, body, headers)
        except (KeyError, OSError, HTTPException, ValueError) as error:
            raise SiteError(
                f"{self.address}: no answer that makes sense ({error!r}); PECK_SITE names the site"
            ) from error
        if not 200 <= status < 300:
            raise SiteError(f"{self.address}: {told.get('detail', f'status {status}')}")
        return told

    def _answer(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, dict[str, Any]]:
        named = urlsplit(self.address)
        secure = {"https": HTTPSConnection, "http": HTTPConnection}[named.scheme]
        with closing(secure(named.netloc, timeout=TIMEOUT)) as connection:
            connection.request(method, f"{named.path}/api/{path}", body, headers)
            answer = connection.getresponse()
            return answer.status, {} if 300 <= answer.status < 400 else dict(json.loads(answer.read()))


def verdict_lines(version: Mapping[str, Any]) -> Iterator[str]:
    """A version and what the check said of it."""
    yield f"version {version['number']}: {version['state']}"
    report = version["report"] or {}
    yield from (str(report[name]) for name in ("verdict", "exception", "detail") if report.get(name))
    yield version["page"]


def result_line(result: Mapping[str, Any]) -> str:
    """A match in a line."""
    others = ", ".join(f"{one['name']} v{one['version']}" for one in result["opponents"])
    faults = f", {result['faulty_games']} games with faults" if result["faulty_games"] else ""
    return (
        f"match {result['match']}: v{result['version']} against {others}: {result['share']:.0%} of the opponents"
        f" beaten in {result['games']} games{faults}"
    )


def failure_lines(failure: Mapping[str, Any]) -> Iterator[str]:
    """What happened, where, and what to do about it."""
    yield f"match {failure['match']}, game {failure['game'] + 1}, action {failure['action'] + 1}: v{failure['version']}"
    yield f"{failure['title']} {failure['advice']}"
    if failure["detail"] or failure["exception"]:
        yield failure["detail"] or failure["exception"]
    if failure["answer"]:
        yield f"it answered {failure['answer']!r}"
    if failure["limit"] is not None:
        spent = f"{failure['cpu']:.3f} s of processor, {failure['wall']:.3f} s by the clock"
        yield f"{spent}; the limit is {failure['limit']} s"
    if failure["output"]:
        yield f"it printed:\n{failure['output']}"
