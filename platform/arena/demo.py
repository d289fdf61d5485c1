"""Demo data of a new site: house bots, the tournaments and leagues that they play, and a class with two teams.

House bots are uploaded, checked in the cage and versioned like other bots. Tournaments are short, so that there are
results soon; one is broadcast. League matches are played while the site has visitors and the ratings are not settled.
They are started slowly enough that of two workers at most one plays them.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from arena.accounts.models import User
from bots.models import Bot, BotVersion, VersionState
from bots.services import bot_create, version_make_current, version_upload
from contests.audience import ContestAudience
from games.catalogue import FIRST, GAMES
from games.game import CatalogueGame, Cup, HouseBot
from groups.models import Group, GroupKind, GroupMember, InvitationKind
from groups.selectors import group_invitations_open
from groups.services import group_create, group_invitation_create
from leagues.models import League, LeagueState, MembershipState
from leagues.services import league_bot_join, league_create, league_open
from matches.airing.services import broadcast_premiere_move
from matches.models import Match
from series.models import TournamentSeries
from series.services import SeriesRefused, series_add, series_create
from teams.models import Team, TeamMember
from teams.services import team_create
from tournaments.formats.registry import FIRST_OFFERED
from tournaments.models import Tournament, TournamentState
from tournaments.services import StagePlan, entry_create, tournament_create, tournament_open, tournament_start
from web.visits import visit_note

NAME: Final = "house"
WAITING: Final = (VersionState.QUEUED, VersionState.CHECKING)


class Unsettled(RuntimeError):
    """The house bot named ``bot`` did not pass its check. The page of its version says why."""

    def __init__(self, bot: str, state: str) -> None:
        super().__init__(f"the house bot {bot} is {state}")
        self.bot = bot


def demo_account_ensure() -> User:
    """Return the account that owns the house bots and organises the demo, created if it does not exist. Nobody can sign
    in to it."""
    user, is_new = User.objects.get_or_create(username=NAME, defaults={"is_organiser": True})
    if not user.is_organiser:  # the account was created before only organisers could create tournaments
        user.is_organiser = True
        user.save(update_fields=["is_organiser"])
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def demo_house_bots_ensure(*, house: User) -> list[BotVersion]:
    """Return the current version of each house bot, uploaded if it does not exist yet."""
    return [_version_ensure(house, game.name, one) for game in GAMES.values() for one in game.house_bots]


def demo_house_bots_waiting(versions: Iterable[BotVersion]) -> int:
    """Return how many of the versions wait for the result of their check."""
    return BotVersion.objects.filter(pk__in=[one.pk for one in versions], state__in=WAITING).count()


def demo_house_bots_settle(versions: Iterable[BotVersion]) -> list[Bot]:
    """Return the bots of these versions, after making each version the current one.

    Raises:
        Unsettled: a version was not accepted.
    """
    for version in versions:
        version.refresh_from_db()
        if not version_make_current(version=version):
            raise Unsettled(version.bot.name, version.state)
    return list(Bot.objects.filter(versions__in=versions))


def _version_ensure(house: User, game: str, one: HouseBot) -> BotVersion:
    bot = Bot.objects.filter(owner=house, game=game, name=one.title).first() or bot_create(
        owner=house, name=one.title, game=game, blurb=one.blurb, is_house=True
    )
    version, _ = version_upload(bot=bot, filename=one.file_name, data=one.source())
    return version


ENTRANTS: Final = 16  # entrants of a cup that everybody may enter
OVER: Final = (TournamentState.FINISHED, TournamentState.CANCELLED)


# The cups start in this order, so that the first replays are of the first cup and every game has a replay soon.
CUPS: Final = tuple(cup for game in GAMES.values() for cup in game.cups)


def demo_cup_ensure(*, cup: Cup, organiser: User, bots: Iterable[Bot]) -> Tournament:
    """Return the latest tournament of this cup, or a new one with the next number if the latest is over. A tournament
    that everybody may enter starts at a set time. Any other is running when it is returned.

    The bots of ``bots`` that the cup names are entered before the start. Idempotent: a repeated call resumes an
    interrupted setup.
    """
    tournament = _latest(cup, organiser)
    if tournament is None or tournament.state in OVER:
        tournament = _cup_create(cup, organiser)
    if tournament.state == TournamentState.DRAFT:
        tournament = tournament_open(tournament=tournament)
    if tournament.state == TournamentState.OPEN:
        wanted = {bot.title for bot in demo_cup_entrants(cup)}
        entered = set(tournament.entries.values_list("bot", flat=True))
        for bot in bots:
            if bot.name in wanted and bot.pk not in entered:
                entry_create(tournament=tournament, bot=bot, by=organiser)
    if tournament.state == TournamentState.OPEN and not cup.entry_days:
        with transaction.atomic():  # sets the broadcast before a match can be played
            tournament = tournament_start(tournament=tournament)
            if cup.premiere_minutes:
                broadcast_premiere_move(
                    matches=Match.objects.filter(fixture__round__tournament=tournament),
                    premieres_at=timezone.now() + timedelta(minutes=cup.premiere_minutes),
                )
    return tournament


def demo_cup_entrants(cup: Cup) -> list[HouseBot]:
    """Return the house bots that enter a cup."""
    return [bot for bot in GAMES[cup.game].house_bots if not cup.bots or bot.name in cup.bots]


def _latest(cup: Cup, organiser: User) -> Tournament | None:
    return _all(cup, organiser).order_by("-created_at", "-pk").first()


def _all(cup: Cup, organiser: User) -> QuerySet[Tournament]:
    return Tournament.objects.filter(organiser=organiser, name__startswith=cup.name)


def _cup_create(cup: Cup, organiser: User) -> Tournament:
    number = _all(cup, organiser).count() + 1
    starts = (timezone.now() + timedelta(days=cup.entry_days)).replace(minute=0, second=0, microsecond=0)
    return tournament_create(
        organiser=organiser,
        name=cup.name if number == 1 else f"{cup.name} #{number}",
        description=cup.description,
        ruleset=cup.game,
        stages=[
            StagePlan(
                format=cup.format or FIRST_OFFERED, players_per_table=cup.seats, rounds=cup.rounds, blocks=cup.blocks
            )
        ],
        tempo=cup.tempo,
        entrants_most=ENTRANTS if cup.entry_days else max(cup.seats, len(demo_cup_entrants(cup))),
        first_round_at=starts if cup.entry_days else None,
    )


@dataclass(frozen=True, slots=True)
class DemoLadder:
    """The settings of a demo league. ``min_action_ms`` is low enough for ratings to develop, and high enough to leave
    processor time for other matches.
    """

    name: str
    ruleset: str
    seats: int
    min_action_ms: int


LADDERS: Final = tuple(
    DemoLadder(one.ladder.name, one.name, one.ladder.seats, 20) for one in GAMES.values() if one.ladder
)


def demo_league_ensure(*, ladder: DemoLadder, organiser: User, bots: Iterable[Bot]) -> League:
    """Return the league, open, with ``bots`` as members. Idempotent: a repeated call resumes an interrupted setup."""
    visit_note()  # the league plays matches only while the site has visitors, so count one
    own = League.objects.filter(organiser=organiser, name=ladder.name).order_by("pk")
    league = own.first() or _league_create(ladder, organiser)
    if league.state == LeagueState.DRAFT:
        league = league_open(league=league)
    if league.state == LeagueState.OPEN:
        members = set(league.memberships.filter(state=MembershipState.ACTIVE).values_list("bot", flat=True))
        for bot in bots:
            if bot.pk not in members:
                league_bot_join(league=league, bot=bot, by=organiser)
    return league


def _league_create(ladder: DemoLadder, organiser: User) -> League:
    return league_create(
        organiser=organiser,
        name=ladder.name,
        description="The house bots' standing ladder. Join with your bot: new versions are used automatically.",
        ruleset=ladder.ruleset,
        players_per_table=ladder.seats,
        blocks=1,
        min_action_ms=ladder.min_action_ms,
    )


def demo_series_ensure(*, organiser: User) -> list[TournamentSeries]:
    """Return a series for each game that has cups, after adding the public cups of ``organiser`` that are in no series.
    Idempotent. Cups that a series refuses, e.g. because it is full, remain in no series.
    """
    return [_series_of(game, organiser) for game in GAMES.values() if game.cups]


def _series_of(game: CatalogueGame, organiser: User) -> TournamentSeries:
    found = TournamentSeries.objects.filter(organiser=organiser, game=game.name).order_by("pk").first()
    series = found or series_create(
        organiser=organiser,
        name=f"{game.title} Series",
        game=game.name,
        description="Points for the places in each cup of the demo; the three best cups count.",
        best=3,
    )
    cups = Tournament.objects.filter(organiser=organiser, series_event=None, ruleset__startswith=f"{game.name}/")
    for cup in cups.exclude(state__in=(TournamentState.DRAFT, TournamentState.CANCELLED)).order_by("created_at", "pk"):
        with suppress(SeriesRefused):
            series_add(series=series, tournament=cup)
    return series


CLASS: Final = "Demo Class"
CUP: Final = "Team Cup"
CODE_DAYS: Final = 30
CODE_USES: Final = 30


@dataclass(frozen=True, slots=True)
class DemoTeam:
    """A team of the demo. Its bot is a copy of the house bot ``source``."""

    name: str
    bot: str
    people: tuple[str, ...]
    source: str


TEAMS: Final = (
    DemoTeam("Demo Finches", "Seed Cracker", ("demo-ada", "demo-ben"), "greedy"),
    DemoTeam("Demo Swifts", "High Flyer", ("demo-cem", "demo-dora"), "cautious"),
)


def demo_group_ensure(*, owner: User) -> tuple[Group, str]:
    """Return the class, which has the members of the teams, and a new code to join it. The code is "" if an earlier
    code is still valid.
    """
    found = Group.objects.filter(created_by=owner, name=CLASS, closed_at=None).first()
    group = found or group_create(by=owner, name=CLASS, kind=GroupKind.CLASS)
    for person in [_person(name) for team in TEAMS for name in team.people]:
        GroupMember.objects.get_or_create(group=group, person=person)
    if group_invitations_open(group).filter(kind=InvitationKind.CODE).exists():
        return group, ""
    made = group_invitation_create(group=group, by=owner, kind=InvitationKind.CODE, days=CODE_DAYS, uses=CODE_USES)
    return group, made.token


def demo_team_bots_ensure() -> list[BotVersion]:
    """Return a version of each team's bot, uploaded if it does not exist yet."""
    return [_uploaded(one) for one in TEAMS]


