"""Addresses of this app."""

from django.urls import URLPattern, path

from matches.airing.api import BroadcastView
from matches.airing.views import match_broadcast
from matches.pages import api, views
from matches.pages.choices import results_choice_save
from matches.pages.sharing import sharing_game_picture
from matches.pages.views import match_game_luck
from matches.replay.one_file import replay_match_file

app_name = "matches"
urlpatterns: list[URLPattern] = [
    path("", views.match_list, name="list"),
    path("results/", results_choice_save, name="results"),
    path("<int:pk>/", views.match_detail, name="detail"),
    path("<int:pk>/cells/", views.match_cells, name="cells"),
    path("<int:pk>/broadcast/", match_broadcast, name="broadcast"),
    path("<int:pk>/embed/", views.match_embed, name="embed"),
    path("<int:pk>/replay.html", replay_match_file, name="file"),
    path("<int:pk>/games/<int:index>/frames.json", views.match_game_frames, name="game-frames"),
    path("<int:pk>/games/<int:index>/picture.<slug:form>", sharing_game_picture, name="picture"),
    path("<int:pk>/games/<int:index>/luck.json", match_game_luck, name="game-luck"),
    path("<int:pk>/games/<int:index>/notes.json", views.match_game_notes, name="game-notes"),
    path("<int:pk>/games/<int:index>/record.<slug:form>", views.match_game_record, name="record"),
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
