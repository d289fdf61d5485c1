"""Lists of which only a page is made."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar, overload

Row = TypeVar("Row")
Shown = TypeVar("Shown")


class Paged(Sequence[Shown], Generic[Row, Shown]):
    """A list of ``rows`` of which only those of the requested page are rendered, by ``show``."""

    def __init__(self, rows: Sequence[Row], show: Callable[[Sequence[Row]], list[Shown]]) -> None:
        self._rows, self._show = rows, show

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> Shown: ...

    @overload
    def __getitem__(self, at: slice) -> list[Shown]: ...

    def __getitem__(self, at: int | slice) -> Shown | list[Shown]:
        return self._show(self._rows[at]) if isinstance(at, slice) else self._show([self._rows[at]])[0]