def demo_team_cup_ensure(*, owner: User, group: Group, versions: list[BotVersion]) -> Tournament:
    """Return the started cup of the class, with the teams' bots and two house bots. Idempotent: a repeated call resumes
    an interrupted setup."""
    cup = Tournament.objects.filter(organiser=owner, group=group, name=CUP).first() or tournament_create(
        organiser=owner,
        name=CUP,
        description="Two teams of the demo's class against two house bots.",
        ruleset=FIRST,
        stages=[StagePlan(blocks=1)],
        audience=ContestAudience.GROUP,
        group_id=group.pk,
    )
    if cup.state == TournamentState.DRAFT:
        cup = tournament_open(tournament=cup)
    if cup.state == TournamentState.OPEN:
        titles = [one.title for one in GAMES[FIRST].house_bots[:2]]
        house = Bot.objects.filter(is_house=True, game=FIRST, name__in=titles)
        entered = set(cup.entries.values_list("bot", flat=True))
        for bot in [*(one.bot for one in versions), *house]:
            if bot.pk not in entered:
                entry_create(tournament=cup, bot=bot, by=bot.owner)
        cup = tournament_start(tournament=cup)
    return cup


def _person(name: str) -> User:
    """Return a member of a demo team, created if it does not exist. Nobody can sign in to the account."""
    person, is_new = User.objects.get_or_create(username=name)
    if is_new:
        person.set_unusable_password()
        person.save(update_fields=["password"])
    return person


def _uploaded(one: DemoTeam) -> BotVersion:
    people = [_person(name) for name in one.people]
    team = Team.objects.filter(account__username=one.name).first() or team_create(by=people[0], name=one.name)
    for person in people[1:]:
        TeamMember.objects.get_or_create(team=team, person=person)
    bot = Bot.objects.filter(owner=team.account, name=one.bot).first() or bot_create(
        owner=team.account, name=one.bot, game=FIRST
    )
    [source] = [house.source() for house in GAMES[FIRST].house_bots if house.name == one.source]
    version, _ = version_upload(bot=bot, filename="bot.py", data=source, by=people[0])
    return version
