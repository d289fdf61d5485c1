"""Hosts of a site on one machine: a network namespace and a name for each, joined to ours by a wire that can be cut.

This needs root and a kernel with network namespaces. Without them all programs share this machine's network, and the
faults that need a wire are left out.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

HERE: Final = "127.0.0.1"
INSIDE: Final = "CHAOS_INSIDE"  # set in the namespaces that everything runs in
NAMESPACES: Final = ("unshare", "--net", "--mount", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc")
UNSHARE: Final = ("setpriv", "--pdeathsig", "KILL", *NAMESPACES)  # nothing outlives its parent
# Everything but the host's own loopback; nothing is answered, as when a cable is pulled.
DROPPED: Final = """
table inet chaos {{
  chain in {{ type filter hook input priority 0; iif "lo" accept; {rule} drop; }}
  chain out {{ type filter hook output priority 0; oif "lo" accept; {rule} drop; }}
}}
"""
LOSS: Final = 3  # in a hundred packets, each way
DELAY_MS: Final = 100  # each way, where the kernel has netem
RATE: Final = "2mbit"  # where it has not: packets wait for each other instead


def hindrance() -> str:
    """Return why hosts cannot be apart here; "" if they can."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    for program in ("ip", "nft", "nsenter", "setpriv", "unshare"):
        if shutil.which(program) is None:
            return f"there is no program {program}"
    if subprocess.run([*UNSHARE, "true"], capture_output=True).returncode:
        return "the kernel refuses network namespaces"
    return ""


def inside(command: Sequence[str]) -> int:
    """Run ``command`` in namespaces of its own: whatever it starts, mounts and connects is gone when it ends."""
    return subprocess.run([*UNSHARE, *command], env={**os.environ, INSIDE: "1"}).returncode


def loopback_up() -> None:
    """Let programs in these namespaces reach each other."""
    if apart():
        _call("ip", "link", "set", "lo", "up")


def apart() -> bool:
    """Return whether hosts have networks of their own: whether this process was started by ``inside``."""
    return INSIDE in os.environ


class Host:
    """A host: ``address`` is its own, ``ours`` that of this side as it is seen from there."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self._wire = f"po-{name}"
        self.address, self.ours = HERE, HERE
        if apart():
            self.address, self.ours = f"10.77.{number}.2", f"10.77.{number}.1"
            self._make()

    def command(self, *words: str) -> tuple[str, ...]:
        """Return what runs there as ``words``."""
        if not apart():
            return words
        return ("nsenter", f"--net=/proc/{self._holder.pid}/ns/net", f"--uts=/proc/{self._holder.pid}/ns/uts", *words)

    def cut(self) -> None:
        """Let no packet in or out until ``restore``."""
        self._filter("")

    def hamper(self) -> str:
        """Let packets come late, and some never, until ``restore``; return how."""
        self._filter(f"numgen random mod 100 < {LOSS}")
        if self._try("tc", "qdisc", "add", "dev", "eth0", "root", "netem", "delay", f"{DELAY_MS}ms"):
            return f"{DELAY_MS} ms late, {LOSS} in 100 lost"
        shaped = ("tbf", "rate", RATE, "burst", "8kb", "latency", "400ms")
        self._run("tc", "qdisc", "add", "dev", "eth0", "root", *shaped)
        return f"{RATE}, {LOSS} in 100 lost (no netem)"

    def restore(self) -> None:
        """Let everything through again."""
        self._try("tc", "qdisc", "del", "dev", "eth0", "root")
        self._try("nft", "delete", "table", "inet", "chaos")

    def _make(self) -> None:
        self._holder = subprocess.Popen(
            ["unshare", "--net", "--uts", "sh", "-c", f"hostname {self.name} && exec sleep infinity"]
        )
        until = time.monotonic() + 10
        while self._say_name() != self.name and time.monotonic() < until:
            time.sleep(0.02)
        peer = ("peer", "name", "eth0", "netns", str(self._holder.pid))
        loopback_up()
        _call("ip", "link", "add", self._wire, "type", "veth", *peer)
        _call("ip", "address", "add", f"{self.ours}/30", "dev", self._wire)
        _call("ip", "link", "set", self._wire, "up")
        self._run("ip", "address", "add", f"{self.address}/30", "dev", "eth0")
        self._run("ip", "link", "set", "eth0", "up")
        self._run("ip", "link", "set", "lo", "up")

    def _say_name(self) -> str:
        with suppress(subprocess.CalledProcessError):
            return subprocess.run(self.command("hostname"), check=True, capture_output=True, text=True).stdout.strip()
        return ""

    def _filter(self, rule: str) -> None:
        subprocess.run(self.command("nft", "-f", "-"), input=DROPPED.format(rule=rule), text=True, check=True)

    def _run(self, *words: str) -> None:
        _call(*self.command(*words))

    def _try(self, *words: str) -> bool:
        return subprocess.run(self.command(*words), capture_output=True).returncode == 0


def small_disk(path: Path, megabytes: int) -> bool:
    """Mount a disk of its own at ``path``, if this process may; it is gone with its namespaces."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "chaos", str(path)]
    return apart() and subprocess.run(mount, capture_output=True).returncode == 0


def _call(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True, text=True)
