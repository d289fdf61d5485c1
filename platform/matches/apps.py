from django.apps import AppConfig


class MatchesConfig(AppConfig):
    name = "matches"

    def ready(self) -> None:
        from matches import check_games as of_checks
        from matches import hook_events
        from matches.bot_history import costliest
        from matches.challenges import hook_events as of_challenges
        from matches.pages import choices
        from matches.sparring import panels as of_sparring
        from web.prepared.services import prepared_worker_register
        from web.topics import topic_kind_register
        from web.visits import visitor_choice_register

        costliest.register()
        hook_events.register()
        of_challenges.register()
        of_checks.register()
        of_sparring.register()
        topic_kind_register("match")
        prepared_worker_register("matches.prepare_files")
        visitor_choice_register(choices.COOKIE, [choices.SHOWN])
