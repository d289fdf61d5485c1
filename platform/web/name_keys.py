"""Keys of names, which ignore case and Unicode composition, and the checks of allowed names.

Databases compare letters in different ways; SQLite ignores case only for English letters. So comparisons use a separate
column with a key, which is the same on every database.
"""

import unicodedata
from collections.abc import Iterable
from typing import Any, Final, Protocol, TypeVar

from django.db import IntegrityError, models, transaction
from django.db.models import Case, Q, Value, When

BATCH: Final = 1000  # rows
M = TypeVar("M", bound=models.Model, covariant=True)


def name_key(text: str) -> str:
    """Return the key for comparisons: NFKC with case folding.

    This is toNFKC_Casefold of Unicode, but ignorable characters are kept.

    >>> name_key("ŁUKASZ1"), name_key("Straße") == name_key("STRASSE")
    ('łukasz1', True)
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", folded).casefold())


def name_key_contains(text: str, *, name: str = "name") -> Q:
    """Return the condition that the column ``name`` contains ``text`` in any spelling. The column must have a key."""
    unkeyed = Q(**{f"{name}_key": None, f"{name}__icontains": text})  # rows of the previous release
    return Q(**{f"{name}_key__contains": name_key(text)}) | unkeyed


def name_key_rank(text: str, *, name: str = "name") -> Case:
    """Return the expression by which the rows of ``name_key_contains`` are sorted: 0 if the name begins with ``text``,
    1 if another word of the name begins with it, 2 otherwise.
    """
    key = name_key(text)
    first = When(**{f"{name}_key__startswith": key}, then=Value(0))
    return Case(first, When(**{f"{name}_key__contains": f" {key}"}, then=Value(1)), default=Value(2))


class KeyField(models.TextField):  # type: ignore[type-arg]  # generic only to the type checker
    """The key of the field ``of``; None if that is empty, and in rows of the previous release.

    See ``name_keys_fill``.
    """

    def __init__(self, *, of: str = "", **options: Any) -> None:
        super().__init__(**{"null": True, "editable": False, "default": None, **options})
        self.of = of

    def deconstruct(self) -> Any:
        """Return the arguments of the field for migrations."""
        name, path, args, options = super().deconstruct()
        return name, path, args, options | {"of": self.of}

    def pre_save(self, model_instance: models.Model, add: bool) -> str | None:
        """Return the key of the current value."""
        key = model_instance.key_of(self) if isinstance(model_instance, Keyed) else _key_of(model_instance, self)
        setattr(model_instance, self.attname, key)
        return key


class KeyedQuerySet(models.QuerySet[M]):
    """A query set whose updates include the keys."""

    def update(self, **values: Any) -> int:
        """Update ``values`` and their keys. If a value is an expression (``bulk_update``), also pass its key."""
        for field in _keys_of(self.model, values):
            if field.name not in values:
                values[field.name] = name_key(values[field.of]) or None
        return super().update(**values)


class KeyedManager(models.Manager[M]):
    """A manager with ``KeyedQuerySet``."""

    def get_queryset(self) -> KeyedQuerySet[M]:
        """Return all rows."""
        return KeyedQuerySet(self.model, using=self._db)


class Keyed(models.Model):
    """A model with keys, which are saved together with their fields."""

    class Meta:
        abstract = True

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **options: Any) -> None:
        """Save the row. ``update_fields`` is extended by the keys of the fields."""
        if update_fields is not None:
            update_fields = {*update_fields}
            update_fields |= {field.name for field in _keys_of(type(self), update_fields)}
        super().save(*args, update_fields=update_fields, **options)

    def key_of(self, field: KeyField) -> str | None:
        """Return the value to store in ``field``."""
        return _key_of(self, field)


def name_keys_fill(model: type[models.Model]) -> list[tuple[str, str]]:
    """Set the missing keys of a model, oldest rows first. The function may be called again.

    Returns:
        The names that get no key because another row has it already, each with the name in that row.
    """
    clashes = []
    for field in _keys_of(model):
        lacking = model._base_manager.filter(**{field.name: None}).exclude(**{field.of: ""}).order_by("pk")
        found = list(lacking.values_list("pk", field.of))
        for at in range(0, len(found), BATCH):
            with transaction.atomic():
                for pk, text in found[at : at + BATCH]:
                    key = name_key(text)
                    try:
                        with transaction.atomic():  # a row that is renamed meanwhile has got its key
                            lacking.filter(pk=pk, **{field.of: text}).update(**{field.name: key})
                    except IntegrityError:
                        holders = model._base_manager.filter(**{field.name: key})
                        clashes.append((text, holders.values_list(field.of, flat=True).first() or key))
    return clashes


def _key_of(row: models.Model, field: KeyField) -> str | None:
    return name_key(getattr(row, field.of)) or None


def _keys_of(model: type[models.Model], changed: Iterable[str] | None = None) -> list[KeyField]:
    """Return the key fields of a model. With ``changed``, return only the keys of the fields that it names."""
    keys = [field for field in model._meta.local_concrete_fields if isinstance(field, KeyField)]
    return keys if changed is None else [field for field in keys if field.of in set(changed)]


class NameCheck(Protocol):
    """Raises a ``web.errors.Refusal`` if the user with primary key ``owner_id`` may not have the name."""

    def __call__(self, name: str, *, owner_id: int | None = None) -> None: ...


_CHECKS: Final[list[NameCheck]] = []


def name_check_register(check: NameCheck) -> None:
    """Add ``check`` to the checks of ``name_check``."""
    if check not in _CHECKS:
        _CHECKS.append(check)


def name_check(name: str, *, owner_id: int | None = None) -> None:
    """Check that ``name`` is readable and cannot be mistaken for somebody with a role on the site.

    Raises:
        Refusal: the name is not allowed; the text says why.
    """
    for check in _CHECKS:
        check(name, owner_id=owner_id)
