"""What a data set is of: a tournament or a season, and the licences that its organiser may choose from."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import models

LICENCES: Final = {
    "CC0-1.0": ("CC0 1.0 Universal", "https://creativecommons.org/publicdomain/zero/1.0/"),
    "CC-BY-4.0": ("Creative Commons Attribution 4.0", "https://creativecommons.org/licenses/by/4.0/"),
    "CC-BY-SA-4.0": ("Creative Commons Attribution-ShareAlike 4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
    "ODbL-1.0": ("Open Database License 1.0", "https://opendatacommons.org/licenses/odbl/1-0/"),
}


class DatasetLicence(models.TextChoices):
    """The licences for data sets, by their SPDX identifiers."""

    CC0 = "CC0-1.0", "CC0 1.0"
    BY = "CC-BY-4.0", "CC BY 4.0"
    BY_SA = "CC-BY-SA-4.0", "CC BY-SA 4.0"
    ODBL = "ODbL-1.0", "ODbL 1.0"


@dataclass(frozen=True, slots=True)
class DatasetEvent:
    """A contest that is over. ``contest``: its name among the contests of matches, such as "tournament.5". ``page``:
    its address; ``by``: who organised it. ``places``: yields the finished matches in their order, each with the number
    of its round, or of itself in a season, and of its table. ``entries``: the entry of each of these versions."""

    contest: str
    name: str
    slug: str
    page: str
    by: str
    ruleset: str
    licence: str
    finished_at: datetime | None
    places: Callable[[], Iterator[tuple[int, int, int]]]
    entries: Callable[[Iterable[int]], Mapping[int, int]]
