"""A database for processes that a test starts: a file of their own, or one more on the server of ``DATABASE_URL``."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg.sql import SQL, Identifier


@contextmanager
def own_database(directory: Path) -> Iterator[str]:
    """The address of an empty database that nobody else uses, as ``DATABASE_URL`` takes it."""
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        yield f"sqlite:///{directory / 'db.sqlite3'}"
        return
    name = Identifier(directory.name)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(SQL("CREATE DATABASE {}").format(name))
        try:
            yield urlsplit(server)._replace(path=f"/{directory.name}").geturl()
        finally:
            connection.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(name))


def rows(address: str, query: str) -> list[tuple[Any, ...]]:
    """What another program reads in the database."""
    if address.startswith("postgres"):
        with psycopg.connect(address) as connection:
            return connection.execute(query.encode()).fetchall()
    with closing(sqlite3.connect(address.removeprefix("sqlite:///"), timeout=30)) as database:
        return database.execute(query).fetchall()
