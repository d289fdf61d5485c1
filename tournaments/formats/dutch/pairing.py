"""FIDE's Dutch system for tables of two, drawn by a library in a separate process.

Chapter C.04.3 of the FIDE Handbook has two editions. The library py4swiss implements the rules that were in force until
31 January 2026. The library caissify-pairings implements the rules since then. Both libraries are third-party code, and
slow for many entrants. So they get only the results, limited time and limited memory, and their pairings are checked
before they are played. From caissify-pairings, only the pairs are used; ``dutch_2026`` assigns the colours.
"""

import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Final

from tournaments.formats.dutch.dutch_2026 import dutch_engine_input, dutch_with_colours
from tournaments.formats.pairings import Float, PairedBye, PairedTable, Rematch, RoundPairings, SeatAssignment
from tournaments.formats.seating import EntrantsError
from tournaments.trf import (
    Colour,
    Player,
    RoundPlayed,
    TrfCell,
    TrfMark,
    TrfReport,
    trf_crosstable,
    trf_points,
    trf_text,
)

SECONDS: Final = 60  # limit of processor time; the limit of elapsed time is twice as long
IMPOSSIBLE: Final = 3  # exit status of the engine if the rules allow no round


class Edition(StrEnum):
    """An edition of the rules."""

    UNTIL_2026 = "until_2026"
    OF_2026 = "2026"


MOST: Final[Mapping[Edition, int]] = {Edition.UNTIL_2026: 256, Edition.OF_2026: 80}  # entrants
ENGINES: Final[Mapping[Edition, Path]] = {
    Edition.UNTIL_2026: Path(__file__).with_name("dutch_engine.py"),
    Edition.OF_2026: Path(__file__).with_name("dutch_2026_engine.py"),
}
LIBRARIES: Final[Mapping[Edition, str]] = {
    Edition.UNTIL_2026: "py4swiss",
    Edition.OF_2026: "caissify_pairings",
}


class DutchFailure(StrEnum):
    MISSING = "missing"
    TOO_MANY = "too_many"
    TOO_SLOW = "too_slow"
    IMPOSSIBLE = "impossible"
    BROKEN = "broken"


_SENTENCES: Final[Mapping[DutchFailure, str]] = {
    DutchFailure.MISSING: "the library for it is not installed on this machine",
    DutchFailure.TOO_MANY: "it takes at most {most} entrants",
    DutchFailure.TOO_SLOW: "it did not finish in its time",
    DutchFailure.IMPOSSIBLE: "its rules allow no further round: every pairing would repeat a meeting or a bye",
    DutchFailure.BROKEN: "the library failed",
}


class DutchError(Exception):
    """The library drew no round. The message says why."""

    def __init__(
        self, failure: DutchFailure, entrants: int, detail: str = "", edition: Edition = Edition.UNTIL_2026
    ) -> None:
        self.failure = failure
        self.entrants = entrants
        self.detail = detail
        why = _SENTENCES[failure].format(most=MOST[edition])
        super().__init__(
            f"FIDE Dutch drew no round for {entrants} entrants: {why}. Choose the Swiss instead."
            + (f" ({detail})" if detail else "")
        )


def dutch_is_installed(edition: Edition = Edition.UNTIL_2026) -> bool:
    return find_spec(LIBRARIES[edition]) is not None


