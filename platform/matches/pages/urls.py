"""Addresses of the pages of matches."""

from django.urls import URLPattern, path

from matches.airing.api import BroadcastView
from matches.airing.views import match_broadcast_view
from matches.pages import api, views
from matches.pages.choices import results_choice_save_view
from matches.pages.sharing import sharing_game_picture_view
from matches.pages.views import match_game_luck_view
from matches.replay.one_file import replay_one_file_view

app_name = "matches"
urlpatterns: list[URLPattern] = [
    path("", views.match_list_view, name="list"),
    path("results/", results_choice_save_view, name="results"),
    path("<int:pk>/", views.match_detail_view, name="detail"),
    path("<int:pk>/cells/", views.match_cells_view, name="cells"),
    path("<int:pk>/broadcast/", match_broadcast_view, name="broadcast"),
    path("<int:pk>/embed/", views.match_embed_view, name="embed"),
    path("<int:pk>/replay.html", replay_one_file_view, name="file"),
    path("<int:pk>/games/<int:index>/frames.json", views.match_game_frames_view, name="game-frames"),
    path("<int:pk>/games/<int:index>/picture.<slug:form>", sharing_game_picture_view, name="picture"),
    path("<int:pk>/games/<int:index>/luck.json", match_game_luck_view, name="game-luck"),
    path("<int:pk>/games/<int:index>/notes.json", views.match_game_notes_view, name="game-notes"),
    path("<int:pk>/games/<int:index>/record.<slug:form>", views.match_game_record_view, name="record"),
]


api_urlpatterns: list[URLPattern] = [
    path("", api.MatchesView.as_view(), name="list"),
    path("<int:pk>/", api.MatchView.as_view(), name="detail"),
    path("<int:pk>/broadcast/", BroadcastView.as_view(), name="broadcast"),
    path("<int:pk>/games/", api.MatchGamesView.as_view(), name="games"),
    path("<int:pk>/games/<int:index>/notes/", api.GameNotesView.as_view(), name="notes"),
    path("<int:pk>/games/<int:index>/record.json", api.GameRecordView.as_view(), name="record"),
    path("<int:pk>/games/<int:index>/record.bin", api.GameRecordBytesView.as_view(), name="record-bytes"),
]
