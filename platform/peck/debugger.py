"""The bot's process under ``peck replay --debug``: it gets the recorded views up to the fault, and pdb opens there.

Standard input and output are the terminal's; nothing is limited but the action that took too long, which is
interrupted where it stood.
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
    """Run the bot. ``arguments`` is a JSON file: ``table``; ``views``; ``seconds`` for the last action, None if time
    was not the fault; the process id of the ``parent``; whether to stop ``before`` the last action.
    """
    game = json.loads(Path(arguments).read_text(encoding="utf-8"))
    threading.Thread(target=_end_with, args=[game["parent"]], daemon=True).start()
    for name in preload:
        with suppress(ImportError):
            __import__(name)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the one who started us ignores it
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
    """Interrupt the block after so many seconds."""
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
    """Leave nothing behind when ``peck`` was killed; where the system does not tell, the terminal ends us."""
    while not hasattr(os, "fork") or os.getppid() == parent:
        sleep(_LOOK)
    os._exit(1)


def _interrupt() -> None:
    if hasattr(signal, "pthread_kill"):  # which ends a sleep too
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        interrupt_main()
