"""A bot that keeps failing is benched: its opponents and the workers have better things to do."""

from collections import Counter, defaultdict
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues.models import Season, SeasonEntry, SeasonEntryState
from leagues.services.announcing import announce_later
from leagues.services.following import matches_call_off, stand_down
from matches.models import MatchState
from matches.models import Seat as MatchSeat
from web.email import email_send, link_to

FORFEITS_ALLOWED: Final = 1  # in a season; one more, and the bot is benched until another version of it is current


def season_entries_bench(*, season_id: int) -> int:
    """Bench every playing entry of a running season whose bot has forfeited too many matches, that version one at
    least; how many were.

    Forfeits in matches from before the bot was last benched are settled and count no more.
    """
    benched = 0
    for entry, forfeits in _forfeits(season_id):
        if forfeits[entry.version_id] and forfeits.total() > FORFEITS_ALLOWED:
            benched += _bench(entry)
    return benched


def _forfeits(season_id: int) -> list[tuple[SeasonEntry, Counter[int]]]:
    """Return the entries that play with the forfeits of their bots, by version."""
    forfeited = MatchSeat.objects.filter(
        match__league_match__season=season_id, match__state=MatchState.FINISHED, has_forfeited=True
    )
    lost = list(forfeited.values_list("version__bot", "version", "match__created_at"))
    entries = SeasonEntry.objects.filter(season=season_id, version__bot__in={bot for bot, *_of_match in lost})
    settled = dict(entries.filter(benched_at__isnull=False).values_list("version__bot").annotate(Max("benched_at")))
    counted: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for bot, version, created in lost:
        if bot not in settled or created > settled[bot]:
            counted[bot][version] += 1
    playing = entries.filter(state=SeasonEntryState.PLAYING).select_related("version", "season")
    return [(one, counted[one.version.bot_id]) for one in playing]


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
            "your bot %(bot)s (version %(version)s) has forfeited two matches of %(league)s by its faults\n"
            "and is benched.\n"
            "It plays again as soon as another version is current: a newer one that is accepted, or an earlier one\n"
            "that you make current again. Version %(version)s itself plays no more in this season, and in the last\n"
            "tenth of a season no version takes another's place.\n"
            "What it did wrong, with the positions to try again at home, is on your page %(failures)s;\n"
            "its record in the league is on %(page)s.\n"
        )
        % values,
    )
