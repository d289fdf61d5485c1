"""The bot's process under ``peck replay --debug``: replays the recorded views up to the fault, and then opens pdb.

Standard input and output belong to the terminal. Nothing is limited, except that an action that took too long is
interrupted.
"""

import bdb
import json
import os
import pdb
import signal
import sys
import threading
from _thread import interrupt_main
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep
from typing import Any, Final

from sandbox.inside import entry

_LOOK: Final = 0.5  # seconds between two looks at the parent


def main(folder: str, file: str, arguments: str, *preload: str) -> None:
    """Run the bot. ``arguments`` is a JSON file with these keys: the ``table``; the ``views``; the ``seconds`` after
    which to interrupt the last action (None if the fault was not about time); the process id of the ``parent``; and
    whether to stop ``before`` the last action.
    """
    game = json.loads(Path(arguments).read_text(encoding="utf-8"))
    threading.Thread(target=_end_with, args=[game["parent"]], daemon=True).start()
    for name in preload:
        with suppress(ImportError):
            __import__(name)
    # The parent ignores SIGINT, and this process has inherited this setting.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.dont_write_bytecode = True
    sys.path.insert(0, folder)
    os.chdir(folder)
    entry.seed_randomness(game["table"]["seed"])
    try:
        _run(folder, file, game)
    except BaseException as error:
        if not entry.is_a(error, bdb.BdbQuit):
            print(f"{type(error).__name__}: {error}")
            pdb.post_mortem(error.__traceback__)


def _run(folder: str, file: str, game: Mapping[str, Any]) -> None:
    with _alarm(None if game["views"] else game["seconds"]):
        act, _, _ = entry.load(folder, game["table"], file)
    *earlier, last = game["views"] or [None]
    for view in earlier:
        act(view)
    if last is None:
        return
    if game["before"]:
        print(f"it answers {pdb.runcall(act, last)!r}")
        return
    with _alarm(game["seconds"]):
        act(last)


@contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    """Interrupt the block after this number of seconds."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds, _interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _end_with(parent: int) -> None:
    """End this process when ``peck`` ends. Systems without this feature rely on the terminal."""
    while not hasattr(os, "fork") or os.getppid() == parent:
        sleep(_LOOK)
    os._exit(1)


def _interrupt() -> None:
    if hasattr(signal, "pthread_kill"):  # unlike ``alarm()``, this also interrupts sleep()
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        interrupt_main()
