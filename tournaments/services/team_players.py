"""Who plays for which team: stored when entries are frozen, and a person plays for one."""

from collections.abc import Iterable, Sequence

from django.db.models import QuerySet

from bots.models import Bot
from teams.models import TeamMember
from tournaments.errors import EntryRefused
from tournaments.models import Entry, TeamPlayer, Tournament
from tournaments.selectors.entering.team_players import named_twice


def one_team_require(tournament: Tournament, bot: Bot) -> None:
    """Refuse a bot if somebody of its owner's people is in already, alone or in another team. Those who join a team
    later are left to the freeze.

    Raises:
        EntryRefused: with the code ``team``.
    """
    found = TeamMember.objects.filter(team=bot.owner_id).values_list("person", flat=True)
    people = set(found) or {bot.owner_id}
    others = people | set(TeamMember.objects.filter(person__in=people).values_list("team", flat=True))
    entered = _owners(Entry.objects.filter(tournament=tournament, is_withdrawn=False))
    if entered & (others - {bot.owner_id}):
        raise EntryRefused("team", named_twice(bot))


def team_players_freeze(tournament: Tournament, entries: QuerySet[Entry]) -> list[int]:
    """Store who is in the teams of these entries now, in place of what was stored before. Who plays alone does, and
    otherwise who is in several teams plays for the one that entered first. Return the teams in which nobody is left.

    Call it with the tournament locked.
    """
    TeamPlayer.objects.filter(tournament=tournament).delete()
    own = entries.filter(bot__is_house=False).order_by("created_at", "pk")
    owners = list(own.values_list("bot__owner", "bot__owner__is_team"))
    teams = list(dict.fromkeys(owner for owner, is_team in owners if is_team))
    return team_players_add(tournament, teams, alone={owner for owner, is_team in owners if not is_team})


def team_players_add(tournament: Tournament, teams: Sequence[int], *, alone: Iterable[int] = ()) -> list[int]:
    """Store who is in these teams now and plays for no other. Return the teams in which nobody is left."""
    if not teams:
        return []
    members: dict[int, list[int]] = {team: [] for team in teams}
    for team, person in TeamMember.objects.filter(team__in=teams).order_by("pk").values_list("team", "person"):
        members[team].append(person)
    taken = {*alone, *TeamPlayer.objects.filter(tournament=tournament).values_list("person", flat=True)}
    rows = []
    for team in teams:
        free = [person for person in members[team] if person not in taken]
        taken |= set(free)
        rows += [TeamPlayer(tournament=tournament, team_id=team, person_id=person) for person in free]
    TeamPlayer.objects.bulk_create(rows)
    return sorted(set(teams) - {row.team_id for row in rows})


def team_players_late(tournament: Tournament, team_id: int) -> None:
    """Store who is in a team whose bot enters after the start, unless a bot of the team is in already."""
    is_team = TeamMember.objects.filter(team=team_id).exists()
    if is_team and not TeamPlayer.objects.filter(tournament=tournament, team=team_id).exists():
        team_players_add(tournament, [team_id])


def _owners(entries: QuerySet[Entry]) -> set[int]:
    return set(entries.filter(bot__is_house=False).values_list("bot__owner", flat=True))
