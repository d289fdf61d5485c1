"""Has the site recovered? Each part of it is tried from outside until it works again."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Final

import httpx
import psycopg

from tests.chaos.site import HOUSE, LEASE_SECONDS, PLAYER, Site
from tests.chaos.viewers import Crowd

BOUND: Final = 30.0  # seconds within which the site is to recover
PATIENCE: Final = 90.0  # seconds after which we stop looking
EVERY: Final = 0.25
BOT: Final = b"def act(view):\n    return view['actions'][-1]\n# upload %d\n"
_uploads = count(1)


@dataclass(slots=True)
class Recovery:
    """How long each part took, in seconds from the end of the fault; ``missing``: what did not come back."""

    parts: dict[str, float] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        return max(self.parts.values(), default=0.0) if not self.missing else PATIENCE

    @property
    def slowest(self) -> str:
        return ", ".join(self.missing) or max(self.parts, key=lambda name: self.parts[name], default="")

    @property
    def in_time(self) -> bool:
        return not self.missing and self.seconds <= BOUND


class Probes:
    """What has to work: pages, workers on both hosts, result workers, checks of uploads, sockets of viewers."""

    def __init__(self, site: Site, crowd: Crowd, token: str) -> None:
        self._site, self._crowd, self._token = site, crowd, token
        self._bot = ""

    def recovery(self) -> Recovery:
        """Wait until everything works that was tried after now, and time each part."""
        begun, found = time.monotonic(), Recovery()
        left = self._parts(begun)
        while left and time.monotonic() - begun < PATIENCE:
            for name, works in list(left.items()):
                with suppress(psycopg.Error, httpx.HTTPError, OSError):
                    if works():
                        found.parts[name] = time.monotonic() - begun
                        del left[name]
            time.sleep(EVERY)
        found.missing = list(left)
        return found

    def _parts(self, begun: float) -> dict[str, Callable[[], bool]]:
        upload = _Upload(self)
        return {
            "pages": self._pages_answer,
            "leases": lambda: self._none("matches_match", f"lease_expires_at < {_ago(begun)} + {LEASE}"),
            f"matches on {HOUSE}": lambda: self._played(HOUSE, begun),
            f"matches on {PLAYER}": lambda: self._played(PLAYER, begun),
            "books": lambda: self._none("matches_contest", f"news_at < {_ago(begun)}"),
            "check of an upload": upload.is_accepted,
            "viewers": lambda: self._crowd.all_received_since(begun),
        }

    def _pages_answer(self) -> bool:
        answer = httpx.get(self._site.url + "/readyz", timeout=3)
        return answer.status_code == 200 and answer.json()["servers"] and self._site.status("/") == 200

    def _played(self, host: str, begun: float) -> bool:
        finished = f"state = 'finished' and finished_at > {_ago(begun)} and worker like %s"
        return bool(self._site.query(f"select 1 from matches_match where {finished} limit 1", f"{host}:%"))

    def _none(self, table: str, condition: str) -> bool:
        return not self._site.query(f"select 1 from {table} where {condition} limit 1")

    def send(self) -> str:
        """Upload a version of a bot of ours by the API; return its address."""
        headers = {"authorization": f"Token {self._token}"}
        with httpx.Client(base_url=self._site.url, headers=headers, timeout=5) as client:
            if not self._bot:
                made = client.post("/api/bots/", json={"name": "Canary", "game": "pickomino"})
                made.raise_for_status()
                self._bot = made.headers["location"]
            source = BOT % next(_uploads)
            sent = client.post(f"{self._bot}versions/", files={"file": ("bot.py", source, "text/x-python")})
            sent.raise_for_status()
            return str(sent.headers["location"])

    def verdict(self, address: str) -> str:
        """Return the state of the version there."""
        headers = {"authorization": f"Token {self._token}"}
        return str(httpx.get(self._site.url + address, headers=headers, timeout=3).raise_for_status().json()["state"])


class _Upload:
    """An upload that is sent as soon as that works, and then polled."""

    def __init__(self, probes: Probes) -> None:
        self._probes = probes
        self._address = ""

    def is_accepted(self) -> bool:
        if not self._address:
            self._address = self._probes.send()
        return self._probes.verdict(self._address) == "accepted"


LEASE: Final = f"interval '{LEASE_SECONDS} seconds'"


def _ago(moment: float) -> str:
    """Return the monotonic time ``moment`` as the database's: clocks of hosts may be wrong."""
    return f"(clock_timestamp() - interval '{time.monotonic() - moment:.3f} seconds')"
