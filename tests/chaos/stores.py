"""A PostgreSQL and a Valkey of our own, which faults may stop, freeze, cut off and fill."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.brokers import server_binary
from tests.chaos.programs import Program

OPTIONS: Final = (
    "listen_addresses=*",
    "unix_socket_directories=",
    "max_connections=200",
    "shared_buffers=64MB",
    "min_wal_size=32MB",
    "max_wal_size=64MB",
)


def postgres_binaries() -> Path | None:
    """Return the folder of PostgreSQL's programs; None if there are none here."""
    named = shutil.which("initdb")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    programs = Path(named) if named else next(iter(found), None)
    return programs.parent if programs else None


def postgres(home: Path, port: int, log: Path, environment: Mapping[str, str]) -> Program:
    """Make a database cluster below ``home``, and return its server, which is not started yet.

    Raises:
        FileNotFoundError: there is no PostgreSQL here.
    """
    binaries = postgres_binaries()
    if binaries is None:
        raise FileNotFoundError("initdb was not found: on Debian and Ubuntu 'apt-get install postgresql'")
    user = _ordinary_user()
    home.mkdir()
    if user:
        shutil.chown(home, user, user)
    data = home / "data"
    make = (str(binaries / "initdb"), "-D", str(data), "-U", "peck", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
    ids = {"user": user, "group": user, "extra_groups": []} if user else {}
    subprocess.run(make, check=True, capture_output=True, cwd=home, **ids)  # type: ignore[call-overload]
    with (data / "pg_hba.conf").open("a") as file:
        file.write("host all all 10.77.0.0/16 trust\n")
    options = [word for option in (*OPTIONS, f"port={port}") for word in ("-c", option)]
    command = (str(binaries / "postgres"), "-D", str(data), *options)
    return Program("PostgreSQL", command, log=log, environment=environment, user=user)


def valkey(port: int, log: Path, environment: Mapping[str, str]) -> Program:
    """Return a server that keeps nothing when it ends."""
    listens = ("--port", str(port), "--bind", "0.0.0.0", "--protected-mode", "no")
    return Program("Valkey", (server_binary(), *listens, "--save", ""), log=log, environment=environment)


def _ordinary_user() -> str | None:
    """Return whom PostgreSQL runs as, which refuses root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"
