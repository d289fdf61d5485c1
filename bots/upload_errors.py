"""Errors of uploads that are rejected before they become a version."""

from enum import StrEnum
from typing import Final

from bots.translation import ngettext
from web.errors import Refusal


class Problem(StrEnum):
    """The reason for rejecting an upload. Programs read the code, people the message beside it."""

    EMPTY = "empty"
    WRONG_KIND = "wrong_kind"
    TOO_LARGE = "too_large"
    NOT_A_ZIP = "not_a_zip"
    DAMAGED = "damaged_zip"
    BOMB = "zip_bomb"
    TOO_MANY_FILES = "too_many_files"
    UNSAFE_NAME = "unsafe_name"
    LONG_NAME = "long_name"
    DUPLICATE_NAME = "duplicate_name"
    SPECIAL_FILE = "special_file"
    ENCRYPTED = "encrypted"
    COMPRESSION = "compression"
    COMPILED_CODE = "compiled_code"
    NO_BOT = "no_bot_py"
    NOT_TEXT = "not_text"
    SYNTAX = "syntax_error"
    TOO_COMPLEX = "too_complex"
    NO_ENTRY_POINT = "no_entry_point"
    TOO_MANY_WAITING = "too_many_waiting"
    TOO_OFTEN = "too_often"
    NO_ROOM = "no_room"
    BUSY = "busy"


STATUS: Final = {Problem.TOO_LARGE: 413, Problem.TOO_MANY_WAITING: 429, Problem.BUSY: 503}  # 400 for all others


class UploadError(Refusal):
    """A rejected upload. ``message`` is translated and says what to do."""

    field = "file"

    def __init__(self, code: Problem, message: str) -> None:
        super().__init__(message)
        self.code: Problem = code
        self.message = message
        self.status = STATUS.get(code, 400)


class BusyError(UploadError):
    """The site is too busy to check the upload, which may be valid. ``wait`` is in seconds."""

    def __init__(self, wait: int) -> None:
        super().__init__(
            Problem.BUSY,
            ngettext(
                "The site is busy with other uploads. Upload again in %(wait)d second.",
                "The site is busy with other uploads. Upload again in %(wait)d seconds.",
                wait,
            )
            % {"wait": wait},
        )
        self.wait = wait
