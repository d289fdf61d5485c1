from django.apps import AppConfig


class LeagueConfig(AppConfig):
    name = "tournaments.league"
    label = "league"
