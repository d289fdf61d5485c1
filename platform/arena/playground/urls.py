"""Addresses of the playground."""

from django.urls import path

from arena.playground import views

urlpatterns = [
    path("", views.playground_write_view, name="playground"),
    path("play/", views.playground_play_view, name="play-yourself"),
    path("save/", views.playground_save_view, name="playground-save"),
    path("terms-<slug:name>.json", views.playground_terms_file_view, name="playground-terms"),
    path("versions-<slug:name>.json", views.playground_versions_view, name="playground-versions"),
    path("worker-<slug:digest>.js", views.playground_worker_view, name="playground-worker"),
    path("kit-<slug:digest>.zip", views.playground_kit_view, name="playground-kit"),
]
