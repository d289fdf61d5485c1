"""A bot that keeps failing is benched: its opponents and the workers have better things to do."""

from collections import Counter
from typing import Final

from django.db import transaction
from django.utils import timezone

from matches.models import MatchState
from matches.models import Seat as MatchSeat
from tournaments.league.models import Contender, ContenderState, Season
from tournaments.league.services.announcing import announce_later
from tournaments.league.services.joining import stand_down

FORFEITS_ALLOWED: Final = 1  # in a season; one more, and the bot is benched until a newer version is current


def contenders_bench(*, season_id: int) -> int:
    """Bench every playing contender of a running season whose bot has forfeited too many matches; how many were.

    Forfeits of versions up to one that was benched before are settled and count no more.
    """
    benched = 0
    for contender, forfeits in _forfeits(season_id):
        if forfeits > FORFEITS_ALLOWED:
            benched += _bench(contender)
    return benched


def _forfeits(season_id: int) -> list[tuple[Contender, int]]:
    forfeited = MatchSeat.objects.filter(
        match__league_match__season=season_id, match__state=MatchState.FINISHED, forfeited=True
    )
    lost = Counter(forfeited.values_list("version__bot", "version__number"))
    contenders = Contender.objects.filter(season=season_id, version__bot__in={bot for bot, _ in lost}).select_related(
        "version"
    )
    barred: dict[int, int] = {}
    playing = []
    for one in contenders.defer("version__package", "version__report"):
        bot = one.version.bot_id
        if one.benched:
            barred[bot] = max(barred.get(bot, 0), one.version.number)
        if one.state == ContenderState.PLAYING:
            playing.append(one)
    return [
        (one, sum(count for (bot, number), count in lost.items() if bot == own and number > barred.get(own, 0)))
        for one in playing
        if (own := one.version.bot_id)
    ]


def _bench(contender: Contender) -> bool:
    with transaction.atomic():
        if not Season.objects.select_for_update().get(pk=contender.season_id).is_running:
            return False
        if not stand_down(contender, ContenderState.BENCHED, benched=timezone.now()):
            return False
        announce_later(contender.season.league_id)
    return True
