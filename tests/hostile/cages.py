"""A cage whose zygote has numpy loaded, as in production, or has it not: the walls must be the same."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest import mock

from sandbox import Cage, interpreter


@contextmanager
def opened(*, warm: bool = True) -> Iterator[Cage]:
    """The cage, closed afterwards."""
    found = interpreter.find()
    preload = tuple(name for name in found.preload if warm or name.partition(".")[0] != "numpy")
    with mock.patch.object(interpreter, "find", return_value=replace(found, preload=preload)), Cage.open() as cage:
        yield cage
