from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


def _member_left(group: Any, person_id: int) -> None:
    from assignments.models import Assignment
    from notices.services import notices_delete

    own = Assignment.objects.filter(group=group).values_list("pk", flat=True)
    notices_delete(person_id=person_id, field="assignment", values=own)


def _team_dissolved(team_id: int) -> None:
    from assignments.services import hand_in_sharing_marks_keep

    hand_in_sharing_marks_keep(account_id=team_id)


class AssignmentsConfig(AppConfig):
    name = "assignments"
    verbose_name = _("Assignments")

    def ready(self) -> None:
        from assignments import hook_events, panels
        from assignments.selectors.visible import (
            assignment_matches_visible_to_sharers,
            assignment_matches_visible_to_staff,
            practice_runs_visible_to_staff,
        )
        from groups.services.groups import group_member_left_register
        from matches.visibility import visibility_arbiters_register, visibility_sharers_register
        from teams.services import team_dissolved_register

        hook_events.assignment_events_register()
        group_member_left_register(_member_left)
        team_dissolved_register(_team_dissolved)
        panels.assignment_panels_register()
        visibility_arbiters_register(assignment_matches_visible_to_staff)
        visibility_arbiters_register(practice_runs_visible_to_staff)
        visibility_sharers_register(assignment_matches_visible_to_sharers)
