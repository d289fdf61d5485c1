"""Lines of a long table that is kept, of which a page needs a few."""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar, overload

Line = TypeVar("Line")
PACK: Final = 50  # lines, as many as a page of the API has


class PackedLines(Sequence[Line]):
    """Lines in packs of ``per_pack``, each pack pickled by itself: whoever reads some of them unpickles the packs that
    these lie in. It equals every tuple and every other of its kind that has equal lines."""

    def __init__(self, lines: Iterable[Line], per_pack: int = PACK) -> None:
        whole = tuple(lines)
        self._count = len(whole)
        self._per_pack = per_pack
        self._packs = [pickle.dumps(whole[start : start + per_pack], 5) for start in range(0, len(whole), per_pack)]

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> Line: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Line, ...]: ...

    def __getitem__(self, at: int | slice) -> Line | tuple[Line, ...]:
        places = range(self._count)[at]
        return self.at([places])[0] if isinstance(places, int) else self.at(places)

    def at(self, places: Sequence[int]) -> tuple[Line, ...]:
        """Return the lines at these places, from 0, in their order."""
        packs = {number: self._pack(number) for number in sorted({place // self._per_pack for place in places})}
        return tuple(packs[place // self._per_pack][place % self._per_pack] for place in places)

    def __iter__(self) -> Iterator[Line]:
        for number in range(len(self._packs)):
            yield from self._pack(number)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, PackedLines | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def _pack(self, number: int) -> tuple[Line, ...]:
        lines: tuple[Line, ...] = pickle.loads(self._packs[number])  # noqa: S301 - our own bytes, of our own cache
        return lines
