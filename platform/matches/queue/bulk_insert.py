"""Many new rows, written without an object for each, which takes Django longer to make than the row to write."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from django.db import connection, transaction
from django.db.models import Field, Model


def rows_insert(model: type[Model], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert ``rows``, all or none, as ``bulk_create`` would, but nobody learns their ids.

    Each names the same columns, by the attributes of the model's objects: what it leaves out gets the default of the
    database alone. Values are hashable; those that are equal within a column are written alike.
    """
    if not rows:
        return
    known = {field.attname: field for field in model._meta.concrete_fields}
    fields = [known[name] for name in rows[0]]
    columns = [_adapted(field, [values[field.attname] for values in rows]) for field in fields]
    adapted = [*zip(*columns, strict=True)]
    quoted = connection.ops.quote_name
    table = f"{quoted(model._meta.db_table)} ({', '.join(quoted(str(field.column)) for field in fields)})"
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            _copy(cursor, table, adapted)
        else:
            _insert(cursor, table, adapted, connection.ops.bulk_batch_size(fields, adapted))


def _copy(cursor: Any, table: str, rows: Sequence[Sequence[Any]]) -> None:
    """Write ``rows`` by COPY: PostgreSQL need not parse a statement with a thousand values, nor psycopg write one."""
    with connection.wrap_database_errors, cursor.copy(f"COPY {table} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def _insert(cursor: Any, table: str, rows: Sequence[Sequence[Any]], size: int) -> None:
    """Write ``rows``, ``size`` at a time: SQLite takes so many parameters and no more."""
    row = f"({', '.join(['%s'] * len(rows[0]))})"
    for start in range(0, len(rows), size):
        batch = rows[start : start + size]
        statement = f"INSERT INTO {table} VALUES {', '.join([row] * len(batch))}"  # noqa: S608  names of a model
        cursor.execute(statement, [*chain.from_iterable(batch)])


def _adapted(field: "Field[Any, Any]", values: Sequence[Any]) -> Sequence[Any]:
    """Return the ``values`` as the database takes them. Few differ, and to adapt one takes longer than to write it."""
    adapted = {value: field.get_db_prep_save(value, connection) for value in set(values)}
    return [adapted[value] for value in values]
