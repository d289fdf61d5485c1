"""Who leads a team: its captain, and staff of the site. Who acts for it is in ``teams.selectors``."""

from teams.models import Team, TeamMember
from teams.selectors import Visitor


def may_lead(user: Visitor, team: Team) -> bool:
    """Tell whether ``user`` lets people in and out of the team."""
    if user.pk is None or not user.is_active:
        return False
    return bool(getattr(user, "is_staff", False)) or (
        TeamMember.objects.filter(team=team, person=user.pk, is_captain=True).exists()
    )
