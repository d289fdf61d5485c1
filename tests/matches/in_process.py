"""A cage without bars: runs bots in this process, for tests about everything but the cage. The bots are ours."""

from collections.abc import Callable, Mapping
from typing import Any

from games.explanation import explanation_parted
from games.protocol import BotFault, Limits, PlatformFault, Verdict
from sandbox import Reply
from sandbox.inside.entry import entry_answer_read


class InProcessBox:
    """A bot as a plain object; an exception of its own is a crash."""

    cpu = slept = 0.0
    is_act_idle = False

    def __init__(self, source: bytes, table: Mapping[str, Any]) -> None:
        self._printed = ""
        names: dict[str, Any] = {"PlatformFault": PlatformFault, "print": self._print}
        try:
            exec(compile(source, "bot.py", "exec"), names)
        except Exception as error:
            raise BotFault(Verdict.IMPORT_ERROR, str(error), exception=type(error).__name__) from error
        bot = names["Bot"](dict(table)) if "Bot" in names else None
        self._act: Callable[[Mapping[str, Any]], str] = bot.act if bot else names["act"]
        self._over: Callable[[Mapping[str, Any]], None] = getattr(bot, "game_over", lambda result: None)
        self.closed = False

    def act(self, view: Mapping[str, Any]) -> Reply:
        assert not self.closed
        try:
            action = self._act(view)
        except PlatformFault:
            raise
        except Exception as error:
            raise BotFault(Verdict.CRASHED, str(error), exception=type(error).__name__, output="last words") from error
        self.cpu += 0.001
        answer: Any = entry_answer_read(action, 256) if isinstance(action, dict) else action
        action, explanation = explanation_parted(answer)
        return Reply(action, self._printed_text(), 0.001, 0.001, explanation)

    def finish(self, result: Mapping[str, Any]) -> str:
        self._over(result)
        return self._printed_text()

    def _print(self, text: object) -> None:
        self._printed += f"{text}\n"

    def _printed_text(self) -> str:
        printed, self._printed = self._printed, ""
        return printed

    def close(self) -> None:
        self.closed = True


class InProcessCage:
    """Keeps every box it started, so that a test can see that none was left open."""

    def __init__(self) -> None:
        self.boxes: list[InProcessBox] = []
        self.starts: list[dict[str, Any]] = []

    def start(self, files: Mapping[str, bytes], table: Mapping[str, Any], seed: int, limits: Limits) -> InProcessBox:
        self.starts.append(dict(table))
        box = InProcessBox(files["bot.py"], table)
        self.boxes.append(box)
        return box