def dutch_round(
    order: Sequence[int],
    played: Sequence[RoundPlayed],
    present: Collection[int],
    rounds: int,
    first_white: bool,
    forbidden: Iterable[tuple[int, int]] = (),
    seconds: int = SECONDS,
    edition: Edition = Edition.UNTIL_2026,
) -> RoundPairings:
    """Return the next round for the entrants in ``present``. ``rounds`` is the number of announced rounds.

    ``order`` has all entrants that have ever taken part, the best seed first. With ``first_white``, the first seed has
    the first seat in the first round. The pairs in ``forbidden`` never meet. ``seconds`` limits the processor time.

    Raises:
        EntrantsError: fewer than two entrants are present.
        DutchError: the library drew no round.
    """
    if len(present) < 2:
        raise EntrantsError(len(present), 2)
    if len(order) > MOST[edition]:
        raise DutchError(DutchFailure.TOO_MANY, len(order), edition=edition)
    if not dutch_is_installed(edition):
        raise DutchError(DutchFailure.MISSING, len(order))
    rows = trf_crosstable(order, played)
    numbers = {entrant: number for number, entrant in enumerate(order, start=1)}
    report = TrfReport(
        name="tournament",
        players=tuple(
            Player(number, str(number), trf_points(rows[entrant]), number, rows[entrant])
            for entrant, number in numbers.items()
        ),
        rounds=rounds,
        absent=tuple(number for entrant, number in numbers.items() if entrant not in present),
        forbidden=tuple((numbers[one], numbers[other]) for one, other in forbidden),
        first_white=first_white,
    )
    if edition is Edition.UNTIL_2026:
        pairs = _pairs(trf_text(report), len(order), seconds, edition)
    else:
        pairs = dutch_with_colours(report, _pairs(json.dumps(dutch_engine_input(report)), len(order), seconds, edition))
    if sorted(number for number in chain(*pairs) if number) != sorted(numbers[entrant] for entrant in present):
        raise DutchError(DutchFailure.BROKEN, len(order), "somebody has no seat, or two")
    return _explained(
        [(order[white - 1], order[black - 1] if black else None) for white, black in pairs], rows, present
    )


def _pairs(claimed: str, entrants: int, seconds: int, edition: Edition) -> list[tuple[int, int]]:
    """Return the pairs of pairing numbers; 0 is the bye. ``claimed`` is the input of the engine."""
    try:
        engine = subprocess.run(  # noqa: S603  our own program, and text for its stdin
            [sys.executable, "-I", str(ENGINES[edition]), str(seconds)],
            input=claimed.encode(),
            capture_output=True,
            env={},
            timeout=2 * seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise DutchError(DutchFailure.TOO_SLOW, entrants) from None
    if engine.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise DutchError(DutchFailure.TOO_SLOW, entrants)
    if engine.returncode == IMPOSSIBLE:
        raise DutchError(DutchFailure.IMPOSSIBLE, entrants)
    if engine.returncode:
        last = engine.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise DutchError(DutchFailure.BROKEN, entrants, " ".join(last) or f"exit status {engine.returncode}")
    return [(white, black) for white, black in json.loads(engine.stdout)]


def _explained(
    pairs: Sequence[tuple[int, int | None]], rows: Mapping[int, tuple[TrfCell, ...]], present: Collection[int]
) -> RoundPairings:
    scores = {entrant: trf_points(cells) for entrant, cells in rows.items()}
    number = {entrant: place for place, entrant in enumerate(rows, start=1)}
    byes = {entrant: sum(cell.mark is TrfMark.BYE for cell in rows[entrant]) for entrant in present}
    tables = []
    for white, black in pairs:
        if black is None:
            continue
        met = sum(cell.opponent == number[black] for cell in rows[white])
        tables.append(
            PairedTable(
                group=max(scores[white], scores[black]),
                chairs=tuple(
                    SeatAssignment(
                        one, scores[one], _float_direction(scores[one], scores[other]), _colours_played(rows[one])
                    )
                    for one, other in ((white, black), (black, white))
                ),
                avoided=(),
                repeated=(Rematch(white, black, met),) if met else (),
            )
        )
    return RoundPairings(
        tuple(tables),
        tuple(
            PairedBye(one, scores[one], byes[one], min(scores[other] for other in present if byes[other] <= byes[one]))
            for one, other in pairs
            if other is None
        ),
    )


def _float_direction(mine: float, theirs: float) -> Float:
    return Float.UP if mine < theirs else Float.DOWN if mine > theirs else Float.NONE


def _colours_played(cells: Iterable[TrfCell]) -> tuple[int, int]:
    """Return how often a player had white and black in played games."""
    played = Counter(cell.colour for cell in cells if cell.mark in (TrfMark.WIN, TrfMark.DRAW, TrfMark.LOSS))
    return played[Colour.WHITE], played[Colour.BLACK]
