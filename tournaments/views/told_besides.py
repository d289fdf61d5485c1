"""What those who run a tournament or rule in it are told besides what strangers see of it.

Their pages ask for the cells of strangers, which are there already. Each answer, whoever is given it, has a mark that
is another one as soon as there is something else to be told besides: then they ask once more, for themselves. The mark
says nothing else.
"""

from hashlib import blake2b
from typing import Any

from matches.selectors import system_lately
from tournaments.models import ENTERING, PLAYING, TournamentState
from tournaments.selectors.rounds.agenda import agenda_of
from tournaments.selectors.rounds.fixtures import held_of
from tournaments.views.board_part import Reader


def told_besides(reader: Reader, *, playing: int, held: int) -> dict[str, Any]:
    """Return what templates read of it, and as ``personal`` its mark; ``playing``: how many bots are in; ``held``: how
    many matches are."""
    tournament = reader.tournament
    is_running = tournament.state == TournamentState.RUNNING
    system = system_lately() if tournament.state in PLAYING else None
    agenda = agenda_of(tournament, playing=playing, held=held, owns=True)
    waits = any(item.round for item in agenda) and tournament.has_round_review
    told = (
        *(tournament.state, tournament.publication, held, playing if tournament.state in ENTERING else 0),
        *(bool(system and system.paused_reason), system.missing if system else ()),
        [(item.what, item.round, item.when) for item in agenda],
        tournament.revision if waits else 0,  # its organiser is shown the tables of a round that nobody else sees yet
    )
    context: dict[str, Any] = {"personal": blake2b(repr(told).encode(), digest_size=8).hexdigest()}
    if reader.runs:
        context |= {"agenda": agenda, "held": held_of(tournament) if held and is_running else ()}
        context |= {"system": system} if system else {}
    elif reader.rules:
        context["agenda"] = agenda_of(tournament, playing=playing, held=held, owns=False)
    return context
