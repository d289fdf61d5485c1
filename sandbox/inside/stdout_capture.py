"""What a bot prints, kept for its author up to a cap."""

import io


class Printed(io.TextIOBase):
    """A text stream that keeps the first ``cap`` bytes written since it was last drained."""

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._room = cap
        self._kept: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        if self._room and text:
            data = text[: self._room].encode("utf-8", "replace")[: self._room]
            self._kept.append(data)
            self._room -= len(data)
        return len(text)

    def drain(self) -> str:
        """Return the text since the last call; what did not fit is gone."""
        if not self._kept:
            return ""
        text = b"".join(self._kept).decode("utf-8", "ignore")
        self._kept.clear()
        self._room = self._cap
        return text
