"""How much room a tournament has, and why it takes nobody when it does not."""

from django.utils.translation import gettext as _

from tournaments.models import PLAYING, Tournament, TournamentState


def places_left(tournament: Tournament, playing: int | None = None) -> int:
    """Return for how many more bots there is room. ``playing``: how many are in, if that is known."""
    if playing is None:
        playing = tournament.entries.filter(is_withdrawn=False).count()
    return max(0, tournament.entrants_most - playing)


def full_sentence(tournament: Tournament) -> str:
    """Say that there is no room."""
    return _("The tournament is full: it takes %(most)d bots.") % {"most": tournament.entrants_most}


def limit_reached(tournament: Tournament, own: int) -> str:
    """Say that no further bot of an author with ``own`` bots in the tournament may enter; "" while one may."""
    limit = tournament.entries_per_author
    if own < limit:
        return ""
    return _("Each author may enter %(limit)d here: withdraw another bot of yours first.") % {"limit": limit}


def closed_because(tournament: Tournament) -> str:
    """Return why no bot may enter now, in a sentence; "" where some may."""
    if tournament.takes_entries:
        return "" if places_left(tournament) else full_sentence(tournament)
    if tournament.state == TournamentState.DRAFT:
        return _("The tournament has not been opened for entries yet: open the same link again later.")
    if tournament.state == TournamentState.OPEN:
        return _("The deadline is over: no entries are taken any more.")
    if tournament.state == TournamentState.LOCKED:
        return _("Entries are closed.")
    if tournament.state in PLAYING:
        return _("The tournament has begun, and takes no more entries.")
    if tournament.state == TournamentState.CANCELLED:
        return _("The tournament was called off.")
    return _("The tournament is over.")
