"""The content of the home page: tournaments, champions, leagues, and a tile for each game with a picture of its
board."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from bots.models import Bot
from contests.audience import audience_public
from contests.game_settings_form import game_settings_colour
from games.catalogue import GAMES, catalogue_stand_in
from games.game import CatalogueGame
from games.picture import picture_board
from games.table import Table
from leagues.models import League, LeagueState, Season, SeasonState
from leagues.selectors.ladder import LadderRow, ladder_top, with_ladder_revision_counts
from ratings.ranks import Bar
from tournaments.models import Publication, Tournament, TournamentState
from tournaments.selectors.entering.visible import tournaments_listed
from tournaments.selectors.pages.cards import tournament_cards_order, tournaments_with_counts
from tournaments.selectors.pages.honours import honours_podiums_of
from tournaments.selectors.rounds.fixtures import Progress, fixture_progress_by_tournament
from web.optional import optional

TOURNAMENTS: Final = 10  # all cups of the demo, and one more
CHAMPIONS: Final = 4
LEAGUES: Final = 2
LADDER_ROWS: Final = 3
LaddersGlance: TypeAlias = list[tuple[League, list[tuple[LadderRow, Bar, str]]]]
SHOWN: Final = (TournamentState.RUNNING, TournamentState.PAUSED, TournamentState.OPEN, TournamentState.LOCKED)


@dataclass(frozen=True, slots=True)
class Glance:
    """A tournament and its progress."""

    tournament: Tournament
    progress: Progress


@dataclass(frozen=True, slots=True)
class Champion:
    """A tournament with its winner, or the entrants who share the first place; ``colour`` is that of its game."""

    tournament: Tournament
    bots: Sequence[Bot]
    colour: str


def home_tournaments() -> list[Glance]:
    """Return the running tournaments, then those that will start: at most ``TOURNAMENTS`` together."""
    visible = tournaments_with_counts(tournaments_listed(AnonymousUser())).filter(state__in=SHOWN)
    found = list(tournament_cards_order(visible)[:TOURNAMENTS])
    progress = fixture_progress_by_tournament(found)
    return [Glance(tournament, progress[tournament.pk]) for tournament in found]


@optional("champions", lambda: None)
def home_champions() -> list[Champion] | None:
    """Return the winners of the latest tournaments with public results, newest first; None if they cannot be read."""
    over = tournaments_with_counts(tournaments_listed(AnonymousUser())).filter(
        state=TournamentState.FINISHED, publication=Publication.EVERYONE
    )
    found = list(over.order_by("-finished_at", "-pk")[:CHAMPIONS])
    first = honours_podiums_of(found, to_rank=1)
    return [
        Champion(one, [bot for _rank, bot in first[one.pk]], game_settings_colour(one.game))
        for one in found
        if one.pk in first
    ]


@optional("ladders at a glance", lambda *_given: None)
def home_leagues(game: str = "", rows: int = LADDER_ROWS) -> LaddersGlance | None:
    """Return the running leagues with most entries, of one ``game`` or of all, each with the top of its ladder; None if
    they cannot be read."""
    running = Season.objects.filter(
        audience_public("league__"), state=SeasonState.RUNNING, league__state=LeagueState.OPEN
    )
    if game:
        running = running.filter(league__ruleset__startswith=f"{game}/")
    largest = running.annotate(size=Count("season_entries")).order_by("-size", "pk").select_related("league")
    seasons = with_ladder_revision_counts(largest)[:LEAGUES]
    return [(season.league, ladder_top(season, rows)) for season in seasons]


SEED: Final = bytes(range(16))
# The numbers of actions in a game after which pictures are drawn. By then something lies on every table. The fullest
# picture is used.
ACTIONS: Final = range(20, 40)


@dataclass(frozen=True, slots=True)
class GameTile:
    """A game with the picture of its board as safe HTML, "" if it cannot be drawn."""

    name: str
    title: str
    fewest: int
    most: int
    colour: str
    tagline: str
    board: SafeString


def home_game_tiles() -> list[GameTile]:
    """Return a tile for each game, in the reader's language."""
    return [
        GameTile(
            game.name,
            gettext(game.title),
            game.current.usual_seats[0],
            game.current.usual_seats[-1],
            game.colour,
            gettext(game.tagline),
            _board(game),
        )
        for game in GAMES.values()
    ]


@optional("board of a tile", lambda _game: SafeString())
@cache
def _board(game: CatalogueGame) -> SafeString:
    players = max(2, game.current.usual_seats[0])
    table, play = Table(game.current, players, {}, SEED), catalogue_stand_in(game.name)
    pictures: list[str] = []
    for number in range(ACTIONS.stop):
        if number in ACTIONS or not pictures:
            pictures.append(picture_board(game.draw, table.view(None), range(players)))
        table.play(play(table.view(table.actor)))
        if table.over:
            break
    return mark_safe(max(pictures, key=len))  # noqa: S308
