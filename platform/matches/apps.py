from django.apps import AppConfig


class MatchesConfig(AppConfig):
    name = "matches"

    def ready(self) -> None:
        from matches import hook_events
        from matches.check_games import views as of_checks
        from matches.sparring import panels as of_sparring
        from web.topics import topic_kind_register

        hook_events.register()
        of_checks.register()
        of_sparring.register()
        topic_kind_register("match")
