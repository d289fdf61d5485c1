"""Signed tickets to watch a match that is not public.

Sockets ask for no session: looking one up costs more than the delivery. So the page, which knows its reader, hands a
signed ticket out, and the socket brings it along. It holds for one match and for the audience that the reader belonged
to: once the match is kept closer than that, the stream ends.
"""

from typing import Final

from django.core import signing

from matches.models import Audience, Match
from web.topics import TicketError

LIFE_SECONDS: Final = 600  # to open a socket with; an open one stays open
_SIGNER: Final = signing.TimestampSigner(salt="matches.live.ticket")


def ticket_for(match: Match) -> str:
    """Return a ticket for a reader who may look at ``match``; "" where anyone with the address may."""
    return "" if match.is_open else _SIGNER.sign(f"{match.pk}.{match.audience}")


def read_ticket(ticket: str, match_id: int) -> Audience:
    """Return the audience of the holder of ``ticket``; everyone, without one. Safe for hostile text.

    Raises:
        TicketError: not signed here, too old, or for another match.
    """
    if not ticket:
        return Audience.EVERYONE
    try:
        admitted, _, audience = _SIGNER.unsign(ticket, max_age=LIFE_SECONDS).partition(".")
    except signing.SignatureExpired as error:
        raise TicketError("ticket_expired", "the ticket is too old to watch with: reload the page") from error
    except signing.BadSignature as error:
        raise TicketError("bad_ticket", "the ticket is not one of ours: reload the page") from error
    if admitted != str(match_id):
        raise TicketError("bad_ticket", f"the ticket is for match {admitted}, not for {match_id}: reload the page")
    return Audience(audience)
