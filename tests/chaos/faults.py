"""Faults that hit the site: each begins, has a duration, and is mended; some mend themselves."""

import shutil
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import psycopg
import redis

from tests.chaos.hosts import apart
from tests.chaos.hosts import hindrance as network_hindrance
from tests.chaos.site import FAKETIME, HOUSE, PLAYER, POOLS, Site, kill
from tests.waiting import eventually

PLAYING: Final = "select 1 from matches_match where state = 'running' and worker like %s"
IN_A_MATCH: Final = 30.0  # seconds at most until a worker has one


class Fault:
    """A kind of fault. ``duration``: seconds from the hit until it is mended."""

    name = ""
    duration = 0.0

    def hindrance(self, site: Site) -> str:
        """Return why the machine does not permit it; "" if it does."""
        return ""

    def hit(self, site: Site, rng: Random) -> str:
        """Let it happen; return what was hit."""
        raise NotImplementedError

    def mend(self, site: Site) -> str:
        """End it; return what else there is to say."""
        return ""


class WorkerKilled(Fault):
    name = "kill -9 of a worker"

    def hit(self, site: Site, rng: Random) -> str:
        queue, host = rng.choice([(queue, HOUSE) for queue in POOLS] + [("matches", PLAYER)])
        family = site.pool(queue, host)
        if not family:
            return "nobody: there was none just then"
        victim = rng.choice(family)
        kill(victim, signal.SIGKILL)
        return f"{queue} on {host}, {'its first process' if victim is family[0] else 'a process of its pool'}"


class WorkerStopped(Fault):
    name = "SIGTERM in a match"

    def hit(self, site: Site, rng: Random) -> str:
        host = rng.choice((HOUSE, PLAYER))
        _wait_for_match(site, host)
        for leader in site.pool("matches", host)[:1]:
            kill(leader, signal.SIGTERM)
        return f"matches on {host}"


class BrokerFlushed(Fault):
    name = "broker flushed"

    def hit(self, site: Site, rng: Random) -> str:
        with site.redis() as server:
            keys = server.dbsize()
            server.flushall()
        return f"{keys} keys of broker and cache"


class BrokerDown(Fault):
    name = "broker down"
    duration = 8.0

    def hit(self, site: Site, rng: Random) -> str:
        site.valkey.hold()
        site.valkey.send(signal.SIGKILL)
        return f"broker, cache and channels for {self.duration:.0f} s"

    def mend(self, site: Site) -> str:
        site.valkey.release()
        return ""


class DatabaseDown(Fault):
    name = "database down"
    duration = 27.0

    def hit(self, site: Site, rng: Random) -> str:
        site.postgres.hold()
        site.postgres.send(signal.SIGINT)  # what PostgreSQL calls a fast shutdown: every connection is closed
        return f"stopped for {self.duration:.0f} s"

    def mend(self, site: Site) -> str:
        site.postgres.release()
        return ""


class DatabaseFrozen(Fault):
    name = "database frozen"
    duration = 27.0

    def hit(self, site: Site, rng: Random) -> str:
        site.postgres.send_all(signal.SIGSTOP)
        return f"SIGSTOP for {self.duration:.0f} s"

    def mend(self, site: Site) -> str:
        site.postgres.send_all(signal.SIGCONT)
        return ""


class TasksThrice(Fault):
    """Whatever is put into a queue is put there twice more, as the same message."""

    name = "tasks sent three times"
    duration = 10.0

    def hit(self, site: Site, rng: Random) -> str:
        self._over, self._sent = threading.Event(), 0
        self._thread = threading.Thread(target=self._listen, args=[site], name="echo", daemon=True)
        self._thread.start()
        return f"all queues for {self.duration:.0f} s"

    def mend(self, site: Site) -> str:
        self._over.set()
        with site.redis() as server:
            server.ping()  # what it listens for
        self._thread.join(10)
        return f"{self._sent} messages"

    def _listen(self, site: Site) -> None:
        echo = site.redis().client()  # one connection
        port = echo.client_info()["addr"].rpartition(":")[2]
        with suppress(redis.RedisError), site.redis().monitor() as monitor:
            for entry in monitor.listen():
                if self._over.is_set():
                    return
                words = entry["command"].split(" ", 2)
                if words[0] == "LPUSH" and words[1] in POOLS and entry["client_port"] != port:
                    echo.lpush(words[1], words[2], words[2])
                    self._sent += 1


