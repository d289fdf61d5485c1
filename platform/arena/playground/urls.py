"""The playground."""

from django.urls import path

from arena.playground import views

urlpatterns = [
    path("", views.playground_write, name="playground"),
    path("play/", views.playground_play, name="play-yourself"),
    path("save/", views.playground_save, name="playground-save"),
    path("terms-<slug:name>.json", views.playground_terms_file, name="playground-terms"),
    path("versions-<slug:name>.json", views.playground_versions_view, name="playground-versions"),
    path("worker-<slug:digest>.js", views.playground_worker, name="playground-worker"),
    path("kit-<slug:digest>.zip", views.playground_kit, name="playground-kit"),
]
