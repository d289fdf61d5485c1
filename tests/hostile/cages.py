"""A cage in one of its ways, with numpy loaded as in production or without: the walls must be the same.

What the zygote has not loaded of the kit cannot be had inside: the folder that holds the kit is not listed there.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest import mock

from sandbox import Backend, Cage, layers
from sandbox.interpreter import interpreter_find

from .cases import HONEST


@contextmanager
def opened(*, warm: bool = True, backend: Backend = Backend.OWN) -> Iterator[Cage]:
    """The cage, closed afterwards."""
    found = interpreter_find()
    preload = tuple(name for name in found.preload if warm or name.partition(".")[0] != "numpy")
    with (
        mock.patch("sandbox.cage.interpreter_find", return_value=replace(found, preload=preload)),
        mock.patch("sandbox.layers.interpreter_find", return_value=replace(found, preload=preload)),
        mock.patch.object(layers, "_TRIAL", layers._TRIAL if warm else {"bot.py": HONEST}),
        Cage.open(backend=backend) as opened_cage,
    ):
        yield opened_cage
