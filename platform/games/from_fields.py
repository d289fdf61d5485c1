"""Construct named tuples fast from the tuple of all their fields."""

from collections.abc import Callable
from types import MethodType
from typing import Any, TypeVar

T = TypeVar("T", bound=tuple[Any, ...])


def from_fields(kind: type[T]) -> Callable[[tuple[Any, ...]], T]:
    """Return a function that makes a ``kind``, a class of named tuples, from the tuple of all its fields in order.

    The returned function takes a quarter of the time of ``kind(...)``, which makes a second call in Python, and a fifth
    of that of ``_replace``. Use it only for what a game does at every step. It is a bound method, because the
    interpreter calls a ``functools.partial`` more slowly.
    """
    return MethodType(tuple.__new__, kind)
