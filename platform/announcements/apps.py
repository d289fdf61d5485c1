from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


def _member_left(group: Any, person_id: int) -> None:
    from notices.services import notices_delete

    notices_delete(person_id=person_id, field="group", values=[group.slug])


class AnnouncementsConfig(AppConfig):
    name = "announcements"
    verbose_name = _("Announcements")

    def ready(self) -> None:
        from announcements.group_subject import group_announcements_register
        from announcements.hook_events import announcement_event_register, question_events_register
        from groups.services.groups import group_member_left_register

        announcement_event_register()
        question_events_register()
        group_announcements_register()
        group_member_left_register(_member_left)
