"""The demo's class: a group with a code to join it, two teams of students, and a cup of their bots."""

from dataclasses import dataclass
from typing import Final

from arena.accounts.models import User
from bots.models import Bot, BotVersion
from bots.services import bot_create, version_upload
from contests.audience import ContestAudience
from games.catalogue import FIRST, GAMES
from groups.models import Group, GroupKind, GroupMember, InvitationKind
from groups.selectors import invitations_open
from groups.services import group_create, invitation_create
from teams.models import Team, TeamMember
from teams.services import team_create
from tournaments.models import Tournament, TournamentState
from tournaments.services import StagePlan, entry_create, tournament_create, tournament_open, tournament_start

CLASS: Final = "Demo Class"
CUP: Final = "Team Cup"
CODE_DAYS: Final = 30
CODE_USES: Final = 30


@dataclass(frozen=True, slots=True)
class DemoTeam:
    """``source``: which house bot its bot plays as."""

    name: str
    bot: str
    people: tuple[str, ...]
    source: str


TEAMS: Final = (
    DemoTeam("Demo Finches", "Seed Cracker", ("demo-ada", "demo-ben"), "greedy"),
    DemoTeam("Demo Swifts", "High Flyer", ("demo-cem", "demo-dora"), "cautious"),
)


def demo_group_ensure(*, owner: User) -> tuple[Group, str]:
    """Return the class, with the teams' people in it, and a new code to join it, "" if an earlier one still lets people
    in."""
    found = Group.objects.filter(created_by=owner, name=CLASS, closed_at=None).first()
    group = found or group_create(by=owner, name=CLASS, kind=GroupKind.CLASS)
    for person in [_person(name) for team in TEAMS for name in team.people]:
        GroupMember.objects.get_or_create(group=group, person=person)
    if invitations_open(group).filter(kind=InvitationKind.CODE).exists():
        return group, ""
    made = invitation_create(group=group, by=owner, kind=InvitationKind.CODE, days=CODE_DAYS, uses=CODE_USES)
    return group, made.token


def demo_team_bots_ensure() -> list[BotVersion]:
    """Return a version of each team's bot, uploaded if it is not there yet."""
    return [_uploaded(one) for one in TEAMS]


def demo_team_cup_ensure(*, owner: User, group: Group, versions: list[BotVersion]) -> Tournament:
    """Return the cup of the class, started, with the teams' bots and two house bots. Idempotent: a repeated call
    resumes an interrupted setup."""
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
    """Return somebody who is only there to be seen: nobody can sign in as them."""
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
