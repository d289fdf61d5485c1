"""The cage in which a worker runs untrusted bots. docs/explanation/sandbox.md explains how it works."""

import os
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Final, Self

from games.protocol import Limits

from .box import Box
from .faults import SandboxUnavailable
from .files import upload_paths_check
from .groups import CageGroups
from .interpreter import Interpreter, interpreter_find
from .layers import layers_hold_library, layers_missing, layers_probe, layers_try_out
from .library import Library
from .zygote_client import Backend, LayerError, Zygote

# Boxes after which a zygote is replaced, because all boxes of a zygote have the same memory layout.
_RENEWAL: Final = 2000


class Cage:
    """Starts boxes, one after the other or side by side. One cage per process, opened after any fork.

    It ends with the thread that opened it, so open it in a thread that lives as long as the worker.
    """

    def __init__(
        self,
        found: Interpreter,
        backend: Backend,
        zygote: Zygote,
        library: Library | None,
        group: CageGroups | None,
        affinity: set[int] | None,
    ) -> None:
        self.backend = backend
        self.library = library
        self._interpreter = found
        self._zygote = zygote
        self._group = group
        self._affinity = affinity
        self._owner = os.getpid()
        self._boxes: list[Box] = []
        self._serial = 0
        self._started = 0  # boxes that the current zygote has started

    @classmethod
    def open(cls, core: int | None = None, *, backend: Backend | None = None) -> Self:
        """Open a cage with every layer on. ``core`` pins this process and all its bots to one core until ``close``.

        ``backend`` selects a backend; by default, the best one that works here is used. ``Cage.backend`` names it.

        Raises:
            SandboxUnavailable: this machine lacks a layer; the cage never runs without one.
        """
        found = interpreter_find()
        affinity = group = None
        library = layers_hold_library(found)
        try:
            if backend is None:
                report = layers_probe()
                if report.backend is None:
                    raise SandboxUnavailable(report.missing)
                backend = report.backend
            if core is not None:
                affinity = os.sched_getaffinity(0)
                os.sched_setaffinity(0, {core})
            group = CageGroups.make()
            cage = cls(found, backend, Zygote.launch(found, backend, library, group), library, group, affinity)
        except BaseException as error:
            _release(library, group, affinity)
            if isinstance(error, LayerError):
                raise SandboxUnavailable([layers_missing(error.layer, error.error)]) from error
            raise
        try:
            layers_try_out(cage._zygote, group)
        except BaseException:
            cage.close()
            raise
        return cage

    def start(self, files: Mapping[str, bytes], table: Mapping[str, Any], seed: int, limits: Limits) -> Box:
        """Start a bot in a fresh box, for one game.

        ``files`` maps names to contents and includes ``bot.py``; ``seed`` has at most 64 bits.

        Raises:
            BotFault: the bot did not start: ``bot.py`` is missing or broken, no entry point, too slow.
            PlatformFault: the cage failed.
        """
        upload_paths_check(files)
        zygote = self._living_zygote()
        self._serial += 1
        self._started += 1
        box = Box(zygote, self._serial, limits, self._group)
        self._boxes.append(box)
        box.start(files, table, seed)
        return box

    def _living_zygote(self) -> Zygote:
        if os.getpid() != self._owner:
            raise RuntimeError("this cage belongs to another process: open one after the fork")
        self._boxes = [box for box in self._boxes if not box.closed]
        worn = self._started >= _RENEWAL and not self._boxes
        if worn or not self._zygote.alive:
            self._zygote.close()
            self._zygote = Zygote.launch(self._interpreter, self.backend, self.library, self._group)
            self._started = 0
        return self._zygote

    def close(self) -> None:
        """Kill every bot and the zygote, and remove all their descriptors, mounts and files. Idempotent."""
        for box in self._boxes:
            box.close()
        self._boxes.clear()
        self._zygote.close()
        _release(self.library, self._group, self._affinity)
        self._affinity = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _release(library: Library | None, group: CageGroups | None, affinity: set[int] | None) -> None:
    if library is not None:
        library.close()
    if group is not None:
        group.close()
    if affinity is not None:
        os.sched_setaffinity(0, affinity)
