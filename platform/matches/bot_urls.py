"""Addresses of a bot's matches and challenges below ``/bots/`` and, as ``api_urlpatterns``, below ``/api/``.

They belong to the URL namespaces of the room ``bots``.
"""

from django.urls import path

from contests.exports_api import prepared_exports_api_paths
from matches.bot_history import api as history_api
from matches.bot_history import views as history
from matches.challenges import api as challenges_api
from matches.challenges import views as challenges
from matches.check_games import check_game_failure_view, check_game_frames_view, check_games_view
from matches.sparring import api as sparring_api
from matches.sparring import views as sparring

_CHECK = "<slug:slug>/versions/<int:number>/check/<slug:stage>/"
urlpatterns = [
    path("<slug:slug>/", history.bot_history_view, name="detail"),
    path("<slug:slug>/preview.png", history.bot_history_preview_view, name="preview"),
    path("<slug:slug>/output/", history.bot_history_output_view, name="output"),
    path("<slug:slug>/failures/", history.bot_history_failures_view, name="failures"),
    path("<slug:slug>/costliest/", history.bot_history_costliest_view, name="costliest"),
    path("<slug:slug>/costliest/drill.jsonl", history.bot_history_drill_view, name="drill"),
    path(
        "<slug:slug>/failures/<int:pk>/<int:index>/failure.zip",
        history.bot_history_failure_file_view,
        name="failure-file",
    ),
    path(
        "<slug:slug>/decisions/<int:pk>/<int:index>/<int:seat>/<int:step>.json",
        history.bot_history_decision_view,
        name="decision",
    ),
    path(
        "<slug:slug>/decisions/<int:pk>/<int:index>/<int:seat>/<int:step>.zip",
        history.bot_history_decision_file_view,
        name="decision-file",
    ),
    path("<slug:slug>/versions/<int:number>/check/failure.zip", check_game_failure_view, name="check-failure"),
    path(_CHECK, check_games_view, name="check"),
    path(f"{_CHECK}<int:index>/frames.json", check_game_frames_view, name="check-frames"),
    path("<slug:slug>/spar/", sparring.sparring_spar_view, name="spar"),
    path("sparring/<int:pk>/stop/", sparring.sparring_stop_view, name="spar-stop"),
    path("<slug:slug>/challenges/", challenges.challenge_list_view, name="challenges"),
    path("challenges/<int:pk>/", challenges.challenge_answer_view, name="challenge-answer"),
]
api_urlpatterns = [
    path("bots/<slug:slug>/records.jsonl", history_api.RecordsView.as_view(), name="records"),
    path("bots/<slug:slug>/results/", history_api.ResultsView.as_view(), name="results"),
    path("bots/<slug:slug>/output/", history_api.OutputView.as_view(), name="output"),
    path("bots/<slug:slug>/timings/", history_api.TimingsView.as_view(), name="timings"),
    path(
        "bots/<slug:slug>/failures/<int:pk>/<int:index>/failure.zip",
        history_api.FailureFileView.as_view(),
        name="failure-file",
    ),
    path(
        "bots/<slug:slug>/versions/<int:number>/failure.zip",
        history_api.CheckFailureFileView.as_view(),
        name="check-failure",
    ),
    *prepared_exports_api_paths("bots/<slug:slug>", history_api.DRILL_FILE),
    path("bots/<slug:slug>/failures/", history_api.FailuresView.as_view(), name="failures"),
    path("sparring/", sparring_api.SparringsView.as_view(), name="sparrings"),
    path("sparring/<int:pk>/", sparring_api.SparringView.as_view(), name="sparring"),
    path("bots/<slug:slug>/challenges/", challenges_api.ChallengesView.as_view(), name="challenges"),
    path("bots/<slug:slug>/challenges/<int:challenge_id>/", challenges_api.ChallengeView.as_view(), name="challenge"),
]
