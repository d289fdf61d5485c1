"""Read-only admin page of puzzles."""

from django.contrib import admin

from puzzles.models import Puzzle
from web.admin import ReadOnly


@admin.register(Puzzle)
class PuzzleAdmin(ReadOnly):
    list_display = ("pk", "game", "rating", "answers", "solved", "created_at")
    list_filter = ("game",)
