from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


def _team_dissolved(team_id: int) -> None:
    from notices.following import follows_delete

    follows_delete(kind="team", targets=[team_id])


class NoticesConfig(AppConfig):
    name = "notices"
    verbose_name = _("Notices")

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_out

        from hooks.hook_events import hook_paused_publish_register
        from notices.following import followed_register
        from notices.services import notice_events_publish
        from notices.views import push_device_signed_out
        from teams.models import Team
        from teams.services import team_dissolved_register

        followed_register("team", _("Team"), "teams:detail", lambda _user: Team.objects.select_related("account"))
        team_dissolved_register(_team_dissolved)
        hook_paused_publish_register(notice_events_publish)
        user_logged_out.connect(push_device_signed_out)
