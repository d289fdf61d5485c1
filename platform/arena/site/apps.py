from django.apps import AppConfig
from django.conf import settings


class SiteConfig(AppConfig):
    name = "arena.site"
    label = "site_pages"

    def ready(self) -> None:
        from arena.site import (
            checks,  # noqa: F401  registers them
            context,
        )
        from web.visits import visitor_choice_register

        visitor_choice_register(context.COOKIE, context.THEMES)

        if settings.SENTRY_DSN:
            from arena.operations.error_reports import error_reports_start  # needs an extra

            error_reports_start(settings.SENTRY_DSN)
