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
    ops = connection.ops
    names = ", ".join(ops.quote_name(str(field.column)) for field in fields)
    head = f"{ops.insert_statement()} {ops.quote_name(model._meta.db_table)} ({names})"
    row = f"({', '.join(['%s'] * len(fields))})"
    size = ops.bulk_batch_size(fields, adapted)  # SQLite takes so many parameters and no more
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        for start in range(0, len(adapted), size):
            batch = adapted[start : start + size]
            cursor.execute(f"{head} VALUES {', '.join([row] * len(batch))}", [*chain.from_iterable(batch)])


def _adapted(field: "Field[Any, Any]", values: Sequence[Any]) -> Sequence[Any]:
    """Return the ``values`` as the database takes them. Few differ, and to adapt one takes longer than to write it."""
    adapted = {value: field.get_db_prep_save(value, connection) for value in set(values)}
    return [adapted[value] for value in values]
