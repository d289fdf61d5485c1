"""Which names may be had, and keys of names: what is left when neither the case of letters counts nor how they are put
together.

Databases compare letters in their own ways, SQLite only those of English without their case. So what is compared is a
column of our own, the key of another, the same on every database.
"""

import unicodedata
from collections.abc import Iterable
from typing import Any, Final, Protocol, TypeVar

from django.db import IntegrityError, models, transaction
from django.db.models import Q

BATCH: Final = 1000  # rows
M = TypeVar("M", bound=models.Model, covariant=True)


def name_key(text: str) -> str:
    """Return what ``text`` is compared by: NFKC with its case folded (Unicode's toNFKC_Casefold, but that what is
    ignorable stays).

    >>> name_key("ŁUKASZ1"), name_key("Straße") == name_key("STRASSE")
    ('łukasz1', True)
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", folded).casefold())


def name_holds(text: str, *, name: str = "name") -> Q:
    """Return the condition that the column ``name``, which has a key, contains ``text``, however both are spelt."""
    unkeyed = Q(**{f"{name}_key": None, f"{name}__icontains": text})  # written by the release before
    return Q(**{f"{name}_key__contains": name_key(text)}) | unkeyed


class KeyField(models.TextField):  # type: ignore[type-arg]  # generic only to the type checker
    """The key of the field ``of``, None where that is empty, and in rows of the release before: see ``keys_fill``."""

    def __init__(self, *, of: str = "", **options: Any) -> None:
        super().__init__(**{"null": True, "editable": False, "default": None, **options})
        self.of = of

    def deconstruct(self) -> Any:
        """Return how a migration writes it."""
        name, path, args, options = super().deconstruct()
        return name, path, args, options | {"of": self.of}

    def pre_save(self, model_instance: models.Model, add: bool) -> str | None:
        """Return the key of what is stored now."""
        key = model_instance.key_of(self) if isinstance(model_instance, Keyed) else _key_of(model_instance, self)
        setattr(model_instance, self.attname, key)
        return key


class KeyedQuerySet(models.QuerySet[M]):
    """Updates keys with what they are of."""

    def update(self, **values: Any) -> int:
        """Update ``values`` and their keys; with expressions (``bulk_update``) give those of the keys too."""
        for field in _keys_of(self.model, values):
            if field.name not in values:
                values[field.name] = name_key(values[field.of]) or None
        return super().update(**values)


class KeyedManager(models.Manager[M]):
    """Begins with a ``KeyedQuerySet``."""

    def get_queryset(self) -> KeyedQuerySet[M]:
        """Return all rows."""
        return KeyedQuerySet(self.model, using=self._db)


class Keyed(models.Model):
    """A row with keys, which are saved with what they are of."""

    class Meta:
        abstract = True

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **options: Any) -> None:
        """Save it; with ``update_fields``, those and their keys."""
        if update_fields is not None:
            update_fields = {*update_fields}
            update_fields |= {field.name for field in _keys_of(type(self), update_fields)}
        super().save(*args, update_fields=update_fields, **options)

    def key_of(self, field: KeyField) -> str | None:
        """Return what is stored in ``field``."""
        return _key_of(self, field)


def keys_fill(model: type[models.Model]) -> list[tuple[str, str]]:
    """Give each row that lacks a key its own, oldest rows first. May be repeated.

    Returns:
        What could have none, because another row has it already, with what that row holds.
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
                        with transaction.atomic():  # one that is renamed meanwhile has its key
                            lacking.filter(pk=pk, **{field.of: text}).update(**{field.name: key})
                    except IntegrityError:
                        holders = model._base_manager.filter(**{field.name: key})
                        clashes.append((text, holders.values_list(field.of, flat=True).first() or key))
    return clashes


def _key_of(row: models.Model, field: KeyField) -> str | None:
    return name_key(getattr(row, field.of)) or None


def _keys_of(model: type[models.Model], changed: Iterable[str] | None = None) -> list[KeyField]:
    """Return the keys of a model, or of those of its fields that have ``changed``."""
    keys = [field for field in model._meta.local_concrete_fields if isinstance(field, KeyField)]
    return keys if changed is None else [field for field in keys if field.of in set(changed)]


class NameCheck(Protocol):
    """Raises a ``web.errors.Refusal`` for a name that cannot be had by the person with the primary key ``owner_id``."""

    def __call__(self, name: str, *, owner_id: int | None = None) -> None: ...


_CHECKS: Final[list[NameCheck]] = []


def name_check_register(check: NameCheck) -> None:
    """Let ``name_check`` ask ``check`` too."""
    if check not in _CHECKS:
        _CHECKS.append(check)


def name_check(name: str, *, owner_id: int | None = None) -> None:
    """Check that ``name`` can be read and is taken for nobody who has a say here.

    Raises:
        Refusal: it cannot be had; the text says why.
    """
    for check in _CHECKS:
        check(name, owner_id=owner_id)
