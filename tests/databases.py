"""A database for processes that a test starts: a file of their own, or one more on the server of ``DATABASE_URL``.

To migrate one takes as long as all else that a site does when it starts. So it is done once, and copied: until a
migration changes. ``tests/arena/test_migrations.py`` and ``test_up_site.py`` begin with nothing.
"""

import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg.sql import SQL, Identifier

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".pytest_cache"


def version() -> str:
    """A digest of our migrations, and of what is installed."""
    found = [*ROOT.glob("**/migrations/*.py"), *ROOT.glob("requirements/*.lock")]
    ours = sorted(path for path in found if ".venv" not in path.parts)
    return hashlib.sha256(b"".join(path.read_bytes() for path in ours)).hexdigest()[:16]


def migrated(path: Path) -> None:
    """Put an SQLite database with all tables and no data at ``path``."""
    CACHE.mkdir(exist_ok=True)
    cached = CACHE / f"migrated-{version()}.sqlite3"
    with (CACHE / "migrated.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the other process of a run waits for this one's
        if not cached.exists():
            for old in CACHE.glob("migrated-*"):
                old.unlink()
            _migrate(cached)
    shutil.copyfile(cached, path)
    path.chmod(0o600)


def _migrate(target: Path) -> None:
    with tempfile.TemporaryDirectory() as directory:
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        environment |= {"PECKING_ORDER_VAR": directory, "DJANGO_SETTINGS_MODULE": "arena.settings.dev"}
        command = [sys.executable, str(ROOT / "manage.py"), "migrate", "--verbosity=0"]
        subprocess.run(command, env=environment, check=True)
        shutil.copyfile(Path(directory) / "db.sqlite3", target)


@contextmanager
def own_database(directory: Path, *, empty: bool = False) -> Iterator[str]:
    """The address of a database that nobody else uses, as ``DATABASE_URL`` takes it; with tables if SQLite and not
    ``empty``.
    """
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        if not empty:
            migrated(directory / "db.sqlite3")
        yield f"sqlite:///{directory / 'db.sqlite3'}"
        return
    name = Identifier(directory.name)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(SQL("CREATE DATABASE {}").format(name))
        try:
            yield urlsplit(server)._replace(path=f"/{directory.name}").geturl()
        finally:
            connection.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(name))


@contextmanager
def reader(address: str) -> Iterator[Callable[[str], list[tuple[Any, ...]]]]:
    """What another program reads in the database, query after query on one connection."""
    if address.startswith("postgres"):
        with psycopg.connect(address, autocommit=True) as connection:
            yield lambda query: connection.execute(query.encode()).fetchall()
        return
    with closing(sqlite3.connect(address.removeprefix("sqlite:///"), timeout=30)) as database:
        yield lambda query: database.execute(query).fetchall()


def rows(address: str, query: str) -> list[tuple[Any, ...]]:
    """What another program reads in the database."""
    with reader(address) as read:
        return read(query)
