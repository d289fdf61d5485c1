"""Places within categories of entrants, from the ranks of a snapshot."""

from collections.abc import Iterable, Sequence

from tournaments.models import Tournament
from tournaments.selectors.entering.registration import categories_of
from tournaments.standings import CategoryPlace, Row, category_places


def places_by_category(tournament: Tournament, rows: Iterable[Row]) -> dict[int, CategoryPlace]:
    """Return the place of each entry that is in a category; without categories neither a query nor a look at the
    ``rows``, which are decoded one by one."""
    if not categories_of(tournament):
        return {}
    categories = dict(tournament.entries.exclude(category="").values_list("pk", "category"))
    return category_places(((row.entrant, row.rank) for row in rows), categories)


def rows_in(category: str, rows: Sequence[Row], places: dict[int, CategoryPlace]) -> Sequence[Row]:
    """Return the rows of one ``category``; all of them for ""."""
    if not category:
        return rows
    return [row for row in rows if row.entrant in places and places[row.entrant].category == category]
