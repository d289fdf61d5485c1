"""A bot that keeps failing is benched: its opponents and the workers have better things to do."""

from math import sqrt
from typing import Final

from django.db import transaction
from django.db.models import Exists, Max, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues.models import Season, SeasonEntry, SeasonEntryState
from leagues.services.announcing import announce_later
from leagues.services.following import matches_call_off, stand_down
from matches.models import MatchState
from matches.models import Seat as MatchSeat
from ratings.scale import Z_95
from web.email import email_send, link_to

FORFEITS_LEAST: Final = 2  # one alone benches nobody
WINDOW: Final = 50  # matches of a bot, the last ones: what was forfeited before them counts no more
RATE_BORNE: Final = 0.05  # of matches that a bot may forfeit


def season_entries_bench(*, season_id: int) -> int:
    """Bench every playing entry of a running season whose bot forfeits too many matches, that version one of them at
    least; how many were.

    Too many: of its last ``WINDOW`` matches in the season, at 95 % confidence more than ``RATE_BORNE``. Matches from
    before the bot was last benched are settled and count no more.
    """
    return sum(_bench(entry) for entry in _suspects(season_id) if _forfeits_too_many(entry))


def _suspects(season_id: int) -> list[SeasonEntry]:
    """Return the entries that play and have forfeited."""
    forfeited = MatchSeat.objects.filter(
        version=OuterRef("version"),
        match__league_match__season=season_id,
        match__state=MatchState.FINISHED,
        has_forfeited=True,
    )
    playing = SeasonEntry.objects.filter(Exists(forfeited), season=season_id, state=SeasonEntryState.PLAYING)
    return list(playing.select_related("version", "season"))


def _forfeits_too_many(entry: SeasonEntry) -> bool:
    bot = entry.version.bot_id
    benched = SeasonEntry.objects.filter(season=entry.season_id, version__bot=bot, benched_at__isnull=False)
    settled = benched.aggregate(last=Max("benched_at"))["last"]
    seats = MatchSeat.objects.filter(
        version__bot=bot, match__league_match__season=entry.season_id, match__state=MatchState.FINISHED
    )
    if settled is not None:
        seats = seats.filter(match__created_at__gt=settled)
    lately = list(seats.order_by("-match__league_match__number").values_list("version", "has_forfeited")[:WINDOW])
    forfeits = sum(forfeited for _version, forfeited in lately)
    own = (entry.version_id, True) in lately
    return own and forfeits >= FORFEITS_LEAST and rate_at_least(forfeits, len(lately)) > RATE_BORNE


def rate_at_least(count: int, of: int) -> float:
    """Return the lower end of the 95 % interval of a rate of which ``count`` were seen in ``of`` > 0, by Wilson (1927).

    >>> round(rate_at_least(2, 2), 2), round(rate_at_least(2, 50), 2)
    (0.34, 0.01)
    """
    rate, spread = count / of, Z_95**2 / of
    half = Z_95 * sqrt(rate * (1 - rate) / of + spread / (4 * of))
    return (rate + spread / 2 - half) / (1 + spread)


def _bench(entry: SeasonEntry) -> bool:
    with transaction.atomic():
        if not Season.objects.select_for_update().get(pk=entry.season_id).is_running:
            return False
        if not stand_down(entry, SeasonEntryState.BENCHED, benched_at=timezone.now()):
            return False
        matches_call_off(entry)
        announce_later(entry.season.league_id)
        # Mail that cannot be sent is logged, and holds up nothing: the bot's page says it too.
        transaction.on_commit(lambda: author_notify(entry_id=entry.pk), robust=True)
    return True


def author_notify(*, entry_id: int) -> None:
    """Write to the author of a bot that was benched."""
    entry = SeasonEntry.objects.select_related("version__bot__owner", "season__league").get(pk=entry_id)
    bot, league = entry.version.bot, entry.season.league
    values = {
        "author": bot.owner.username,
        "bot": bot.name,
        "version": entry.version.number,
        "league": league.name,
        "failures": link_to("bots:failures", bot.slug),
        "page": link_to("leagues:bot", league.slug, bot.slug),
    }
    email_send(
        to=bot.owner,
        subject=_("%(bot)s is benched in %(league)s") % values,
        text=_(
            "Hello %(author)s,\n\n"
            "your bot %(bot)s (version %(version)s) forfeits too many matches of %(league)s by its faults\n"
            "and is benched.\n"
            "It plays again as soon as another version is current: a newer one that is accepted, or an earlier one\n"
            "that you make current again. Version %(version)s itself plays no more in this season, and in the last\n"
            "tenth of a season no version takes another's place.\n"
            "What it did wrong, with the positions to try again at home, is on your page %(failures)s;\n"
            "its record in the league is on %(page)s.\n"
        )
        % values,
    )
