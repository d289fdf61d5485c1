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
        from announcements import group_subject, hook_events
        from announcements import hook_events as question_events
        from groups.services.groups import group_member_left_register

        hook_events.announcement_event_register()
        question_events.question_events_register()
        group_subject.group_announcements_register()
        group_member_left_register(_member_left)
