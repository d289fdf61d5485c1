"""Lists of which only a page is made."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar, overload

Row = TypeVar("Row")
Told = TypeVar("Told")


class Paged(Sequence[Told], Generic[Row, Told]):
    """A list of ``rows`` of which only those of the page that is asked for are told, by ``tell``."""

    def __init__(self, rows: Sequence[Row], tell: Callable[[Sequence[Row]], list[Told]]) -> None:
        self._rows, self._tell = rows, tell

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> Told: ...

    @overload
    def __getitem__(self, at: slice) -> list[Told]: ...

    def __getitem__(self, at: int | slice) -> Told | list[Told]:
        return self._tell(self._rows[at]) if isinstance(at, slice) else self._tell([self._rows[at]])[0]
