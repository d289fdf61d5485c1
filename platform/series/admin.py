"""Read-only admin page of series. They are changed on their own pages."""

from django.contrib import admin

from series.models import TournamentSeries
from web.admin import ReadOnly


@admin.register(TournamentSeries)
class TournamentSeriesAdmin(ReadOnly):
    list_display = ("name", "organiser", "game", "audience", "created_at")
    list_filter = ("game", "audience")
