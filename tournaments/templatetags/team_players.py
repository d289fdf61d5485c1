"""Who plays for a team, beside its entry."""

from collections.abc import Sequence

from django import template

from tournaments.models import Entry, Tournament
from tournaments.selectors.entering.team_players import team_players_of

register = template.Library()


@register.simple_tag
def team_players(entry: Entry, tournament: Tournament) -> Sequence[str]:
    """Return the names of who was in the entry's team when entries were frozen; read once for a tournament."""
    known = getattr(tournament, "_team_players", None)
    if known is None:
        known = tournament._team_players = team_players_of(tournament)  # type: ignore[attr-defined]
    return known.get(entry.bot.owner_id, ())
