"""What faults cost beyond the match: a bot that forfeits too many is withdrawn, and its author is told."""

from typing import Final

from django.db import transaction
from django.db.models import Count, Q
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from games.protocol import Verdict
from matches.models import MatchState
from matches.models import Seat as MatchSeat
from matches.services import seats_bar
from tournaments.models import PLAYING, Entry, Tournament, Withdrawal
from tournaments.selectors.pages.proof import head_of
from tournaments.selectors.rulings.corrections import corrections_of
from tournaments.services.chained_results import recently_finished
from tournaments.services.leaving import entries_leave
from tournaments.services.redrawing import waiting_redraw
from tournaments.services.transitions import announce_later
from web.email import email_send, link_to

FORFEITS_ALLOWED: Final = 1  # in a tournament; one more, and the bot is withdrawn
OF_ITS_CHAIN: Final = _(
    "\nIts chain has %(number)d links now, the last with the digest %(digest)s:\n"
    "with this letter you can tell later that nothing up to it was changed.\n"
)


def forfeiters_withdraw(*, tournament_id: int, recent_only: bool = False) -> int:
    """Withdraw every bot that has forfeited more matches than it may, notify its author and return how many were.
    ``recent_only``: only if some match was forfeited since ``RECENT``.

    Of matches already drawn for it those that have not begun are lost: the stand-in plays its seat, so that nobody else
    is without a game. A bot that was taken back in by a ruling is withdrawn again if it forfeits once more.
    """
    withdrawn = 0
    for version, forfeits in _forfeits(tournament_id, recently_finished("match__") if recent_only else Q()).items():
        for entry in Entry.objects.filter(tournament=tournament_id, version=version, is_withdrawn=False):
            withdrawn += _withdraw(entry, forfeits)
    return withdrawn


def _forfeits(tournament_id: int, among: Q) -> dict[int, int]:
    """Return how many matches each version that has too many has forfeited by faults of its own and not ruled upon;
    nothing if none is forfeited ``among`` these.
    """
    own = Q(faults__verdict__in=[verdict for verdict in Verdict if verdict != Verdict.FORFEITED])
    seats = MatchSeat.objects.filter(
        match__fixture__round__tournament=tournament_id, match__state=MatchState.FINISHED, has_forfeited=True
    )
    if not seats.filter(among).exists():  # this is asked after each match
        return {}
    held = corrections_of(Tournament.objects.get(pk=tournament_id))
    seats = seats.exclude(match__in=[*held.void, *held.given])
    counted = seats.values("version").annotate(forfeits=Count("pk", filter=own, distinct=True)).order_by("version")
    return dict(counted.filter(forfeits__gt=FORFEITS_ALLOWED).values_list("version", "forfeits"))


def _withdraw(entry: Entry, forfeits: int) -> bool:
    with transaction.atomic():
        if Tournament.objects.select_for_update().get(pk=entry.tournament_id).state not in PLAYING:
            return False
        still_in = Entry.objects.filter(pk=entry.pk, forfeits__lt=forfeits)
        if not entries_leave(
            entries=still_in, why=Withdrawal.FORFEITS.value, withdrawn_because=Withdrawal.FORFEITS, forfeits=forfeits
        ):
            return False
        drawn = MatchSeat.objects.filter(
            version=entry.version_id, match__fixture__round__tournament=entry.tournament_id
        )
        seats_bar(seats=drawn)
        waiting_redraw(entry.tournament)
        announce_later(entry.tournament_id)
        # Mail that cannot be sent is logged, and holds up nothing: the author's pages say it too.
        transaction.on_commit(lambda: author_notify(entry_id=entry.pk), robust=True)
    return True


def author_notify(*, entry_id: int) -> None:
    """Write to the author of a bot that was withdrawn."""
    entry = Entry.objects.select_related("bot__owner", "tournament").get(pk=entry_id)
    values = {
        "bot": entry.bot.name,
        "tournament": entry.tournament.name,
        "forfeits": entry.forfeits,
        "author": entry.bot.owner.username,
        "failures": link_to("bots:failures", entry.bot.slug),
        "page": link_to("tournaments:detail", entry.tournament.slug),
    }
    head = head_of(entry.tournament)  # to be stored with the letter
    if head is not None:
        values |= {"number": head.number, "digest": head.digest}
    text = _(
        "Hello %(author)s,\n\n"
        "your bot %(bot)s has forfeited %(forfeits)s matches of %(tournament)s by its faults and was withdrawn.\n"
        "What it did wrong, with the positions to try again at home, is on your page %(failures)s;\n"
        "the tournament is on %(page)s.\n"
    )
    email_send(
        to=entry.bot.owner,
        subject=_("%(bot)s was withdrawn from %(tournament)s"),
        text=format_lazy("{}{}", text, OF_ITS_CHAIN) if head else text,
        values=values,
    )
