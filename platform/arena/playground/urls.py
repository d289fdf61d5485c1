"""The playground."""

from django.urls import path

from arena.playground import views

urlpatterns = [
    path("", views.write, name="playground"),
    path("play/", views.play, name="play-yourself"),
    path("save/", views.save, name="playground-save"),
    path("terms-<slug:name>.json", views.terms, name="playground-terms"),
    path("versions-<slug:name>.json", views.versions, name="playground-versions"),
    path("worker-<slug:digest>.js", views.worker, name="playground-worker"),
    path("kit-<slug:digest>.zip", views.kit, name="playground-kit"),
]