class WebKilled(Fault):
    name = "kill -9 of the web process"

    def hit(self, site: Site, rng: Random) -> str:
        found = site.web()
        for process in found:
            kill(process, signal.SIGKILL)
        return f"{len(found)} processes with all viewers"


class DiskFull(Fault):
    """The disk of the database and of the site's own files."""

    name = "full disk"
    duration = 12.0

    def hindrance(self, site: Site) -> str:
        return "" if site.has_disk else "no disk of its own can be mounted"

    def hit(self, site: Site, rng: Random) -> str:
        free = shutil.disk_usage(site.disk).free
        with suppress(OSError), self._filler(site).open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 16))
        return f"{free >> 20} MiB filled, for {self.duration:.0f} s"

    def mend(self, site: Site) -> str:
        self._filler(site).unlink()
        return ""

    def _filler(self, site: Site) -> Path:
        return site.disk / "filler"


class OnTheWire(Fault):
    """A fault between hosts."""

    def hindrance(self, site: Site) -> str:
        return "" if apart() else network_hindrance()


class WorkerCutOff(OnTheWire):
    """Longer than a lease: what its worker plays is played by another, and what it then writes is void."""

    name = "a worker's host cut off"
    duration = 27.0

    def hit(self, site: Site, rng: Random) -> str:
        _wait_for_match(site, PLAYER)
        site.player.cut()
        return f"{PLAYER}, in a match, for {self.duration:.0f} s"

    def mend(self, site: Site) -> str:
        site.player.restore()
        return ""


class SiteCutOff(OnTheWire):
    name = "the web's host cut off"
    duration = 12.0

    def hit(self, site: Site, rng: Random) -> str:
        site.house.cut()
        return f"{HOUSE} from stores and viewers for {self.duration:.0f} s"

    def mend(self, site: Site) -> str:
        site.house.restore()
        return ""


class WireSlow(OnTheWire):
    name = "slow network"
    duration = 15.0

    def hit(self, site: Site, rng: Random) -> str:
        how = [host.hamper() for host in (site.house, site.player)]
        return f"both hosts for {self.duration:.0f} s: {how[0]}"

    def mend(self, site: Site) -> str:
        for host in (site.house, site.player):
            host.restore()
        return ""


class ClockAhead(Fault):
    """A worker whose clock is an hour ahead plays, and is killed in a match."""

    name = "clock an hour ahead"
    duration = 0.0

    def hindrance(self, site: Site) -> str:
        return "" if Path(FAKETIME).exists() else "there is no libfaketime: on Debian 'apt-get install libfaketime'"

    def hit(self, site: Site, rng: Random) -> str:
        site.worker.end()
        wrong = {"LD_PRELOAD": FAKETIME, "FAKETIME": "+3600s", "DONT_FAKE_MONOTONIC": "1"}
        site.worker = site.player_worker(**wrong)
        site.worker.start()
        ahead = "select clock_ahead from matches_workerpresence where clock_ahead > 3000 and seen_at > now() - {}"
        seen = eventually(lambda: bool(_rows(site, ahead.format("interval '20 seconds'"))), IN_A_MATCH, 0.5)
        _wait_for_match(site, PLAYER)
        site.worker.end()
        return f"the worker on {PLAYER}, {'which said so' if seen else 'WHICH DID NOT SAY SO'}; killed in a match"

    def mend(self, site: Site) -> str:
        site.worker = site.player_worker()
        site.worker.start()
        return ""


FAULTS: Final[tuple[type[Fault], ...]] = (
    WorkerKilled,
    BrokerFlushed,
    BrokerDown,
    DatabaseDown,
    DatabaseFrozen,
    TasksThrice,
    WorkerStopped,
    WebKilled,
    DiskFull,
    WorkerCutOff,
    SiteCutOff,
    WireSlow,
    ClockAhead,
)


def _wait_for_match(site: Site, host: str) -> None:
    eventually(lambda: bool(_rows(site, PLAYING, f"{host}:%")), IN_A_MATCH, 0.1)
    time.sleep(0.2)


def _rows(site: Site, sql: str, *values: str) -> list[tuple[object, ...]]:
    with suppress(psycopg.Error):
        return site.query(sql, *values)
    return []
