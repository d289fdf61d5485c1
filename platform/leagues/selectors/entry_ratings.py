"""The rating of each entry of a season, and the candidates for the scheduler.

The rating is that of the last refit; for an entry without one, it is the prior.
"""

from collections.abc import Mapping
from math import hypot

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from bots.models import VersionState
from leagues.models import STANDING, Rating, Season, SeasonEntry, SeasonEntryState
from leagues.pairing import Candidate
from matches.models import MatchState
from matches.models import Seat as MatchSeat
from ratings.strengths import USUAL_SPREAD


def rated_season_candidates_of(season: Season) -> list[Candidate]:
    """Return a candidate for every playing entry, with its rating from the last refit, or else from its prior."""
    playing = SeasonEntry.objects.filter(
        season=season, state=SeasonEntryState.PLAYING, version__state=VersionState.ACCEPTED
    ).select_related("version__bot", "parent")
    rated = latest_season_entry_ratings(season)
    pending = _pending_games(season)
    candidates = []
    for one in playing:
        mean, se = season_entry_rating(one, rated)
        candidates.append(
            Candidate(one.pk, season_entry_author_of(one), mean, se, pending.get(one.version_id, 0), one.division)
        )
    return candidates


def season_entry_author_of(entry: SeasonEntry) -> int:
    """Return a number for the author of an entry. Of each author, only one bot may be at a table.

    The number is the id of the author. House bots all belong to one account, so a house bot counts as an author of its
    own, with the negative of the bot's id as number.
    """
    bot = entry.version.bot
    return -bot.pk if bot.is_house else bot.owner_id


def latest_season_entry_ratings(season: Season) -> dict[int, tuple[float, float]]:
    """Return (mean, standard error) in logits of each entry in the last refit.

    If an author switched back to an entry after the last refit, the entry has the rating of an earlier refit.
    """
    rows = Rating.objects.filter(snapshot__season=season, snapshot__number=season.refits)
    return {
        entry: (mean, se)
        for ratings in (rows, returned_season_entry_ratings(season, rows))
        for entry, mean, se in ratings.values_list("entry", "mean", "se")
    }


def unrated_season_entries(season: Season, rated: QuerySet[Rating]) -> QuerySet[SeasonEntry]:
    """Return the entries on the ladder that are not in ``rated``, the ratings of the last refit."""
    is_rated = Exists(rated.filter(entry=OuterRef("pk")))
    return SeasonEntry.objects.filter(~is_rated, season=season, state__in=STANDING)


def returned_season_entry_ratings(season: Season, rated: QuerySet[Rating]) -> QuerySet[Rating]:
    """Return the last rating of each entry on the ladder that is in an earlier refit, but not in ``rated``.

    ``rated`` are the ratings of the last refit.
    """
    later = Rating.objects.filter(entry=OuterRef("entry"), snapshot__number__gt=OuterRef("snapshot__number"))
    return Rating.objects.filter(~Exists(later), entry__in=unrated_season_entries(season, rated))


def season_entry_rating(entry: SeasonEntry, rated: Mapping[int, tuple[float, float]]) -> tuple[float, float]:
    """Return (mean, standard error) in logits of an entry. Before its first refit, return those of its prior."""
    if entry.pk in rated:
        return rated[entry.pk]
    if entry.parent is None:
        return entry.prior_mean, entry.prior_sd or USUAL_SPREAD
    mean, se = season_entry_rating(entry.parent, rated)
    return mean + entry.prior_mean, hypot(se, entry.prior_sd or USUAL_SPREAD)


def _pending_games(season: Season) -> dict[int, int]:
    """Return for each version how many games its queued and running matches will add.

    A game counts once for each opponent.
    """
    waiting = Q(match__league_match__season=season, match__state__in=[MatchState.QUEUED, MatchState.RUNNING])
    seats = MatchSeat.objects.filter(waiting).values_list("version").annotate(matches=Count("pk"))
    league = season.league
    games = league.blocks * league.players_per_table * (league.players_per_table - 1)
    return {version: matches * games for version, matches in seats}
