from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "arena.site"
    label = "site_pages"

    def ready(self) -> None:
        from arena.site import checks, game_checks, migration_checks  # noqa: F401  registers them
