"""How states and what they are made of are made fast: named tuples from the tuple of all their fields."""

from collections.abc import Callable
from types import MethodType
from typing import Any, TypeVar

T = TypeVar("T", bound=tuple[Any, ...])


def from_fields(kind: type[T]) -> Callable[[tuple[Any, ...]], T]:
    """Return what makes a ``kind``, a class of named tuples, from the tuple of all its fields in their order.

    ``kind(...)`` goes through a second call in Python and takes four times as long, ``_replace`` five times. So this is
    for what a game does at every step, and nothing else. The interpreter calls a method without a detour, and a
    ``functools.partial`` with one.
    """
    return MethodType(tuple.__new__, kind)
