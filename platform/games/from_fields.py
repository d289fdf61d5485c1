"""Construct named tuples fast from the tuple of all their fields."""

from collections.abc import Callable
from types import MethodType
from typing import Any, TypeVar

T = TypeVar("T", bound=tuple[Any, ...])


def from_fields(kind: type[T]) -> Callable[[tuple[Any, ...]], T]:
    """Return a function that makes a ``kind``, a class of named tuples, from the tuple of all its fields in order.

    ``kind(...)`` makes a second call in Python and takes four times as long; ``_replace`` takes five times. Use it only
    for what a game does at every step. It is a bound method, because the interpreter calls a ``functools.partial`` more
    slowly.
    """
    return MethodType(tuple.__new__, kind)
