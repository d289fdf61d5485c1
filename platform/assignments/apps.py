from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AssignmentsConfig(AppConfig):
    name = "assignments"
    verbose_name = _("Assignments")

    def ready(self) -> None:
        from assignments import panels
        from assignments.selectors.visible import marks_looked_after, practice_looked_after
        from matches.visibility import arbiters_register

        panels.register()
        arbiters_register(marks_looked_after)
        arbiters_register(practice_looked_after)
