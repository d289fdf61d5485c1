"""An empty Debian, started by its own systemd, on which commands of the docs are typed unchanged."""

import os
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Final

from tests.waiting import eventually

ROOT: Final = Path(__file__).resolve().parents[2]
SITE: Final = "srv/pecking-order"
SUITE: Final = "bookworm"
# What a machine has before anybody signs in to it. Git brings the checkout that the docs begin with.
PACKAGES: Final = "systemd,systemd-sysv,dbus,ca-certificates,git"
# Where this machine's package tools find their packages, and whom they trust; the empty one asks the same places.
TAKEN_ALONG: Final = ("etc/resolv.conf", "etc/pip.conf", "etc/npmrc", "usr/local/share/ca-certificates")
PORTS: Final = (25, 5432, 6379, 8000)
PROMPTS_MAX: Final = 200  # bytes


def what_lacks() -> str:
    """Say why no such machine can be made here; empty if it can."""
    if os.geteuid():
        return "needs root"
    for program in ("debootstrap", "systemd-nspawn", "nsenter"):
        if shutil.which(program) is None:
            return f"needs {program} (apt-get install debootstrap systemd-container)"
    for port in PORTS:
        with socket.socket() as one:
            if not one.connect_ex(("127.0.0.1", port)):
                return f"something listens at port {port}, which the machine needs"
    return ""


def commands_under(heading: str, page: str = "deploy") -> list[str]:
    """Return the blocks of commands that a page of the docs gives under a heading, as scripts."""
    text = (ROOT / f"docs/how-to/{page}.md").read_text()
    [section] = re.findall(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    return re.findall(r"^```\n(.*?)^```", section, re.DOTALL | re.MULTILINE)


class EmptyMachine:
    """One in a directory: its root, and the process that its programs descend from."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.log = root.parent / "machine.log"
        self._init = 0

    def make(self) -> None:
        """Install Debian's smallest system, the checkout of what is committed here, and names instead of a DNS."""
        made = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE, str(self.root)]
        done = subprocess.run(made, capture_output=True, text=True, umask=0o022)
        assert done.returncode == 0, done.stdout[-2000:]
        for name in TAKEN_ALONG:
            here, there = Path("/", name), self.root / name
            if here.is_dir():
                shutil.copytree(here, there, dirs_exist_ok=True)
            elif here.is_file():
                shutil.copyfile(here, there)
                there.chmod(0o644)  # the tests run under the site's umask, by which nobody else could read it
        subprocess.run(["chroot", self.root, "update-ca-certificates"], check=True, capture_output=True)
        hosts = self.root / "etc/hosts"
        hosts.write_text("127.0.0.1 localhost mail.example.org\n")
        hosts.chmod(0o644)
        origin = self.root / "srv/origin.git"
        subprocess.run(["git", "clone", "-q", "--bare", "--no-hardlinks", ROOT, origin], check=True, umask=0o022)
        cloned = ["chroot", self.root, "git", "clone", "-q", "/srv/origin.git", f"/{SITE}"]
        subprocess.run(cloned, check=True, umask=0o022)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Boot it for the block, with this machine's network."""
        command = ["systemd-nspawn", "--boot", "--register=no", "--keep-unit", "--capability=all", "--console=pipe"]
        command += [f"--directory={self.root}", "--machine=empty", "--resolv-conf=off"]
        # A machine may write its kernel's settings and make namespaces; what nspawn hides would hinder the cage.
        environment = os.environ | {
            "SYSTEMD_NSPAWN_API_VFS_WRITABLE": "1",
            "SYSTEMD_NSPAWN_LOCK": "0",
            "SYSTEMD_SECCOMP": "0",
        }
        with self.log.open("wb") as log:
            nspawn = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, umask=0o022
            )
            try:
                assert eventually(lambda: self._is_up(nspawn.pid)), self.log.read_text()
                yield
            finally:
                nspawn.send_signal(signal.SIGTERM)
                try:
                    nspawn.wait(60)
                except subprocess.TimeoutExpired:
                    nspawn.kill()
                    nspawn.wait()
                with suppress(ProcessLookupError):
                    os.kill(self._init, signal.SIGKILL)  # and with it all that runs there

    def _is_up(self, nspawn: int) -> bool:
        """Whether the system has come up; its first process is a child of nspawn, but not nspawn's first one."""
        children = Path(f"/proc/{nspawn}/task/{nspawn}/children").read_text().split()
        self._init = int(children[0]) if children else 0
        if not self._init:
            return False
        command = self._entering("systemctl is-system-running")
        state = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
        return state.strip() in ("running", "degraded")

    def _entering(self, script: str) -> list[str]:
        clean = ["env", "-i", "HOME=/root", "TERM=dumb", "DEBIAN_FRONTEND=noninteractive", "LANG=C.UTF-8"]
        path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        return [
            "nsenter",
            f"--target={self._init}",
            "--all",
            *clean,
            path,
            "bash",
            "-euc",
            f"umask 022; cd /{SITE}; {script}",
        ]

    def output_of(self, script: str) -> str:
        """Return the output of a script. It must not fail."""
        done = subprocess.run(self._entering(script), stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert done.returncode == 0, f"{script}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done.stdout.strip()

    def types(self, script: str, answers: dict[str, str], seconds: float = 1500) -> str:
        """Type a script at a terminal, and the answers to its prompts; return all output."""
        pid, terminal = pty.fork()
        if not pid:
            command = self._entering(f"set -x\n{script}")
            os.execvp(command[0], command)
        shown, prompt_from, until = b"", 0, monotonic() + seconds
        while monotonic() < until:
            if not select.select([terminal], [], [], 1)[0]:
                continue
            try:
                piece = os.read(terminal, 65536)
            except OSError:  # what Linux says at the end of a terminal
                break
            shown += piece
            last = shown[max(prompt_from, len(shown) - PROMPTS_MAX) :].decode(errors="replace")
            for question, answer in answers.items():
                if last.rstrip().endswith(question):
                    os.write(terminal, f"{answer}\n".encode())
                    prompt_from = len(shown)
        os.close(terminal)
        output = shown.decode(errors="replace")
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        assert status == 0, f"ended with {status}:\n{output[-6000:]}"
        return output
